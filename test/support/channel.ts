import { randomUUID } from 'node:crypto';
import {
  type ChannelReservation,
  type ChannelRoom,
  receiveChannelReservation,
  type ReceivedReservation,
} from '../../src/core/channels/reservations/receive.ts';
import { runChange } from '../../src/core/change.ts';
import type { Change } from '../../src/core/context.ts';
import type { TestCore } from './core.ts';

const BOOKED_AT = '2026-11-20T12:00:00.000Z';

/** A room at a property, three nights in March unless told otherwise. */
export const channelRoom = (property_id: number, more: Partial<ChannelRoom> = {}): ChannelRoom => ({
  property_id,
  listing_id: `L${property_id}`,
  check_in_date: '2027-03-05',
  check_out_date: '2027-03-08',
  lines: [
    { type: 'ACCOMMODATION', description: '', amount: 270_00 },
    { type: 'CLEANING_FEE', description: '', amount: 30_00 },
    { type: 'HOST_SERVICE_FEE', description: '', amount: 9_00 },
  ],
  number_of_guests: 2,
  ...more,
});

export type Delivered = ReceivedReservation & { channel_type: string; channel_id: string };

/** What an operation about the whole booking is given. */
export const byCode = ({ reservation_code }: Delivered) => ({ reservation_code });

/** Runs a change to the core's own account as a channel's word causes it: nobody of the account has made it. */
export function byChannel<T>(core: TestCore, work: (change: Change) => Promise<T>): Promise<T> {
  return runChange(core.core, { account: core.own.account, operator: null }, work);
}

/** A channel delivers a booking to the core's own account. */
export async function deliver(
  core: TestCore,
  rooms: ChannelReservation['rooms'],
  more: Partial<ChannelReservation> = {},
): Promise<Delivered> {
  const channel_id = more.channel_id ?? `HM${randomUUID()}`;
  const channel_type = more.channel_type ?? 'marketplace_a';
  const booking: ChannelReservation = {
    kind: 'instant',
    rooms,
    guest: { name: 'C. Guest', email: 'c@guest.example', phone: '+49 30 1' },
    currency: 'EUR',
    booked_at: BOOKED_AT,
    ...more,
    channel_id,
    channel_type,
  };
  const received = await byChannel(core, (change) => receiveChannelReservation(change, booking));
  return { ...received, channel_id, channel_type };
}
