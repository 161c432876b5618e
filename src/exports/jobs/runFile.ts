import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../kernel/errors.ts';
import { chosenConnection } from '../accounts/account.ts';
import type { ExportPorts } from '../ports.ts';
import type { Prepared } from './deliver.ts';
import { findRun } from './runTable.ts';

/** A file of a run. */
interface RunFile {
  readonly name: string;
  /** Its bytes in base64. */
  readonly base64: string;
}

/**
 * Lists the files that a run has written, or reads one of them. Its name is one of the list, so it names nothing else
 * of this machine.
 * @throws UsageError for a run that does not exist, or a file that it has not or no longer has
 */
export async function runFiles(
  { store }: ExportPorts,
  order: { run: string; connection?: string | undefined; name?: string | undefined },
): Promise<{ files: readonly { name: string; bytes: number }[]; file: RunFile | null }> {
  const connection = await chosenConnection(store.db, order.connection);
  const row = await findRun(store.db, connection, order.run);
  if (!row) throw new UsageError(`run: there is no run ${order.run}`, './stayd export list shows the newest');
  const { folder, files } = JSON.parse(row.manifest ?? '{"folder":"","files":[]}') as Prepared;
  const shown = files.map(({ name, bytes }) => ({ name, bytes }));
  if (order.name === undefined) return { files: shown, file: null };
  const path = join(folder, order.name);
  if (!shown.some(({ name }) => name === order.name) || !existsSync(path)) {
    throw new UsageError(`name: run ${order.run} has no file ${order.name}, or no longer`);
  }
  return { files: shown, file: { name: order.name, base64: (await readFile(path)).toString('base64') } };
}
