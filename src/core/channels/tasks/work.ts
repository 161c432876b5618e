import type { PlainDate } from '../../../kernel/dates.ts';
import type { CalendarUpdate, Days } from '../adapter.ts';

/**
 * The stored work of a task. `blocks` opens or blocks nights of a property's master calendar. `settings` reads prices
 * and rules from a listing's channel. The others push to a listing's channel: the values of a request, or
 * (`availability`) the state of the master calendar at the moment of the push, so that a late push does no harm.
 */
export type Work =
  | { kind: 'blocks'; available: boolean; dates: readonly PlainDate[]; reason?: string | undefined }
  | { kind: 'settings' }
  | { kind: 'availability'; ranges: readonly Days[] }
  | CalendarUpdate;

/** Work that changes something on a channel. */
export type Push = Exclude<Work, { kind: 'blocks' | 'settings' }>;

/** Returns true if a clean push is announced by an event. */
export function isAnnounced(push: Push): boolean {
  return push.kind !== 'restrictions';
}
