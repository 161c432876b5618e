import { z } from 'zod';
import { daysBetween } from '../kernel/dates.ts';
import { amount, currency, date, listOf, none, nothing, openEnum, paging, shownDate, timestamp } from './fields.ts';
import { operation } from './operation.ts';
import { STAY_NIGHTS } from './reservations.ts';

/** States of an offer. */
export const offerStatuses = ['active', 'accepted', 'declined', 'expired', 'withdrawn'] as const;
/** One of {@link offerStatuses}. */
export type OfferStatus = (typeof offerStatuses)[number];
const offerTypes = ['special_offer', 'preapproval'] as const;
/** Kind of an offer: a special offer at its own price, or a pre-approval at the standard price. */
export type OfferType = (typeof offerTypes)[number];
/** Channels whose conversations allow special offers. */
export const offerChannels: readonly string[] = ['marketplace_a', 'booking_site'];
/** Channels whose inquiries can be pre-approved. */
export const preapprovalChannels: readonly string[] = ['marketplace_a'];
/** Hours for which an offer is valid, unless the guest or the host ends it. */
export const OFFER_HOURS = 24;

const conversation = { conversation_id: z.string().describe('The conversation; opaque.') };
const people = z.int().min(0).max(99).default(0);

/** An offer or a pre-approval in a conversation. */
export const specialOffer = z
  .object({
    id: z.string(),
    offer_type: openEnum(offerTypes),
    status: openEnum(offerStatuses, 'offer_status'),
    listing_id: z.string(),
    check_in_date: shownDate,
    check_out_date: shownDate,
    nights: z.int(),
    number_of_guests: z.int(),
    price: amount.nullable().describe('Total; null for a pre-approval, which is at the standard price.'),
    currency: z.string(),
    expire_time: timestamp,
    create_time: timestamp,
  })
  .meta({ family: 'special_offer', schemaName: 'SpecialOffer' });

/** Lists offers and pre-approvals of a conversation, newest first. */
export const listSpecialOffers = operation({
  method: 'GET',
  path: '/conversations/{conversation_id}/special_offers',
  params: z.object(conversation),
  query: z.object(paging),
  body: null,
  data: listOf('special_offers', specialOffer),
  scope: 'read',
  rate: 'default',
  tool: null,
  since: '3.6.0',
  summary: 'Offers and pre-approvals made in a conversation, newest first.',
  example: { conversation_id: 'T12' },
  errors: [403, 404],
  emits: [],
});

/**
 * Offers the guest of a conversation a stay at its own price, valid for {@link OFFER_HOURS} hours; on {@link
 * offerChannels} only.
 */
export const createSpecialOffer = operation({
  method: 'POST',
  path: '/conversations/{conversation_id}/special_offers',
  params: z.object(conversation),
  query: none,
  body: z
    .object({
      listing_id: z.string().min(1),
      check_in_date: date,
      check_out_date: date,
      price: amount.positive().max(999_999).describe('Total for the stay.'),
      number_of_adults: z.int().min(1).max(99),
      number_of_children: people,
      number_of_infants: people,
      number_of_pets: people,
      rate_plan_id: z.string().min(1).optional().describe('Booking-site conversations only.'),
      currency: currency.optional().describe('Booking-site conversations only; default: the property’s.'),
    })
    .refine((body) => body.check_in_date < body.check_out_date, {
      path: ['check_out_date'],
      error: 'must be after check_in_date',
    })
    .refine((body) => daysBetween(body.check_in_date, body.check_out_date) <= STAY_NIGHTS, {
      path: ['check_out_date'],
      error: `is more than ${STAY_NIGHTS} nights after check_in_date`,
    }),
  data: z.object({ id: z.string() }),
  scope: 'confirm',
  rate: 'default',
  tool: null,
  since: '3.6.0',
  summary: 'Offers the guest of a conversation a stay at a price of its own.',
  notes: 'In conversations of marketplace A and the booking site only. Stands for 24 hours.',
  example: {
    conversation_id: 'T12',
    listing_id: 'L12',
    check_in_date: '2027-03-05',
    check_out_date: '2027-03-08',
    price: 300,
    number_of_adults: 2,
  },
  errors: [400, 403, 404],
  emits: ['message_created'],
});

/** Lets the guest of an inquiry book at the standard price; on {@link preapprovalChannels} only. */
export const createPreapproval = operation({
  method: 'POST',
  path: '/conversations/{conversation_id}/preapprovals',
  params: z.object(conversation),
  query: none,
  body: null,
  data: z.object({ id: z.string() }),
  scope: 'confirm',
  rate: 'default',
  tool: null,
  since: '3.6.0',
  summary: 'Lets the guest of an inquiry book it at the standard price.',
  notes: 'In conversations of marketplace A only.',
  example: { conversation_id: 'T12' },
  errors: [400, 403, 404],
  emits: ['message_created'],
});

/** Withdraws an offer that is still active. */
export const withdrawSpecialOffer = operation({
  method: 'DELETE',
  path: '/conversations/{conversation_id}/special_offers/{special_offer_id}',
  params: z.object({ ...conversation, special_offer_id: z.string().describe('The offer.') }),
  query: none,
  body: null,
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: null,
  since: '3.6.0',
  summary: 'Withdraws an offer that is still active.',
  example: { conversation_id: 'T12', special_offer_id: 'O12' },
  errors: [400, 403, 404],
  emits: [],
});
