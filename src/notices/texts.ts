import type { Briefing, BriefStay } from './context.ts';
import type { NoticeLanguage } from './tables.ts';

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const words = {
  en: {
    needsYou: (alarm: string) => `stayd needs you: ${alarm}`,
    over: (alarm: string) => `It is over: ${alarm}`,
    remedy: (remedy: string) => `What to do: ${remedy}`,
    several: (count: number) => `stayd: ${counted(count, 'notice', 'notices')}`,
    test: 'stayd: a test',
    tested: (name: string) => `This is how "${name}" is told. Nothing is wrong.`,
    rule: (rule: string) => `Rule ${rule}`,
    day: (date: string, arrivals: number, departures: number) =>
      `${date}: ${counted(arrivals, 'arrival', 'arrivals')}, ${counted(departures, 'departure', 'departures')}`,
    arriving: 'Arriving:',
    leaving: 'Leaving:',
    staying: (count: number) => `In house over night: ${count}`,
    guests: (count: number) => counted(count, 'guest', 'guests'),
    unplaced: 'no property yet',
    requests: (count: number) => `${counted(count, 'request waits', 'requests wait')} for an answer`,
    box: (count: number) => `${counted(count, 'stay has', 'stays have')} no property yet`,
    identity: (count: number) => `${counted(count, 'stay lacks', 'stays lack')} a document`,
    deposits: (count: number) => `${counted(count, 'deposit is', 'deposits are')} to be returned`,
    quiet: 'Nobody arrives or leaves.',
    more: (count: number) => `and ${count} more`,
    locale: 'en-GB',
  },
  de: {
    needsYou: (alarm: string) => `stayd braucht Sie: ${alarm}`,
    over: (alarm: string) => `Vorbei: ${alarm}`,
    remedy: (remedy: string) => `Was zu tun ist: ${remedy}`,
    several: (count: number) => `stayd: ${counted(count, 'Nachricht', 'Nachrichten')}`,
    test: 'stayd: eine Probe',
    tested: (name: string) => `So erfährt „${name}“ etwas. Es ist alles in Ordnung.`,
    rule: (rule: string) => `Regel ${rule}`,
    day: (date: string, arrivals: number, departures: number) =>
      `${date}: ${counted(arrivals, 'Anreise', 'Anreisen')}, ${counted(departures, 'Abreise', 'Abreisen')}`,
    arriving: 'Anreisen:',
    leaving: 'Abreisen:',
    staying: (count: number) => `Über Nacht im Haus: ${count}`,
    guests: (count: number) => counted(count, 'Gast', 'Gäste'),
    unplaced: 'noch ohne Unterkunft',
    requests: (count: number) => `${counted(count, 'Anfrage wartet', 'Anfragen warten')} auf Antwort`,
    box: (count: number) => `${counted(count, 'Aufenthalt hat', 'Aufenthalte haben')} noch keine Unterkunft`,
    identity: (count: number) => `${counted(count, 'Aufenthalt fehlt', 'Aufenthalten fehlt')} ein Ausweis`,
    deposits: (count: number) => `${counted(count, 'Kaution ist', 'Kautionen sind')} zurückzugeben`,
    quiet: 'Niemand reist an oder ab.',
    more: (count: number) => `und ${count} weitere`,
    locale: 'de-DE',
  },
} as const;

/** The words of a language. */
export function wordsIn(language: NoticeLanguage) {
  return words[language];
}

/** Stays of one list that a text names. */
const MOST_LINES = 30;

/** Writes what a day brings. @param persons true to name guests */
export function briefingText(
  briefing: Briefing,
  language: NoticeLanguage,
  persons: boolean,
): { title: string; text: string } {
  const say = wordsIn(language);
  const { date, arrivals, departures, staying, waiting } = briefing;
  const day = new Intl.DateTimeFormat(say.locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  const line = ({ property, guests, guest }: BriefStay) => {
    const parts = [...(guests === null ? [] : [say.guests(guests)]), ...(persons && guest !== null ? [guest] : [])];
    return `- ${property ?? say.unplaced}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
  };
  const list = (head: string, stays: readonly BriefStay[]) => {
    if (stays.length === 0) return [];
    const rest = stays.length - MOST_LINES;
    return [[head, ...stays.slice(0, MOST_LINES).map(line), ...(rest > 0 ? [say.more(rest)] : [])].join('\n')];
  };
  const waits = (['requests', 'box', 'identity', 'deposits'] as const).filter((what) => waiting[what] > 0);
  return {
    title: say.day(day.format(new Date(`${date}T00:00:00Z`)), arrivals.length, departures.length),
    text: [
      ...list(say.arriving, arrivals),
      ...list(say.leaving, departures),
      ...(arrivals.length + departures.length === 0 ? [say.quiet] : []),
      say.staying(staying),
      ...(waits.length > 0 ? [waits.map((what) => say[what](waiting[what])).join('\n')] : []),
    ].join('\n\n'),
  };
}
