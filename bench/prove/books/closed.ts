import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger } from '../../../test/exports/support/ledger.ts';
import { ownersBook } from '../../../test/exports/support/life.ts';
import { fillLedger } from '../../../test/exports/support/fillLedger.ts';
import { costOf, count, figures } from './growth.ts';

const MONTH = '2026-12';
const CLOSED = '2026-11';

/** What a month costs once the eleven before it are closed, and how that compares with before. */
export async function proveClosed(entries: number, say: (line: string) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'stayd-prove-closed-'));
  const cost = async (what: string, job: string, period: string) =>
    say(`- books, ${count(entries)} entries, ${what}: ${figures(await costOf(directory, job, period))}`);
  try {
    const world = await openLedger({ settings: ownersBook, directory });
    await fillLedger(world.store, entries);
    await world.close();
    await cost('a month before any is closed', 'jsonl', MONTH);
    await cost('eleven months closed', 'close', CLOSED);
    await cost('a month after closing', 'jsonl', MONTH);
    await cost('kept as rows after closing', 'keep', MONTH);
    await cost('verified after closing', 'verify', MONTH);
    await cost('one more month closed', 'close', MONTH);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
