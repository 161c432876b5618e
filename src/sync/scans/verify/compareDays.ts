import { turn } from '../../../kernel/clock.ts';
import { storedDays } from '../../apply/applyDays.ts';
import type { Day, DaysAnswer } from '../../tables/listings/availability.ts';
import type { Finding } from './findings.ts';
import { type Comparing, nightsInReach } from './horizon.ts';

const MOST_PATHS = 10;

/** The number of properties that are compared before the event loop has its turn. */
const BATCH = 10;

/** Compares the nights of an answer with the mirror. */
export async function compareDays(
  context: Comparing,
  { properties, range }: Pick<DaysAnswer, 'properties' | 'range'>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let start = 0; start < properties.length; start += BATCH) {
    findings.push(...(await compareBatch(context, properties.slice(start, start + BATCH), range)));
    await turn();
  }
  return findings;
}

type KnownDays = ReadonlyMap<string, { available: number; remarks: string | null }>;

async function compareBatch(
  context: Comparing,
  properties: DaysAnswer['properties'],
  range: DaysAnswer['range'],
): Promise<Finding[]> {
  const { store, connection } = context;
  const ids = properties.map(({ id }) => id);
  const isInReach = await nightsInReach(context, ids);
  const stored = new Map(ids.map((id) => [id, new Map<string, { available: number; remarks: string | null }>()]));
  for (const row of await storedDays(store.db, { connection, ids, ...range }))
    stored.get(row.property_id)?.set(row.date, row);
  return properties.flatMap(({ id, days }) => {
    const owed = (night: string) => isInReach(id, night);
    return compareOne(id, days, { known: stored.get(id) ?? new Map(), range, owed });
  });
}

interface Own {
  known: KnownDays;
  range: DaysAnswer['range'];
  /** Returns true if the mirror should have a night already. */
  owed(night: string): boolean;
}

function compareOne(id: number, days: readonly Day[], { known, range, owed }: Own): Finding[] {
  const answered = new Set(days.map((day) => day.date));
  const isOther = (day: Day) => {
    const own = known.get(day.date);
    return own !== undefined && (own.available !== day.available || own.remarks !== day.remarks);
  };
  const dates = (some: readonly Day[]) => some.map((day) => day.date);
  const row = `${range.from}/${range.to}`;
  return [
    ...finding('missing', id, row, dates(days.filter(({ date }) => !known.has(date) && owed(date)))),
    ...finding('different', id, row, dates(days.filter(isOther))),
    ...finding(
      'extra',
      id,
      row,
      [...known.keys()].filter((date) => !answered.has(date)),
    ),
  ];
}

function finding(kind: Finding['kind'], id: number, row: string, dates: readonly string[]): Finding[] {
  return dates.length === 0
    ? []
    : [{ kind, key: String(id), row, paths: dates.slice(0, MOST_PATHS), days: dates.length }];
}
