import type { Weekday } from '../../channels/direct/plans/plan.ts';
import { msOf, type Instant, type PlainDate } from '../../kernel/dates.ts';
import { type Currency, type Minor, wireAmount } from '../../kernel/money.ts';
import { de } from './texts/de.ts';
import { type BookTexts, en } from './texts/en.ts';

export type BookLanguage = 'en' | 'de';

/** Texts and formats of one language. */
export interface Words {
  readonly language: BookLanguage;
  readonly texts: BookTexts;
  money(minor: Minor, currency: Currency): string;
  day(date: PlainDate): string;
  month(month: string): string;
  moment(at: Instant, zone: string): string;
  percent(percent: number): string;
  weekday(day: Weekday): string;
  weekdays(): readonly { short: string; long: string }[];
}

const TEXTS: Readonly<Record<BookLanguage, BookTexts>> = { en, de };
const DAYS: readonly Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** A Monday, from which names of weekdays are counted. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** Returns the language of a page: the one that is asked for, or the first known one that the browser prefers. */
export function languageFor(asked: unknown, accepted: string | undefined): BookLanguage {
  if (asked === 'de' || asked === 'en') return asked;
  const wanted = (accepted ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...more] = part.trim().split(';');
      const weight = more.map((one) => /^\s*q=([\d.]+)$/.exec(one)?.[1]).find((one) => one !== undefined);
      return { tag: tag.slice(0, 2).toLowerCase(), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ tag, weight }) => (tag === 'de' || tag === 'en') && weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  return wanted[0]?.tag === 'de' ? 'de' : 'en';
}

export function wordsOf(language: BookLanguage): Words {
  const locale = language === 'de' ? 'de-DE' : 'en-GB';
  const name = (style: 'long' | 'short', index: number) =>
    new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' }).format(MONDAY + index * DAY_MS);
  return {
    language,
    texts: TEXTS[language],
    money: (minor, currency) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency }).format(wireAmount(minor, currency)),
    day: (date) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(`${date}T00:00:00Z`)),
    month: (month) =>
      new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
        Date.parse(`${month}-01T00:00:00Z`),
      ),
    moment: (at, zone) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(msOf(at)),
    percent: (percent) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(percent / 100),
    weekday: (day) => name('long', DAYS.indexOf(day)),
    weekdays: () => DAYS.map((_, index) => ({ short: name('short', index).slice(0, 2), long: name('long', index) })),
  };
}
