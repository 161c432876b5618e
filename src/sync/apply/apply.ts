import type { Fields } from '../../client/fields.ts';
import { type Clock, turn } from '../../kernel/clock.ts';
import { noTracer, type Tracer } from '../../kernel/tracing/tracer.ts';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import { closeKeys, closeRest, type OpenKeys, openKeys, type ReadOfKeys } from '../queue/closeKeys.ts';
import type { GuestsTable, MirrorStore, MirrorTrx, Origin } from '../tables/database.ts';
import { type Decided, decide } from './decide.ts';
import type { DerivedEvent } from '../feed/derived/names.ts';
import { derivedFrom, hasDerived } from '../feed/derived/rows.ts';
import { releaseKeys } from '../queue/dirtyKeys.ts';
import { lockFeed } from '../feed/feedRows.ts';
import { type FoundRow, isMeasured, noteLostRows } from '../trust/loss/noteLosses.ts';
import { noteSent } from '../trust/loss/readTimes.ts';
import type { Meter } from '../trust/measures/meter.ts';
import { forgotten } from '../privacy/erasure/forget.ts';
import type { Fingerprint } from '../privacy/erasure/subjects.ts';
import { storedGuests } from '../tables/reservations/reservations.ts';
import type { IncomingRow, MirrorResource, Page, RowName } from '../tables/rows/resource.ts';
import { release, quarantineRows } from './quarantine.ts';
import type { Patience } from '../queue/patience.ts';
import { noValues } from '../tables/rows/personal.ts';
import { dropValues, storedValues, writeValues } from '../privacy/personalValues.ts';
import type { ReadNumbers } from '../queue/readNumbers.ts';
import { recordChanges, type RecordedChange } from '../feed/recordChanges.ts';
import { type FullRow, rowQueries, type StoredRow } from '../tables/rows/rowTable.ts';

/** The most rows of a transaction, so that it holds the event loop for some milliseconds only. */
const BATCH_ROWS = 200;

/** The services that applying an answer needs. */
export interface ApplyContext {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  /** Absent for no traces. */
  tracer?: Tracer;
  /** Recognizes erased persons without naming them. */
  fingerprint: Fingerprint;
  numbers: ReadNumbers;
  meter: Meter;
  /** Called after a commit that put changes into the feed. */
  onChanges(): void;
}

/** The answer of one read. */
export interface Reading {
  resource: MirrorResource;
  page: Page;
  /** Taken when the request was sent. */
  number: number;
  /** The reason for the read, for changes that no event announced. */
  origin: Origin;
  /** The scan that has read it. */
  scanId?: string | undefined;
  /** Keys that the answer covers completely: other rows stored under them are gone upstream. */
  whole: readonly string[];
  /** Keys that the answer settles, where their rows do not show that. */
  ends?: readonly string[];
  /** Decides when to read keys again whose events have announced more than shows. */
  patience?: Patience;
  /** Returns true if the feed has already announced a row that is missing here: it is written, without a change. */
  isAnnounced?: ((key: string, part: string | null) => boolean) | undefined;
  /** Claims that end with it. */
  release?: { by: string; keys: readonly string[] };
  /** Marks the keys that must be read because of the changes. @returns the marked keys */
  follow?: ((trx: MirrorTrx, applied: Applied) => Promise<readonly RowName[]>) | undefined;
}

/** The effects of an applied answer, counted in rows. */
export interface Applied {
  created: number;
  updated: number;
  deleted: number;
  unchanged: number;
  stale: number;
  /**
   * Keys whose rows changed, with the current raw rows (or the last ones, if gone), and if an event announced the
   * change.
   */
  changes: readonly (Pick<Change, 'key' | 'op' | 'raw' | 'diff'> & { announced: boolean })[];
  confirming: readonly string[];
  /** The keys that were marked for a read because of the changes. */
  following: readonly RowName[];
}

const nothing: Applied = {
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  stale: 0,
  changes: [],
  confirming: [],
  following: [],
};

/**
 * Applies an answer to the mirror: rows, history, feed, inbox and following reads in one transaction. Safe to repeat,
 * and in any order: an answer older than the stored rows changes nothing.
 */
