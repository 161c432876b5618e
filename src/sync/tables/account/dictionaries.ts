import { type Dictionary, dictionaries, dictionaryEntry } from '../../../contract/dictionaries.ts';
import { type MirrorResource, rowReader, type WholeList } from '../rows/resource.ts';

/** Makes the reader of one dictionary: ids are unique within one dictionary only. */
function readerOf(dictionary: Dictionary) {
  return rowReader({
    schema: dictionaryEntry,
    keyFields: ['id'],
    rowKey: (one) => `${dictionary}/${one.id}`,
    key: (one) => `${dictionary}/${one.id}`,
    columns: (one) => ({ item: `${dictionary}/${one.id}`, dictionary, id: one.id, name: one.name }),
  });
}

const readDictionary = {
  income_items: readerOf('income_items'),
  expense_items: readerOf('expense_items'),
  income_methods: readerOf('income_methods'),
  expense_methods: readerOf('expense_methods'),
} satisfies Record<(typeof dictionaries)[number], ReturnType<typeof readerOf>>;

const readOf: Record<Dictionary, WholeList['read']> = {
  async income_items(client, reading, options) {
    const answer = await client.call('listIncomeItems', {}, options);
    return readDictionary.income_items(answer.data.income_items, answer, reading);
  },
  async expense_items(client, reading, options) {
    const answer = await client.call('listExpenseItems', {}, options);
    return readDictionary.expense_items(answer.data.expense_items, answer, reading);
  },
  async income_methods(client, reading, options) {
    const answer = await client.call('listIncomeMethods', {}, options);
    return readDictionary.income_methods(answer.data.income_methods, answer, reading);
  },
  async expense_methods(client, reading, options) {
    const answer = await client.call('listExpenseMethods', {}, options);
    return readDictionary.expense_methods(answer.data.expense_methods, answer, reading);
  },
};

export const dictionaryItems: MirrorResource = {
  name: 'dictionary_item',
  table: 'dictionary_items',
  keyColumn: 'item',
  groupColumn: 'item',
  lists: dictionaries.map((dictionary) => ({
    holds: (key) => key.startsWith(`${dictionary}/`),
    read: readOf[dictionary],
  })),
};
