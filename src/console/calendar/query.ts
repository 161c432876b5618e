import { addDays, nightsOf, type PlainDate } from '../../kernel/dates.ts';
import type { Currency } from '../../kernel/money.ts';
import { inList } from '../../store/queries/inList.ts';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import { ofProperties } from '../properties.ts';
import { type NightPrice, readPrices } from './prices.ts';
import { type Closed, lanesOf, type Night, type Span } from './spans.ts';

/** The numbers of nights that a calendar can show. */
export const RANGES = [28, 90, 365] as const;
/** One of {@link RANGES}. */
export type NightCount = (typeof RANGES)[number];
/** Rows whose nights one answer has: the more nights, the fewer. The other rows follow when they are looked at. */
const UNITS: Readonly<Record<NightCount, number>> = { 28: 40, 90: 24, 365: 6 };

/** One row: a property with its nights. */
export interface Unit {
  id: number;
  name: string | null;
  /** One lane, or more where stays overlap. Those of a lane are in the order of their nights and do not overlap. */
  lanes: Span[][];
  /** Price and minimum stay of nights that have one, by their dates. */
  prices: ReadonlyMap<PlainDate, NightPrice>;
}

export interface Calendar {
  from: PlainDate;
  nights: NightCount;
  /** The rows of this page. */
  units: Unit[];
  page: number;
  /** The number of rows of each page. */
  pages: number[];
  /** Names of all groups and tags among the properties that the person sees. */
  groups: string[];
  tags: string[];
}

interface Asked {
  connection: string;
  from: PlainDate;
  nights?: NightCount;
  /** Part of a property's name, in any case of letters. */
  named?: string | undefined;
  group?: string | undefined;
  tag?: string | undefined;
  /** From 1. */
  page: number;
  /** The currency of the account, to read prices, too. */
  pricesIn?: Currency | undefined;
  /** True if stays are named by their guests, false by their codes. */
  hasNames: boolean;
  /** Left out: all. */
  properties?: readonly number[] | undefined;
}

/** Reads the nights of a page of properties from a date on. */
export async function readCalendar(db: MirrorDb, asked: Asked): Promise<Calendar> {
  const { connection, from, nights = 28, properties } = asked;
  const all = await readGrouped(db, { connection, properties: properties && [...properties] });
  const places = all.map(({ groups, tags, ...place }) => ({ ...place, groups: namesIn(groups), tags: namesIn(tags) }));
  const found = places.filter((place) => isWanted(place, asked));
  const most = UNITS[nights];
  const count = Math.max(1, Math.ceil(found.length / most));
  const page = Math.min(asked.page, count);
  const units = await readUnits(db, found.slice((page - 1) * most, page * most), { ...asked, nights });
  const pages = Array.from({ length: count }, (_, index) => Math.min(most, found.length - index * most));
  const namesOf = (field: 'groups' | 'tags') => [...new Set(places.flatMap((place) => place[field]))].toSorted();
  return { from, nights, units, page, pages, groups: namesOf('groups'), tags: namesOf('tags') };
}

interface Place {
  id: number;
  name: string | null;
  groups: string[];
  tags: string[];
}

function isWanted({ name, groups, tags }: Place, { named = '', group, tag }: Asked): boolean {
  return (
    (name ?? '').toLowerCase().includes(named.toLowerCase()) &&
    (group === undefined || groups.includes(group)) &&
    (tag === undefined || tags.includes(tag))
  );
}

/** Returns the names in a JSON list of names. */
function namesIn(json: string | null): string[] {
  const names: unknown = JSON.parse(json ?? '[]');
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

async function readUnits(
  db: MirrorDb,
  places: readonly Place[],
  { connection, from, nights, hasNames, pricesIn }: Asked & { nights: NightCount },
): Promise<Unit[]> {
  const properties = places.map(({ id }) => id);
  const end = addDays(from, nights);
  const taken = await readNights(db, { connection, dates: nightsOf(from, end), properties });
  const closed = await readClosed(db, { connection, from, end, properties });
  const prices = await readPricesIn(db, { connection, from, end, properties }, pricesIn);
  const nightsBy = byProperty(hasNames ? taken : taken.map((night) => ({ ...night, guest: night.stay_code })));
  const closedBy = byProperty(closed);
  return places.map(({ id, name }) => {
    const lanes = lanesOf(from, nightsBy.get(id) ?? [], closedBy.get(id) ?? []);
    return { id, name, lanes, prices: prices.get(id) ?? new Map() };
  });
}

async function readPricesIn(
  db: MirrorDb,
  window: Window,
  currency: Currency | undefined,
): ReturnType<typeof readPrices> {
  return currency === undefined ? new Map() : readPrices(db, { ...window, currency });
}

function byProperty<Row extends { property_id: number | null }>(rows: readonly Row[]): Map<number, Row[]> {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const own = found.get(row.property_id ?? 0);
    if (own) own.push(row);
    else found.set(row.property_id ?? 0, [row]);
  }
  return found;
}

/** Reads the properties that a person sees with the names of their groups and tags, by name. */
const readGrouped = preparedByArguments(
  (db: MirrorDb, { connection, properties }: { connection: string; properties?: readonly number[] | undefined }) =>
    db
      .selectFrom('properties')
      .where('connection', '=', connection)
      .where('deleted_at', 'is', null)
      .where((where) => ofProperties(where.ref('id'), properties))
      .select(['id', 'name', 'groups', 'tags'])
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

interface Dated {
  connection: string;
  /** One by one, so that each is looked up in the key. */
  dates: readonly PlainDate[];
  properties: readonly number[];
}

/** Reads the nights that accepted stays take. */
export const readNights: (db: MirrorDb, dated: Dated) => Promise<(Night & { property_id: number })[]> =
  preparedByArguments((db: MirrorDb, { connection, dates, properties }: Dated) =>
    db
      .selectFrom('stay_nights')
      .leftJoin('guests', (join) =>
        join
          .onRef('guests.connection', '=', 'stay_nights.connection')
          .onRef('guests.stay_code', '=', 'stay_nights.stay_code')
          .on('guests.guest_key', '=', 'booker'),
      )
      .where('stay_nights.connection', '=', connection)
      .where((where) => inList(where.ref('stay_nights.night'), dates))
      .where('stay_nights.status', '=', 'accepted')
      .where((where) => ofProperties(where.ref('stay_nights.property_id'), properties))
      .select(['stay_nights.property_id', 'stay_nights.night', 'stay_nights.stay_code', 'guests.name as guest']),
  );

/** Reads the nights that are not free, whatever the reason. */
export const readClosed: (db: MirrorDb, window: Window) => Promise<(Closed & { property_id: number })[]> =
  preparedByArguments((db: MirrorDb, { connection, from, end, properties }: Window) =>
    db
      .selectFrom('availability_days')
      .where('connection', '=', connection)
      .where((where) => ofProperties(where.ref('property_id'), properties))
      .where('date', '>=', from)
      .where('date', '<', end)
      .where('available', '=', 0)
      .select(['property_id', 'date', 'remarks']),
  );
