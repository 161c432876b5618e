import type { Kysely } from 'kysely';
import { dateIn, instantOf } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { prepared } from '../../store/queries/prepared.ts';
import { applyCalendars } from '../apply/applyCalendars.ts';
import { noteAbsence, noteThere } from '../scans/absences.ts';
import { askCalendars } from '../scans/resources/askCalendars.ts';
import { closeRest } from '../queue/closeKeys.ts';
import type { Mirror } from '../tables/database.ts';
import { dirtyRows, type DirtyKey } from '../queue/dirtyKeys.ts';
import type { DaysContext, FailedKey } from './lookUpDays.ts';
import { markKeys } from '../queue/markKeys.ts';
import { CALENDAR } from '../tables/listings/calendar.ts';
import { listings } from '../tables/listings/listings.ts';
import { planDays, readable } from './planDays.ts';
import { calendarDates } from '../scans/resources/calendars.ts';

/**
 * A push sends no event if it follows another push of the same days within five seconds. So the days that an event
 * named are read again after this time, when such a push must be over.
 */
const AGAIN_MS = 10_000;

/**
 * Reads the days that the events of these listings named, several listings at a time.
 * @returns the keys that could not be read
 */
export async function lookUpCalendars(context: DaysContext, claimed: readonly DirtyKey[]): Promise<FailedKey[]> {
  const { store, connection, numbers, clock, meter } = context;
  // Before the hints are read: a mark with this number or a greater one may name dates that we do not know of.
  const marksBelow = await numbers.take();
  const dirty = await dirtyRows(store.db, { connection, resource: CALENDAR, keys: claimed.map((row) => row.key) });
  await markUnknown(context, dirty);
  const limits = calendarDates(dateIn(context.zone(), clock.now()));
  // Requests are planned with numbers in place of keys.
  const wanted = dirty.map((row, property) => ({ property, ranges: readable(row, limits).ranges }));
  const requests = planDays(wanted);
  const left = dirty.map((_, index) => requests.filter((one) => one.properties.includes(index)).length);
  const failed = new Map<string, unknown>();
  const answered = new Set<string>();
  /** All days of these are requested; they are completely read if every answer has them. */
  const unlimited = new Set(dirty.filter((row) => row.hint === null).map((row) => row.key));
  const seqs = new Map<string, number>();
  /** Listings of which an answer changed nothing, since a scan overtook it. Their keys stay dirty. */
  const overtaken = new Set<string>();
  const asking = askingOf(context);
  for (const { properties, range } of requests) {
    const keys = properties.flatMap((index) => dirty[index]?.key ?? []);
    const answers = await askCalendars(asking, keys, range, failed);
    const there = new Set(answers.flatMap(({ calendars }) => calendars.map(({ listing }) => listing)));
    for (const key of keys) if (!there.has(key)) unlimited.delete(key);
    for (const index of properties) left[index] = (left[index] ?? 0) - 1;
    const closing = new Set(
      properties.flatMap((index) => {
        const key = dirty[index]?.key;
        const isRead = key !== undefined && left[index] === 0 && !failed.has(key) && !overtaken.has(key);
        return isRead ? [key] : [];
      }),
    );
    for (const answer of answers) {
      const [first] = answer.calendars;
      const origin = dirty.find((row) => row.key === first?.listing)?.origin ?? 'event';
      for (const { listing } of answer.calendars) answered.add(listing);
      const complete = new Set([...closing].filter((key) => unlimited.has(key)));
      const { stale } = await applyCalendars(context, {
        answer,
        origin,
        marksBelow,
        closing,
        complete,
        patience: context.patience,
        seqs,
      });
      for (const key of stale) overtaken.add(key);
    }
  }
  await markAgain(context, dirty, answered, marksBelow);
  // A listing that is gone upstream, or whose calendar is not read there, has no days to read.
  const silent = dirty.map((row) => row.key).filter((key) => !answered.has(key) && !failed.has(key));
  const at = instantOf(clock.now());
  const read = { connection, resource: CALENDAR, keys: silent, number: marksBelow, at, meter };
  if (silent.length > 0) await closeRest(store, read, silent);
  return dirty.filter((row) => failed.has(row.key)).map((row) => ({ dirty: row, error: failed.get(row.key) }));
}

function askingOf(context: DaysContext) {
  const { store, connection, clock } = context;
  const absences = { connection, resource: CALENDAR };
  return {
    ...context,
    purpose: 'lookup' as const,
    onSend: context.onRequest,
    onAbsent: (key: string) => noteAbsence(store.db, { ...absences, key }, clock.now()),
    onThere: (keys: readonly string[]) => noteThere(store.db, { ...absences, keys }),
  };
}

async function markAgain(
  context: DaysContext,
  dirty: readonly DirtyKey[],
  answered: ReadonlySet<string>,
  marksBelow: number,
): Promise<void> {
  const keys = dirty.map((row) => row.key);
  const rows = await dirtyRows(context.store.db, { connection: context.connection, resource: CALENDAR, keys });
  const open = new Map(rows.map((row) => [row.key, row]));
  // A key with one more read ahead is clean only after that; marking it now would start the same again, for ever. A key
  // that another event has marked meanwhile is read for the days of that event, and for these only if it names them.
  const isSeenTo = (key: string, hint: string) => {
    const row = open.get(key);
    return row !== undefined && (row.mark_number < marksBelow || row.hint === null || row.hint.includes(hint));
  };
  const pushed = dirty.flatMap(({ key, origin, hint: text, hint_from: from, hint_to: to }) =>
    origin === 'event' && answered.has(key) && text !== null && from !== null && to !== null && !isSeenTo(key, text)
      ? [{ resource: CALENDAR, key, hint: { text, from, to }, afterMs: AGAIN_MS }]
      : [],
  );
  await markKeys(context, pushed, 'scan');
}

const knownListings = prepared((db: Kysely<Mirror>, arg: { connection: string; keys: readonly string[] }) =>
  db
    .selectFrom('listings')
    .select('listing')
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('listing'), arg.keys)),
);

/** Marks unknown listings: no event announces a new listing, but its calendar names it. */
async function markUnknown(context: DaysContext, dirty: readonly DirtyKey[]): Promise<void> {
  const { store, connection } = context;
  const keys = dirty.map((row) => row.key);
  const known = new Set((await knownListings(store.db, { connection, keys })).map((row) => row.listing));
  const unknown = keys.filter((key) => !known.has(key)).map((key) => ({ resource: listings.name, key }));
  await markKeys(context, unknown, 'event');
}
