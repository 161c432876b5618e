import type { DayValues } from '../tables/listings/calendar.ts';
import { type ChangedDay, stretchesOf } from '../tables/rows/stretches.ts';
import type { DerivedEvent, DerivedName } from '../feed/derived/names.ts';

type Part = Partial<DayValues>;

/** The values of a day that each name covers. */
const parts: readonly { name: DerivedName; holds(value: keyof DayValues): boolean }[] = [
  { name: 'price_changed', holds: (value) => value === 'price' },
  { name: 'inventory_changed', holds: (value) => value === 'inventory' },
  { name: 'restrictions_changed', holds: (value) => value !== 'price' && value !== 'inventory' },
];

/** Returns the named changes of days whose former state is known, as ranges of days that changed alike. */
export function derivedOfDays(changed: readonly ChangedDay<DayValues>[]): DerivedEvent[] {
  return parts.flatMap(({ name, holds }) => {
    const days = changed.flatMap(({ date, before, after }) => {
      const values = (Object.keys(after) as (keyof DayValues)[]).filter(
        (value) => holds(value) && before[value] !== after[value],
      );
      return values.length > 0 ? [{ date, before: only(before, values), after: only(after, values) }] : [];
    });
    const stretches = stretchesOf<Part>(days, (a, b) => JSON.stringify(a) === JSON.stringify(b));
    return stretches.map(({ from, to, before, after }): DerivedEvent => ({ name, before, after, from, to }));
  });
}

function only(values: DayValues, names: readonly (keyof DayValues)[]): Part {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}
