import type { Kysely } from 'kysely';
import { turn } from '../../kernel/clock.ts';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { ApplyContext } from './apply.ts';
import { closeKeys, closeRest, openKeys, type OpenKeys, type ReadOfKeys } from '../queue/closeKeys.ts';
import type { Patience } from '../queue/patience.ts';
import type { Mirror, MirrorTrx, Origin } from '../tables/database.ts';
import { type DaysFound, pastOf, recordStarts } from './dayHistory.ts';
import { derivedOfDays } from './calendarChanges.ts';
import type { FieldChange } from '../tables/rows/diff.ts';
import { lockFeed } from '../feed/feedRows.ts';
import { noteLostDays } from '../trust/loss/noteLosses.ts';
import { noteSent } from '../trust/loss/readTimes.ts';
import type { CalendarReadsTable } from '../tables/listings/tables.ts';
import {
  CALENDAR,
  type CalendarDay,
  type CalendarsAnswer,
  type DayValues,
  type ListingDays,
  listingName,
} from '../tables/listings/calendar.ts';
import { recordChanges, type RecordedChange } from '../feed/recordChanges.ts';
import { stretchesOf } from '../tables/rows/stretches.ts';

/** Some hundreds of these rows hold the event loop for a few milliseconds. */
const BATCH_DAYS = 300;

interface CalendarsReading {
  answer: CalendarsAnswer;
  origin: Origin;
  /** The scan that has read it. */
  scanId?: string | undefined;
  /** Marks below this number are answered by this read. */
  marksBelow: number;
  /** Listings for which this answer completes the requested read. */
  closing: ReadonlySet<string>;
  /** The listings among these with every readable day read. */
  complete: ReadonlySet<string>;
  /** Decides when to read keys again whose events have announced more than shows. */
  patience?: Patience;
  /**
   * Returns true if the feed has already announced a calendar that is missing here: its days are written, without a
   * change.
   */
  isAnnounced?: ((key: string) => boolean) | undefined;
  /** The last change of each key in earlier answers of the same look-up. */
  seqs?: Map<string, number>;
}

interface AppliedCalendars {
  /** Listings for which a later read is already applied: this answer changed nothing of them. */
  stale: readonly string[];
}

/** Applies an answer to days, history, feed and inbox. Safe to repeat, and in any order. */
export async function applyCalendars(context: ApplyContext, reading: CalendarsReading): Promise<AppliedCalendars> {
  const stale: string[] = [];
  for (const batch of batchesOf(reading.answer.calendars)) {
    stale.push(...(await applyBatch(context, reading, batch)));
    await turn();
  }
  return { stale };
}

function batchesOf(calendars: readonly ListingDays[]): ListingDays[][] {
  const batches: ListingDays[][] = [];
  let size = BATCH_DAYS;
  for (const calendar of calendars) {
    if (size + calendar.days.length > BATCH_DAYS) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(calendar);
    size += calendar.days.length;
  }
  return batches;
}

async function applyBatch(
  context: ApplyContext,
  reading: CalendarsReading,
  calendars: readonly ListingDays[],
): Promise<string[]> {
  const { store, connection, clock } = context;
  const { answer, closing, origin } = reading;
  const at = instantOf(clock.now());
  const seqs = reading.seqs ?? new Map<string, number>();
  const { stale, read, rest, anyChange } = await store.transaction(async (trx) => {
    await lockFeed(trx, connection);
    await noteSent(trx, { connection, number: answer.number, at: context.numbers.sentAt(answer.number) });
    const known = await knownReads(trx, connection, calendars);
    const isStale = ({ listing }: ListingDays) => (known.get(listing)?.read_number ?? 0) >= answer.number;
    const fresh = calendars.filter((one) => !isStale(one));
    const compared = await compare(trx, connection, fresh, answer.range);
    await write(trx, { connection, number: answer.number, at }, compared, known, reading.complete);
    const read: ReadOfKeys = {
      connection,
      resource: CALENDAR,
      keys: fresh.map(({ listing }) => listing),
      number: reading.marksBelow,
      at,
      patience: reading.patience,
      sentAt: context.numbers.sentAt(reading.marksBelow),
      meter: context.meter,
    };
    const open = await openKeys(trx, read, async () => () => true);
    const changes = compared.flatMap((one) => changeOf(one, known.get(one.listing), reading.isAnnounced));
    const own = new Map<string, number>();
    await recordChanges(trx, { connection, resource: CALENDAR, origin, at }, changes, open, own);
    const found = { connection, resource: CALENDAR, origin, at, scanId: reading.scanId ?? null };
    if (!reading.isAnnounced) await noteLostDays(trx, found, pushed(compared, own));
    await recordHistory(trx, { connection, at }, compared, own);
    for (const [key, seq] of own) seqs.set(key, seq);
    const closable: OpenKeys = { ...open, keys: open.keys.filter((row) => closing.has(row.key)) };
    await closeKeys(trx, read, closable, seqs);
    return {
      stale: calendars.filter(isStale).map(({ listing }) => listing),
      read,
      rest: closable.crowded ? closable.keys.map((row) => row.key) : [],
      anyChange: changes.length > 0,
    };
  });
  if (rest.length > 0) await closeRest(store, read, rest);
  if (anyChange) context.onChanges();
  return stale;
}

type Known = ReadonlyMap<string, CalendarReadsTable>;

async function knownReads(trx: MirrorTrx, connection: string, calendars: readonly ListingDays[]): Promise<Known> {
  const rows = await storedReads(trx, { connection, listings: calendars.map(({ listing }) => listing) });
  return new Map(rows.map((row) => [row.listing, row]));
}

const storedReads = prepared((db: Kysely<Mirror>, arg: { connection: string; listings: readonly string[] }) =>
  db
    .selectFrom('calendar_reads')
    .selectAll()
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('listing'), arg.listings))
    .forUpdate(),
);

