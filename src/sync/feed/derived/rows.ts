import type { Fields } from '../../../client/fields.ts';
import { depositEvents } from './deposits.ts';
import { isSame, valueAt } from './fields.ts';
import type { Derive, DerivedEvent, DerivedName } from './names.ts';

const CATEGORY = ['channel_details', 'marketplace_a', 'cancellation_policy_category'] as const;

const channelDetailEvents: Derive<Fields> = (before, after) => {
  const [old, now] = [valueAt(before, ...CATEGORY), valueAt(after, ...CATEGORY)];
  if (!isSame(old, now)) {
    const name = old === null ? 'cancellation_category_appeared' : 'cancellation_category_changed';
    return [{ name, before: old, after: now }];
  }
  return whenDifferent('channel_details', 'channel_details_changed')(before, after);
};

const offerStatus: Readonly<Record<string, DerivedName>> = {
  accepted: 'offer_accepted',
  declined: 'offer_declined',
  expired: 'offer_expired',
  withdrawn: 'offer_withdrawn',
};

const channelStatus: Readonly<Record<string, DerivedName>> = {
  disconnected: 'channel_disconnected',
  active: 'channel_connected',
};

function whenDifferent(field: string, name: DerivedName, byValue: Readonly<Record<string, DerivedName>> = {}) {
  return (before: Fields, after: Fields): DerivedEvent[] => {
    const [old, now] = [valueAt(before, field), valueAt(after, field)];
    if (isSame(old, now)) return [];
    const own = typeof now === 'string' && Object.hasOwn(byValue, now) ? byValue[now] : undefined;
    return [{ name: own ?? name, before: old, after: now }];
  };
}

const deriving: Readonly<Record<string, readonly Derive<Fields>[]>> = {
  reservation: [depositEvents, channelDetailEvents],
  special_offer: [whenDifferent('status', 'offer_status_changed', offerStatus)],
  channel_account: [whenDifferent('auth_status', 'channel_status_changed', channelStatus)],
  conversation: [whenDifferent('note', 'note_changed')],
};

/** Returns true if changes of such rows can have names at all. */
export function hasDerived(resource: string): boolean {
  return Object.hasOwn(deriving, resource);
}

/** Returns the named changes between two states of one row. Equal states have none. */
export function derivedFrom(resource: string, before: Fields, after: Fields): DerivedEvent[] {
  return (deriving[resource] ?? []).flatMap((derive) => derive(before, after));
}
