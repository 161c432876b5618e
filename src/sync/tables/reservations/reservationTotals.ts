import type { Kysely } from 'kysely';
import type { Instant } from '../../../kernel/dates.ts';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, MirrorTrx, ReservationsTable } from '../database.ts';
import type { WrittenRow } from '../rows/resource.ts';

/** States in order of weight: a reservation shows the strongest state of its stays. Unknown ones are in the middle. */
const precedence = ['accepted', 'wait_pay', 'wait_accept', '', 'timeout', 'denied', 'cancelled'];

const staysOf = prepared((db: Kysely<Mirror>, arg: { connection: string; codes: readonly string[] }) =>
  db
    .selectFrom('stays')
    .select([
      'reservation_code',
      'stay_code',
      'channel_id',
      'channel_type',
      'custom_channel',
      'property_id',
      'status',
      'check_in_date',
      'check_out_date',
      'number_of_guests',
      'currency',
      'total_rate_minor',
      'total_commission_minor',
      'received_minor',
      'balance_minor',
      'payment_status',
      'booked_at',
      'created_at',
      'cancelled_at',
      'read_number',
      'first_seen_at',
      'deleted_at',
    ])
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('reservation_code'), arg.codes)),
);

type StayOfTotals = Awaited<ReturnType<typeof staysOf>>[number];

const roomsOf = prepared((db: Kysely<Mirror>, arg: { connection: string; codes: readonly string[] }) =>
  db
    .selectFrom('stays')
    .select('reservation_code')
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('reservation_code'), arg.codes))
    .whereRef('stay_code', '<>', 'reservation_code'),
);

/**
 * Writes the rows of `reservations` again from their stays.
 * @param written stays just written: one that is its whole reservation, as most are, is not read back
 */
export async function writeReservations(
  trx: MirrorTrx,
  connection: string,
  codes: readonly string[],
  at: Instant,
  written: readonly WrittenRow[],
): Promise<void> {
  const severalRooms = new Set((await roomsOf(trx, { connection, codes })).map((row) => row.reservation_code));
  const whole = written.filter(({ row }) => row.part === null && !severalRooms.has(row.key));
  const wholeCodes = new Set(whole.map(({ row }) => row.key));
  const others = codes.filter((code) => !wholeCodes.has(code));
  const groups = [
    ...whole.map(({ columns }) => [columns as unknown as StayOfTotals]),
    ...(others.length > 0 ? await reservationsOf(trx, connection, others) : []),
  ];
  const rows = groups.map((group) => reservationOf(connection, group, at));
  await insertMany(trx, 'reservations', rows, { columns: ['connection', 'reservation_code'], update: updatedColumns });
}

async function reservationsOf(trx: MirrorTrx, connection: string, codes: readonly string[]): Promise<StayOfTotals[][]> {
  const stays = new Map<string, StayOfTotals[]>();
  for (const stay of await staysOf(trx, { connection, codes })) {
    const group = stays.get(stay.reservation_code);
    if (group) group.push(stay);
    else stays.set(stay.reservation_code, [stay]);
  }
  return [...stays.values()];
}

const storedReservations = prepared((db: Kysely<Mirror>, arg: { connection: string; codes: readonly string[] }) =>
  db
    .selectFrom('reservations')
    .selectAll()
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('reservation_code'), arg.codes)),
);

/** Facts about the row itself, which follow from the time of writing. */
const ownFacts: ReadonlySet<string> = new Set(['read_number', 'changed_at']);

/** Finds reservations whose stored row is not the sum of their stays, with the columns at fault. */
export async function wrongReservations(
  trx: MirrorTrx,
  connection: string,
  codes: readonly string[],
): Promise<Map<string, string[]>> {
  const stored = new Map(
    (await storedReservations(trx, { connection, codes })).map((row) => [row.reservation_code, row]),
  );
  const wrong = new Map<string, string[]>();
  for (const group of await reservationsOf(trx, connection, codes)) {
    const wanted = reservationOf(connection, group, '');
    const row = stored.get(wanted.reservation_code);
    const columns = Object.entries(wanted)
      .filter(([name, value]) => !ownFacts.has(name) && (!row || Reflect.get(row, name) !== value))
      .map(([name]) => name);
    if (columns.length > 0) wrong.set(wanted.reservation_code, columns);
  }
  return wrong;
}

/** Returns a reservation as the sum of its stays; those gone upstream count only if all are gone. */
function reservationOf(connection: string, all: readonly StayOfTotals[], at: Instant): ReservationsTable {
  const left = all.filter((stay) => stay.deleted_at === null);
  const stays = left.length > 0 ? left : all;
  // Figures of the whole order are equal on every stay; the stay that was read last has the newest.
  const newest = stays.reduce((a, b) => (b.read_number > a.read_number ? b : a));
  const first = stays.reduce((a, b) => (b.stay_code < a.stay_code ? b : a));
  return {
    connection,
    reservation_code: newest.reservation_code,
    channel_id: first.channel_id,
    channel_type: first.channel_type,
    custom_channel: first.custom_channel,
    property_id: only(stays.map((stay) => stay.property_id)),
    status: strongest(stays.map((stay) => stay.status)),
    check_in_date: least(stays.map((stay) => stay.check_in_date)),
    check_out_date: most(stays.map((stay) => stay.check_out_date)),
    stays: stays.length,
    number_of_guests: sumOf(stays.map((stay) => stay.number_of_guests)),
    currency: newest.currency,
    total_rate_minor: newest.total_rate_minor,
    total_commission_minor: newest.total_commission_minor,
    received_minor: newest.received_minor,
    balance_minor: newest.balance_minor,
    payment_status: newest.payment_status,
    booked_at: least(stays.map((stay) => stay.booked_at)),
    created_at: least(stays.map((stay) => stay.created_at)),
    cancelled_at: stays.every((stay) => stay.cancelled_at !== null)
      ? most(stays.map((stay) => stay.cancelled_at))
      : null,
    read_number: newest.read_number,
    first_seen_at: least(all.map((stay) => stay.first_seen_at)) ?? at,
    changed_at: at,
    deleted_at: left.length > 0 ? null : most(all.map((stay) => stay.deleted_at)),
  };
}

const updatedColumns = [
  'channel_id',
  'channel_type',
  'custom_channel',
  'property_id',
  'status',
  'check_in_date',
  'check_out_date',
  'stays',
  'number_of_guests',
  'currency',
  'total_rate_minor',
  'total_commission_minor',
  'received_minor',
  'balance_minor',
  'payment_status',
  'booked_at',
  'created_at',
  'cancelled_at',
  'read_number',
  'first_seen_at',
  'changed_at',
  'deleted_at',
] as const satisfies (keyof ReservationsTable)[];

function strongest(states: readonly (string | null)[]): string | null {
  const rank = (state: string | null) =>
    state !== null && precedence.includes(state) ? precedence.indexOf(state) : precedence.indexOf('');
  return states.reduce((a, b) => (rank(b) < rank(a) ? b : a));
}

/** Returns the sum of the numbers; null if any of them is unknown. */
function sumOf(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}

function only<T>(values: readonly T[]): T | null {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : null;
}

function least(values: readonly (string | null)[]): string | null {
  return values.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
}

function most(values: readonly (string | null)[]): string | null {
  return values.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
}
