import ICAL from 'ical.js';
import {
  addDays,
  dateIn,
  daysBetween,
  isPlainDate,
  isTimeZone,
  msOf,
  type PlainDate,
  readInstant,
} from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import { type FeedSense, type FeedSource, senseOf } from './sources.ts';

/** Events of one feed at most: nearly twice the nights that calendars have. Reading more would hold the one thread. */
export const MOST_EVENTS = 2_000;
const TOO_MANY = `more than the ${MOST_EVENTS} events that a feed may have`;
const MOST_REPEATS = 2_000;
const DAY_SECONDS = 86_400;
/** Characters of a name or a code that are kept. */
const LONGEST_WORD = 200;

/** One event of a feed: nights of the unit, from `start` up to `end`. */
export interface FeedEvent extends FeedSense {
  /** As the feed names it; empty if it does not. */
  readonly uid: string;
  readonly start: PlainDate;
  readonly end: PlainDate;
}

/** The content of a feed, or the reason why it is none. What could not be read of a readable feed is told apart. */
export type FeedContent =
  | { readonly events: readonly FeedEvent[]; readonly unreadable: readonly Unreadable[] }
  | { readonly problem: string };

/** An event without usable dates. What is known under its UID stays as it was. */
export interface Unreadable {
  readonly uid: string;
  readonly problem: string;
}

interface Reading {
  readonly source: FeedSource;
  /** Zone of the unit, in which moments become days. */
  readonly zone: string;
  /** Nights after it are left out. */
  readonly until: PlainDate;
}

/**
 * Reads an iCalendar text. Days count as they stand; moments become the day that they are in the zone of the unit.
 * Only a whole calendar is one: a text that was cut off, or a page about an error, is a problem.
 */
export function readFeed(text: string, reading: Reading): FeedContent {
  const whole = wholeCalendar(text);
  if ('problem' in whole) return whole;
  try {
    return eventsOf(new ICAL.Component(ICAL.parse(whole.text) as unknown[]), reading);
  } catch (error) {
    return { problem: `not a calendar: ${messageOf(error).slice(0, LONGEST_WORD)}` };
  }
}

function wholeCalendar(text: string): { text: string } | { problem: string } {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (!/^BEGIN:VCALENDAR\s/i.test(trimmed)) return { problem: 'not a calendar' };
  if (!/\nEND:VCALENDAR$/i.test(trimmed)) return { problem: 'cut off: the calendar has no end' };
  const count = (word: RegExp) => trimmed.match(word)?.length ?? 0;
  const begun = count(/^BEGIN:VEVENT\s*$/gim);
  if (begun !== count(/^END:VEVENT\s*$/gim)) return { problem: 'cut off: an event has no end' };
  if (begun > MOST_EVENTS) return { problem: TOO_MANY };
  return { text: trimmed };
}

/** An event that no calendar of a unit has. The whole feed is refused then. */
class Refused extends Error {}

function eventsOf(calendar: ICAL.Component, reading: Reading): FeedContent {
  const events: FeedEvent[] = [];
  const unreadable: Unreadable[] = [];
  for (const component of calendar.getAllSubcomponents('vevent')) {
    if (isOff(component)) continue;
    const uid = wordOf(component, 'uid');
    const words = { uid, summary: wordOf(component, 'summary'), description: textOf(component, 'description') };
    try {
      const sense = senseOf(reading.source, words);
      for (const span of spansOf(component, reading)) events.push({ uid, ...sense, ...span });
    } catch (error) {
      if (error instanceof Refused) return { problem: error.message };
      unreadable.push({ uid, problem: messageOf(error).slice(0, LONGEST_WORD) });
    }
    if (events.length > MOST_EVENTS) return { problem: TOO_MANY };
  }
  return { events, unreadable };
}

/** Returns true for an event that closes nothing: it was called off, or its time counts as free. */
function isOff(component: ICAL.Component): boolean {
  return (
    wordOf(component, 'status').toUpperCase() === 'CANCELLED' ||
    wordOf(component, 'transp').toUpperCase() === 'TRANSPARENT'
  );
}

function textOf(component: ICAL.Component, name: string): string {
  const value = component.getFirstPropertyValue(name);
  return typeof value === 'string' ? value : '';
}

/** Returns a value on one line, without signs that no reader sees. */
function wordOf(component: ICAL.Component, name: string): string {
  return textOf(component, name)
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_WORD);
}

interface Span {
  start: PlainDate;
  end: PlainDate;
}

