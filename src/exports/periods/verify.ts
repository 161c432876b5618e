import { turn } from '../../kernel/clock.ts';
import { dateIn } from '../../kernel/dates.ts';
import { chosenConnection, zoneOf } from '../accounts/account.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { chained } from './sealing.ts';
import type { ExportPorts } from '../ports.ts';
import type { BooksReport } from '../run/order.ts';
import type { OnProgress } from '../jobs/runJob.ts';

/** The check of one sealed month. */
interface VerifiedPeriod {
  readonly period: string;
  readonly entries: number;
  readonly digest: string;
  /** Null if the month is as it was sealed. */
  readonly problem: string | null;
}

/** The result of {@link verifyBooks}. */
interface VerifyBooksReport {
  readonly connection: string;
  readonly clean: boolean;
  readonly periods: readonly VerifiedPeriod[];
  /** The books of all days as they are now. */
  readonly books: BooksReport;
  /** True if the stored books, from which exports and reports read, are not what the mirror gives. */
  readonly differs: boolean;
}

const NO_CHAIN = '0'.repeat(64);
const PAGE = 200;
const FIRST_DAY = '1970-01-01';

/**
 * Recomputes the hash chain and the sums of all locked months, and books everything from scratch to find differences,
 * those of the stored books among them.
 */
export async function verifyBooks(
  ports: ExportPorts,
  name: string | undefined,
  { onProgress, signal }: { onProgress: OnProgress; signal: AbortSignal },
): Promise<VerifyBooksReport> {
  const { db } = ports.store;
  const connection = await chosenConnection(db, name);
  const rows = await db
    .selectFrom('export_periods')
    .selectAll()
    .where('connection', '=', connection)
    .where('state', '=', 'locked')
    .orderBy('period')
    .execute();
  const periods: VerifiedPeriod[] = [];
  let chain = NO_CHAIN;
  for (const { period, seal, digest, entries } of rows) {
    const found = await verifySeal(ports, connection, { seal: seal ?? '', chain });
    chain = found.chain;
    const problem =
      found.problem ??
      (found.entries === entries ? null : `it has ${found.entries} entries, ${entries} were sealed`) ??
      (chain === digest ? null : 'its hash chain ends elsewhere than when it was sealed');
    periods.push({ period, entries, digest, problem });
  }
  const zone = await zoneOf(db, connection);
  const now = ports.clock.now();
  const result = await ports.carryOut(
    {
      kind: 'check',
      fromScratch: true,
      location: ports.location,
      connection,
      settings: ports.bookOf(connection),
      now,
      from: FIRST_DAY,
      to: dateIn(zone, now),
    },
    { onProgress, onReport: async () => {}, onEntries: async () => {} },
    signal,
  );
  if (result.kind !== 'booked') throw new Error('the books were not checked');
  const { report, differs } = result;
  const clean =
    periods.every(({ problem }) => problem === null) &&
    report.exceptionCount === 0 &&
    report.unconfirmed.count === 0 &&
    !differs;
  return { connection, clean, periods, books: report, differs };
}

async function verifySeal(
  { store }: ExportPorts,
  connection: string,
  from: { seal: string; chain: string },
): Promise<{ chain: string; entries: number; problem: string | null }> {
  let { chain } = from;
  let entries = 0;
  for (;;) {
    const rows = await store.db
      .selectFrom('export_entries')
      .select(['entry_id', 'position', 'chain', 'body'])
      .where('connection', '=', connection)
      .where('seal', '=', from.seal)
      .where('position', '>', entries)
      .orderBy('position')
      .limit(PAGE)
      .execute();
    for (const row of rows) {
      entries += 1;
      chain = chained(chain, row.body);
      if (row.position !== entries) return { chain, entries, problem: `entry ${entries} is missing` };
      if (chain !== row.chain) return { chain, entries, problem: `${row.entry_id} is not what was sealed` };
      if (!isBalanced(JSON.parse(row.body) as JournalEntry)) {
        return { chain, entries, problem: `${row.entry_id} is out of balance` };
      }
    }
    if (rows.length < PAGE) return { chain, entries, problem: null };
    await turn();
  }
}

function isBalanced({ postings }: JournalEntry): boolean {
  const sums = new Map<string, number>();
  for (const { currency, amount } of postings) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums.values()].every((sum) => sum === 0);
}
