import type { EventKind } from '../../../contract/events.ts';
import type { Instant, PlainDate } from '../../../kernel/dates.ts';
import { next } from '../../../kernel/transitions.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import type { MirrorTrx, Origin } from '../../tables/database.ts';
import type { DateRange } from '../../tables/rows/dateHints.ts';
import { AVAILABILITY } from '../../tables/listings/availability.ts';
import { messages } from '../../tables/conversations/messages.ts';
import { announcementsOf, isAnnouncedByEvents, type RowChange } from './announcements.ts';
import { idleEvents, listeningSince, openUnder, waitingEvents } from './lossTable.ts';
import type { LostEventsTable } from './tables.ts';
import { type ArrivedEvent, arrivedEvent, daysText, onceOnly, rangesOf, announces, without } from './match.ts';
import { sentAtOrBefore } from './readTimes.ts';
import { daysReadSince, lastComplete, conversationReadAt } from './since.ts';
import { lossLife } from './states.ts';

/** The read that found a change. */
interface Found {
  connection: string;
  resource: string;
  origin: Origin;
  /** The moment when its answer is applied. */
  at: Instant;
  scanId: string | null;
}

/** A changed row that a read has found. */
export interface FoundRow {
  key: string;
  part: string | null;
  /** Its place in the feed. */
  seq: number;
  change: RowChange;
  /** The last read that saw the former state of the row; undefined: it was never seen. */
  oldNumber: number | undefined;
  /** Returns the moment of the row's creation according to upstream; null: not stated. */
  createdAt(): Instant | null;
}

const byScan: ReadonlySet<Origin> = new Set<Origin>(['scan', 'catch_up', 'command']);

/** Returns true if a change that such a read finds counts as missed by events. */
export function isMeasured({ resource, origin }: Pick<Found, 'resource' | 'origin'>): boolean {
  return byScan.has(origin) && isAnnouncedByEvents(resource);
}

/**
 * Records the changes of a scan whose event is missing. It runs in the transaction that applies them, before that
 * closes the events that wait for this read.
 */
export async function noteLostRows(trx: MirrorTrx, found: Found, rows: readonly FoundRow[]): Promise<void> {
  const suspects = rows.flatMap((row) =>
    announcementsOf(found.resource, row.change).map((announced) => ({ row, announced })),
  );
  if (suspects.length === 0) return;
  const windows = await windowsOf(trx, found);
  const arrived = await arrivals(trx, found, new Set(suspects.map(({ row }) => row.key)));
  const losses: LostEventsTable[] = [];
  for (const { row, announced } of suspects) {
    const since = await windows(row, announced.event);
    if (since === undefined) continue;
    const loss = lossOf(found, row.seq, announced.event, { key: row.key, since });
    loss.sub_event = announced.sub_event ?? '';
    // A message's key does not identify it, but its place does.
    loss.part = announced.shared ? null : (row.part ?? ownPart(found.resource, row.key));
    if ((arrived.get(row.key) ?? []).some((event) => announces(event, loss))) continue;
    if (announced.shared && (await isKnown(trx, loss, losses))) continue;
    losses.push(loss);
  }
  await insertMany(trx, 'lost_events', losses);
}

/** Returns the code of the reservation: it names a stay that is the only one of its reservation. */
function ownPart(resource: string, key: string): string | null {
  return resource === 'reservation' ? key : null;
}

function lossOf(
  { connection, resource, at, origin, scanId }: Found,
  seq: number,
  event: EventKind,
  { key, since }: { key: string; since: Instant },
): LostEventsTable {
  return {
    connection,
    seq,
    event,
    sub_event: '',
    position: 0,
    resource,
    key,
    part: null,
    days: null,
    since,
    seen_at: at,
    seen_by: origin,
    scan_id: scanId,
    state: next(lossLife, null, 'miss'),
    event_id: null,
    came_at: null,
    late_ms: null,
  };
}

type WindowOf = (row: FoundRow, event: EventKind) => Promise<Instant | undefined>;

/**
 * Returns the earliest possible moment of a row's change: the last time it was read and was right. Nothing is known of
 * changes before events were sent to us, or before everything had been read once.
 */
