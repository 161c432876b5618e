import type { Clock } from '../../kernel/clock.ts';
import { aboutKey, type Tracer } from '../../kernel/tracing/tracer.ts';
import { next } from '../../kernel/transitions.ts';
import { inboxLife } from '../tables/states.ts';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import { count } from '../tables/connection/counters.ts';
import type { DateHint } from '../tables/rows/dateHints.ts';
import type { MirrorStore, MirrorTrx, NewEvent } from '../tables/database.ts';
import { type Mark, markAll } from '../queue/dirtyKeys.ts';
import { type GroupCommit, groupCommit } from './groupCommit.ts';
import { type IncomingEvent, identifier } from './identify.ts';
import { eventsById, insertEvents } from '../queue/inbox.ts';
import type { Meter } from '../trust/measures/meter.ts';
import { readEvent } from './readEvent.ts';
import type { ReadNumbers } from '../queue/readNumbers.ts';
import type { DeliveryHeaders, RefusalReason, Verdict } from './verifyDelivery.ts';

/** A burst of events for one key is over when none came for this long. */
const QUIET_MS = 15;
/** The longest time from its first event to the read of a key. */
const LONGEST_QUIET_MS = 500;

/**
 * The answer to a delivery: 200 stored, 400 unreadable, 401 not proven, 503 not stored, so that the sender tries again.
 */
export interface Acceptance {
  status: 200 | 400 | 401 | 503;
}

const accepted: Acceptance = { status: 200 };
const forged: Acceptance = { status: 401 };
const unreadable: Acceptance = { status: 400 };
const notStored: Acceptance = { status: 503 };

/** Receives the deliveries of one connection. */
export interface Receiver {
  /**
   * Receives one delivery: verifies it, commits it with others, and answers. 200 means that the event is durable, and
   * that a read of the key that it names will follow.
   * @param path the part after the name of the connection in the URL that it was sent to
   */
  accept(rawBody: Buffer, headers: DeliveryHeaders, path?: string): Promise<Acceptance>;
  idle(): Promise<void>;
}

interface ReceiverOptions {
  store: MirrorStore;
  connection: string;
  numbers: ReadNumbers;
  clock: Clock;
  /** Absent for no traces. */
  tracer?: Tracer | undefined;
  meter: Meter;
  verify(body: Buffer, headers: DeliveryHeaders, path: string | undefined): Verdict | Promise<Verdict>;
  /** Called for each delivery that is refused. */
  onRefused(reason: RefusalReason): void;
  /** Translates a payload from another dialect, in place; left out: it is in ours. */
  understand?: ((payload: Record<string, unknown>) => void) | undefined;
  /** Called after a commit that made keys dirty; they come due at the given moment. */
  onMarked(due: number): void;
  /** Called when a commit failed: events were refused, so everything must be caught up. */
  onFailure(error: unknown): void;
  /** The application that upstream is read as, where that is by OAuth. */
  ownClientId?: string | undefined;
  /** Called after a commit with an event that says that our access upstream was withdrawn, before it is answered. */
  onRevoked(): Promise<void>;
}

export function receiver(options: ReceiverOptions): Receiver {
  const { store, clock, verify, onFailure, onRefused } = options;
  const lately = new Set<string>();
  const identify = identifier(clock);
  const group: GroupCommit<IncomingEvent, void> = groupCommit(store.kind, clock, (events) =>
    commit(options, lately, events),
  );
  return {
    async accept(rawBody, headers, path) {
      const judged = verify(rawBody, headers, path);
      const verdict = typeof judged === 'string' ? judged : await judged;
      if (verdict !== 'proven') {
        onRefused(verdict);
        return forged;
      }
      const event = readEvent(rawBody, options.understand);
      if (!event) {
        onRefused('unreadable');
        return unreadable;
      }
      try {
        const identified = identify(event);
        const { tracer } = options;
        if (tracer?.isOn && event.subject)
          tracer.remember(aboutKey({ connection: options.connection, ...event.subject }));
        await group.add(identified);
        return accepted;
      } catch (error) {
        onFailure(error);
        return notStored;
      }
    },
    idle: () => group.idle(),
  };
}

const noResults: readonly void[] = [];

/** The counted name of all kinds that the contract does not name: a sender can invent many. */
const UNKNOWN = 'unknown';
/** The number of keys remembered as lately marked; only speed depends on it. */
const LATELY = 20_000;

async function commit(
  options: ReceiverOptions,
  lately: Set<string>,
  events: readonly IncomingEvent[],
): Promise<readonly void[]> {
  const { store, connection, numbers, clock, onMarked } = options;
  const nowMs = clock.now();
  const at = instantOf(nowMs);
  // PostgreSQL: two groups with a common id, each in its own order, would wait for each other.
  const { first, again } = firstOfEachId(store.kind === 'postgres' ? events.toSorted(byId) : events);
  const { marked, isRevoked, fresh } = await store.transaction(async (trx) => {
    const number = await numbers.mark(trx);
    const inserted = await insertEvents(
      trx,
      first.map((event) => rowOf(connection, event, number, at)),
    );
    const repeats = inserted === events.length ? none : await judgeRepeats(trx, connection, first, again, at);
    const fresh = repeats === none ? first : first.filter((event) => !repeats.old.has(event));
    // The same words can announce a second change, so they cause a read again.
    const doubted = [...repeats.old].filter((event) => event.isByContent);
    const named = [...subjectsOf(fresh), ...subjectsOf(doubted), ...repeats.conflicts];
    const marks = marksFor(connection, named, number, nowMs);
    await markAll(trx, marks, (mark) => lately.has(idOf(mark)));
    await count(trx, connection, {
      events: inserted,
      duplicates: events.length - inserted,
      id_conflict: repeats.conflicts.length / 2,
      unknown_kind: tally(fresh, (event) => !event.known),
      ignored: tally(fresh, (event) => event.known && !event.subject),
    });
    return { marked: marks, fresh, isRevoked: fresh.some((event) => isWithdrawal(event, options.ownClientId)) };
  });
  for (const { event, known } of fresh) options.meter.add('events', known ? event : UNKNOWN, { count: 1 });
  if (lately.size > LATELY) lately.clear();
  for (const mark of marked) lately.add(idOf(mark));
  if (marked.length > 0) onMarked(nowMs + QUIET_MS);
  if (isRevoked) await options.onRevoked();
  return noResults;
}

