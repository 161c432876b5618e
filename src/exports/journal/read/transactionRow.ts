import type { Instant, PlainDate } from '../../../kernel/dates.ts';
import { isCurrency } from '../../../kernel/money.ts';
import type { TransactionFact } from './facts.ts';

/** A ledger entry as the mirror stores it. */
export interface TransactionRow {
  id: number;
  reservation_code: string | null;
  property_id: number | null;
  direction: string | null;
  item_id: number | null;
  item_name: string | null;
  payment_method_id: number | null;
  payment_method_name: string | null;
  amount_minor: number | null;
  currency: string | null;
  action_date: PlainDate | null;
  deleted_at: Instant | null;
}

/** The id of a missing item or method. No ledger uses it, so operators can map it like any other. */
const NOT_TOLD = 0;

function isDirection(word: string | null): boolean {
  return word === 'income' || word === 'expense';
}

/** Returns a ledger entry as a fact. */
export function transactionOf(row: TransactionRow): TransactionFact {
  return {
    id: row.id,
    reservation: row.reservation_code,
    propertyId: row.property_id,
    direction: row.direction === 'income' ? 'income' : 'expense',
    itemId: row.item_id ?? NOT_TOLD,
    itemName: row.item_name ?? 'not told',
    methodId: row.payment_method_id ?? NOT_TOLD,
    methodName: row.payment_method_name ?? 'not told',
    // An entry that is neither income nor expense, or in no known currency, is shown and not booked.
    amount: isDirection(row.direction) && isCurrency(row.currency ?? '') ? row.amount_minor : null,
    currency: row.currency ?? 'an unknown currency',
    date: row.action_date,
  };
}
