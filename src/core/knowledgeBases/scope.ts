import { ALL_CHANNELS, ALL_IDS, type PropertyScope } from '../../contract/knowledgeBases.ts';
import { texts } from '../../contract/errors.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Change, Principal } from '../context.ts';
import { requireProperty } from '../ownership.ts';
import type { Places, ScopedEntry } from './table.ts';

/** Where an entry holds; no ids for all. */
export interface Scope {
  type: PropertyScope;
  ids: readonly number[];
}

/** Properties as the scopes of entries name them. No group and no room type exists yet that they could belong to. */
export function placesOf(propertyIds: readonly number[]): Places {
  return { properties: propertyIds, groups: [], roomTypes: [] };
}

export function visiblePlaces({ visible }: Pick<Principal, 'visible'>): Places | null {
  return visible === null ? null : placesOf(visible);
}

/** Whether the caller may read an entry: it holds for at least one property that they see. */
export function mayRead(principal: Pick<Principal, 'visible'>, entry: Pick<ScopedEntry, 'scope_property' | 'ids'>) {
  const places = visiblePlaces(principal);
  return places === null || entry.scope_property === 'all' || entry.ids.some((id) => idsIn(places, entry).includes(id));
}

/** @throws ApiError 401 for a sub-account that would touch what holds beyond its properties */
export function requireWithin(principal: Pick<Principal, 'visible'>, scope: Scope): void {
  const places = visiblePlaces(principal);
  if (places === null) return;
  const own = idsIn(places, { scope_property: scope.type });
  const isWithin = scope.type !== 'all' && scope.ids.every((id) => own.includes(id));
  if (!isWithin) throw new ApiError(401, texts.readOnlyToken);
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
 * Where an entry is to hold. A sub-account that says nothing means its own properties.
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
  for (const id of scope.ids) await requirePlace(change, principal, scope.type, id);
  requireWithin(principal, scope);
  return scope;
}

async function requirePlace(change: Change, principal: Principal, type: PropertyScope, id: number): Promise<void> {
  if (type === 'by_property') await requireProperty(change.trx, change.account, principal, id);
  else throw new ApiError(404, `scope_property.ids: there is no ${id} to hold for.`, { field: 'scope_property.ids' });
}

interface ChannelInput {
  type: 'all' | 'by_channel';
  channels?: readonly string[] | undefined;
}

/** On which channels an entry is to hold; no names for all. */
export function channelScope(input: ChannelInput | undefined): { type: 'all' | 'by_channel'; channels: string[] } {
  if (input === undefined || input.type === 'all') return { type: 'all', channels: [] };
  return { type: 'by_channel', channels: (input.channels ?? []).filter((channel) => channel !== ALL_CHANNELS) };
}