/**
 * Returns true if an event reports our own disconnection. An application that did not register its webhook itself may
 * also receive the event of another one.
 */
function isWithdrawal({ event, body }: IncomingEvent, ownClientId: string | undefined): boolean {
  if (event !== 'authorization_revoked') return false;
  const { client_id: clientId } = JSON.parse(body) as { client_id?: unknown };
  return ownClientId === undefined || clientId === undefined || clientId === ownClientId;
}

function byId(a: IncomingEvent, b: IncomingEvent): number {
  return a.eventId < b.eventId ? -1 : 1;
}

function firstOfEachId(events: readonly IncomingEvent[]) {
  const first = new Map<string, IncomingEvent>();
  const again: IncomingEvent[] = [];
  for (const event of events) {
    if (first.has(event.eventId)) again.push(event);
    else first.set(event.eventId, event);
  }
  return { first: [...first.values()], again };
}

function rowOf(connection: string, event: IncomingEvent, number: number, at: Instant): NewEvent {
  return {
    connection,
    event_id: event.eventId,
    event: event.event,
    received_at: at,
    resource: event.subject?.resource ?? null,
    key: event.subject?.key ?? null,
    mark_number: number,
    state: next(inboxLife, null, event.subject ? 'receive' : 'receive_nameless'),
    body: event.body,
  };
}

interface Subject {
  resource: string;
  key: string;
  hint: DateHint | undefined;
}

interface Repeats {
  /** Events of this group whose id was stored before it. */
  old: ReadonlySet<IncomingEvent>;
  /** The keys that both bodies of an id name, where it has two. It is unknown which is right, so both are read. */
  conflicts: readonly (Subject | undefined)[];
}

const none: Repeats = { old: new Set(), conflicts: [] };

/**
 * Finds, if fewer rows were inserted than given, the events that were stored before, and those that differ from them.
 */
async function judgeRepeats(
  trx: MirrorTrx,
  connection: string,
  first: readonly IncomingEvent[],
  again: readonly IncomingEvent[],
  at: Instant,
): Promise<Repeats> {
  const ids = first.map((event) => event.eventId);
  const stored = new Map((await eventsById(trx, { connection, ids })).map((row) => [row.event_id, row]));
  const isOurs = (event: IncomingEvent) => {
    const row = stored.get(event.eventId);
    return row?.received_at === at && row.body === event.body && row.state !== 'done';
  };
  const old = new Set(first.filter((event) => !isOurs(event)));
  const conflicts = [...old, ...again].flatMap((event): (Subject | undefined)[] => {
    const row = stored.get(event.eventId);
    // A body that retention has deleted can no longer be compared.
    if (!row || row.body === null || row.body === event.body) return [];
    const other = row.resource !== null && row.key !== null;
    return [event.subject, other ? { resource: row.resource ?? '', key: row.key ?? '', hint: undefined } : undefined];
  });
  return { old, conflicts };
}

function subjectsOf(events: readonly IncomingEvent[]): (Subject | undefined)[] {
  return events.map((event) => event.subject);
}

/** Returns one mark per key, however many events of the group name it. */
function marksFor(
  connection: string,
  subjects: readonly (Subject | undefined)[],
  number: number,
  nowMs: number,
): Mark[] {
  const marks = new Map<string, Mark>();
  const times = {
    at: instantOf(nowMs),
    quietAt: instantOf(nowMs + QUIET_MS),
    dueBy: instantOf(nowMs + LONGEST_QUIET_MS),
  };
  for (const subject of subjects) {
    if (!subject) continue;
    const { resource, key, hint } = subject;
    const id = idOf(subject);
    const mark = marks.get(id);
    if (mark) {
      mark.marks += 1;
      joinHint(mark, hint);
    } else {
      const where = { hint: hint?.text ?? null, hintFrom: hint?.from ?? null, hintTo: hint?.to ?? null };
      marks.set(id, { connection, resource, key, number, origin: 'event', marks: 1, ...times, ...where });
    }
  }
  // PostgreSQL: all groups lock the keys in one order.
  return marks.size < 2 ? [...marks.values()] : [...marks.values()].toSorted(inKeyOrder);
}

function idOf({ resource, key }: { resource: string; key: string }): string {
  return `${resource} ${key}`;
}

function joinHint(mark: Mark, hint: DateHint | undefined): void {
  if (!hint || mark.hint === null || mark.hintFrom === null || mark.hintTo === null) {
    mark.hint = null;
    return;
  }
  mark.hint = `${mark.hint},${hint.text}`;
  if (hint.from < mark.hintFrom) mark.hintFrom = hint.from;
  if (hint.to > mark.hintTo) mark.hintTo = hint.to;
}

function inKeyOrder(a: Mark, b: Mark): number {
  return a.resource < b.resource || (a.resource === b.resource && a.key < b.key) ? -1 : 1;
}

function tally(events: readonly IncomingEvent[], matches: (event: IncomingEvent) => boolean): number {
  let sum = 0;
  for (const event of events) if (matches(event)) sum += 1;
  return sum;
}
