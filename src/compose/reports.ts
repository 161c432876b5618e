import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { messageOf, OperatorError, UsageError } from '../kernel/errors.ts';
import { readPostgres, readSqliteFile, type RowReader } from '../store/reading.ts';
import { openStore, type Store } from '../store/store.ts';
import type { Mirror } from '../sync/database.ts';
import { optionsOf } from '../sync/reports/question.ts';
import { getReport, mirroredConnections, readReport, type ReportAnswer } from '../sync/reports/read.ts';
import { reports } from '../sync/reports/catalog.ts';
import type { Asked } from '../sync/reports/question.ts';
import { locationOf } from './stores.ts';

export type { ReportAnswer } from '../sync/reports/read.ts';
export type { Asked } from '../sync/reports/question.ts';

/** What reports there are: name, what each answers, and what it can be asked by. */
export function reportList(): { name: string; title: string; view: string; options: string[] }[] {
  return reports.map((report) => ({ ...pick(report), options: optionsOf(report) }));
}

function pick({ name, title, view }: (typeof reports)[number]) {
  return { name, title, view };
}

export interface ReportOrder {
  name: string;
  connection?: string | undefined;
  asked: Asked;
}

/**
 * Reads a report straight from the mirror's database, whether or not a service runs on it; changes nothing.
 * @param signal aborts the reading
 */
export async function reportOf(config: Config, order: ReportOrder, signal: AbortSignal): Promise<ReportAnswer> {
  const report = getReport(order.name);
  const { reader, close } = await openReader(config);
  const stop = () => void close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const ask = <Row>(text: string, values: readonly string[]) => reader.rows<Row>(text, values);
    const connection = chosen(await mirroredConnections(ask), order.connection);
    return await readReport(ask, { report, connection, asked: order.asked, now: systemClock.now() });
  } catch (error) {
    throw explained(error);
  } finally {
    signal.removeEventListener('abort', stop);
    await close();
  }
}

async function openReader(config: Config): Promise<{ reader: RowReader; close(): Promise<void> }> {
  const location = locationOf(config, 'mirror');
  if (location.kind === 'sqlite') {
    if (!existsSync(location.file)) {
      throw new OperatorError(
        `there is no mirror yet: ${location.file} is missing`,
        'start stayd once, or check STAYD_DATA_DIR',
      );
    }
    const reader = readSqliteFile(location.file);
    return { reader, close: () => reader.close() };
  }
  const store: Store<Mirror> = await openStore<Mirror>(location);
  let closing: Promise<void> | undefined;
  return { reader: readPostgres(store), close: () => (closing ??= store.close()) };
}

function chosen(connections: readonly string[], name: string | undefined): string {
  const names = connections.join(', ') || 'none';
  if (name !== undefined) {
    if (connections.includes(name)) return name;
    throw new UsageError(`connection: there is none named "${name}"; there are ${names}`);
  }
  const [only, ...others] = connections;
  if (only === undefined) throw new OperatorError('nothing has been mirrored yet', 'start stayd, and let it read once');
  if (others.length === 0) return only;
  throw new UsageError(`connection: is required; there are ${names}`);
}

const NO_SUCH_TABLE = /no such (?:table|column)|relation .* does not exist|column .* does not exist/;

/** A database that an older version has left has no such view. */
function explained(error: unknown): unknown {
  if (error instanceof OperatorError || !NO_SUCH_TABLE.test(messageOf(error))) return error;
  return new OperatorError(
    'the mirror was made by an earlier version of stayd',
    'run ./stayd migrate, or start it',
    error,
  );
}
