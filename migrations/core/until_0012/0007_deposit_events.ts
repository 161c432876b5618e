import type { Kysely } from 'kysely';
import { createTable } from '../../tables.ts';

// Why: a deposit showed its sums alone. Whoever gives money back asks for each step: when, by whom, with which reference.
// Deposits of before have none until their next step.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'deposit_events',
    columns: {
      account_id: 'text!',
      id: 'text!',
      stay_id: 'bigint!',
      at: 'text!',
      kind: 'text!',
      amount: 'bigint!',
      currency: 'text!',
      pending_refund_amount: 'bigint!',
      reference: 'text',
      operator_id: 'bigint',
    },
    key: ['account_id', 'stay_id', 'id'],
  });
}
