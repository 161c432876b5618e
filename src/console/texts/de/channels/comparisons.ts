import type { comparisons as english } from '../../en/channels/comparisons.ts';

/** Texts of the page about compared calendars, in German. */
export const comparisons: typeof english = {
  title: 'Verglichene Kalender',
  hint: 'Zwischen einem Portal und dem System, das stayd spiegelt, kann eine Buchung verloren gehen. Geben Sie stayd auch den Kalender des Portals, dann sagt es, welche Aufenthalte nur einer von beiden kennt. Gebucht oder gesperrt wird dadurch nichts.',
  findings: 'Nur einer Seite bekannt',
  findingsHint: 'Jede Seite kann einige Stunden hinterher sein. Was drei Stunden hier steht, ist eine Störung.',
  noFindings: 'Beide Seiten kennen dieselben Aufenthalte.',
  nights: 'Nächte',
  property: 'Unterkunft',
  calendar: 'Kalender',
  knownTo: 'Bekannt',
  since: 'Seit',
  state: 'Zustand',
  calendarSold: 'nur im Kalender: Gäste kommen',
  calendarClosed: 'nur im Kalender: gesperrt',
  mirrorAlone: 'nur im Spiegel:',
  alarm: 'Störung',
  late: 'vielleicht verspätet',
  settle: 'Ist mir bekannt',
  settled: 'bekannt',
  settledNow: 'Das ist keine Störung mehr.',
  calendars: 'Kalender',
  none: 'Noch wird kein Kalender verglichen.',
  from: 'Von',
  events: 'Einträge',
  read: 'Gelesen',
  notYet: 'noch nicht',
  readButton: 'Jetzt lesen',
  readNow: (name, differences) =>
    differences === 0 ? `${name} ist gelesen: kein Unterschied.` : `${name} ist gelesen: ${differences} Unterschiede.`,
  notRead: (name, problem) => `${name} wurde nicht gelesen: ${problem}.`,
  remove: 'Entfernen',
  removeConsequence: (name, property) => `${name} von ${property} wird nicht mehr verglichen.`,
  removed: (name) => `${name} ist entfernt.`,
  add: 'Kalender vergleichen',
  addHint: 'Suchen Sie im Portal den Export des Kalenders: eine Adresse, die auf .ics endet.',
  nameHint: 'Das Portal, etwa Airbnb.',
  url: 'Adresse des Kalenders',
  urlHint: 'Er wird sofort gelesen.',
  addNow: 'Vergleichen',
  added: (name, differences) =>
    differences === 0
      ? `${name} wird verglichen: kein Unterschied.`
      : `${name} wird verglichen: ${differences} Unterschiede.`,
};
