import type { ReservationCode } from '../kernel/ids.ts';
import { ApiError, invalid } from '../kernel/errors.ts';
import { type ChannelIdentity, requireChannelReservation } from '../core/channels/reservations/receive.ts';
import { findChannelReservation } from '../core/reservations/lookup.ts';
import type { Change } from '../core/context.ts';

/** The name of a reservation in an action: our own code, or the channel's name. */
export interface NamedReservation {
  reservation_code?: string | undefined;
  channel_type?: string | undefined;
  channel_id?: string | undefined;
}

/** Returns true if the channel has delivered that reservation before. */
export async function isKnown(change: Change, identity: ChannelIdentity): Promise<boolean> {
  const known = await change.trx
    .selectFrom('channel_reservations')
    .where('account_id', '=', change.account.account_id)
    .where('channel_type', '=', identity.channel_type)
    .where('channel_id', '=', identity.channel_id)
    .select('reservation_code')
    .executeTakeFirst();
  return known !== undefined;
}

/** @throws ApiError 404 for a reservation that no channel has delivered, 422 when none is named */
async function identityOf(change: Change, named: NamedReservation): Promise<ChannelIdentity> {
  const { reservation_code: code, channel_type, channel_id } = named;
  if (code !== undefined) {
    const found = await findChannelReservation(change.trx, change.account.account_id, code as ReservationCode);
    if (!found) throw new ApiError(404, 'No channel has delivered such a booking.', { field: 'reservation_code' });
    return { channel_type: found.channel_type, channel_id: found.channel_id };
  }
  if (channel_type === undefined || channel_id === undefined) {
    throw invalid('reservation_code', 'is required, or channel_type and channel_id');
  }
  return { channel_type, channel_id };
}

/** Returns the reservation that an action names, with its stays, locked until the change ends. */
export async function reservationNamed(change: Change, named: NamedReservation) {
  const identity = await identityOf(change, named);
  return { identity, ...(await requireChannelReservation(change, identity)) };
}
