import { transaction } from '../../../contract/transactions.ts';
import { addDays } from '../../../kernel/dates.ts';
import { PAGE_ROWS } from '../rows/allPages.ts';
import { dictionaryItems } from './dictionaries.ts';
import { properties } from '../portfolio/properties.ts';
import { type MirrorResource, named, type NewestRows, rowReader, textIn } from '../rows/resource.ts';
import { instantFrom, minorFrom, operatorDate } from '../wireValues.ts';

export const readTransactions = rowReader({
  schema: transaction,
  keyFields: ['id'],
  rowKey: (entry) => entry.id,
  key: (entry) => String(entry.id),
  columns: (entry, { zone }) => ({
    id: entry.id,
    reservation_code: entry.reservation_code ?? entry.stay_code,
    property_id: entry.property_id,
    direction: entry.direction,
    status: entry.status,
    item_id: entry.item_id,
    item_name: entry.item_name,
    payment_method_id: entry.payment_method_id,
    payment_method_name: entry.payment_method_name,
    amount_minor: minorFrom(entry.amount, entry.currency),
    currency: entry.currency,
    action_at: instantFrom(entry.action_at, zone),
    action_date: operatorDate(entry.action_at, zone),
    link_type: entry.link_type,
    operator_name: entry.operator_name,
    created_at: instantFrom(entry.created_at, zone),
    updated_at: instantFrom(entry.updated_at, zone),
  }),
});

export const transactions: MirrorResource & { newest: NewestRows } = {
  name: 'transaction',
  table: 'transactions',
  keyColumn: 'id',
  groupColumn: 'id',
  async lookUp(client, reading, key, options) {
    const answer = await client.call('listTransactions', { id: Number(key), limit: 1 }, options);
    return readTransactions(answer.data.transactions, answer, reading);
  },
  names(raw) {
    const { direction } = raw;
    const inDictionaries =
      direction === 'income' || direction === 'expense'
        ? [
            ...named(dictionaryItems.name, raw['item_id'], `${direction}_items/`),
            ...named(dictionaryItems.name, raw['payment_method_id'], `${direction}_methods/`),
          ]
        : [];
    return [...named(properties.name, raw['property_id']), ...inDictionaries];
  },
  newest: {
    event: 'transaction_created',
    async read(client, reading, options, today) {
      // Most entries are made on the day that they are dated. The extra day on each side covers every time zone.
      const days = { start_date: addDays(today, -1), end_date: addDays(today, 1) };
      const answer = await client.call('listTransactions', { ...days, offset: 0, limit: PAGE_ROWS }, options);
      return readTransactions(answer.data.transactions, answer, reading);
    },
  },
  leavesSuspects: true,
  /** The amount received for a reservation follows from its entries, and no event announces it. */
  touches(raw) {
    const code = textIn(raw, 'reservation_code') ?? textIn(raw, 'stay_code');
    return code !== undefined ? [{ resource: 'reservation', key: code }] : [];
  },
};
