import type { Instant, PlainDate } from '../../../kernel/dates.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { AVAILABILITY } from '../../tables/listings/availability.ts';
import { stretchesOf } from '../../tables/rows/stretches.ts';
import type { DaysResource } from './words.ts';

type Values = Readonly<Record<string, string | number | null>>;

/** Neighbouring days that were alike. */
interface DaysState {
  from: PlainDate;
  to: PlainDate;
  [value: string]: string | number | null;
}

/** A question about the days of one calendar at a time. */
interface DaysQuestion {
  connection: string;
  resource: DaysResource;
  key: string;
  from: PlainDate;
  to: PlainDate;
  at: Instant;
}

interface DaysStates {
  days: DaysState[];
  /** The moment when the first of the days was first read; undefined: none ever was. */
  firstSeenAt: Instant | undefined;
}

interface Day {
  date: PlainDate;
  values: Values;
}

interface Past {
  from_date: PlainDate;
  to_date: PlainDate;
  values: Values;
}

/**
 * Returns the values of days at a time: the current ones, overlaid, newest first, by those that each later change
 * replaced.
 */
export async function daysAt(db: MirrorDb, question: DaysQuestion): Promise<DaysStates> {
  const starts = await startsOf(db, question);
  const known = starts.filter((start) => start.since <= question.at);
  const isKnown = ({ date }: Day) => known.some((start) => start.from_date <= date && date <= start.to_date);
  const days = (await currentDays(db, question)).filter(isKnown);
  const states = new Map(days.map(({ date, values }) => [date, values]));
  for (const { from_date, to_date, values } of await replacedSince(db, question)) {
    for (const { date } of days) if (from_date <= date && date <= to_date) states.set(date, values);
  }
  const alike = [...states].map(([date, values]) => ({ date, before: values, after: values }));
  return {
    days: stretchesOf(alike, isSame).map(({ from, to, before }) => ({ from, to, ...before })),
    firstSeenAt: starts.map((start) => start.since).toSorted()[0],
  };
}

function isSame(a: Values, b: Values): boolean {
  return Object.keys(a).every((name) => a[name] === b[name]);
}

function startsOf(db: MirrorDb, { connection, resource, key, from, to }: DaysQuestion) {
  return db
    .selectFrom('day_starts')
    .select(['from_date', 'to_date', 'since'])
    .where('connection', '=', connection)
    .where('resource', '=', resource)
    .where('key', '=', key)
    .where('from_date', '<=', to)
    .where('to_date', '>=', from)
    .execute();
}

async function currentDays(db: MirrorDb, question: DaysQuestion): Promise<Day[]> {
  const { connection, resource, key, from, to } = question;
  if (resource === AVAILABILITY) {
    const rows = await db
      .selectFrom('availability_days')
      .select(['date', 'available', 'remarks'])
      .where('connection', '=', connection)
      .where('property_id', '=', numberOf(key))
      .where('date', '>=', from)
      .where('date', '<=', to)
      .execute();
    return rows.map(({ date, ...values }) => ({ date, values }));
  }
  const rows = await db
    .selectFrom('calendar_days')
    .selectAll()
    .where('connection', '=', connection)
    .where('listing', '=', key)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .execute();
  return rows.map(({ connection: _, listing: _listing, date, channel_type: _type, listing_id: _id, ...values }) => ({
    date,
    values,
  }));
}

async function replacedSince(db: MirrorDb, question: DaysQuestion): Promise<Past[]> {
  const { connection, resource, key, from, to, at } = question;
  if (resource === AVAILABILITY) {
    const rows = await db
      .selectFrom('availability_history')
      .select(['from_date', 'to_date', 'available', 'remarks'])
      .where('connection', '=', connection)
      .where('property_id', '=', numberOf(key))
      .where('valid_to', '>', at)
      .where('from_date', '<=', to)
      .where('to_date', '>=', from)
      .orderBy('change_seq', 'desc')
      .execute();
    return rows.map(({ from_date, to_date, ...values }) => ({ from_date, to_date, values }));
  }
  const rows = await db
    .selectFrom('calendar_history')
    .selectAll()
    .where('connection', '=', connection)
    .where('listing', '=', key)
    .where('valid_to', '>', at)
    .where('from_date', '<=', to)
    .where('to_date', '>=', from)
    .orderBy('change_seq', 'desc')
    .execute();
  return rows.map(
    ({ connection: _, listing: _listing, change_seq: _seq, valid_to: _to, from_date, to_date, ...values }) => ({
      from_date,
      to_date,
      values,
    }),
  );
}

/** Returns a number for a key; a key that is no number gets one that no property has. */
function numberOf(key: string): number {
  return /^\d{1,15}$/.test(key) ? Number(key) : -1;
}
