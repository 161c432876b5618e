import { instantOf } from '../../kernel/dates.ts';
import { UsageError } from '../../kernel/errors.ts';
import { chosenConnection } from '../accounts/account.ts';
import { payoutsNamed, undoPayout } from './payoutTable.ts';
import type { ExportPorts } from '../ports.ts';

/** A request to undo the match of a payout. */
export interface UndoOrder {
  /** Id of the payout, or the beginning of it. */
  readonly payout: string;
  readonly reason: string | null;
  readonly connection?: string | undefined;
}

/** The result of {@link undoMatch}. */
interface UndoReport {
  readonly connection: string;
  readonly payout_id: string;
  readonly date: string;
  readonly account: string;
  readonly amount_minor: number;
  readonly currency: string;
  /** Number of postings that are open again. */
  readonly postings: number;
}

/** Undoes the match of a payout: its postings are open again, and its entry is removed, or reversed if sealed. */
export async function undoMatch(ports: ExportPorts, order: UndoOrder): Promise<UndoReport> {
  const { store, clock } = ports;
  const connection = await chosenConnection(store.db, order.connection);
  const [row, another] = await payoutsNamed(store.db, connection, order.payout);
  if (!row) {
    throw new UsageError(`there is no payout "${order.payout}"`, './stayd report payouts lists them with their ids');
  }
  if (another) throw new UsageError(`"${order.payout}" is the beginning of several payouts`, 'write more of the id');
  const { payout_id, date, account, amount_minor, currency } = row;
  if (row.undone_at !== null) throw new UsageError(`payout ${payout_id} was reversed at ${row.undone_at}`);
  const at = instantOf(clock.now());
  const postings = await undoPayout(store, { connection, payoutId: payout_id, at, reason: order.reason });
  return { connection, payout_id, date, account, amount_minor, currency, postings };
}
