import { type Dictionary, dictionaries, dictionaryEntry } from '../../contract/dictionaries.ts';
import { type MirrorResource, rowReader } from './resource.ts';

/** One reader per dictionary: ids are only unique within one. */
function readerOf(dictionary: Dictionary) {
  return rowReader({
    schema: dictionaryEntry,
    keyField: 'id',
    rowKey: (one) => `${dictionary}/${one.id}`,
    key: (one) => `${dictionary}/${one.id}`,
    columns: (one) => ({ item: `${dictionary}/${one.id}`, dictionary, id: one.id, name: one.name }),
  });
}

export const readDictionary = {
  income_items: readerOf('income_items'),
  expense_items: readerOf('expense_items'),
  income_methods: readerOf('income_methods'),
  expense_methods: readerOf('expense_methods'),
} satisfies Record<(typeof dictionaries)[number], ReturnType<typeof readerOf>>;

export const dictionaryItems: MirrorResource = {
  name: 'dictionary_item',
  table: 'dictionary_items',
  keyColumn: 'item',
  groupColumn: 'item',
};
