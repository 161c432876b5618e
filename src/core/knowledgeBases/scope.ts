import { ALL_CHANNELS, ALL_IDS, type PropertyScope } from '../../contract/knowledgeBases.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Change, Principal } from '../context.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import { groupProperties, membersOf, ownersOf, roomTypeProperties, shownAmong } from '../members.ts';
import { notAuthorized, requireProperties } from '../ownership.ts';
import { requireGroups } from '../propertyGroups/require.ts';
import { requireRoomTypes } from '../roomTypes/require.ts';
import type { Places, ScopedEntry } from './table.ts';

/** Places where an entry applies; no ids mean all. */
interface Scope {
  type: PropertyScope;
  ids: readonly number[];
}

type Db = CoreDb | CoreTransaction;
type Caller = Pick<Principal, 'account' | 'visible'>;

/**
 * Returns the places of properties that scopes can name: the properties, and the groups and room types that contain one
 * of them.
 */
export async function placesOf(db: Db, accountId: AccountId, propertyIds: readonly number[]): Promise<Places> {
  return {
    properties: propertyIds,
    groups: await ownersOf(db, groupProperties, accountId, propertyIds),
    roomTypes: await ownersOf(db, roomTypeProperties, accountId, propertyIds),
  };
}

/** Returns the places of the properties that a caller sees; null: all. */
export async function visiblePlaces(db: Db, { account, visible }: Caller): Promise<Places | null> {
  return visible === null ? null : placesOf(db, account.account_id, visible);
}

/** Returns true if the caller may read an entry: it applies to at least one property that the caller sees. */
export async function mayRead(
  db: Db,
  caller: Caller,
  entry: Pick<ScopedEntry, 'scope_property' | 'ids'>,
): Promise<boolean> {
  const places = await visiblePlaces(db, caller);
  return places === null || entry.scope_property === 'all' || entry.ids.some((id) => idsIn(places, entry).includes(id));
}

/** @throws ApiError 401 for a sub-account that would affect properties beyond its own */
export async function requireWithin(db: Db, caller: Caller, scope: Scope): Promise<void> {
  const { account, visible } = caller;
  if (visible === null) return;
  const properties = await propertiesIn(db, account.account_id, scope);
  const isWithin = properties.length > 0 && properties.every((held) => shownAmong(held, visible).length > 0);
  const isWhole = properties.every((held) => shownAmong(held, visible).length === held.length);
  if (!isWithin || !isWhole) throw notAuthorized();
}

/** Returns the properties of each place in a scope; an empty list for a scope of all. */
async function propertiesIn(db: Db, accountId: AccountId, { type, ids }: Scope): Promise<(readonly number[])[]> {
  if (type === 'all') return [];
  if (type === 'by_property') return ids.map((id) => [id]);
  const members = await membersOf(db, type === 'by_group' ? groupProperties : roomTypeProperties, accountId, ids);
  return ids.map((id) => members.get(id) ?? []);
}

function idsIn(places: Places, { scope_property: type }: Pick<ScopedEntry, 'scope_property'>): readonly number[] {
  const ids: Record<PropertyScope, readonly number[]> = {
    all: [],
    by_property: places.properties,
    by_group: places.groups,
    by_room_type: places.roomTypes,
  };
  return ids[type];
}

interface ScopeInput {
  type: PropertyScope;
  ids?: readonly number[] | undefined;
}

/**
 * Returns the scope that a request asks for. A sub-account that names none means its own properties.
 * @throws ApiError 401, 403 or 404 for a place that is not the caller's
 */
export async function requireScope(
  change: Change,
  principal: Principal,
  input: ScopeInput | undefined,
): Promise<Scope> {
  if (input === undefined) {
    return principal.visible === null ? { type: 'all', ids: [] } : { type: 'by_property', ids: principal.visible };
  }
  const ids = [...new Set(input.ids)].filter((id) => id !== ALL_IDS);
  const scope: Scope = { type: input.type, ids: input.type === 'all' ? [] : ids };
  await requirePlaces(change, principal, scope);
  await requireWithin(change.trx, principal, scope);
  return scope;
}

/**
 * @throws ApiError 403 for another operator's place, 404 for one that does not exist or that the caller does not see
 */
async function requirePlaces({ trx, account }: Change, principal: Principal, { type, ids }: Scope): Promise<void> {
  const field = 'scope_property.ids';
  if (type === 'by_property') await requireProperties(trx, account, principal, ids, field);
  if (type === 'by_group') await requireGroups(trx, account, principal, ids, field);
  if (type === 'by_room_type') await requireRoomTypes(trx, account, principal, ids, field);
}

interface ChannelInput {
  type: 'all' | 'by_channel';
  channels?: readonly string[] | undefined;
}

/** Returns the channels on which an entry applies; no names mean all. */
export function channelScope(input: ChannelInput | undefined): { type: 'all' | 'by_channel'; channels: string[] } {
  if (input === undefined || input.type === 'all') return { type: 'all', channels: [] };
  return { type: 'by_channel', channels: (input.channels ?? []).filter((channel) => channel !== ALL_CHANNELS) };
}