async function windowsOf(trx: MirrorTrx, { connection, resource }: Found): Promise<WindowOf> {
  const listening = new Map<string, Instant | undefined>();
  const reads = new Map<number, Instant | undefined>();
  let complete: { at: Instant | undefined } | undefined;

  async function sinceOf(row: FoundRow): Promise<Instant | undefined> {
    const { oldNumber } = row;
    if (oldNumber !== undefined) {
      if (!reads.has(oldNumber)) reads.set(oldNumber, await sentAtOrBefore(trx, connection, oldNumber));
      return reads.get(oldNumber);
    }
    complete ??= { at: await lastComplete(trx, connection, resource) };
    const { at } = complete;
    if (at === undefined) return undefined;
    const made = row.createdAt();
    // The row existed before, and was invisible to us: no event announces that.
    if (made !== null && made < at) return undefined;
    const conversation = resource === messages.name ? await conversationReadAt(trx, connection, row.key) : undefined;
    return [at, made, conversation]
      .filter((one) => one != null)
      .toSorted()
      .at(-1);
  }

  return async (row, event) => {
    if (!listening.has(event)) listening.set(event, await listeningSince(trx, connection, event));
    const from = listening.get(event);
    if (from === undefined) return undefined;
    const since = await sinceOf(row);
    return since === undefined || since < from ? undefined : since;
  };
}

/** Returns the events of these keys that wait for a read, or whose read had found nothing new. */
async function arrivals(
  trx: MirrorTrx,
  { connection, resource }: Found,
  keys: ReadonlySet<string>,
): Promise<Map<string, ArrivedEvent[]>> {
  const of = { connection, resource, keys: [...keys] };
  const byKey = new Map<string, ArrivedEvent[]>();
  const waiting = await waitingEvents(trx, of);
  // Among the idle events only those that happen once can match: other changes that they announced were read after
  // them.
  const idle = (await idleEvents(trx, of)).filter(({ event }) => onceOnly.has(event));
  for (const row of [...waiting, ...idle]) {
    const key = row.key ?? '';
    byKey.set(key, [...(byKey.get(key) ?? []), arrivedEvent(row)]);
  }
  return byKey;
}

/** Returns true if another row under the key has already shown the same loss. */
async function isKnown(trx: MirrorTrx, loss: LostEventsTable, earlier: readonly LostEventsTable[]): Promise<boolean> {
  const { connection, resource, key, event, sub_event, part, since } = loss;
  const open = [...earlier, ...(await openUnder(trx, { connection, resource, keys: [key] }))];
  return open.some(
    (one) =>
      one.key === key &&
      one.event === event &&
      one.sub_event === sub_event &&
      one.part === part &&
      one.seen_at >= since,
  );
}

/** Days of one property or listing that a read has found changed. */
interface FoundDays {
  key: string;
  seq: number;
  days: readonly PlainDate[];
}

/** Does the same as {@link noteLostRows} for days that no event names. */
export async function noteLostDays(trx: MirrorTrx, found: Found, calendars: readonly FoundDays[]): Promise<void> {
  const { connection, resource, origin } = found;
  const changed = calendars.filter(({ days }) => days.length > 0);
  if (!byScan.has(origin) || changed.length === 0) return;
  const event = resource === AVAILABILITY ? 'property_availability_updated' : 'listing_calendar_updated';
  const listening = await listeningSince(trx, connection, event);
  if (listening === undefined) return;
  const keys = changed.map(({ key }) => key);
  const arrived = await arrivals(trx, found, new Set(keys));
  const losses: LostEventsTable[] = [];
  for (const { key, seq, days } of changed) {
    const known = await daysReadSince(trx, { connection, resource, key, days: days.toSorted() });
    const windows = [...new Set(known.values())].filter((since) => since >= listening).toSorted();
    let position = 0;
    for (const since of windows) {
      const loss = { ...lossOf(found, seq, event, { key, since }), position };
      const own = rangesOf(days.filter((day) => known.get(day) === since));
      const left = untold(own, loss, arrived.get(key) ?? []);
      if (left.length === 0) continue;
      losses.push({ ...loss, days: daysText(left) });
      position += 1;
    }
  }
  await insertMany(trx, 'lost_events', losses);
}

function untold(days: readonly DateRange[], loss: LostEventsTable, arrived: readonly ArrivedEvent[]): DateRange[] {
  const telling = arrived.filter((event) => announces(event, loss));
  return telling.reduce<DateRange[]>((left, event) => without(left, event.days ?? left), [...days]);
}
