import type { MirrorTrx } from '../../sync/tables/database.ts';
import type { ExportPeriodLogTable, ExportPeriodsTable } from '../tables/exportTables.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { ExportPorts } from '../ports.ts';

const UPDATED = ['state', 'seal', 'digest', 'policy_hash', 'entries', 'totals', 'at'] as const;

/** Writes months as they are now, each with a line of the log that says why. */
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

export function logRow(
  ports: ExportPorts,
  { connection, period, digest }: Pick<ExportPeriodsTable, 'connection' | 'period' | 'digest'>,
  said: Pick<ExportPeriodLogTable, 'action' | 'at' | 'reason'>,
): ExportPeriodLogTable {
  return { connection, log_id: ports.ids(), period, digest, ...said };
}

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

export function findPeriod({ store }: ExportPorts, connection: string, period: string) {
  return store.db
    .selectFrom('export_periods')
    .selectAll()
    .where('connection', '=', connection)
    .where('period', '=', period)
    .executeTakeFirst();
}
