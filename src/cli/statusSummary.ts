import { counted, grouped, span } from './output.ts';

/** What a summary says of one connection; the whole stands in `--verbose` and `--json`. */
export interface SummedUp {
  base_url: string;
  account: { name: string | null } | null;
  state: string;
  catch_up_due: string | null;
  inbox: { pending: number; done: number };
  dirty: Readonly<Record<string, { keys: number }>>;
  oldest_dirty_age: number;
  dead: Readonly<Record<string, number>>;
  unread: Readonly<Record<string, number>>;
  fresh: Readonly<Record<string, { freshness: string }>>;
}

/** So long a key may wait before a person should know. */
const LONG_WAIT_S = 600;
/** Parts that are named; of more only the number. */
const MOST_NAMED = 3;

/** A connection in three lines: whom it reads, how far it is, how fresh the mirror is. */
export function summaryOf(name: string, one: SummedUp): string[] {
  const dirty = sumOf(Object.values(one.dirty).map(({ keys }) => keys));
  const waits = [
    `${grouped(one.inbox.done)} events done`,
    `${grouped(one.inbox.pending)} waiting`,
    `${counted(dirty, 'key')} to read${dirty > 0 ? `, the oldest for ${span(one.oldest_dirty_age)}` : ''}`,
  ];
  const parts = Object.values(one.fresh);
  const fresh = parts.filter(({ freshness }) => freshness === 'ok').length;
  return [
    `connection ${name}: ${one.state}, reads ${one.account?.name ?? 'its account'} at ${one.base_url}`,
    `  ${waits.join(', ')}${one.catch_up_due === null ? '' : '; everything is being read'}`,
    `  ${grouped(fresh)} of ${counted(parts.length, 'part')} of the mirror as fresh as they should be`,
  ];
}

/** What of a connection a person should see to, or wait for. */
export function troublesOf(name: string, one: SummedUp): string[] {
  const late = Object.entries(one.fresh).flatMap(([part, { freshness }]) => (freshness === 'overdue' ? [part] : []));
  const dead = sumOf(Object.values(one.dead));
  const unread = Object.entries(one.unread).filter(([, count]) => count > 0);
  const known = unread.map(([what, count]) => `${what} of ${grouped(count)}`).join(', ');
  return [
    late.length > 0 && `${named(late)} older than it may be: ./stayd status --verbose`,
    dead > 0 && `${counted(dead, 'key')} given up: ./stayd doctor`,
    one.oldest_dirty_age > LONG_WAIT_S && `what has changed waits to be read for ${span(one.oldest_dirty_age)}`,
    unread.length > 0 && one.catch_up_due === null && `known and not read yet: ${known}`,
  ].flatMap((text) => (text === false ? [] : [`connection ${name}: ${text}`]));
}

/** The last line. */
export function verdict(troubles: number): string {
  return troubles === 0 ? 'All is well.' : `${counted(troubles, 'thing')} to see to, above.`;
}

function named(parts: readonly string[]): string {
  const shown = parts.slice(0, MOST_NAMED).join(', ');
  return parts.length <= MOST_NAMED ? shown : `${shown} and ${parts.length - MOST_NAMED} more parts`;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
