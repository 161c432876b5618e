import { instantOf } from '../../kernel/dates.ts';
import { UsageError } from '../../kernel/errors.ts';
import { mayGo, next } from '../../kernel/transitions.ts';
import { runLife } from './states.ts';
import { chosenConnection } from '../accounts/account.ts';
import type { ExportPorts } from '../ports.ts';
import { dropDeliveries, newestRuns, type RunRow, runsNamed, updateRun } from './runTable.ts';

/** An operator's word on the fate of a delivery. */
export interface AckOrder {
  /** Id of a run or of a batch, or the beginning of either. The name of a job means its newest run. */
  readonly run: string;
  readonly connection?: string | undefined;
  /** True if the delivery did not arrive or was thrown away. Its entries are then delivered again. */
  readonly failed: boolean;
}

/** Records that the delivery of a run has arrived, or that it has not. */
export async function acknowledge(
  ports: ExportPorts,
  order: AckOrder,
): Promise<{ run_id: string; job: string; state: RunRow['state']; entries: number }> {
  const { db } = ports.store;
  const connection = await chosenConnection(db, order.connection);
  const row = await runMeant(ports, connection, order.run);
  const trigger = order.failed ? 'reject' : 'acknowledge';
  const state = next(runLife, 'delivered', trigger);
  if (row.state !== state) {
    if (!mayGo(runLife, row.state, trigger)) {
      throw new UsageError(`run ${row.run_id} is ${row.state}`, 'only what was delivered can be acknowledged');
    }
    await updateRun(db, row, { state, finished_at: instantOf(ports.clock.now()) });
    if (order.failed) await dropDeliveries(ports.store, row);
  }
  return { run_id: row.run_id, job: row.job, state, entries: row.entries };
}

async function runMeant({ store }: ExportPorts, connection: string, name: string): Promise<RunRow> {
  const [newest] = await newestRuns(store.db, connection, name, 1);
  if (newest) return newest;
  const [row, another] = await runsNamed(store.db, connection, name);
  if (row && (!another || row.run_id === name || row.batch === name)) return row;
  throw new UsageError(
    another ? `"${name}" is the beginning of several runs` : `there is no run, batch or job "${name}"`,
    './stayd export list shows the newest runs',
  );
}
