import { sql } from 'kysely';
import { addDays, type PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import { ofProperties } from '../properties.ts';

/** Rows of one list that a page shows. */
export const MOST_ROWS = 200;

/** One stay as the lists of a day show it. */
export interface StayRow {
  stay_code: string;
  reservation_code: string;
  property_id: number | null;
  property: string | null;
  guest: string | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
  nights: number | null;
  number_of_guests: number | null;
  channel_type: string | null;
  custom_channel: string | null;
  in_reservation_box: number | null;
  balance_minor: Minor | null;
  payment_currency: Currency | null;
  currency: Currency | null;
  deposit_minor: Minor | null;
  deposit_status: string | null;
  id_required: string | null;
  /** 1 if a document of a guest is on record. */
  has_identity: number | null;
}

/** The stays of one day, by what their guests do. Each list ends after {@link MOST_ROWS} rows. */
export interface Day {
  date: PlainDate;
  arrivals: StayRow[];
  departures: StayRow[];
  /** Those who came before and sleep here tonight. */
  staying: StayRow[];
  /** How many arrive and leave on each day around. */
  around: { date: PlainDate; arrivals: number; departures: number }[];
  requests: number;
  unplaced: number;
}

interface Asked {
  connection: string;
  /** Left out: all. */
  properties?: readonly number[] | undefined;
}

/** Reads the arrivals, departures and stays of a day. */
export async function readDay(db: MirrorDb, asked: Asked & { date: PlainDate; around: PlainDate[] }): Promise<Day> {
  const { connection, date, around } = asked;
  const properties = asked.properties && [...asked.properties];
  const who = { connection, ...(properties && { properties }) };
  const first = around[0] ?? date;
  const end = addDays(around.at(-1) ?? date, 1);
  const [arrivals, staying, departures] = [
    await arriving(db, { ...who, date }),
    await stayingOn(db, { ...who, date }),
    await leaving(db, { ...who, date }),
  ];
  const arrivalCounts = await countArrivals(db, { ...who, first, end });
  const departureCounts = await countDepartures(db, { ...who, first, end });
  const [requests] = await countRequests(db, who);
  const [unplaced] = await countUnplaced(db, who);
  const countOn = (counts: { date: PlainDate | null; count: number }[], day: PlainDate) =>
    Number(counts.find((one) => one.date === day)?.count ?? 0);
  return {
    date,
    arrivals,
    departures,
    staying,
    around: around.map((day) => ({
      date: day,
      arrivals: countOn(arrivalCounts, day),
      departures: countOn(departureCounts, day),
    })),
    requests: Number(requests?.count ?? 0),
    unplaced: Number(unplaced?.count ?? 0),
  };
}

const isLive = sql<boolean>`stays.status = 'accepted' and stays.deleted_at is null`;

/** The accepted stays with their guests and properties. */
function shown(db: MirrorDb, connection: string) {
  return shownStays(db, connection).where(isLive);
}

/** The stays with their guests and properties, as every list shows them. */
export function shownStays(db: MirrorDb, connection: string) {
  return db
    .selectFrom('stays')
    .leftJoin('properties', (join) =>
      join.onRef('properties.connection', '=', 'stays.connection').onRef('properties.id', '=', 'stays.property_id'),
    )
    .leftJoin('guests', (join) =>
      join
        .onRef('guests.connection', '=', 'stays.connection')
        .onRef('guests.stay_code', '=', 'stays.stay_code')
        .on('guests.guest_key', '=', 'booker'),
    )
    .where('stays.connection', '=', connection)
    .select(['stays.stay_code', 'stays.reservation_code', 'stays.property_id', 'properties.name as property'])
    .select(['guests.name as guest', 'stays.check_in_date', 'stays.check_out_date', 'stays.nights'])
    .select(['stays.number_of_guests', 'stays.channel_type', 'stays.custom_channel', 'stays.in_reservation_box'])
    .select(['stays.balance_minor', 'stays.payment_currency', 'stays.currency', 'stays.deposit_minor'])
    .select(['stays.deposit_status', 'stays.id_required'])
    .select((select) =>
      select
        .selectFrom('guests as named')
        .whereRef('named.connection', '=', 'stays.connection')
        .whereRef('named.stay_code', '=', 'stays.stay_code')
        .where((where) =>
          where.or([where('named.id_number', 'is not', null), where('named.id_images', 'is not', null)]),
        )
        .select(sql<number>`1`.as('found'))
        .limit(1)
        .as('has_identity'),
    )
    .orderBy('properties.name')
    .orderBy('stays.stay_code')
    .limit(MOST_ROWS);
}

interface OnDay {
  connection: string;
  date: PlainDate;
  properties?: readonly number[] | undefined;
}

/** The stays with a night on the day; the first night is that of the arrival. */
function withNight(db: MirrorDb, { connection, date, properties }: OnDay) {
  return shown(db, connection)
    .innerJoin('stay_nights', (join) =>
      join
        .onRef('stay_nights.connection', '=', 'stays.connection')
        .onRef('stay_nights.stay_code', '=', 'stays.stay_code'),
    )
    .where('stay_nights.connection', '=', connection)
    .where('stay_nights.night', '=', date)
    .where('stay_nights.status', '=', 'accepted')
    .where((where) => ofProperties(where.ref('stay_nights.property_id'), properties));
}

const arriving = preparedByArguments((db: MirrorDb, arg: OnDay) =>
  withNight(db, arg).where('stay_nights.night_number', '=', 1),
);

const stayingOn = preparedByArguments((db: MirrorDb, arg: OnDay) =>
  withNight(db, arg).where('stay_nights.night_number', '>', 1),
);

const leaving = preparedByArguments((db: MirrorDb, { connection, date, properties }: OnDay) =>
  shown(db, connection)
    .where('stays.check_out_date', '=', date)
    .where((where) => ofProperties(where.ref('stays.property_id'), properties)),
);

interface Between {
  connection: string;
  first: PlainDate;
  /** The day after the last one. */
  end: PlainDate;
  properties?: readonly number[] | undefined;
}

const countArrivals = preparedByArguments((db: MirrorDb, { connection, first, end, properties }: Between) =>
  db
    .selectFrom('stay_nights')
    .where('connection', '=', connection)
    .where('night', '>=', first)
    .where('night', '<', end)
    .where('night_number', '=', 1)
    .where('status', '=', 'accepted')
    .select(({ fn }) => ['night as date', fn.countAll<number>().as('count')])
    .groupBy('night')
    .where((where) => ofProperties(where.ref('property_id'), properties)),
);

const countDepartures = preparedByArguments((db: MirrorDb, { connection, first, end, properties }: Between) =>
  db
    .selectFrom('stays')
    .where('connection', '=', connection)
    .where('check_out_date', '>=', first)
    .where('check_out_date', '<', end)
    .where(isLive)
    .select(({ fn }) => ['check_out_date as date', fn.countAll<number>().as('count')])
    .groupBy('check_out_date')
    .where((where) => ofProperties(where.ref('property_id'), properties)),
);

// The literals decide that the indexes of waiting stays are used.

const countRequests = preparedByArguments((db: MirrorDb, { connection, properties }: Asked) =>
  db
    .selectFrom('stays')
    .where('connection', '=', connection)
    .where(sql<boolean>`status = 'wait_accept' and deleted_at is null`)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((where) => ofProperties(where.ref('property_id'), properties)),
);

const countUnplaced = preparedByArguments((db: MirrorDb, { connection, properties }: Asked) =>
  db
    .selectFrom('stays')
    .where('connection', '=', connection)
    .where(sql<boolean>`in_reservation_box = 1 and deleted_at is null`)
    .where('status', 'in', [sql.lit('accepted'), sql.lit('wait_accept'), sql.lit('wait_pay')])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((where) => ofProperties(where.ref('property_id'), properties)),
);