export async function apply(context: ApplyContext, reading: Reading): Promise<Applied> {
  const { tracer = noTracer, connection } = context;
  const what = { 'stayd.connection': connection, 'stayd.resource': reading.resource.name };
  const attributes = { ...what, 'stayd.rows': reading.page.rows.length };
  return tracer.run('apply', { kind: 'internal', attributes }, () => applyAll(context, reading));
}

async function applyAll(context: ApplyContext, reading: Reading): Promise<Applied> {
  const rows = oncePerKey(reading.page.rows);
  const total = { ...nothing };
  const last = Math.max(0, Math.ceil(rows.length / BATCH_ROWS) - 1);
  for (let batch = 0; batch <= last; batch += 1) {
    const part = rows.slice(batch * BATCH_ROWS, (batch + 1) * BATCH_ROWS);
    add(total, await applyBatch(context, reading, part, rows, batch === last));
    if (batch < last) await turn();
  }
  return total;
}

function oncePerKey(rows: readonly IncomingRow[]): IncomingRow[] {
  const byKey = new Map(rows.map((row) => [row.rowKey, row]));
  return byKey.size === rows.length ? [...rows] : [...byKey.values()];
}

function add(total: Applied, part: Applied): void {
  total.created += part.created;
  total.updated += part.updated;
  total.deleted += part.deleted;
  total.unchanged += part.unchanged;
  total.stale += part.stale;
  total.changes = [...total.changes, ...part.changes];
  total.confirming = [...total.confirming, ...part.confirming];
  total.following = [...total.following, ...part.following];
}

async function applyBatch(
  context: ApplyContext,
  reading: Reading,
  rows: readonly IncomingRow[],
  all: readonly IncomingRow[],
  isLast: boolean,
): Promise<Applied> {
  const { store, connection, clock } = context;
  const { resource, number, page } = reading;
  const at = instantOf(clock.now());
  // If a row could not be read, a missing row may be that one.
  const whole = isLast && page.quarantined.length === 0 ? reading.whole : [];
  // A part of an answer settles nothing.
  const ends = isLast ? reading.ends : reading.ends && [];
  const read: ReadOfKeys = {
    connection,
    resource: resource.name,
    keys: [...new Set([...rows.map((row) => row.key), ...whole, ...(ends ?? [])])],
    number,
    at,
    patience: reading.patience,
    sentAt: context.numbers.sentAt(number),
    meter: context.meter,
  };
  const { applied, open } = await store.transaction(async (trx) => {
    await lockFeed(trx, connection);
    await noteSent(trx, { connection, number, at: context.numbers.sentAt(number) });
    const decided = await decideAll(trx, context, reading, await forgotten(trx, context, resource, rows));
    context.numbers.noteWhole({ connection, resource: resource.name, keys: whole }, number);
    const gone = await goneUnder(trx, connection, resource, whole, all, number);
    await writeRows(trx, connection, resource, decided, number, at);
    await tombstoneRows(trx, connection, resource, gone, number, at);
    await release(trx, connection, resource.name, rows);
    if (isLast && page.quarantined.length > 0)
      await quarantineRows(trx, connection, resource.name, at, page.quarantined);
    const open = await openKeys(trx, read, coveredBy(trx, connection, resource, new Set(whole), ends));
    const changed = changesOf(decided, gone, resource);
    const applied = summaryOf(decided, changed, open);
    // Before keys are closed: the keys to mark come before them in the order in which keys are locked.
    const following = (await reading.follow?.(trx, applied)) ?? [];
    const seqs = new Map<string, number>();
    const occasion = { connection, resource: resource.name, origin: reading.origin, at };
    const first = await recordChanges(trx, occasion, changed, open, seqs);
    // A rebuild compares with nothing.
    if (isMeasured(occasion) && !reading.isAnnounced) {
      const rows = changed.map((change, index) => ({ ...change.found, seq: first + index }));
      await noteLostRows(trx, { ...occasion, scanId: reading.scanId ?? null }, rows);
    }
    const confirming = await closeKeys(trx, read, open, seqs);
    if (isLast && reading.release) await releaseKeys(trx, { connection, resource: resource.name, ...reading.release });
    return { applied: { ...applied, confirming, following }, open };
  });
  if (open.crowded)
    await closeRest(
      store,
      read,
      open.keys.map((row) => row.key),
    );
  if (applied.changes.length > 0) context.onChanges();
  return applied;
}

