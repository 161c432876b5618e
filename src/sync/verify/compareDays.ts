import { storedDays } from '../applyDays.ts';
import type { MirrorDb } from '../database.ts';
import type { DaysAnswer } from '../mirror/availability.ts';
import type { Finding } from './findings.ts';

const MOST_PATHS = 10;

/** Compares the nights of an answer with the mirror. */
export async function compareDays(
  db: MirrorDb,
  connection: string,
  { properties, range }: Pick<DaysAnswer, 'properties' | 'range'>,
): Promise<Finding[]> {
  const ids = properties.map(({ id }) => id);
  const stored = new Map<number, Map<string, { available: number; remarks: string | null }>>();
  for (const row of await storedDays(db, { connection, ids, ...range })) {
    const days = stored.get(row.property_id) ?? new Map<string, { available: number; remarks: string | null }>();
    stored.set(row.property_id, days.set(row.date, row));
  }
  const row = `${range.from}/${range.to}`;
  return properties.flatMap(({ id, days }) => {
    const known = stored.get(id) ?? new Map<string, { available: number; remarks: string | null }>();
    const answered = new Set(days.map((day) => day.date));
    const missing = days.filter((day) => !known.has(day.date)).map((day) => day.date);
    const different = days
      .filter((day) => {
        const own = known.get(day.date);
        return own !== undefined && (own.available !== day.available || own.remarks !== day.remarks);
      })
      .map((day) => day.date);
    const extra = [...known.keys()].filter((date) => !answered.has(date));
    return [
      finding('missing', id, row, missing),
      finding('different', id, row, different),
      finding('extra', id, row, extra),
    ].flat();
  });
}

function finding(kind: Finding['kind'], id: number, row: string, dates: readonly string[]): Finding[] {
  return dates.length === 0 ? [] : [{ kind, key: String(id), row, paths: dates.slice(0, MOST_PATHS) }];
}
