import type { ConnectionStatus } from '../client/status.ts';
import { counted, grouped, span } from './output.ts';

/** The part of a connection's status that a summary uses. `--verbose` and `--json` print all of it. */
type SummedUp = Pick<
  ConnectionStatus,
  | 'base_url'
  | 'account'
  | 'state'
  | 'catch_up_due'
  | 'inbox'
  | 'dirty'
  | 'oldest_dirty_age'
  | 'dead'
  | 'unread'
  | 'fresh'
>;

/** Seconds of waiting for a key that a person should know about. */
const LONG_WAIT_S = 600;
/** Parts that the summary names; it counts the others. */
const MOST_NAMED = 3;

/** Summarizes a connection in three lines: the account it reads, its progress, and the freshness of the mirror. */
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

/** Returns what a person should fix in a connection or wait for. */
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

/** Returns the last line of the summary. */
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
