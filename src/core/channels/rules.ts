import type { AuthStatus } from '../../contract/channelAccounts.ts';
import type { ShelfStatus } from '../../contract/listings.ts';
import { machine } from '../../kernel/transitions.ts';

/** The life of a channel account: a connection is requested, granted or refused, may break, and can be restored. */
export const channelAccountLife = machine({
  name: 'channel account',
  is: 'An account with a channel.',
  before: 'not known yet',
  states: {
    active: 'It may be asked.',
    connecting: 'Access was asked for; the channel has not answered.',
    exception: 'The channel refuses it.',
    disconnected: 'It was cut off.',
    unknown: 'The channel has not been heard of lately.',
  } satisfies Record<AuthStatus, string>,
  final: [],
  rows: [
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
  ],
});

/** The life of a listing on its channel's shelf. Deleted is final. */
export const listingLife = machine({
  name: 'listing',
  is: 'A listing on the shelf of its channel.',
  before: 'not there yet',
  states: {
    on: 'Guests can find it.',
    off: 'Guests cannot find it.',
    unknown: 'Nobody knows if guests can find it.',
    deleted: 'It is no more.',
  } satisfies Record<ShelfStatus, string>,
  final: ['deleted'],
  rows: [
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
  ],
});

/** Returns true if guests can find a listing. A listing in unknown state counts as sold. */
export function isSold(status: ShelfStatus): boolean {
  return status === 'on' || status === 'unknown';
}

/** Returns the reason why the channel cannot change the listing; null when it can. */
export function unreachableBecause(listing: { auth_status: AuthStatus; shelf_status: ShelfStatus }): string | null {
  if (listing.auth_status !== 'active') return `the channel account is ${listing.auth_status}`;
  return listing.shelf_status === 'deleted' ? 'the listing is deleted' : null;
}

/** Returns the host's share of a selling price after the channel's commission, to the nearest unit. */
export function floorPrice(price: number, commissionPercent: number): number {
  return Math.round((price * (100 - commissionPercent)) / 100);
}
