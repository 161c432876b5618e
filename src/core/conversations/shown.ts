import { coversOf } from '../channels/listings.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb } from '../database.ts';
import { roomTypesOfProperties } from '../roomTypes/ofProperties.ts';
import type { Activity } from './activities.ts';

/** Data of an activity's property that a conversation shows in addition to its name. */
export interface ShownProperty {
  /** Cover of the activity's own listing, or else of another listing of the property. */
  cover_url: string | null;
  room_type: { id: number; name: string } | null;
}

/** Reads the shown data of properties for all activities of a conversation at once. */
export async function shownProperties(
  db: CoreDb,
  accountId: AccountId,
  activities: readonly Activity[],
): Promise<(activity: Activity) => ShownProperty> {
  const ids = [...new Set(activities.map((one) => one.property_id))];
  const covers = await coversOf(db, accountId, ids);
  const roomTypes = await roomTypesOfProperties(db, accountId, ids);
  return ({ property_id, listing_id }) => {
    const pictures = covers.get(property_id) ?? [];
    const picture = pictures.find((one) => one.listing_id === listing_id) ?? pictures[0];
    return { cover_url: picture?.cover ?? null, room_type: roomTypes.get(property_id) ?? null };
  };
}
