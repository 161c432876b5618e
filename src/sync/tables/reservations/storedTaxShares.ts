import type { Kysely } from 'kysely';
import { type Minor, splitByWeights } from '../../../kernel/money.ts';
import { inList } from '../../../store/queries/inList.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, MirrorTrx } from '../database.ts';
import { NO_PROPERTY } from '../rowFacts.ts';
import { nightsOfStay } from './nights.ts';
import { taxShares } from './taxShares.ts';

const roomsOf = prepared((db: Kysely<Mirror>, arg: { connection: string; codes: readonly string[] }) =>
  db
    .selectFrom('stays')
    .select([
      'reservation_code',
      'stay_code',
      'property_id',
      'status',
      'check_in_date',
      'nights',
      'currency',
      'rate_minor',
      'tax_minor',
    ])
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('reservation_code'), arg.codes))
    .whereRef('stay_code', '<>', 'reservation_code')
    .where('deleted_at', 'is', null)
    .orderBy('stay_code'),
);

type Room = Awaited<ReturnType<typeof roomsOf>>[number];

/** Reads the rooms of reservations with several rooms, each with its part of the tax. */
async function sharedRooms(
  trx: MirrorTrx,
  connection: string,
  codes: readonly string[],
): Promise<{ room: Room; tax: Minor | null }[]> {
  if (codes.length === 0) return [];
  const bookings = new Map<string, Room[]>();
  for (const room of await roomsOf(trx, { connection, codes })) {
    bookings.set(room.reservation_code, [...(bookings.get(room.reservation_code) ?? []), room]);
  }
  return [...bookings.values()].flatMap((rooms) => {
    const shares = taxShares(rooms.map((room) => ({ ...room, rate: room.rate_minor, tax: room.tax_minor })));
    return rooms.map((room, index) => ({ room, tax: shares[index] ?? null }));
  });
}

/** Returns the part of the tax of each stay in a reservation of several rooms. Other stays have their own amount. */
export async function sharedTaxes(
  trx: MirrorTrx,
  connection: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, Minor | null>> {
  const rooms = await sharedRooms(trx, connection, codes);
  return new Map(rooms.map(({ room, tax }) => [room.stay_code, tax]));
}

/**
 * Writes the parts of the tax into figures and nights of all rooms of these reservations, whichever room was written.
 */
export async function writeTaxShares(trx: MirrorTrx, connection: string, codes: readonly string[]): Promise<void> {
  for (const { room, tax } of await sharedRooms(trx, connection, codes)) {
    // Without a tax there is nothing to share, and its own row already says so.
    if (room.tax_minor === null) continue;
    await trx
      .updateTable('stay_figures')
      .set({ tax_minor: tax })
      .where('connection', '=', connection)
      .where('stay_code', '=', room.stay_code)
      .execute();
    const nights = nightsOfStay(room);
    const parts =
      nights.length === 0
        ? []
        : splitByWeights(
            tax ?? 0,
            nights.map(() => 1),
          );
    for (const part of new Set(parts)) {
      const own = nights.filter((_, index) => parts[index] === part);
      await trx
        .updateTable('stay_nights')
        .set({ tax_minor: part })
        .where('connection', '=', connection)
        .where((eb) => inList(eb.ref('night'), own))
        .where('property_id', '=', room.property_id ?? NO_PROPERTY)
        .where('stay_code', '=', room.stay_code)
        .execute();
    }
  }
}
