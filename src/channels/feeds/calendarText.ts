import ICAL from 'ical.js';
import type { ShownEvent, ToldEvent } from './told.ts';

const PRODUCT = '-//stayd//calendar//EN';

/**
 * Writes a calendar. Its bytes depend only on what it says, so that a reader who has it can be told that nothing is new.
 * @param told the same events in the same order, with their numbers and times
 */
export function calendarText(
  name: string,
  events: readonly ShownEvent[],
  told: readonly ToldEvent[],
  kind: 'channel' | 'private',
): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('prodid', PRODUCT);
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('calscale', 'GREGORIAN');
  calendar.addPropertyWithValue('method', 'PUBLISH');
  if (kind === 'private') calendar.addPropertyWithValue('x-wr-calname', plain(name));
  events.forEach((event, index) => {
    const as = told[index];
    if (as) calendar.addSubcomponent(eventComponent(event, as));
  });
  return `${calendar.toString()}\r\n`;
}

function eventComponent(event: ShownEvent, told: ToldEvent): ICAL.Component {
  const component = new ICAL.Component('vevent');
  const modified = ICAL.Time.fromJSDate(new Date(told.modified), true);
  component.addPropertyWithValue('uid', plain(event.uid));
  component.addPropertyWithValue('dtstamp', modified);
  component.addPropertyWithValue('last-modified', modified);
  component.addPropertyWithValue('sequence', told.sequence);
  component.addPropertyWithValue('dtstart', startOf(event));
  component.addPropertyWithValue('dtend', endOf(event));
  component.addPropertyWithValue('summary', plain(event.summary));
  if (event.description !== undefined) component.addPropertyWithValue('description', plain(event.description));
  component.addPropertyWithValue('transp', 'OPAQUE');
  return component;
}

function startOf({ start, times }: ShownEvent): ICAL.Time {
  return times ? ICAL.Time.fromJSDate(new Date(times.start), true) : ICAL.Time.fromDateString(start);
}

function endOf({ end, times }: ShownEvent): ICAL.Time {
  return times ? ICAL.Time.fromJSDate(new Date(times.end), true) : ICAL.Time.fromDateString(end);
}

/** Returns a text without signs that could end a line of the calendar; line breaks are escaped by the writer. */
function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\n]|[\u2028\u2029]/gu, ' ');
}
