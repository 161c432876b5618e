import { ApiError } from '../../../kernel/errors.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { nextIds } from '../../../store/leases/sequences.ts';
import type { Change } from '../../context.ts';
import { flag, type StayRow } from '../../database.ts';
import { announceStay } from '../../reservations/change.ts';
import { type ChannelIdentity, isNews, requireChannelReservation } from './receive.ts';

/** A guest whom the check-in guide has registered. */
export interface RegisteredGuest {
  /** Reference of the guide. A repeated reference counts once. */
  reference: string;
  name: string;
  phone?: string | null;
  email?: string | null;
  id_type?: 'passport' | 'id_card' | 'others' | null;
  id_number?: string | null;
  gender?: 'male' | 'female' | null;
  /** ISO 3166-1 alpha-2. */
  country?: string | null;
  /** Addresses of pictures of the document. */
  id_images?: readonly string[];
}

/**
 * Registers a guest for a stay.
 * @returns the guest's number; null when the guide had reported the guest before
 * @throws ApiError 404 when reservation or room is unknown
 */
export async function registerGuest(
  change: Change,
  identity: ChannelIdentity & { room?: number },
  guest: RegisteredGuest,
): Promise<number | null> {
  const stay = await requireRoom(change, identity);
  const fact = { kind: `guest ${stay.stay_code}`, reference: guest.reference };
  if (!(await isNews(change, stay.reservation_code, fact))) return null;
  const id = await nextIds(change.trx, 'guests');
  const of = { account_id: stay.account_id, stay_id: stay.id };
  await insertMany(change.trx, 'guests', [
    {
      ...of,
      id,
      is_booker: flag(false),
      name: guest.name,
      phone: guest.phone ?? null,
      email: guest.email ?? null,
      id_type: guest.id_type ?? null,
      id_number: guest.id_number ?? null,
      gender: guest.gender ?? null,
      country: guest.country ?? null,
    },
  ]);
  const images = guest.id_images ?? [];
  const firstImage = images.length === 0 ? 0 : await nextIds(change.trx, 'images', images.length);
  const rows = images.map((url, index) => ({ ...of, guest_id: id, id: firstImage + index, url }));
  await insertMany(change.trx, 'guest_images', rows);
  announceStay(change, stay, 'check_in_details_updated');
  return id;
}

/** A picture of a document from the check-in guide. `client_id` is the guest it shows, if known. */
export interface GuideImage {
  /** Reference of the guide. A repeated reference counts once. */
  reference: string;
  url: string;
  client_id?: number | null;
}

/**
 * Stores a picture of a document. @returns its number; null when it had been received before @throws ApiError 404 as
 * {@link registerGuest}
 */
export async function addGuideImage(
  change: Change,
  identity: ChannelIdentity & { room?: number },
  image: GuideImage,
): Promise<number | null> {
  const stay = await requireRoom(change, identity);
  const fact = { kind: `image ${stay.stay_code}`, reference: image.reference };
  if (!(await isNews(change, stay.reservation_code, fact))) return null;
  const id = await nextIds(change.trx, 'images');
  const { account_id, id: stay_id } = stay;
  const row = { account_id, stay_id, id, client_id: image.client_id ?? null, url: image.url };
  await insertMany(change.trx, 'checkin_guide_images', [row]);
  announceStay(change, stay, 'check_in_details_updated');
  return id;
}

async function requireRoom(change: Change, identity: ChannelIdentity & { room?: number }): Promise<StayRow> {
  const { stays } = await requireChannelReservation(change, identity);
  const stay = stays[identity.room ?? 0];
  if (!stay) throw new ApiError(404, 'The booking has no such room.');
  return stay;
}
