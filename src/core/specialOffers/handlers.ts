import { HOST } from '../../contract/conversations.ts';
import { offerChannels, type OfferType, preapprovalChannels } from '../../contract/specialOffers.ts';
import { dateIn, instantOf } from '../../kernel/dates.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import type { Currency } from '../../kernel/money.ts';
import { postToChannel } from '../channels/posts/queue.ts';
import { requireOffered } from '../channels/require.ts';
import type { Change, Context, Handler } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import { lockForChange, requireConversation, type VisibleConversation } from '../conversations/require.ts';
import type { SpecialOfferRow } from '../conversations/rows.ts';
import { writeMessage } from '../conversations/write.ts';
import { refuseForeign } from '../ownership.ts';
import { requireAmount } from '../reservations/require.ts';
import { presentOffer } from './present.ts';
import { next } from '../../kernel/transitions.ts';
import { requireMove } from '../requireMove.ts';
import { expiryOf, offerLife, statusAt } from './rules.ts';
import { addOffer, endOffer, lockOffer, offerPage } from './table.ts';

type Terms = Omit<
  SpecialOfferRow,
  | 'account_id'
  | 'conversation_id'
  | 'id'
  | 'special_offer_id'
  | 'offer_type'
  | 'status'
  | 'expires_at'
  | 'created_at'
  | 'ended_at'
>;

export const listSpecialOffers: Handler<'listSpecialOffers'> = async (input, context) => {
  const { conversation } = await requireConversation(context, input.conversation_id);
  const page = pageOf('listSpecialOffers', 'number', input, context);
  const found = await offerPage(context.db, conversation, page.range);
  const { rows, next } = closePage(page, found, (row) => row.id);
  const { time_zone } = context.account;
  return {
    special_offers: rows.map((row) => presentOffer(row, time_zone, context.now)),
    total: found.total,
    ...next,
  };
};

export const createSpecialOffer: Handler<'createSpecialOffer'> = (input, context) =>
  context.change(async (change) => {
    const conversation = await lockForChange(change, context, input.conversation_id);
    requireChannel(conversation, offerChannels, 'Special offers');
    const { conversation_id: _conversation, price, currency: asked, rate_plan_id, ...terms } = input;
    const { channel_type } = conversation.conversation;
    const listing = await requireOffered(change.trx, context, { channel_type, listing_id: input.listing_id });
    const place = listing
      ? { zone: listing.time_zone, currency: listing.currency }
      : placeOf(conversation, input.listing_id, context);
    if (input.check_in_date < dateIn(place.zone, change.now)) throw invalid('check_in_date', 'must not be in the past');
    const currency = asked ?? place.currency;
    const amount = requireAmount('price', price, currency);
    if (amount <= 0) throw invalid('price', 'must be positive');
    return makeOffer(change, conversation, 'special_offer', {
      ...terms,
      rate_plan_id: rate_plan_id ?? null,
      price: amount,
      currency,
    });
  });

export const createPreapproval: Handler<'createPreapproval'> = (input, context) =>
  context.change(async (change) => {
    const conversation = await lockForChange(change, context, input.conversation_id);
    requireChannel(conversation, preapprovalChannels, 'Pre-approvals');
    const inquiry = conversation.activities.find((one) => one.activity_type === 'inquiry');
    if (!inquiry) throw new ApiError(400, 'There is no inquiry in this conversation to approve.');
    const place = placeOf(conversation, inquiry.listing_id, context);
    return makeOffer(change, conversation, 'preapproval', {
      listing_id: inquiry.listing_id,
      rate_plan_id: null,
      check_in_date: inquiry.check_in_date,
      check_out_date: inquiry.check_out_date,
      number_of_adults: inquiry.number_of_guests,
      number_of_children: 0,
      number_of_infants: 0,
      number_of_pets: 0,
      price: null,
      currency: place.currency,
    });
  });

export const withdrawSpecialOffer: Handler<'withdrawSpecialOffer'> = async (input, context) => {
  await context.change(async (change) => {
    const { conversation } = await lockForChange(change, context, input.conversation_id);
    const offer = await lockOffer(change.trx, input.special_offer_id);
    refuseForeign(offer, context.account, 'special_offer_id');
    if (offer?.conversation_id !== conversation.conversation_id) {
      throw new ApiError(404, 'special_offer_id not found.', { field: 'special_offer_id' });
    }
    const status = requireMove(offerLife, statusAt(offer, change.now), 'withdraw');
    await endOffer(change.trx, offer, status, instantOf(change.now));
    await postToChannel(change, {
      account_id: offer.account_id,
      channel_type: conversation.channel_type,
      lane: conversation.conversation_id,
      payload: {
        kind: 'withdraw_offer',
        thread: conversation.channel_thread_id,
        special_offer_id: offer.special_offer_id,
      },
    });
    change.audit('withdrawSpecialOffer', offer.special_offer_id);
  });
};

/** @throws ApiError 400 in a conversation of another channel */
function requireChannel({ conversation }: VisibleConversation, channels: readonly string[], what: string): void {
  if (channels.includes(conversation.channel_type)) return;
  throw new ApiError(400, `${what} cannot be made in a conversation of ${conversation.channel_type}.`);
}

/** Returns zone and currency of the listing if the conversation knows it, or else those of the account. */
function placeOf(
  { activities }: VisibleConversation,
  listingId: string,
  { account }: Context,
): { zone: string; currency: Currency } {
  const known = activities.find((one) => one.listing_id === listingId && one.property_name !== null);
  return { zone: known?.property_zone ?? account.time_zone, currency: known?.property_currency ?? account.currency };
}

/** Stores the offer, shows it in the conversation, and queues it for the channel. */
async function makeOffer(
  change: Change,
  { conversation }: VisibleConversation,
  offer_type: OfferType,
  terms: Terms,
): Promise<{ id: string }> {
  const { trx, core, now, operator } = change;
  const { account_id, conversation_id, channel_type, channel_thread_id } = conversation;
  const special_offer_id = core.ids();
  await addOffer(trx, {
    account_id,
    conversation_id,
    special_offer_id,
    offer_type,
    status: next(offerLife, null, 'make'),
    ...terms,
    expires_at: expiryOf(now),
    created_at: instantOf(now),
    ended_at: null,
  });
  await writeMessage(change, conversation, {
    sender_role: HOST,
    sender_name: operator?.name ?? null,
    display_type: 'SpecialOffer',
  });
  await postToChannel(change, {
    account_id,
    channel_type,
    lane: conversation_id,
    payload: { kind: 'offer', thread: channel_thread_id, special_offer_id, offer_type, ...terms },
  });
  change.audit(offer_type === 'preapproval' ? 'createPreapproval' : 'createSpecialOffer', special_offer_id);
  return { id: special_offer_id };
}
