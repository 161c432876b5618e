import { datesFromTo } from '../../src/kernel/dates.ts';
import type { ChangesTable } from '../../src/sync/tables/database.ts';
import type { LostEventsTable } from '../../src/sync/trust/loss/tables.ts';
import type { Read, ReadLog } from './readLog.ts';

/** An event that comes so long after a scan has found its change was only slower. */
const GRACE_MS = 30_000;

/** All that is known of a world after its end, from both sides. */
export interface LossRecords {
  reads: Pick<ReadLog, 'of'>;
  emitted: readonly { event_id: string; event: string; body: string; outcome: string | null }[];
  inbox: readonly { event_id: string; received_at: string }[];
  changes: readonly ChangesTable[];
  losses: readonly LostEventsTable[];
}

/** A loss as it ought to be reported, one line each; days of one change in a line. */
export type LossLine = string;

interface Emitted {
  event: string;
  sub: string;
  /** The stay, entry, message or property. */
  subject: string;
  at: number;
  days: readonly string[];
  /** When it came; undefined: it never did. */
  came: number | undefined;
  isDropped: boolean;
}

/** What was dropped, and which lines a daemon that misses nothing and makes up nothing would report. */
export function lossTruth(records: LossRecords) {
  const came = new Map(records.inbox.map((row) => [row.event_id, Date.parse(row.received_at)]));
  // What was queued before anybody listened was sent to nobody.
  const emitted = records.emitted
    .filter(({ outcome }) => outcome !== null)
    .map((one): Emitted => emittedOf(one, came.get(one.event_id)));
  const bySubject = new Map<string, Emitted[]>();
  for (const one of emitted) {
    const known = bySubject.get(one.subject);
    if (known) known.push(one);
    else bySubject.set(one.subject, [one]);
  }
  const expected: LossLine[] = [];
  for (const change of records.changes) {
    const subject = subjectOf(change);
    const events = bySubject.get(subject) ?? [];
    if (events.length === 0) continue;
    const own = records.reads.of(change.resource, subject);
    expected.push(...(change.resource === 'availability' ? lostDays : lostRows)(change, events, own));
  }
  return { expected: expected.toSorted(), emitted };
}

/** The same lines, as the daemon reports them. */
export function reported({ losses }: LossRecords): LossLine[] {
  const lines = losses.filter(({ event }) => event !== 'listing_calendar_updated');
  const byChange = new Map<string, string[]>();
  for (const { seq, event, sub_event: sub, state, days } of lines) {
    const key = `${seq} ${event} ${sub} ${state}`;
    byChange.set(key, [...(byChange.get(key) ?? []), ...(days === null ? [] : datesOf(days.replaceAll(':', '/')))]);
  }
  return [...byChange].map(([key, days]) => [key, ...days.toSorted()].join(' ')).toSorted();
}

function datesOf(text: string): string[] {
  return text.split(',').flatMap((range) => {
    const [from = '', to = from] = range.split('/');
    return datesFromTo(from, to);
  });
}

/** What of the core an event is about: the stay, entry, message or property. */
export function subjectNamed(body: Record<string, unknown>): string {
  const { message_id, stay_code, transaction_id, property_id, listing_id } = body;
  return String(message_id ?? stay_code ?? transaction_id ?? property_id ?? listing_id);
}

function emittedOf(one: LossRecords['emitted'][number], came: number | undefined): Emitted {
  const body = JSON.parse(one.body) as Record<string, any>;
  const { event } = one;
  return {
    event,
    sub: String(body['sub_event'] ?? ''),
    subject: subjectNamed(body),
    at: Date.parse(String(body['timestamp'])),
    days: ((body['availabilities'] ?? []) as { date: string }[]).map(({ date }) => date),
    came,
    isDropped: one.outcome === 'dropped',
  };
}

/** What of the core a change is about. */
export function subjectOf({ resource, key, part }: ChangesTable): string {
  return resource === 'message' ? decodeURIComponent((part ?? '').split('/')[1] ?? '') : (part ?? key);
}

/** Whether a scan has found a change: the daemon says so, or its answer came at the moment of the change. */
function isFoundByScan({ seen_by, at }: ChangesTable, reads: readonly Read[]): boolean {
  if (seen_by === 'related') return false;
  if (seen_by !== 'event') return true;
  const then = reads.filter((read) => read.at === Date.parse(at));
  return then.some((read) => read.isScan) && !then.some((read) => !read.isScan);
}

