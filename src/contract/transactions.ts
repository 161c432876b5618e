import { z } from 'zod';
import { daysBetween } from '../kernel/dates.ts';
import { amount, currency, date, id, listOf, none, nothing, openEnum, paging, timestamp } from './fields.ts';
import { operation } from './operation.ts';

const directions = ['income', 'expense'] as const;
/** Most days from start_date to end_date, both included. */
export const TRANSACTION_DAYS = 366;
const direction = z.enum(directions).meta({ vocabulary: 'direction' });
const note = z.string().max(500);
const positive = amount.positive();

/** An entry of the ledger: income or expense. */
export const transaction = z
  .object({
    id: z.int(),
    reservation_code: z.string().nullable(),
    stay_code: z.string().nullable().describe('Deprecated; equals reservation_code.'),
    property_id: z.int().nullable(),
    direction: openEnum(directions, 'direction'),
    item_id: z.int(),
    item_name: z.string(),
    payment_method_id: z.int(),
    payment_method_name: z.string(),
    amount,
    currency: z.string(),
    action_at: timestamp.describe('When it took place, with the operator’s offset.'),
    note: z.string(),
    status: openEnum(['paid', 'outstanding'], 'transaction_status'),
    operator_name: z.string(),
    link_type: openEnum(['property', 'reservation', 'operator']),
    property_title: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ family: 'transaction', schemaName: 'Transaction' });

const oneName = (fields: { reservation_code?: unknown; stay_code?: unknown }) =>
  fields.reservation_code === undefined || fields.stay_code === undefined;
const oneNameRule = {
  path: ['stay_code'],
  error: 'is the same field as reservation_code; send one of them',
  params: { code: 400 },
};

/** Lists ledger entries by the operator's date of action_at, newest id first. */
export const listTransactions = operation({
  method: 'GET',
  path: '/transactions',
  params: none,
  query: z
    .object({
      ...paging,
      id: id('One entry; dates may then be left out.').optional(),
      start_date: date.optional().describe('Entries of this day or later.'),
      end_date: date.optional().describe('Entries of this day or earlier.'),
      property_id: id('Linked directly or by a reservation there.').optional(),
      reservation_code: z.string().optional().describe('Entries of one reservation.'),
      stay_code: z.string().optional().describe('Deprecated; the same as reservation_code.'),
      direction: direction.optional().describe('Income or expenses alone.'),
      item_id: id('Category.').optional(),
      payment_method_id: id('Method.').optional(),
      currency: z.string().optional().describe('Entries in one currency, such as EUR.'),
      keyword: z.string().max(100).optional().describe('Part of the note.'),
    })
    .refine(oneName, oneNameRule)
    .refine((query) => query.id !== undefined || query.start_date !== undefined, {
      path: ['start_date'],
      error: 'is required unless id is given',
    })
    .refine((query) => query.id !== undefined || query.end_date !== undefined, {
      path: ['end_date'],
      error: 'is required unless id is given',
    })
    .refine((query) => !query.start_date || !query.end_date || query.start_date <= query.end_date, {
      path: ['start_date'],
      error: 'must not be after end_date',
    })
    .refine(
      (query) =>
        !query.start_date || !query.end_date || daysBetween(query.start_date, query.end_date) < TRANSACTION_DAYS,
      { path: ['end_date'], error: `is more than ${TRANSACTION_DAYS} days from start_date, both included` },
    ),
  body: null,
  data: listOf('transactions', transaction),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_transactions', category: 'finance' },
  since: '3.2.0',
  summary: 'Ledger entries by the operator’s date of action_at, newest id first.',
  errors: [400],
  emits: [],
  example: { start_date: '2027-03-01', end_date: '2027-03-31', direction: 'income' },
});

/**
 * Adds a ledger entry to a reservation, a property or the operator. An entry of a reservation belongs to it as a whole;
 * rooms share it by their rates.
 */
export const createTransaction = operation({
  method: 'POST',
  path: '/transactions',
  params: none,
  query: none,
  body: z
    .object({
      direction,
      amount: positive,
      item_id: id('From the items of the direction.'),
      payment_method_id: id('From the methods of the direction.'),
      reservation_code: z.string().optional(),
      stay_code: z.string().optional().describe('Deprecated; the same as reservation_code.'),
      property_id: id('Instead of a reservation.').optional(),
      currency: currency.optional().describe('A reservation’s is taken from it.'),
      action_at: timestamp.optional().describe('Without an offset: operator time. Default: now.'),
      note: note.optional(),
    })
    .refine(oneName, oneNameRule)
    .refine(
      (body) => body.property_id === undefined || (body.reservation_code === undefined && body.stay_code === undefined),
      { path: ['property_id'], error: 'excludes a reservation; send one of them', params: { code: 400 } },
    )
    .refine(
      (body) => body.currency !== undefined || body.reservation_code !== undefined || body.stay_code !== undefined,
      { path: ['currency'], error: 'is required unless a reservation is given' },
    ),
  data: z.object({ transaction_id: z.int() }),
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'create_transaction', category: 'finance' },
  since: '3.2.0',
  summary: 'Adds a ledger entry to a reservation, a property or the operator.',
  notes: 'Belongs to a reservation as a whole: a room’s share stands beside it, by room rates.',
  errors: [400, 403, 404],
  emits: ['transaction_created'],
  example: {
    direction: 'expense',
    amount: 45.5,
    item_id: 107,
    payment_method_id: 112,
    property_id: 1,
    currency: 'EUR',
    note: 'New key cut.',
  },
});

/** Changes an entry. Its direction, link and currency stay. */
export const updateTransaction = operation({
  method: 'PATCH',
  path: '/transactions/{id}',
  params: z.object({ id: id('The entry.') }),
  query: none,
  body: z.object({
    amount: positive.optional(),
    item_id: id('From the items of its direction.').optional(),
    payment_method_id: id('From the methods of its direction.').optional(),
    action_at: timestamp.optional(),
    note: note.optional(),
  }),
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'update_transaction', category: 'finance' },
  since: '3.2.0',
  summary: 'Changes an entry; its direction, link and currency stay.',
  errors: [403, 404],
  emits: ['transaction_updated'],
  example: { id: 12, amount: 48, note: 'Two keys.' },
});

/** Deletes an entry for good. */
export const deleteTransaction = operation({
  method: 'DELETE',
  path: '/transactions/{id}',
  params: z.object({ id: id('The entry.') }),
  query: none,
  body: null,
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'delete_transaction', category: 'finance' },
  since: '3.2.0',
  summary: 'Deletes an entry for good.',
  errors: [403, 404],
  emits: ['transaction_deleted'],
  example: { id: 12 },
});
