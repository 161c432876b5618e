import { addDays } from '../../../src/kernel/dates.ts';
import { insertMany } from '../../../src/store/queries/insertMany.ts';
import type { MirrorStore } from '../../../src/sync/tables/database.ts';
import { entryRow, reservationRowOf, stayRowOf } from './ledger.ts';

/** A receipt, what is earned of it, and now and then a commission or tax. */
const ENTRIES_A_RESERVATION = 3;
const FIRST_DAY = '2026-01-01';
const DAYS = 365;
const LOT = 1_000;
const CHANNELS = ['direct', 'marketplace_a', 'marketplace_c'];
const PROPERTIES = 40;

/** A year of paid bookings that make so many entries, spread evenly and not in the order of their codes. */
export async function fillLedger(store: MirrorStore, entries: number): Promise<void> {
  const bookings = Math.round(entries / ENTRIES_A_RESERVATION);
  for (let start = 0; start < bookings; start += LOT) {
    const numbers = Array.from({ length: Math.min(LOT, bookings - start) }, (_, index) => start + index);
    const stays = numbers.map((number) => {
      const from = addDays(FIRST_DAY, (number * 7_919) % (DAYS - 5));
      return {
        code: `B-${String(number).padStart(8, '0')}`,
        channel: CHANNELS[number % CHANNELS.length] ?? 'direct',
        property: 1 + (number % PROPERTIES),
        from,
        to: addDays(from, 3),
        rate: 10_000 + (number % 9_973),
      };
    });
    const at = `${FIRST_DAY}T00:00:00.000Z`;
    await store.transaction(async (trx) => {
      await insertMany(
        trx,
        'reservations',
        stays.map((stay) => reservationRowOf(stay, at)),
      );
      await insertMany(
        trx,
        'stays',
        stays.map((stay) => stayRowOf(stay, at)),
      );
      const receipts = stays.map(({ code, from, rate }, index) => ({
        id: start + index + 1,
        code,
        amount: rate,
        date: from,
        method: index % 2 === 0 ? 21 : 22,
      }));
      await insertMany(
        trx,
        'transactions',
        receipts.map((receipt) => entryRow(receipt, at)),
      );
    });
  }
}