/**
 * When the last read that was applied before this moment, and that showed it, was sent; one overtaken or thrown away is
 * not applied.
 */
function lastSent(reads: readonly Read[], before: number, shows: (read: Read) => boolean): number {
  let newest = -1;
  let sentAt = Number.NEGATIVE_INFINITY;
  for (const read of reads) {
    if (read.at >= before || read.sentSeq <= newest || read.isThrownAway) continue;
    newest = read.sentSeq;
    if (shows(read)) ({ sentAt } = read);
  }
  return sentAt;
}

function lostRows(change: ChangesTable, events: readonly Emitted[], own: readonly Read[]): LossLine[] {
  const { resource, op, seq } = change;
  const at = Date.parse(change.at);
  const ofSubject = events.filter((one) => isAbout(one.event, resource));
  const paths = ((JSON.parse(change.diff ?? '[]') ?? []) as { path: string; after: unknown }[]).map(({ path }) => path);
  if (!isFoundByScan(change, op === 'deleted' ? [] : own)) return [];
  const since = lastSent(own, at, () => true);
  const groups = new Map<string, Emitted[]>();
  for (const one of ofSubject) {
    const isOnce = /_(created|deleted)$/.test(one.event);
    const isOf = isOnce
      ? one.event.endsWith(`_${op}`)
      : op === 'updated' && one.at >= since && one.at <= at && paths.some((path) => isToldBy(one, path));
    const name = `${one.event} ${one.sub}`;
    if (isOf) groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups].flatMap(([name, events]) => {
    const state = stateOf(events, at);
    return state ? [`${seq} ${name} ${state}`] : [];
  });
}

function isAbout(event: string, resource: string): boolean {
  return event.startsWith(`${resource}_`);
}

/** in time: nothing is missed. */
function stateOf(events: readonly Emitted[], foundAt: number): 'lost' | 'late' | undefined {
  const arrivals = events.flatMap(({ came }) => came ?? []);
  if (arrivals.length === 0) return 'lost';
  return Math.min(...arrivals) <= foundAt + GRACE_MS ? undefined : 'late';
}

const details = (names: string) => new RegExp(`^check_in_details\\.(${names})(\\.|$)`);

/** What each kind of reservation_updated is sent for, as v3 describes it. */
const told: Readonly<Record<string, RegExp>> = {
  rates_updated: /^(rates\.(rate|commission|details)|additional_fees)(\.|$)/,
  remarks_updated: /^note$/,
  arrival_and_departure_time_updated: details('arrival_at|departure_at'),
  lock_code_updated: details('lock_code'),
  lock_code_deleted: details('lock_code'),
  check_in_details_updated:
    /^(check_in_details\.(lock_code_visible_after|id_required)|guests$|checkin_guide_images)(\.|$)?/,
  '': /^(status|stay_status|cancelled_at|check_(in|out)_date|number_of_.*|property_id|in_reservation_box|tags|custom_.*|creator|guest_.*|guests\..*)(\.|$)/,
};

function isToldBy({ event, sub }: Emitted, path: string): boolean {
  if (event === 'reservation_updated') return told[sub]?.test(path) ?? false;
  if (event === 'transaction_updated') return /^(amount|item_id|payment_method_id|action_at|note)$/.test(path);
  return event === 'review_updated' && /^(guest_review|host_review|host_reply)/.test(path);
}

function lostDays(change: ChangesTable, emitted: readonly Emitted[], own: readonly Read[]): LossLine[] {
  const { seq, op } = change;
  const at = Date.parse(change.at);
  if (op !== 'updated') return [];
  if (!isFoundByScan(change, own)) return [];
  const diff = JSON.parse(change.diff ?? '[]') as { path: string; before: any; after: any }[];
  const flipped = diff
    .filter(({ before, after }) => before.available !== after.available)
    .flatMap(({ path }) => datesOf(path));
  const ofProperty = emitted.filter((one) => one.event === 'property_availability_updated');
  const lines = { lost: [] as string[], late: [] as string[] };
  for (const day of flipped) {
    const since = lastSent(own, at, ({ days }) => days !== undefined && days.from <= day && days.to >= day);
    const events = ofProperty.filter((one) => one.days.includes(day) && one.at >= since && one.at <= at);
    const state = events.length === 0 ? undefined : stateOf(events, at);
    if (state) lines[state].push(day);
  }
  return (['lost', 'late'] as const)
    .filter((state) => lines[state].length > 0)
    .map((state) => [`${seq} property_availability_updated  ${state}`, ...lines[state].toSorted()].join(' '));
}