async function decideAll(
  trx: MirrorTrx,
  { connection, numbers }: ApplyContext,
  { resource, number, origin, isAnnounced }: Reading,
  rows: readonly IncomingRow[],
): Promise<Decided[]> {
  // A read by hand repairs the mirror, whatever happened to it.
  const rewrites = origin === 'command';
  const found = await rowQueries(resource).stored(
    trx,
    connection,
    rows.map((row) => row.rowKey),
  );
  const stored = new Map(found.map((row) => [String(row.row_key), row]));
  const values = await storedValues(
    trx,
    connection,
    resource,
    found.map((row) => row.row_key),
  );
  const guests = resource.hasParts && found.length > 0 ? await guestsOf(trx, connection, found) : noGuests;
  return rows.map((row) => {
    const key = String(row.rowKey);
    const kept = { guests: guests.get(key) ?? [], values: values.get(key) ?? noValues };
    // Nothing is stored of a row that came and went between two reads: an older answer would bring it back for good.
    if (!stored.has(key) && numbers.isOvertaken({ connection, resource: resource.name }, row.key, number)) {
      return { row, stored: undefined, verdict: 'stale' as const, diff: null };
    }
    const decided = decide(row, stored.get(key), kept, number, rewrites);
    return !decided.stored && isAnnounced?.(row.key, row.part) ? { ...decided, verdict: 'same' as const } : decided;
  });
}

const noGuests: ReadonlyMap<string, GuestsTable[]> = new Map();

async function guestsOf(
  trx: MirrorTrx,
  connection: string,
  rows: readonly StoredRow[],
): Promise<Map<string, GuestsTable[]>> {
  const byStay = new Map<string, GuestsTable[]>();
  const stays = rows.map((row) => String(row.row_key));
  for (const guest of await storedGuests(trx, { connection, stays })) {
    const group = byStay.get(guest.stay_code);
    if (group) group.push(guest);
    else byStay.set(guest.stay_code, [guest]);
  }
  return byStay;
}

/** Returns rows that are stored under completely read keys, and missing from the answer. */
async function goneUnder(
  trx: MirrorTrx,
  connection: string,
  resource: MirrorResource,
  whole: readonly string[],
  answered: readonly IncomingRow[],
  number: number,
): Promise<StoredRow[]> {
  if (whole.length === 0) return [];
  const seen = new Set(answered.map((row) => String(row.rowKey)));
  const stored = await rowQueries(resource).storedUnder(trx, connection, whole);
  return stored.filter((row) => !seen.has(String(row.row_key)) && row.read_number < number);
}

async function writeRows(
  trx: MirrorTrx,
  connection: string,
  resource: MirrorResource,
  decided: readonly Decided[],
  number: number,
  at: Instant,
): Promise<void> {
  const changed = decided.filter(({ verdict }) => isWritten[verdict]);
  const queries = rowQueries(resource);
  if (changed.length > 0) {
    // Also for new rows: a row that was deleted by hand has left its dependents behind.
    const rowKeys = changed.map(({ row }) => row.rowKey);
    await resource.sideTables?.clear(trx, connection, rowKeys);
    await dropValues(trx, connection, resource, rowKeys);
    const written = changed.map(({ row, stored, verdict }) => {
      const facts = {
        connection,
        read_number: number,
        first_seen_at: stored?.first_seen_at ?? at,
        changed_at: verdict === 'same' && stored ? stored.changed_at : at,
        deleted_at: null,
        raw: row.rawText,
      };
      return { row, columns: Object.assign(row.columns(), facts) satisfies FullRow };
    });
    await queries.write(
      trx,
      written.map(({ columns }) => columns),
    );
    await resource.sideTables?.write(trx, connection, written);
    await writeValues(
      trx,
      connection,
      resource,
      written.map(({ row }) => row),
    );
    await resource.sideTables?.sum(trx, connection, keysOf(changed), at, written);
  }
  const unchanged = decided.filter(({ verdict }) => verdict === 'unchanged').map(({ row }) => row.rowKey);
  await queries.raise(trx, connection, unchanged, number);
}

