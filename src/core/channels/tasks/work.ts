import type { PlainDate } from '../../../kernel/dates.ts';
import type { CalendarUpdate, Days } from '../adapter.ts';

/**
 * What a task is to do, as it is stored. `blocks` opens or blocks nights of a property's master calendar. `settings`
 * takes over prices and rules from a listing's channel. The others push to a listing's channel: what a request gave, or (`availability`) what the master calendar says of
 * some days at the moment of the push, so that a late one does no harm.
 */
export type Work =
  | { kind: 'blocks'; available: boolean; dates: readonly PlainDate[] }
  | { kind: 'settings' }
  | { kind: 'availability'; ranges: readonly Days[] }
  | CalendarUpdate;

/** Work that changes something on a channel. */
export type Push = Exclude<Work, { kind: 'blocks' | 'settings' }>;

/** Whether a clean push of it is told. */
export function isTold(push: Push): boolean {
  return push.kind !== 'restrictions';
}
