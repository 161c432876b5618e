import { instantOf } from '../../../kernel/dates.ts';
import type { Change } from '../../context.ts';
import type { CoreDb, DepositRow, StayRow } from '../../database.ts';
import type { DepositEvent } from './depositRules.ts';

/** Writes down one step of a deposit, with the person who took it. */
export async function noteDepositEvent(
  change: Change,
  { before, after, reference }: { before: DepositRow; after: DepositRow; reference: string | null },
  event: DepositEvent,
): Promise<void> {
  const { account_id, stay_id, currency, pending_refund_amount } = after;
  await change.trx
    .insertInto('deposit_events')
    .values({
      account_id,
      id: change.core.ids(),
      stay_id,
      at: instantOf(change.now),
      kind: event.kind,
      amount: event.kind === 'returned' ? before.pending_refund_amount : event.amount,
      currency,
      pending_refund_amount,
      reference,
      operator_id: change.operator?.id ?? null,
    })
    .execute();
}

/** Lists the steps of a stay's deposit in their order, with the names of those who took them. */
export function listDepositEvents(db: CoreDb, { account_id, id }: Pick<StayRow, 'account_id' | 'id'>) {
  return db
    .selectFrom('deposit_events as event')
    .leftJoin('operators as operator', (join) =>
      join.onRef('operator.account_id', '=', 'event.account_id').onRef('operator.id', '=', 'event.operator_id'),
    )
    .where('event.account_id', '=', account_id)
    .where('event.stay_id', '=', id)
    .select(['event.at', 'event.kind', 'event.amount', 'event.currency', 'event.pending_refund_amount'])
    .select(['event.reference', 'event.operator_id', 'operator.name as operator_name'])
    .orderBy('event.id')
    .execute();
}
