import type { z } from 'zod';
import type { transaction } from '../../contract/transactions.ts';
import { msOf, withOffset } from '../../kernel/dates.ts';
import { wireAmount } from '../../kernel/money.ts';
import { entryStatus, linkType } from './rules.ts';
import type { NamedTransaction } from './table.ts';

/** Operator name of entries that no person made. */
const SYSTEM = 'System';

/** Returns the public form of a ledger entry, with instants in the operator's zone. */
export function presentTransaction(row: NamedTransaction, zone: string, now: number): z.output<typeof transaction> {
  return {
    id: row.id,
    reservation_code: row.reservation_code,
    stay_code: row.reservation_code,
    property_id: row.property_id,
    direction: row.direction,
    item_id: row.item_id,
    item_name: row.item_name ?? '',
    payment_method_id: row.payment_method_id,
    payment_method_name: row.method_name ?? '',
    amount: wireAmount(row.amount, row.currency),
    currency: row.currency,
    action_at: withOffset(row.action_at, zone),
    note: row.note,
    status: entryStatus(msOf(row.action_at), now),
    operator_name: row.operator_name ?? SYSTEM,
    link_type: linkType(row),
    property_title: row.property_name,
    created_at: withOffset(row.created_at, zone),
    updated_at: withOffset(row.updated_at, zone),
  };
}
