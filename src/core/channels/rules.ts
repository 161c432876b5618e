import type { AuthStatus } from '../../contract/channelAccounts.ts';
import type { ShelfStatus } from '../../contract/listings.ts';
import { ApiError } from '../../kernel/errors.ts';

/** The life of a channel account: a connection is asked for, granted or refused, may break, and can be made again. */
export const authTransitions = [
  { from: null, trigger: 'connect', to: 'connecting' },
  { from: 'connecting', trigger: 'authorize', to: 'active' },
  { from: 'connecting', trigger: 'fail', to: 'exception' },
  { from: 'connecting', trigger: 'disconnect', to: 'disconnected' },
  { from: 'active', trigger: 'fail', to: 'exception' },
  { from: 'active', trigger: 'lose_sight', to: 'unknown' },
  { from: 'active', trigger: 'disconnect', to: 'disconnected' },
  { from: 'exception', trigger: 'recover', to: 'active' },
  { from: 'exception', trigger: 'connect', to: 'connecting' },
  { from: 'exception', trigger: 'disconnect', to: 'disconnected' },
  { from: 'unknown', trigger: 'recover', to: 'active' },
  { from: 'unknown', trigger: 'fail', to: 'exception' },
  { from: 'unknown', trigger: 'disconnect', to: 'disconnected' },
  { from: 'disconnected', trigger: 'connect', to: 'connecting' },
] as const satisfies readonly { from: AuthStatus | null; trigger: string; to: AuthStatus }[];

/** The life of a listing on its channel's shelf. One that is deleted stays so. */
export const shelfTransitions = [
  { from: null, trigger: 'publish', to: 'on' },
  { from: null, trigger: 'draft', to: 'off' },
  { from: null, trigger: 'find', to: 'unknown' },
  { from: 'on', trigger: 'take_off', to: 'off' },
  { from: 'on', trigger: 'lose_sight', to: 'unknown' },
  { from: 'on', trigger: 'delete', to: 'deleted' },
  { from: 'off', trigger: 'publish', to: 'on' },
  { from: 'off', trigger: 'lose_sight', to: 'unknown' },
  { from: 'off', trigger: 'delete', to: 'deleted' },
  { from: 'unknown', trigger: 'publish', to: 'on' },
  { from: 'unknown', trigger: 'take_off', to: 'off' },
  { from: 'unknown', trigger: 'delete', to: 'deleted' },
] as const satisfies readonly { from: ShelfStatus | null; trigger: string; to: ShelfStatus }[];

export type AuthTrigger = (typeof authTransitions)[number]['trigger'];
export type ShelfTrigger = (typeof shelfTransitions)[number]['trigger'];

/** The status a channel account gets. @throws ApiError 400 when that cannot happen in this status */
export function authMoved(from: AuthStatus | null, trigger: AuthTrigger): AuthStatus {
  const transition = authTransitions.find((row) => row.from === from && row.trigger === trigger);
  if (!transition)
    throw new ApiError(400, `The channel account is ${from ?? 'not known yet'}; this cannot be done now.`);
  return transition.to;
}

/** The status a listing gets. @throws ApiError 400 when that cannot happen in this status */
export function shelfMoved(from: ShelfStatus | null, trigger: ShelfTrigger): ShelfStatus {
  const transition = shelfTransitions.find((row) => row.from === from && row.trigger === trigger);
  if (!transition) throw new ApiError(400, `The listing is ${from ?? 'not there yet'}; this cannot be done now.`);
  return transition.to;
}

/** Whether guests may find a listing; of one that was lost sight of nobody knows better. */
export function isSold(status: ShelfStatus): boolean {
  return status === 'on' || status === 'unknown';
}

/** Why the channel cannot be asked to change anything of the listing; null when it can. */
export function unreachableBecause(listing: { auth_status: AuthStatus; shelf_status: ShelfStatus }): string | null {
  if (listing.auth_status !== 'active') return `the channel account is ${listing.auth_status}`;
  return listing.shelf_status === 'deleted' ? 'the listing is deleted' : null;
}

/** What a selling price leaves the host with once a channel has kept its part, to the nearest unit. */
export function floorPrice(price: number, commissionPercent: number): number {
  return Math.round((price * (100 - commissionPercent)) / 100);
}
