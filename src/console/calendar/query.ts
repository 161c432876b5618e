import { addDays, daysBetween, type PlainDate } from '../../kernel/dates.ts';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import { ofProperties, readProperties } from '../properties.ts';

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
  /** True if another stay has one of its nights, too. */
  isDouble: boolean;
}

export interface Unit {
  id: number;
  name: string | null;
  /** One lane, or more where stays overlap. Those of a lane are in the order of their nights and do not overlap. */
  lanes: Span[][];
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
  /** True if stays are named by their guests, false by their codes. */
  hasNames: boolean;
  /** Left out: all. */
  properties?: readonly number[] | undefined;
}

/** Reads the nights of a page of properties from a date on. */
export async function readCalendar(
  db: MirrorDb,
  { connection, from, named, page, hasNames, properties }: Asked,
): Promise<Calendar> {
  const all = await readProperties(db, { connection, properties: properties && [...properties] });
  const wanted = (named ?? '').toLowerCase();
  const found = all.filter(({ name }) => (name ?? '').toLowerCase().includes(wanted));
  const pages = Math.max(1, Math.ceil(found.length / UNITS));
  const shown = found.slice((Math.min(page, pages) - 1) * UNITS, Math.min(page, pages) * UNITS);
  const window = { connection, from, end: addDays(from, NIGHTS), properties: shown.map(({ id }) => id) };
  const read = await readNights(db, window);
  const nights = hasNames ? read : read.map((night) => ({ ...night, guest: night.stay_code }));
  const closed = await readClosed(db, window);
  const units = shown.map(({ id, name }) => ({
    id,
    name,
    lanes: lanesOf(
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

/**
 * Joins nights of the same stay, and closed nights with the same reason that no stay takes, to spans. A span goes into the
 * first lane with room for it, so there is more than one lane only where a night is taken twice.
 */
export function lanesOf(from: PlainDate, nights: readonly Night[], closed: readonly Closed[]): Span[][] {
  const taken = new Map<PlainDate, number>();
  for (const { night } of nights) taken.set(night, (taken.get(night) ?? 0) + 1);
  const things = new Map<string, Span[]>();
  const add = (key: string, span: Span) => things.set(key, [...(things.get(key) ?? []), span]);
  for (const { night, stay_code, guest } of nights) {
    const isDouble = Number(taken.get(night)) > 1;
    add(stay_code, { kind: 'stay', first: daysBetween(from, night), nights: 1, text: guest, stay_code, isDouble });
  }
  for (const { date, remarks } of closed) {
    if (taken.has(date)) continue;
    const first = daysBetween(from, date);
    add('', { kind: 'block', first, nights: 1, text: remarks, stay_code: null, isDouble: false });
  }
  const lanes: Span[][] = [];
  for (const span of [...things.values()].flatMap(joined).toSorted((a, b) => a.first - b.first)) {
    const lane = lanes.find((one) => endOf(one.at(-1)) <= span.first);
    if (lane) lane.push(span);
    else lanes.push([span]);
  }
  return lanes;
}

/** Joins spans of one stay, or of blocks, that follow each other for the same reason. */
function joined(single: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const one of single.toSorted((a, b) => a.first - b.first)) {
    const last = spans.at(-1);
    if (last && last.text === one.text && endOf(last) === one.first) {
      last.nights += 1;
      last.isDouble ||= one.isDouble;
    } else spans.push({ ...one });
  }
  return spans;
}

function endOf(span: Span | undefined): number {
  return span ? span.first + span.nights : 0;
}

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
