import type { MirrorTrx } from '../../sync/tables/database.ts';
import type { ExportPeriodLogTable, ExportPeriodsTable } from '../tables/exportTables.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { ExportPorts } from '../ports.ts';

const UPDATED = ['state', 'seal', 'digest', 'policy_hash', 'entries', 'totals', 'at'] as const;

/** Writes the current state of months, each with a log row that gives the reason. */
export async function storePeriods(
  ports: ExportPorts,
  trx: MirrorTrx,
  {
    rows,
    action,
    reason,
  }: { rows: readonly ExportPeriodsTable[]; action: ExportPeriodLogTable['action']; reason: string | null },
): Promise<void> {
  await insertMany(trx, 'export_periods', rows, { columns: ['connection', 'period'], update: UPDATED });
  const log = rows.map((row) => logRow(ports, row, { action, at: row.at, reason }));
  await insertMany(trx, 'export_period_log', log);
}

/** Returns a row of the log of months. */
export function logRow(
  ports: ExportPorts,
  { connection, period, digest }: Pick<ExportPeriodsTable, 'connection' | 'period' | 'digest'>,
  said: Pick<ExportPeriodLogTable, 'action' | 'at' | 'reason'>,
): ExportPeriodLogTable {
  return { connection, log_id: ports.ids(), period, digest, ...said };
}

/** Returns the newest locked month, or undefined. */
export async function lastLocked({ store }: ExportPorts, connection: string): Promise<ExportPeriodsTable | undefined> {
  return store.db
    .selectFrom('export_periods')
    .selectAll()
    .where('connection', '=', connection)
    .where('state', '=', 'locked')
    .orderBy('period', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns a month, or undefined if it was never closed. */
export function findPeriod({ store }: ExportPorts, connection: string, period: string) {
  return store.db
    .selectFrom('export_periods')
    .selectAll()
    .where('connection', '=', connection)
    .where('period', '=', period)
    .executeTakeFirst();
}
