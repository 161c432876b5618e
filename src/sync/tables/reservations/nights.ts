import { addDaysWithin, type PlainDate } from '../../../kernel/dates.ts';
import { splitByWeights } from '../../../kernel/money.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { inList } from '../../../store/queries/inList.ts';
import type { Kysely } from 'kysely';
import type { Mirror, MirrorTrx, StayNightsTable, StaysTable } from '../database.ts';
import { NO_PROPERTY } from '../rowFacts.ts';
import type { StayFacts } from '../rows/sideValues.ts';

/** The input of the nights of a stay: columns of its row, and the figures that reports need. */
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
  | 'tax_minor'
> &
  Pick<StayFacts, 'kind' | 'booked_date' | 'cancelled_date' | 'rental_minor'>;

/** More nights than this are a mistake in the dates, not a stay. */
const MOST_NIGHTS = 3_660;

/** Returns one row for every night of a stay, whatever its status. The rate is split so that no minor unit is lost. */
export function nightRows(stay: StayOfNights): StayNightsTable[] {
  const nights = nightsOfStay(stay);
  const property_id = stay.property_id ?? NO_PROPERTY;
  const rates = shares(stay.rate_minor, nights.length);
  const rentals = stay.rental_minor === stay.rate_minor ? rates : shares(stay.rental_minor, nights.length);
  const taxes = shares(stay.tax_minor, nights.length);
  return nights.map((night, index) => ({
    connection: stay.connection,
    stay_code: stay.stay_code,
    night,
    property_id,
    status: stay.status,
    channel_type: stay.channel_type,
    booked_at: stay.booked_at,
    cancelled_at: stay.cancelled_at,
    currency: stay.currency,
    rate_minor: rates[index] ?? null,
    night_number: index + 1,
    nights: nights.length,
    kind: stay.kind,
    booked_date: stay.booked_date,
    cancelled_date: stay.cancelled_date,
    rental_minor: rentals[index] ?? null,
    tax_minor: taxes[index] ?? null,
  }));
}

/** Returns the nights of a stay by date; none if its dates are unknown, or so far apart that they must be wrong. */
export function nightsOfStay(stay: Pick<StayOfNights, 'check_in_date' | 'nights'>): PlainDate[] {
  const { check_in_date: first, nights: count } = stay;
  if (first === null || count === null || count > MOST_NIGHTS) return [];
  const nights: PlainDate[] = [];
  for (let night = first; nights.length < count; night = dayAfter(night)) nights.push(night);
  return nights;
}

/** A cache: the same dates recur, and computing each again would cost more than storing the night. */
const daysAfter = new Map<PlainDate, PlainDate>();
const MOST_REMEMBERED = 50_000;

function dayAfter(date: PlainDate): PlainDate {
  let next = daysAfter.get(date);
  if (next === undefined) {
    if (daysAfter.size >= MOST_REMEMBERED) daysAfter.clear();
    daysAfter.set(date, (next = addDaysWithin(date, 1)));
  }
  return next;
}

/** Splits an amount over the nights; an unknown amount has no parts. */
function shares(amount: number | null, nights: number): (number | null)[] {
  if (amount === null) return [];
  if (nights < 2) return [amount];
  return splitByWeights(
    amount,
    Array.from({ length: nights }, () => 1),
  );
}

const staysBefore = prepared((db: Kysely<Mirror>, arg: { connection: string; stays: readonly string[] }) =>
  db
    .selectFrom('stays')
    .select(['stay_code', 'property_id', 'check_in_date', 'nights'])
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('stay_code'), arg.stays))
    .where('deleted_at', 'is', null),
);

const dropNights = prepared(
  (db: Kysely<Mirror>, arg: { connection: string; nights: readonly string[]; property: number; stay: string }) =>
    db
      .deleteFrom('stay_nights')
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref('night'), arg.nights))
      .where('property_id', '=', arg.property)
      .where('stay_code', '=', arg.stay),
);

/** Deletes all nights of these stays. Call it before their rows are replaced, since those name the nights. */
export async function removeNights(trx: MirrorTrx, connection: string, stays: readonly string[]): Promise<void> {
  if (stays.length === 0) return;
  for (const stay of await staysBefore(trx, { connection, stays })) {
    const nights = nightsOfStay(stay);
    if (nights.length > 0) {
      const property = stay.property_id ?? NO_PROPERTY;
      await dropNights(trx, { connection, nights, property, stay: stay.stay_code });
    }
  }
}

/** Writes the nights of stays. Nights that a lost stay has left behind are overwritten. */
export async function insertNights(trx: MirrorTrx, stays: readonly StayOfNights[]): Promise<void> {
  await insertMany(trx, 'stay_nights', stays.flatMap(nightRows), {
    columns: ['connection', 'night', 'property_id', 'stay_code'],
    update: [
      'status',
      'channel_type',
      'booked_at',
      'cancelled_at',
      'currency',
      'rate_minor',
      'night_number',
      'nights',
      'kind',
      'booked_date',
      'cancelled_date',
      'rental_minor',
      'tax_minor',
    ],
  });
}

const storedNights = prepared(
  (db: Kysely<Mirror>, arg: { connection: string; nights: readonly string[]; stays: readonly string[] }) =>
    db
      .selectFrom('stay_nights')
      .selectAll()
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref('night'), arg.nights))
      .where((eb) => inList(eb.ref('stay_code'), arg.stays))
      .orderBy('night'),
);

/**
 * Finds stays whose stored nights differ from those that their rows require. Nights outside their dates are found as
 * orphans.
 */
export async function wrongNights(
  trx: MirrorTrx,
  connection: string,
  stays: readonly StayOfNights[],
): Promise<string[]> {
  const wanted = new Map(stays.map((stay) => [stay.stay_code, nightRows(stay)]));
  const nights = [...new Set([...wanted.values()].flatMap((rows) => rows.map((row) => row.night)))];
  const stored = new Map<string, StayNightsTable[]>();
  for (const night of await storedNights(trx, { connection, nights, stays: [...wanted.keys()] })) {
    const group = stored.get(night.stay_code);
    if (group) group.push(night);
    else stored.set(night.stay_code, [night]);
  }
  return [...wanted].filter(([code, rows]) => !sameNights(rows, stored.get(code) ?? [])).map(([code]) => code);
}

function sameNights(wanted: readonly StayNightsTable[], stored: readonly StayNightsTable[]): boolean {
  if (wanted.length !== stored.length) return false;
  return wanted.every((night, index) => {
    const other = stored[index];
    return other !== undefined && Object.entries(night).every(([name, value]) => Reflect.get(other, name) === value);
  });
}