const isWritten: Record<Decided['verdict'], boolean> = {
  created: true,
  updated: true,
  same: true,
  unchanged: false,
  stale: false,
};

function keysOf(decided: readonly Decided[]): string[] {
  return [...new Set(decided.map(({ row }) => row.key))];
}

async function tombstoneRows(
  trx: MirrorTrx,
  connection: string,
  resource: MirrorResource,
  gone: readonly StoredRow[],
  number: number,
  at: Instant,
): Promise<void> {
  if (gone.length === 0) return;
  const rowKeys = gone.map((row) => row.row_key);
  const keys = [...new Set(gone.map((row) => String(row.key)))];
  await resource.sideTables?.clear(trx, connection, rowKeys);
  await dropValues(trx, connection, resource, rowKeys);
  await rowQueries(resource).tombstone(trx, connection, rowKeys, number, at);
  await resource.sideTables?.sum(trx, connection, keys, at, []);
}

/**
 * Finds the keys that had all their rows read after a mark. A completely read key had; others can have rows on other
 * pages.
 */
function coveredBy(
  trx: MirrorTrx,
  connection: string,
  resource: MirrorResource,
  whole: ReadonlySet<string>,
  ends: readonly string[] | undefined,
) {
  return async (keys: readonly string[]) => {
    if (ends) return (key: string) => ends.includes(key);
    if (resource.keyColumn === resource.groupColumn || keys.every((key) => whole.has(key))) return () => true;
    const found = await rowQueries(resource).lowestNumbers(trx, connection, keys);
    const lowest = new Map(found.map((row) => [String(row.key), row.number]));
    return (key: string, mark: number) => whole.has(key) || (lowest.get(key) ?? 0) > mark;
  };
}

type Change = RecordedChange & { raw: Fields; found: Omit<FoundRow, 'seq'> };

function changesOf(decided: readonly Decided[], gone: readonly StoredRow[], resource: MirrorResource): Change[] {
  const changes: Change[] = [];
  for (const { row, stored, verdict, diff } of decided) {
    if (verdict !== 'created' && verdict !== 'updated') continue;
    const old = verdict === 'updated' ? stored : undefined;
    // A row that was gone and is back had its chance of an answer before.
    const needsAnswer = stored === undefined && (resource.needsAnswer?.(row.raw) ?? false);
    const derived = old && namesOf(resource, old, row);
    const found = {
      key: row.key,
      part: row.part,
      change: { op: verdict, isNew: stored === undefined, diff },
      oldNumber: stored?.read_number,
      createdAt: () => (row.columns()['created_at'] ?? null) as Instant | null,
    };
    changes.push({ key: row.key, part: row.part, op: verdict, diff, raw: row.raw, old, needsAnswer, derived, found });
  }
  for (const old of gone) {
    const key = String(old.key);
    const part = key === String(old.row_key) ? null : String(old.row_key);
    const raw = JSON.parse(old.raw) as Fields;
    const change = { op: 'deleted' as const, isNew: false, diff: null };
    const found = { key, part, change, oldNumber: old.read_number, createdAt: () => null };
    changes.push({ key, part, op: 'deleted', diff: null, raw, old, needsAnswer: false, found });
  }
  return changes;
}

function namesOf({ name }: MirrorResource, old: StoredRow, row: IncomingRow): readonly DerivedEvent[] {
  return hasDerived(name) ? derivedFrom(name, JSON.parse(old.raw) as Fields, row.raw) : [];
}

function summaryOf(decided: readonly Decided[], changes: readonly Change[], open: OpenKeys): Applied {
  const tally = (verdict: Decided['verdict']) => decided.filter((one) => one.verdict === verdict).length;
  return {
    ...nothing,
    created: tally('created'),
    updated: tally('updated'),
    deleted: changes.filter((change) => change.op === 'deleted').length,
    unchanged: tally('unchanged') + tally('same'),
    stale: tally('stale'),
    changes: changes.map(({ key, op, raw, diff }) => ({ key, op, raw, diff, announced: open.events.has(key) })),
  };
}
