import { decimalText } from '../../kernel/money.ts';
import type { Visit } from '../visit.ts';
import type { Column, Row } from './read.ts';

const PERCENT = 100;

/** Writes a value as people of the account do. */
export function shownValue({ format, currency, texts }: Visit, { unit }: Column, row: Row, value: Row[string]): string {
  if (value === null) return '';
  if (unit === 'flag') return value === 1 ? texts.reports.yes : texts.reports.no;
  if (typeof value === 'string')
    return unit === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? format.day(value) : value;
  switch (unit) {
    case 'money':
      return format.money(value, String(row['currency'] ?? currency));
    case 'percent':
      return format.percent(value / PERCENT);
    default:
      return format.count(value);
  }
}

/** Returns the number that a picture shows: amounts in whole units of their currency. */
export function drawnValue({ currency }: Visit, { unit }: Column, row: Row, value: Row[string]): number | null {
  if (typeof value !== 'number') return null;
  return unit === 'money' ? Number(decimalText(value, String(row['currency'] ?? currency))) : value;
}

/** Names a column: by the texts of the language, else by its own name. */
export function nameOfColumn({ texts }: Visit, name: string): string {
  const plain = name.replace(/_(minor|pct|ms)$/, '');
  const suffix = name.endsWith('_pct') ? ' %' : name.endsWith('_ms') ? ' (ms)' : '';
  const words = texts.reports.columns[plain];
  if (words !== undefined) return `${words}${suffix}`;
  const text = plain.replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${suffix}`;
}

/** Names a report: by the texts of the language, else by its title in the catalogue. */
export function titleOf({ texts }: Visit, name: string): string {
  const text = texts.reports.names[name] ?? name.replaceAll('-', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
