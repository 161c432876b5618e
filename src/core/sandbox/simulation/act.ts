import { addDays, instantOf } from '../../../kernel/dates.ts';
import { editChannelSettings } from '../../channels/sandbox/steer.ts';
import type { Change } from '../../context.ts';
import { createPropertyIn } from '../../properties/handlers.ts';
import { book, type SandboxBooked } from '../book.ts';
import { alter, cancel, giveUp, moveDeposit, pay, showDetails } from '../change.ts';
import { listingNamed, putOnMarketplace } from '../listing.ts';
import { randomDigits } from '../names.ts';
import { register } from '../register.ts';
import { inquire, review, writeInThread } from '../write.ts';
import type { Channel, PlannedBooking, PlannedProperty, Step } from './plan.ts';

const DAY_MS = 86_400_000;
const PICTURE = { type: 'image', name: 'question.jpg', url: 'https://pictures.example/question.jpg' };

/** A property and its listings. @returns their names by channel */
export async function openHouse(
  change: Change,
  { base_price, cleaning_fee, channels }: PlannedProperty,
  house: { name: string; accounts: ReadonlyMap<Channel, number> },
): Promise<ReadonlyMap<Channel, string>> {
  const { time_zone, currency } = change.account;
  const { name: title } = house;
  const property_id = await createPropertyIn(change, { name: title, time_zone, currency });
  const listings = new Map<Channel, string>();
  for (const channel of channels) {
    const channel_account_id = house.accounts.get(channel) ?? 0;
    const named = await putOnMarketplace(change, { channel_account_id, property_id, title, base_price });
    if (cleaning_fee > 0) await editChannelSettings(change, await listingNamed(change, named), { cleaning_fee });
    listings.set(channel, named.listing_id);
  }
  return listings;
}

/** The guest books, perhaps after having asked; nights that are taken send the stay to the box. */
export async function makeBooking(change: Change, planned: PlannedBooking, listing_id: string): Promise<SandboxBooked> {
  const { channel: channel_type, kind, check_in_date, check_out_date, guests: number_of_guests } = planned;
  const guest = { name: planned.guest, email: `${planned.guest.toLowerCase().replaceAll(' ', '.')}@guest.example` };
  const channel_id = `SIM${randomDigits(change.core.random, 12)}`;
  const dates = { listing_id, check_in_date, check_out_date, number_of_guests };
  if (planned.inquiry) {
    await inquire(change, { channel_type, ...dates, guest, thread: channel_id, message: 'Is it free on these days?' });
  }
  const booked_at = instantOf(change.now - planned.booked_days_ago * DAY_MS);
  return book(change, {
    kind,
    channel_type,
    channel_id,
    rooms: [{ ...dates, overbook: true }],
    guest,
    booked_at,
  });
}

/** What an action says of the booking; one that does not change how it stands says nothing. */
type Standing = { status?: SandboxBooked['status'] };

/** The next thing that happens to a booking. */
export function take(change: Change, booked: SandboxBooked, planned: PlannedBooking, step: Step): Promise<Standing> {
  const named = { reservation_code: booked.reservation_code };
  switch (step.kind) {
    case 'pay':
      return pay(change, named, {});
    case 'give_up':
      return giveUp(change, named);
    case 'cancel':
      return cancel(change, named);
    case 'alter':
      return alter(change, named, { room: 0, check_out_date: addDays(planned.check_in_date, step.nights) });
    case 'details':
      return showDetails(change, named, { cancellation_policy_category: 'moderate' });
    case 'deposit': {
      const { event, amount } = step;
      return moveDeposit(change, named, { event, room: 0, ...(event !== 'returned' && { amount }) });
    }
    case 'register':
      return said(register(change, { ...named, room: 0 }, { name: planned.guest, country: 'DE', id_type: 'passport' }));
    case 'message': {
      const { from, content, picture } = step;
      const thread = { channel_type: booked.channel_type, thread: booked.channel_id };
      return said(writeInThread(change, thread, { from, content, attachments: picture ? [PICTURE] : [] }));
    }
    case 'announce_review':
      return said(review(change, named, {}));
    case 'review':
      return said(review(change, named, { score: step.score, content: step.content }));
  }
}

async function said(work: Promise<object>): Promise<Standing> {
  await work;
  return {};
}
