import type { Column, Sample } from './sample.ts';
import { tidy } from './words.ts';

export interface DateParts {
  year: Column;
  month: Column;
  day: Column;
}

/** Returns an arrival in three columns, as statistics programs write it. */
export function arrivalParts({ columns }: Sample): DateParts | undefined {
  const ofArrival = columns.filter(({ name }) => /\b(?:arrival|check ?in|start|anreise)\b/.test(tidy(name)));
  const find = (word: RegExp, shape: RegExp) =>
    ofArrival.find(({ name, values }) => word.test(tidy(name)) && values.every((value) => shape.test(value)));
  const year = find(/\b(?:year|jahr)\b/, /^\d{4}$/);
  const day = find(/\b(?:day|tag)\b/, /^\d{1,2}$/);
  const month = find(/\b(?:month|monat)$/, /^(?:\d{1,2}|\p{L}{3,}\.?)$/u);
  return year && month && day && month !== day ? { year, month, day } : undefined;
}

/** Returns columns whose sum is the nights, such as week nights and weekend nights. */
export function nightParts({ columns }: Sample): Column[] {
  const named = columns.filter(({ name }) =>
    /\b(?:nights|nachte|naechte|nuits|noches|notti|nachten)$/.test(tidy(name)),
  );
  return named.filter(({ values }) => values.every((value) => /^\d+$/.test(value)));
}
