import { addDays, daysBetween, type PlainDate } from '../../kernel/dates.ts';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import { ofProperties } from '../ofProperties.ts';

/** Rows and columns of one page. */
export const UNITS = 50;
export const NIGHTS = 28;

/** Nights in a row that one thing takes: a stay, or a block. */
export interface Span {
  kind: 'stay' | 'block';
  /** Index of its first night among those shown. */
  first: number;
  nights: number;
  /** The guest of a stay, or the reason of a block; null: not known. */
  text: string | null;
  stay_code: string | null;
}

export interface Unit {
  id: number;
  name: string | null;
  /** In the order of their nights; they do not overlap. */
  spans: Span[];
}

export interface Calendar {
  from: PlainDate;
  units: Unit[];
  page: number;
  pages: number;
}

interface Asked {
  connection: string;
  from: PlainDate;
  /** Part of a property's name, in any case of letters. */
  named?: string | undefined;
  /** From 1. */
  page: number;
  /** Left out: all. */
  properties?: readonly number[] | undefined;
}

/** Reads the nights of a page of properties from a date on. */
export async function readCalendar(
  db: MirrorDb,
  { connection, from, named, page, properties }: Asked,
): Promise<Calendar> {
  const all = await readUnits(db, { connection, properties: properties && [...properties] });
  const wanted = (named ?? '').toLowerCase();
  const found = all.filter(({ name }) => (name ?? '').toLowerCase().includes(wanted));
  const pages = Math.max(1, Math.ceil(found.length / UNITS));
  const shown = found.slice((Math.min(page, pages) - 1) * UNITS, Math.min(page, pages) * UNITS);
  const window = { connection, from, end: addDays(from, NIGHTS), properties: shown.map(({ id }) => id) };
  const nights = await readNights(db, window);
  const closed = await readClosed(db, window);
  const units = shown.map(({ id, name }) => ({
    id,
    name,
    spans: spansOf(
      from,
      nights.filter(({ property_id }) => property_id === id),
      closed.filter(({ property_id }) => property_id === id),
    ),
  }));
  return { from, units, page: Math.min(page, pages), pages };
}

interface Night {
  night: PlainDate;
  stay_code: string;
  guest: string | null;
}

interface Closed {
  date: PlainDate;
  remarks: string | null;
}

/** Joins nights of the same stay, and closed nights with the same reason that no stay takes, to spans. */
export function spansOf(from: PlainDate, nights: readonly Night[], closed: readonly Closed[]): Span[] {
  const taken = new Set(nights.map(({ night }) => night));
  const single: Span[] = [
    ...nights.map(({ night, stay_code, guest }): Span => {
      return { kind: 'stay', first: daysBetween(from, night), nights: 1, text: guest, stay_code };
    }),
    ...closed
      .filter(({ date }) => !taken.has(date))
      .map(({ date, remarks }): Span => {
        return { kind: 'block', first: daysBetween(from, date), nights: 1, text: remarks, stay_code: null };
      }),
  ];
  const spans: Span[] = [];
  for (const one of single.toSorted((a, b) => a.first - b.first)) {
    const last = spans.at(-1);
    const goesOn =
      last?.kind === one.kind &&
      last.stay_code === one.stay_code &&
      last.text === one.text &&
      last.first + last.nights === one.first;
    if (last && goesOn) last.nights += 1;
    else spans.push({ ...one });
  }
  return spans;
}

const readUnits = preparedByArguments(
  (db: MirrorDb, { connection, properties }: Pick<Asked, 'connection' | 'properties'>) =>
    db
      .selectFrom('properties')
      .where('connection', '=', connection)
      .where('deleted_at', 'is', null)
      .where((where) => ofProperties(where.ref('id'), properties))
      .select(['id', 'name'])
      .orderBy('name')
      .orderBy('id'),
);

interface Window {
  connection: string;
  from: PlainDate;
  /** The day after the last night. */
  end: PlainDate;
  properties: readonly number[];
}

const readNights = preparedByArguments((db: MirrorDb, { connection, from, end, properties }: Window) =>
  db
    .selectFrom('stay_nights')
    .leftJoin('guests', (join) =>
      join
        .onRef('guests.connection', '=', 'stay_nights.connection')
        .onRef('guests.stay_code', '=', 'stay_nights.stay_code')
        .on('guests.guest_key', '=', 'booker'),
    )
    .where('stay_nights.connection', '=', connection)
    .where('stay_nights.night', '>=', from)
    .where('stay_nights.night', '<', end)
    .where('stay_nights.status', '=', 'accepted')
    .where((where) => ofProperties(where.ref('stay_nights.property_id'), properties))
    .select(['stay_nights.property_id', 'stay_nights.night', 'stay_nights.stay_code', 'guests.name as guest']),
);

const readClosed = preparedByArguments((db: MirrorDb, { connection, from, end, properties }: Window) =>
  db
    .selectFrom('availability_days')
    .where('connection', '=', connection)
    .where((where) => ofProperties(where.ref('property_id'), properties))
    .where('date', '>=', from)
    .where('date', '<', end)
    .where('available', '=', 0)
    .select(['property_id', 'date', 'remarks']),
);
