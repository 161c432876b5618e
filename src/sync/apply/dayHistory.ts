import type { Instant, PlainDate } from '../../kernel/dates.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { MirrorTrx } from '../tables/database.ts';
import { type ChangedDay, stretchesOf } from '../tables/rows/stretches.ts';

/** The days of one calendar that a read has found new or different. */
export interface DaysFound<Values> {
  key: string;
  /** `before` is undefined for a day that was not known. */
  days: readonly { date: PlainDate; before: Values | undefined; after: Values }[];
}

interface Found {
  connection: string;
  resource: string;
  at: Instant;
}

/** Stores the first moment of days that were not known before. */
export async function recordStarts<Values>(
  trx: MirrorTrx,
  { connection, resource, at }: Found,
  found: readonly DaysFound<Values>[],
): Promise<void> {
  const rows = found.flatMap(({ key, days }) => {
    const fresh = days.filter(({ before }) => before === undefined);
    const unlike = fresh.map(({ date }): ChangedDay<null> => ({ date, before: null, after: null }));
    return stretchesOf(unlike, () => true).map(({ from, to }) => ({
      connection,
      resource,
      key,
      from_date: from,
      to_date: to,
      since: at,
    }));
  });
  await insertMany(trx, 'day_starts', rows, { columns: ['connection', 'resource', 'key', 'from_date'] });
}

/** Returns the former values of days, in the form that is stored beside the change. */
export function pastOf<Values>(
  connection: string,
  at: Instant,
  found: readonly DaysFound<Values>[],
  seqs: ReadonlyMap<string, number>,
) {
  return found.flatMap(({ key, days }) => {
    const known = days.flatMap(({ date, before, after }) => (before === undefined ? [] : [{ date, before, after }]));
    const isAlike = (a: Values, b: Values) => JSON.stringify(a) === JSON.stringify(b);
    const seq = seqs.get(key);
    if (seq === undefined) return [];
    // Days that were alike are one range, however each has changed.
    const were = known.map(({ date, before }) => ({ date, before, after: before }));
    return stretchesOf(were, isAlike).map(({ from, to, before }) => ({
      key,
      values: before,
      range: { connection, change_seq: seq, from_date: from, to_date: to, valid_to: at },
    }));
  });
}
