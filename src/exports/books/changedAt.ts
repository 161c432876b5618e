import type { Instant } from '../../kernel/dates.ts';
import { listed } from '../../store/queries/listed.ts';
import type { Ask } from '../journal/ask.ts';
import { keptBooks } from './basis.ts';

/**
 * Returns the time of the last change in the mirror to a source of the books, or null if there is none.
 * @param stale keys of the groups that may have changed since the books were stored; undefined for all
 */
export async function changedAt(
  ask: Ask,
  connection: string,
  stale: readonly string[] | undefined,
): Promise<Instant | null> {
  if (!stale) return latest(await ask<{ at: Instant | null }>(ALL, [connection]));
  const books = await keptBooks(ask, connection);
  const codes = stale.filter((key) => key.startsWith('r')).map((key) => key.slice(1));
  const ids = stale.filter((key) => key.startsWith('t')).map((key) => key.slice(1));
  const found: { at: Instant | null }[] = [{ at: books?.changed_at ?? null }];
  for (const text of [OF_STAYS, OF_ENTRIES]) {
    if (codes.length > 0)
      found.push(...(await ask<{ at: Instant | null }>(listed(text, codes, 2), [connection, ...codes])));
  }
  if (ids.length > 0) found.push(...(await ask<{ at: Instant | null }>(listed(LOOSE, ids, 2), [connection, ...ids])));
  return latest(found);
}

const OF_STAYS = 'select max(changed_at) as at from stays where connection = $1 and reservation_code in {list}';
const OF_ENTRIES =
  'select max(changed_at) as at from transactions where connection = $1 and reservation_code in {list}';
const LOOSE = 'select max(changed_at) as at from transactions where connection = $1 and id in {list}';
const ALL = `
select max(changed_at) as at from transactions where connection = $1
union all select max(changed_at) as at from stays where connection = $1`;

function latest(rows: readonly { at: Instant | null }[]): Instant | null {
  return rows.reduce<Instant | null>((last, { at }) => (at !== null && (last === null || at > last) ? at : last), null);
}
