import { nightsOf } from '../../kernel/dates.ts';
import { splitByWeights } from '../../kernel/money.ts';
import { prepared } from '../../store/prepared.ts';
import { insertMany } from '../../store/insertMany.ts';
import { inList } from '../../store/inList.ts';
import type { Kysely } from 'kysely';
import type { Mirror, MirrorTrx, StayNightsTable, StaysTable } from '../database.ts';

/** What the nights of a stay are made from: columns of its row. */
export type StayOfNights = Pick<
  StaysTable,
  | 'connection'
  | 'stay_code'
  | 'property_id'
  | 'status'
  | 'channel_type'
  | 'check_in_date'
  | 'check_out_date'
  | 'nights'
  | 'booked_at'
  | 'cancelled_at'
  | 'currency'
  | 'rate_minor'
>;

/** More nights than this are a mistake in the dates, not a stay. */
const MOST_NIGHTS = 3_660;

/** One row for every night of a stay, whatever its status; the rate split so that no minor unit is lost. */
export function nightRows(stay: StayOfNights): StayNightsTable[] {
  if (stay.nights === 0 || stay.nights > MOST_NIGHTS) return [];
  const nights = nightsOf(stay.check_in_date, stay.check_out_date);
  const rates = nightlyRates(stay.rate_minor, nights.length);
  return nights.map((night, index) => ({
    connection: stay.connection,
    stay_code: stay.stay_code,
    night,
    property_id: stay.property_id,
    status: stay.status,
    channel_type: stay.channel_type,
    booked_at: stay.booked_at,
    cancelled_at: stay.cancelled_at,
    currency: stay.currency,
    rate_minor: rates[index] ?? null,
  }));
}

function nightlyRates(rate: number | null, nights: number): (number | null)[] {
  if (rate === null) return Array.from({ length: nights }, () => null);
  if (nights === 1) return [rate];
  return splitByWeights(
    rate,
    Array.from({ length: nights }, () => 1),
  );
}

const dropNights = prepared((db: Kysely<Mirror>, arg: { connection: string; stays: readonly string[] }) =>
  db
    .deleteFrom('stay_nights')
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('stay_code'), arg.stays)),
);

/** Forgets all nights of these stays. */
export async function removeNights(trx: MirrorTrx, connection: string, stays: readonly string[]): Promise<void> {
  if (stays.length > 0) await dropNights(trx, { connection, stays });
}

export async function insertNights(trx: MirrorTrx, stays: readonly StayOfNights[]): Promise<void> {
  await insertMany(trx, 'stay_nights', stays.flatMap(nightRows));
}

const storedNights = prepared((db: Kysely<Mirror>, arg: { connection: string; stays: readonly string[] }) =>
  db
    .selectFrom('stay_nights')
    .selectAll()
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('stay_code'), arg.stays))
    .orderBy('stay_code')
    .orderBy('night'),
);

/** Stays whose stored nights are not the ones their rows ask for. */
export async function wrongNights(
  trx: MirrorTrx,
  connection: string,
  stays: readonly StayOfNights[],
): Promise<string[]> {
  const stored = new Map<string, StayNightsTable[]>();
  for (const night of await storedNights(trx, { connection, stays: stays.map((stay) => stay.stay_code) })) {
    const group = stored.get(night.stay_code);
    if (group) group.push(night);
    else stored.set(night.stay_code, [night]);
  }
  return stays
    .filter((stay) => !sameNights(nightRows(stay), stored.get(stay.stay_code) ?? []))
    .map((stay) => stay.stay_code);
}

function sameNights(wanted: readonly StayNightsTable[], stored: readonly StayNightsTable[]): boolean {
  if (wanted.length !== stored.length) return false;
  return wanted.every((night, index) => {
    const other = stored[index];
    return other !== undefined && Object.entries(night).every(([name, value]) => Reflect.get(other, name) === value);
  });
}
