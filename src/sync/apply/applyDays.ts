import type { Kysely } from 'kysely';
import { turn } from '../../kernel/clock.ts';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { ApplyContext } from './apply.ts';
import { closeKeys, closeRest, openKeys, type OpenKeys, type ReadOfKeys } from '../queue/closeKeys.ts';
import type { Patience } from '../queue/patience.ts';
import type { AvailabilityDaysTable, AvailabilityReadsTable, Mirror, MirrorTrx, Origin } from '../tables/database.ts';
import { type DaysFound, pastOf, recordStarts } from './dayHistory.ts';
import type { FieldChange } from '../tables/rows/diff.ts';
import { lockFeed } from '../feed/feedRows.ts';
import { noteLostDays } from '../trust/loss/noteLosses.ts';
import { noteSent } from '../trust/loss/readTimes.ts';
import { recordChanges, type RecordedChange } from '../feed/recordChanges.ts';
import { AVAILABILITY, type Day, type DaysAnswer } from '../tables/listings/availability.ts';
import { type Stretch, stretchesOf } from '../tables/rows/stretches.ts';

/** These rows are short; some hundreds of them hold the event loop for a few milliseconds. */
const BATCH_DAYS = 500;

interface DaysReading {
  answer: DaysAnswer;
  origin: Origin;
  /** The scan that has read it. */
  scanId?: string | undefined;
  /** Marks below this number are answered by this read. */
  marksBelow: number;
  /** Properties for which this answer completes the requested read. */
  closing: ReadonlySet<number>;
  /** The properties among these with every readable day read. */
  complete: ReadonlySet<number>;
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

interface AppliedDays {
  changed: number;
  unchanged: number;
  /** Properties for which a later read is already applied: this answer changed nothing of them. */
  stale: readonly number[];
}

/** Applies an answer to nights, history, feed and inbox. Safe to repeat, and in any order. */
export async function applyDays(context: ApplyContext, reading: DaysReading): Promise<AppliedDays> {
  const total = { changed: 0, unchanged: 0, stale: [] as number[] };
  for (const batch of batchesOf(reading.answer.properties)) {
    const part = await applyBatch(context, reading, batch);
    total.changed += part.changed;
    total.unchanged += part.unchanged;
    total.stale.push(...part.stale);
    await turn();
  }
  return total;
}

type PropertyDays = DaysAnswer['properties'][number];

function batchesOf(properties: readonly PropertyDays[]): PropertyDays[][] {
  const batches: PropertyDays[][] = [];
  let size = BATCH_DAYS;
  for (const property of properties) {
    if (size + property.days.length > BATCH_DAYS) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(property);
    size += property.days.length;
  }
  return batches;
}

async function applyBatch(
  context: ApplyContext,
  reading: DaysReading,
  properties: readonly PropertyDays[],
): Promise<AppliedDays> {
  const { store, connection, clock } = context;
  const { answer, closing, origin } = reading;
  const at = instantOf(clock.now());
  const seqs = reading.seqs ?? new Map<string, number>();
  const { applied, read, rest, anyChange } = await store.transaction(async (trx) => {
    await lockFeed(trx, connection);
    await noteSent(trx, { connection, number: answer.number, at: context.numbers.sentAt(answer.number) });
    const { fresh, stale, known } = await fenceOff(trx, connection, properties, answer.number);
    const compared = await compareDays(trx, connection, fresh, answer.range);
    await writeDays(trx, { connection, number: answer.number, at }, compared, known, reading.complete);
    const read: ReadOfKeys = {
      connection,
      resource: AVAILABILITY,
      keys: fresh.map(({ id }) => String(id)),
      number: reading.marksBelow,
      at,
      patience: reading.patience,
      sentAt: context.numbers.sentAt(reading.marksBelow),
      meter: context.meter,
    };
    const open = await openKeys(trx, read, async () => () => true);
    const changes = compared.flatMap((one) => changeOf(one, known.get(one.id), reading.isAnnounced));
    const own = new Map<string, number>();
    await recordChanges(trx, { connection, resource: AVAILABILITY, origin, at }, changes, open, own);
    const found = { connection, resource: AVAILABILITY, origin, at, scanId: reading.scanId ?? null };
    if (!reading.isAnnounced) await noteLostDays(trx, found, freedOrTaken(compared, own));
    await recordHistory(trx, { connection, at }, compared, own);
    for (const [key, seq] of own) seqs.set(key, seq);
    const closable: OpenKeys = { ...open, keys: open.keys.filter((row) => closing.has(Number(row.key))) };
    await closeKeys(trx, read, closable, seqs);
    const changed = compared.filter((one) => one.changed.length > 0).length;
    const rest = closable.crowded ? closable.keys.map((row) => row.key) : [];
    return {
      applied: { changed, unchanged: compared.length - changed, stale },
      read,
      rest,
      anyChange: changes.length > 0,
    };
  });
  if (rest.length > 0) await closeRest(store, read, rest);
  if (anyChange) context.onChanges();
  return applied;
}

type Known = ReadonlyMap<number, AvailabilityReadsTable>;

/** Separates the properties whose nights this answer may change from those that a later read has already covered. */
async function fenceOff(trx: MirrorTrx, connection: string, properties: readonly PropertyDays[], number: number) {
  const ids = properties.map(({ id }) => id);
  const known: Known = new Map((await storedReads(trx, { connection, ids })).map((row) => [row.property_id, row]));
  const isStale = ({ id }: PropertyDays) => (known.get(id)?.read_number ?? 0) >= number;
  return {
    fresh: properties.filter((one) => !isStale(one)),
    stale: properties.filter(isStale).map(({ id }) => id),
    known,
  };
}

const storedReads = prepared((db: Kysely<Mirror>, arg: { connection: string; ids: readonly number[] }) =>
  db
    .selectFrom('availability_reads')
    .selectAll()
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('property_id'), arg.ids))
    .forUpdate(),
);

