import type { Texts } from '../en.ts';

/** The texts of search in German. */
export const search: Texts['search'] = {
  title: 'Suche',
  question: 'Gast, Code, Unterkunft, E-Mail, Telefon oder Wörter einer Nachricht',
  find: 'Suchen',
  hint: 'Zwei Buchstaben oder mehr. Wortanfänge genügen; Codes werden als Ganzes gefunden.',
  nothing: (question) => `Nichts gefunden für „${question}“`,
  nothingHint: 'Versuchen Sie den Anfang eines Namens oder einen ganzen Code. Gelöschtes wird nicht gefunden.',
  codes: 'Codes',
  guests: 'Gäste',
  properties: 'Unterkünfte',
  messages: 'Nachrichten',
  stay: 'Aufenthalt',
  property: 'Unterkunft',
  nights: 'Nächte',
  status: 'Stand',
  statuses: {
    accepted: 'angenommen',
    cancelled: 'storniert',
    denied: 'abgelehnt',
    timeout: 'abgelaufen',
    wait_accept: 'zu beantworten',
    wait_pay: 'zu bezahlen',
  },
  code: 'Code',
  channelId: 'Nummer des Kanals',
  calendar: 'Kalender',
  calendarOf: (name) => `Kalender von ${name}`,
  empty: '(ohne Text)',
  more: (count) => `Die neuesten ${count} sind zu sehen; mit einem weiteren Wort kommen andere.`,
};
