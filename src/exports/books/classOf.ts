import type { ItemClass } from '../../kernel/books.ts';
import type { BookedEntry } from '../journal/book.ts';

/** What an entry is about: the class of its item, or what it is by nature. */
export type EntryClass = ItemClass | 'unmapped' | 'occupancy_tax' | 'stay_fee' | 'damage' | 'payout';

/** @param items classes of ledger entries by id, also of those that are gone */
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
      // What of a fee of the net is not taken of a commission goes with the fee.
      return suffix === 'fee' || suffix === 'net' || suffix.startsWith('net-') ? 'stay_fee' : 'commission';
  }
}
