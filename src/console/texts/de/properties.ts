import type { Texts } from '../en.ts';

/** Texts of properties in German. */
export const properties: Texts['properties'] = {
  title: 'Unterkünfte',
  hint: 'Namen, Orte, Zonen und Zeiten.',
  none: 'Es gibt noch keine Unterkunft. Legen Sie oben die erste an.',
  add: 'Unterkunft anlegen',
  addNow: 'Anlegen',
  added: (name: string) => `${name} ist angelegt.`,
  changed: (name: string) => `${name} ist geändert.`,
  name: 'Name',
  address: 'Adresse',
  latitude: 'Breite',
  longitude: 'Länge',
  time_zone: 'Zeitzone',
  check_in_time: 'Anreise ab',
  check_out_time: 'Abreise bis',
  checkIn: 'Anreise',
  checkOut: 'Abreise',
  timeZone: 'Zone',
  channels: (name: string) => `Kanäle von ${name}`,
  rates: (name) => `Preise von ${name}`,
  all: 'Alle Unterkünfte',
};
