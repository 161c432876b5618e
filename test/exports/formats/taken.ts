import type { FormatOptions } from '../../../src/exports/formats/format.ts';
import type { JournalEntry, LockedMonth } from '../../../src/exports/journal/entry.ts';

/** What formats that cannot do without have to be told. */
export const OPTIONS: Readonly<Record<string, FormatOptions>> = {
  datev: { consultant: '29098', client: '55003' },
  fec: { siren: '732829320' },
};

/** Every month of 2026, locked on the fifth of the next; December later. */
export const LOCKED: readonly LockedMonth[] = Array.from({ length: 12 }, (_, index) => ({
  period: `2026-${digits(index + 1)}`,
  on: index === 11 ? '2027-01-08' : `2026-${digits(index + 2)}-05`,
}));

/** Those of the entries that a format has a way to write: DATEV knows two decimals, a FEC one currency. */
export function takenBy(name: string, entries: readonly JournalEntry[]): JournalEntry[] {
  const isTaken = (currency: string) =>
    name === 'fec' ? currency === 'EUR' : name === 'datev' ? currency !== 'KWD' : true;
  return entries.filter(({ postings }) => postings.every(({ currency }) => isTaken(currency)));
}

function digits(month: number): string {
  return String(month).padStart(2, '0');
}
