import type { ItemClass } from '../../kernel/books.ts';
import type { BookedEntry } from '../journal/book.ts';

/** The subject of an entry: the class of its item, or its own nature. */
export type EntryClass = ItemClass | 'unmapped' | 'occupancy_tax' | 'stay_fee' | 'damage' | 'payout';

/**
 * Returns the class of an entry.
 * @param items classes of ledger entries by id, including entries that are gone
 */
export function classOf(
  { entry, base, suffix }: BookedEntry,
  items: ReadonlyMap<string, ItemClass | undefined>,
): EntryClass {
  const { kind, id } = entry.source;
  switch (kind) {
    case 'transaction':
      return items.get(id) ?? 'unmapped';
    case 'deposit':
      return base.split('-').at(-2) === 'deducted' ? 'damage' : 'deposit';
    case 'payout':
      return 'payout';
    case 'reservation':
      if (suffix === 'tax') return 'occupancy_tax';
      // The reduction of a net fee belongs to the fee.
      return suffix === 'fee' || suffix === 'net' || suffix.startsWith('net-') ? 'stay_fee' : 'commission';
  }
}
