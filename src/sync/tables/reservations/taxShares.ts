import type { Kysely } from 'kysely';
import { type Minor, splitByWeights } from '../../../kernel/money.ts';
import { inList } from '../../../store/queries/inList.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, MirrorTrx } from '../database.ts';
import { nightsOfStay, NO_PROPERTY } from './nights.ts';

/** The values of a room that determine its part of the tax. */
export interface TaxedRoom {
  readonly status: string | null;
  readonly currency: string | null;
  readonly rate: Minor | null;
  /** As upstream shows it. */
  readonly tax: Minor | null;
}

/**
 * Returns the parts of the tax of one reservation that its rooms have, in their order. Upstream shows the tax of the
 * whole reservation on each room. It is shared once, in proportion to the rates, over the accepted rooms if there are
 * any. Amounts that differ are those of the rooms themselves.
 */
export function taxShares(rooms: readonly TaxedRoom[]): (Minor | null)[] {
  const [first] = rooms;
  const tax = first?.tax ?? null;
  const isWhole = rooms.every((room) => room.tax === tax && room.currency === first?.currency);
  if (tax === null || !isWhole || rooms.length < 2) return rooms.map((room) => room.tax);
  const anyAccepted = rooms.some(({ status }) => status === 'accepted');
  const bearing = rooms.filter(({ status }) => !anyAccepted || status === 'accepted');
  const rates = bearing.map(({ rate }) => rate ?? 0);
  const isFair = rates.every((rate) => rate >= 0) && rates.some((rate) => rate > 0);
  const parts = splitByWeights(
    tax,
    rates.map((rate) => (isFair ? rate : 1)),
  );
  return rooms.map((room) => parts[bearing.indexOf(room)] ?? 0);
}

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
