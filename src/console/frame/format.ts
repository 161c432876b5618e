import { addDays, dayNumber, type Instant, msOf, type PlainDate } from '../../kernel/dates.ts';
import { type Currency, decimalText, exponentOf, isCurrency, type Minor } from '../../kernel/money.ts';

const DAY_MS = 86_400_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** Dates, moments, spans and amounts as the account's people write them. */
export interface Format {
  /** "Wed 25 Nov"; the year is added if it is another one than today's. */
  day(date: PlainDate): string;
  /** "25 November 2026, 14:05", in the zone of the account. */
  moment(instant: Instant): string;
  /** "3 min", "2 h", "5 d": a number of seconds, in one unit. */
  span(seconds: number): string;
  money(minor: Minor, currency: Currency): string;
  count(value: number): string;
  percent(share: number): string;
}

/** @param locale a tag such as `en-GB`
 * @param today the date of the account, which decides if a year is shown */
export function formatFor(locale: string, zone: string, today: PlainDate): Format {
  const days = new Map<boolean, Intl.DateTimeFormat>();
  const dayFormat = (withYear: boolean) => {
    const format =
      days.get(withYear) ??
      new Intl.DateTimeFormat(locale, {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        ...(withYear && { year: 'numeric' }),
        timeZone: 'UTC',
      });
    days.set(withYear, format);
    return format;
  };
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: zone });
  const counts = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: 1,
    }).format(value);
  return {
    day: (date) => dayFormat(date.slice(0, 4) !== today.slice(0, 4)).format(dayNumber(date) * DAY_MS),
    moment: (instant) => moments.format(msOf(instant)),
    span(seconds) {
      if (seconds < MINUTE_S) return unit(seconds, 'second');
      if (seconds < HOUR_S) return unit(Math.round(seconds / MINUTE_S), 'minute');
      return seconds < DAY_S ? unit(Math.round(seconds / HOUR_S), 'hour') : unit(Math.round(seconds / DAY_S), 'day');
    },
    money(minor, currency) {
      const amount = decimalText(minor, currency);
      if (!isCurrency(currency)) return `${amount} ${currency}`;
      const digits = exponentOf(currency);
      return new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }).format(amount as `${number}`);
    },
    count: (value) => counts.format(value),
    percent: (share) => percents.format(share),
  };
}

/** The dates around a day that a page offers at once: the day before, itself, and the week after. */
export function daysAround(day: PlainDate): PlainDate[] {
  return Array.from({ length: 9 }, (_, index) => addDays(day, index - 1));
}