/** Reads the stored days of these listings from `from` to `to`. */
export const storedCalendars = prepared(
  (db: Kysely<Mirror>, arg: { connection: string; listings: readonly string[]; from: string; to: string }) =>
    db
      .selectFrom('calendar_days')
      .selectAll()
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref('listing'), arg.listings))
      .where('date', '>=', arg.from)
      .where('date', '<=', arg.to),
);

interface Compared {
  listing: string;
  /** Days that are new or differ; `before` is undefined for new ones. */
  changed: { day: CalendarDay; before: DayValues | undefined }[];
}

async function compare(
  trx: MirrorTrx,
  connection: string,
  calendars: readonly ListingDays[],
  { from, to }: CalendarsAnswer['range'],
): Promise<Compared[]> {
  const listings = calendars.map(({ listing }) => listing);
  const stored = new Map(
    (await storedCalendars(trx, { connection, listings, from, to })).map((row) => [`${row.date} ${row.listing}`, row]),
  );
  return calendars.map(({ listing, days }) => ({
    listing,
    changed: days
      .map((day) => ({ day, before: stored.get(`${day.date} ${listing}`) }))
      .filter(({ day, before }) => before === undefined || otherValues(before, day.values).length > 0),
  }));
}

/** Returns the names of the values in which two days differ; further columns of the first do not matter. */
export function otherValues(before: DayValues, after: DayValues): (keyof DayValues)[] {
  return (Object.keys(after) as (keyof DayValues)[]).filter((name) => before[name] !== after[name]);
}

interface Written {
  connection: string;
  number: number;
  at: Instant;
}

async function write(
  trx: MirrorTrx,
  { connection, number, at }: Written,
  compared: readonly Compared[],
  known: Known,
  complete: ReadonlySet<string>,
): Promise<void> {
  const days = compared.flatMap(({ listing, changed }) =>
    changed.map(({ day }) => ({ connection, listing, date: day.date, ...listingName(listing), ...day.values })),
  );
  const [first] = days;
  if (first) {
    const { connection: _connection, listing: _listing, date: _date, ...values } = first;
    await insertMany(trx, 'calendar_days', days, {
      columns: ['connection', 'listing', 'date'],
      update: Object.keys(values) as (keyof typeof values)[],
    });
  }
  const reads = compared.map(({ listing, changed }) => ({
    connection,
    listing,
    read_number: number,
    first_seen_at: known.get(listing)?.first_seen_at ?? at,
    changed_at: changed.length > 0 ? at : (known.get(listing)?.changed_at ?? at),
    complete_read_at: complete.has(listing) ? at : (known.get(listing)?.complete_read_at ?? null),
  }));
  await insertMany(trx, 'calendar_reads', reads, {
    columns: ['connection', 'listing'],
    update: ['read_number', 'changed_at', 'complete_read_at'],
  });
}

async function recordHistory(
  trx: MirrorTrx,
  { connection, at }: Pick<Written, 'connection' | 'at'>,
  compared: readonly Compared[],
  seqs: ReadonlyMap<string, number>,
): Promise<void> {
  const found = compared.map(({ listing, changed }): DaysFound<DayValues> => ({
    key: listing,
    days: changed.map(({ day, before }) => ({
      date: day.date,
      before: before && only(before, namesOf(day.values)),
      after: day.values,
    })),
  }));
  await recordStarts(trx, { connection, resource: CALENDAR, at }, found);
  const past = pastOf(connection, at, found, seqs);
  const rows = past.map(({ key, range, values }) => ({ ...range, listing: key, ...values }));
  await insertMany(trx, 'calendar_history', rows);
}

function namesOf(values: DayValues): (keyof DayValues)[] {
  return Object.keys(values) as (keyof DayValues)[];
}

/**
 * Returns the change for the feed: a calendar seen for the first time, or known days that differ. New days alone give
 * none.
 */
function changeOf(
  { listing, changed }: Compared,
  known: CalendarReadsTable | undefined,
  isAnnounced: CalendarsReading['isAnnounced'],
): RecordedChange[] {
  if (!known) {
    return isAnnounced?.(listing) ? [] : [{ key: listing, part: null, op: 'created', diff: null, old: undefined }];
  }
  const different = changed.flatMap(({ day, before }) => {
    if (!before) return [];
    const names = otherValues(before, day.values);
    return [{ date: day.date, before: only(before, names), after: only(day.values, names) }];
  });
  const ranges = stretchesOf(different, (a, b) => JSON.stringify(a) === JSON.stringify(b));
  if (ranges.length === 0) return [];
  const diff = ranges.map(({ from, to, before, after }): FieldChange => ({
    path: from === to ? from : `${from}/${to}`,
    before,
    after,
  }));
  const replaced = changed.flatMap(({ day, before }) =>
    before ? [{ date: day.date, before: only(before, namesOf(day.values)), after: day.values }] : [],
  );
  return [{ key: listing, part: null, op: 'updated', diff, old: undefined, derived: derivedOfDays(replaced) }];
}

/** Selects days with another price or inventory: only pushes of these can have been announced. */
function pushed(compared: readonly Compared[], seqs: ReadonlyMap<string, number>) {
  return compared.flatMap(({ listing, changed }) => {
    const seq = seqs.get(listing);
    const other = changed.filter(
      ({ day, before }) =>
        before && otherValues(before, day.values).some((name) => name === 'price' || name === 'inventory'),
    );
    return seq === undefined ? [] : [{ key: listing, seq, days: other.map(({ day }) => day.date) }];
  });
}

function only<Name extends keyof DayValues>(values: DayValues, names: readonly Name[]): Pick<DayValues, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<DayValues, Name>;
}