/** Returns the nights of an event: one span, or one for each time that it repeats. @throws Error when it has no dates */
function spansOf(component: ICAL.Component, reading: Reading): Span[] {
  const start = dayOf(component, 'dtstart', reading.zone);
  if (start === undefined) throw new Error('it has no DTSTART');
  const nights = nightsFrom(component, start, reading.zone);
  const end = addDays(start, nights);
  if (!component.hasProperty('rrule') && !component.hasProperty('rdate')) return within([{ start, end }], reading);
  return within(
    repeatsOf(component, reading).map((day) => ({ start: day, end: addDays(day, nights) })),
    reading,
  );
}

function within(spans: readonly Span[], { until }: Reading): Span[] {
  return spans.filter(({ start, end }) => start < end && start <= until);
}

/** Returns the number of nights of an event. Something within one day takes none; a whole day without an end is one. */
function nightsFrom(component: ICAL.Component, start: PlainDate, zone: string): number {
  const end = dayOf(component, 'dtend', zone);
  if (end !== undefined) {
    const nights = daysBetween(start, end);
    if (nights < 0) throw new Error(`it ends on ${end}, before it begins on ${start}`);
    return nights;
  }
  const duration = component.getFirstPropertyValue('duration');
  if (duration instanceof ICAL.Duration) return Math.ceil(duration.toSeconds() / DAY_SECONDS);
  return component.getFirstProperty('dtstart')?.type === 'date' ? 1 : 0;
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(Z?))?$/;

/**
 * Returns the day of a property in the zone of the unit. A moment without a zone, or with one that nobody knows, is that
 * of the unit. Zones are looked up by their names; the rules that a feed sends along are not followed, since a stranger
 * wrote them.
 */
function dayOf(component: ICAL.Component, name: string, zone: string): PlainDate | undefined {
  const property = component.getFirstProperty(name);
  if (!property) return undefined;
  const [, day, time, utc] = MOMENT.exec(String((property.toJSON() as unknown[])[3])) ?? [];
  if (day === undefined || !isPlainDate(day)) throw new Error(`its ${name.toUpperCase()} is no date`);
  if (time === undefined) return day;
  const named = String(property.getFirstParameter('tzid') ?? '');
  if (utc === '' && !isTimeZone(named)) return day;
  const moment = readInstant(`${day}T${time}${utc}`, named);
  return moment === undefined ? day : dateIn(zone, msOf(moment));
}

/** The parts of rules that are followed. With others a reader can be made to search for days that never come. */
const FREQUENCIES: ReadonlySet<string> = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);
const RULE_PARTS: ReadonlySet<string> = new Set([
  'FREQ',
  'INTERVAL',
  'COUNT',
  'UNTIL',
  'BYDAY',
  'BYMONTH',
  'BYMONTHDAY',
  'WKST',
]);
const LONGEST_INTERVAL = 100;

function requireSimple(rule: unknown): void {
  if (!(rule instanceof ICAL.Recur)) throw new Refused('an event repeats by a rule that cannot be read');
  const parts = rule
    .toString()
    .split(';')
    .map((part) => part.split('=', 1)[0] ?? '');
  const isSimple =
    FREQUENCIES.has(rule.freq) &&
    rule.interval >= 1 &&
    rule.interval <= LONGEST_INTERVAL &&
    parts.every((part) => RULE_PARTS.has(part));
  if (!isSimple)
    throw new Refused(`an event repeats by a rule that is not followed: ${rule.toString().slice(0, LONGEST_WORD)}`);
}

function repeatsOf(component: ICAL.Component, { until }: Reading): PlainDate[] {
  for (const property of component.getAllProperties('rrule')) requireSimple(property.getFirstValue());
  const dates = ['rdate', 'exdate'].flatMap((name) => component.getAllProperties(name));
  if (dates.reduce((count, property) => count + property.getValues().length, 0) > MOST_REPEATS) {
    throw new Refused(`an event repeats more than ${MOST_REPEATS} times`);
  }
  const dtstart = component.getFirstPropertyValue('dtstart');
  if (!(dtstart instanceof ICAL.Time)) throw new Error('it has no DTSTART');
  const expansion = new ICAL.RecurExpansion({ component, dtstart });
  const days: PlainDate[] = [];
  for (let time = expansion.next(); time; time = expansion.next()) {
    const day = time.toString().slice(0, 10);
    if (day > until) break;
    days.push(day);
    if (days.length > MOST_REPEATS) throw new Refused(`an event repeats more than ${MOST_REPEATS} times`);
  }
  return days;
}
