import type { RowToRead } from '../../api/portal/route.ts';
import { findStay } from '../../console/stay/query.ts';
import type { Call, GuardedId } from '../../contract/index.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import { AVAILABILITY } from '../../sync/tables/listings/availability.ts';
import { CALENDAR, listingKey } from '../../sync/tables/listings/calendar.ts';
import { hintOfRange } from '../../sync/tables/rows/dateHints.ts';

/** The row that an operation changes: its resource, and the fields of input, answer or stay of which one has its key. */
type Changes = { readonly [Id in GuardedId]?: readonly [resource: string, ...places: string[]] };

/** The calendars that an operation changes. */
type Calendars = { readonly [Id in GuardedId]?: (input: Call<Id>) => RowToRead[] };

/** The rows that change without an event. */
const UNANNOUNCED: Changes = {
  createTask: ['task', 'data.task_id'],
  updateTask: ['task', 'input.id'],
  deleteTask: ['task', 'input.id'],
  createStaff: ['staff', 'data.staff_id'],
  updateStaff: ['staff', 'input.id'],
  deleteStaff: ['staff', 'input.id'],
  updateConversationNote: ['conversation', 'input.conversation_id'],
  createSpecialOffer: ['special_offer', 'input.conversation_id'],
  createPreapproval: ['special_offer', 'input.conversation_id'],
  withdrawSpecialOffer: ['special_offer', 'input.conversation_id'],
};

const OF_STAY = ['reservation', 'stay.reservation_code'] as const;

/** Rows that the next page shows, where events of another deployment may not arrive. */
const SHOWN_NEXT: Changes = {
  ...UNANNOUNCED,
  createReservation: ['reservation', 'data.reservation_code', 'data.reservation.reservation_code'],
  approveReservation: ['reservation', 'input.reservation_code'],
  declineReservation: ['reservation', 'input.reservation_code'],
  cancelReservation: ['reservation', 'input.reservation_code'],
  createTransaction: ['reservation', 'input.reservation_code'],
  updateReservation: OF_STAY,
  updateCheckInDetails: OF_STAY,
  allocateReservation: OF_STAY,
  moveReservationToBox: OF_STAY,
  updateStayStatus: OF_STAY,
  addReservationTag: OF_STAY,
  removeReservationTag: OF_STAY,
  updateCustomFields: OF_STAY,
  sendMessage: ['conversation', 'input.conversation_id'],
};

/** A deployment answers first, and writes nights and prices after that. */
const WRITTEN_AFTER_MS = 3_000;

/** Calendars that are read again for the same reason. */
const NIGHTS_SHOWN: Calendars = {
  updateAvailabilities: ({ property_ids, ...dates }) => nightsOf(AVAILABILITY, property_ids.map(String), [dates]),
  updatePrices: ({ prices, ...listing }) => ofListing(listing, prices),
  updateRestrictions: ({ restrictions, ...listing }) => ofListing(listing, restrictions),
};

function ofListing(
  { channel_type, listing_id }: { channel_type?: string | undefined; listing_id?: string | undefined },
  ranges: readonly object[] | undefined,
): RowToRead[] {
  if (channel_type === undefined || listing_id === undefined) return [];
  return nightsOf(CALENDAR, [listingKey({ channel_type, listing_id })], ranges ?? []);
}

function nightsOf(resource: string, keys: readonly string[], ranges: readonly object[]): RowToRead[] {
  return ranges.flatMap((range) => {
    const hint = hintOfRange({ ...range });
    return hint ? keys.map((key) => ({ resource, key, hint, afterMs: WRITTEN_AFTER_MS })) : [];
  });
}

interface Told {
  readonly input: object;
  readonly data: unknown;
}

/** Returns what an operation of the core beside has changed without an event. */
export function rowsUnannounced(id: GuardedId, told: Told): RowToRead[] {
  return changedBy(UNANNOUNCED, id, { ...told, stay: undefined });
}

/** Returns what an operation of another deployment has changed, as far as the next page shows it. */
export async function rowsShownNext<Id extends GuardedId>(
  db: MirrorDb,
  connection: ConnectionId,
  id: Id,
  told: Told & { input: Call<Id> },
): Promise<RowToRead[]> {
  const stay = await stayOf(db, connection, told.input);
  return [...changedBy(SHOWN_NEXT, id, { ...told, stay }), ...(NIGHTS_SHOWN[id]?.(told.input) ?? [])];
}

/** Returns the stay that an operation names, as the mirror has it. */
async function stayOf(db: MirrorDb, connection: ConnectionId, input: object): Promise<object | undefined> {
  const code: unknown = Reflect.get(input, 'stay_code');
  return typeof code === 'string' ? (await findStay(db, { connection, code }))[0] : undefined;
}

function changedBy(changes: Changes, id: GuardedId, parts: Told & { stay: object | undefined }): RowToRead[] {
  const [resource, ...places] = changes[id] ?? [];
  // Some deployments answer nothing but their success.
  const key = places
    .map((place) => valueAt(parts, place))
    .find((value) => typeof value === 'string' || typeof value === 'number');
  return resource === undefined || key === undefined ? [] : [{ resource, key: String(key) }];
}

function valueAt(parts: object, place: string): unknown {
  return place.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), parts);
}