/** Reads the stored nights of these properties from `from` to `to`. */
export const storedDays = prepared(
  (db: Kysely<Mirror>, arg: { connection: string; ids: readonly number[]; from: string; to: string }) =>
    db
      .selectFrom('availability_days')
      .select(['property_id', 'date', 'available', 'remarks'])
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref('property_id'), arg.ids))
      .where('date', '>=', arg.from)
      .where('date', '<=', arg.to),
);

type DayBefore = Pick<AvailabilityDaysTable, 'available' | 'remarks'>;

interface ComparedDays {
  id: number;
  /** Nights that are new or differ; `before` is undefined for new ones. */
  changed: { day: Day; before: DayBefore | undefined }[];
}

async function compareDays(
  trx: MirrorTrx,
  connection: string,
  properties: readonly PropertyDays[],
  { from, to }: DaysAnswer['range'],
): Promise<ComparedDays[]> {
  const ids = properties.map(({ id }) => id);
  const stored = new Map<string, DayBefore>();
  for (const row of await storedDays(trx, { connection, ids, from, to }))
    stored.set(`${row.property_id} ${row.date}`, row);
  return properties.map(({ id, days }) => ({
    id,
    changed: days
      .map((day) => ({ day, before: stored.get(`${id} ${day.date}`) }))
      .filter(({ day, before }) => before?.available !== day.available || before.remarks !== day.remarks),
  }));
}

async function writeDays(
  trx: MirrorTrx,
  { connection, number, at }: { connection: string; number: number; at: Instant },
  compared: readonly ComparedDays[],
  known: Known,
  complete: ReadonlySet<number>,
): Promise<void> {
  const days = compared.flatMap(({ id, changed }) =>
    changed.map(({ day }) => ({ connection, property_id: id, ...day })),
  );
  await insertMany(trx, 'availability_days', days, {
    columns: ['connection', 'property_id', 'date'],
    update: ['available', 'remarks'],
  });
  const reads = compared.map(({ id, changed }) => ({
    connection,
    property_id: id,
    read_number: number,
    first_seen_at: known.get(id)?.first_seen_at ?? at,
    changed_at: changed.length > 0 ? at : (known.get(id)?.changed_at ?? at),
    complete_read_at: complete.has(id) ? at : (known.get(id)?.complete_read_at ?? null),
  }));
  await insertMany(trx, 'availability_reads', reads, {
    columns: ['connection', 'property_id'],
    update: ['read_number', 'changed_at', 'complete_read_at'],
  });
}

async function recordHistory(
  trx: MirrorTrx,
  { connection, at }: { connection: string; at: Instant },
  compared: readonly ComparedDays[],
  seqs: ReadonlyMap<string, number>,
): Promise<void> {
  const found = compared.map(({ id, changed }): DaysFound<DayBefore> => ({
    key: String(id),
    days: changed.map(({ day: { date, available, remarks }, before }) => ({
      date,
      before: before && { available: before.available, remarks: before.remarks },
      after: { available, remarks },
    })),
  }));
  await recordStarts(trx, { connection, resource: AVAILABILITY, at }, found);
  const past = pastOf(connection, at, found, seqs);
  const rows = past.map(({ key, range, values }) => ({ ...range, property_id: Number(key), ...values }));
  await insertMany(trx, 'availability_history', rows);
}

/**
 * Returns the change for the feed: a calendar seen for the first time, or known nights that differ. New nights alone
 * give none.
 */
function changeOf(
  { id, changed }: ComparedDays,
  known: AvailabilityReadsTable | undefined,
  isAnnounced: DaysReading['isAnnounced'],
): RecordedChange[] {
  const key = String(id);
  if (!known) return isAnnounced?.(key) ? [] : [{ key, part: null, op: 'created', diff: null, old: undefined }];
  const ranges = stretches(changed);
  if (ranges.length === 0) return [];
  const diff = ranges.map(({ from, to, before, after }): FieldChange => ({
    path: from === to ? from : `${from}/${to}`,
    before,
    after,
  }));
  return [{ key, part: null, op: 'updated', diff, old: undefined }];
}

/** Selects nights that became free or taken; remarks change without an event. */
function freedOrTaken(compared: readonly ComparedDays[], seqs: ReadonlyMap<string, number>) {
  return compared.flatMap(({ id, changed }) => {
    const seq = seqs.get(String(id));
    const other = changed.filter(({ day, before }) => before && before.available !== day.available);
    return seq === undefined ? [] : [{ key: String(id), seq, days: other.map(({ day }) => day.date) }];
  });
}

function stretches(changed: ComparedDays['changed']): Stretch<DayBefore>[] {
  const known = changed.flatMap(({ day: { date, available, remarks }, before }) =>
    before
      ? [{ date, before: { available: before.available, remarks: before.remarks }, after: { available, remarks } }]
      : [],
  );
  return stretchesOf(known, (a, b) => a.available === b.available && a.remarks === b.remarks);
}
