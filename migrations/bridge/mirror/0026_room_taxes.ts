import { type Kysely, sql } from 'kysely';

// Why: each room of a booking had the tax of the whole booking in its figures and nights; it is shared once.

interface Room {
  connection: string;
  reservation_code: string;
  stay_code: string;
  status: string;
  currency: string | null;
  rate: number | null;
  tax: number | null;
}

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Room>`
    select connection, reservation_code, stay_code, status, currency, rate_minor as rate, tax_minor as tax
    from stays where stay_code <> reservation_code and deleted_at is null and tax_minor is not null
    order by connection, reservation_code, stay_code`.execute(db);
  const bookings = new Map<string, Room[]>();
  for (const room of rows) {
    const key = JSON.stringify([room.connection, room.reservation_code]);
    bookings.set(key, [...(bookings.get(key) ?? []), room]);
  }
  for (const rooms of bookings.values()) await share(db, rooms);
}

async function share(db: Kysely<unknown>, rooms: readonly Room[]): Promise<void> {
  const [first] = rooms;
  const tax = first?.tax ?? null;
  if (tax === null || rooms.length < 2 || tax < 0) return;
  if (!rooms.every((room) => room.tax === tax && room.currency === first?.currency)) return;
  const anyAccepted = rooms.some(({ status }) => status === 'accepted');
  const bearing = rooms.filter(({ status }) => !anyAccepted || status === 'accepted');
  const parts = partsOf(
    tax,
    bearing.map(({ rate }) => rate ?? 0),
  );
  for (const room of rooms) {
    const part = parts[bearing.indexOf(room)] ?? 0;
    const { connection, stay_code } = room;
    await sql`update stay_figures set tax_minor = ${part}
      where connection = ${connection} and stay_code = ${stay_code}`.execute(db);
    // The first nights have one minor unit more where it does not divide.
    await sql`update stay_nights set tax_minor = cast(${part} as bigint) / nights
        + case when night_number <= cast(${part} as bigint) % nights then 1 else 0 end
      where connection = ${connection} and stay_code = ${stay_code}`.execute(db);
  }
}

/** By the largest remainders; equally where rates say nothing. */
function partsOf(tax: number, rates: readonly number[]): number[] {
  const isFair = rates.every((rate) => rate >= 0) && rates.some((rate) => rate > 0);
  const weights = rates.map((rate) => BigInt(isFair ? rate : 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const size = BigInt(tax);
  const parts = weights.map((weight) => Number((size * weight) / total));
  const left = tax - parts.reduce((sum, part) => sum + part, 0);
  const order = weights
    .map((weight, index) => ({ index, remainder: (size * weight) % total }))
    .toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index);
  for (const { index } of order.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}
