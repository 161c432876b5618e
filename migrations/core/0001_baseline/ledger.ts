import type { Table } from '../../tables.ts';

/** Income and expenses. */
export const ledger: readonly Table[] = [
  {
    name: 'transactions',
    columns: {
      account_id: 'text!',
      id: 'bigint! unique',
      direction: 'text!',
      item_id: 'bigint!',
      payment_method_id: 'bigint!',
      amount: 'bigint!',
      currency: 'text!',
      action_at: 'text!',
      note: 'text!',
      reservation_code: 'text',
      property_id: 'bigint',
      operator_id: 'bigint',
      created_at: 'text!',
      updated_at: 'text!',
      note_key: 'text',
    },
    key: ['account_id', 'id'],
    checks: {
      transactions_one_link: 'reservation_code is null or property_id is null',
      transactions_positive: 'amount > 0',
    },
    indexes: [
      { name: 'transactions_by_action', columns: ['account_id', 'action_at', 'id'] },
      {
        name: 'transactions_of_reservation',
        columns: ['account_id', 'reservation_code', 'direction', 'item_id', 'amount'],
      },
      { name: 'transactions_by_id', columns: ['account_id', 'id', 'action_at'] },
    ],
  },
  {
    name: 'allocations',
    columns: { account_id: 'text!', transaction_id: 'bigint!', stay_code: 'text!', amount: 'bigint!' },
    key: ['account_id', 'transaction_id', 'stay_code'],
  },
];
