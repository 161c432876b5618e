import { offerChannels, type OfferType, preapprovalChannels } from '../../contract/specialOffers.ts';
import { addDaysWithin, dateIn, daysBetween, nightsOf, type PlainDate } from '../../kernel/dates.ts';
import { plainDateFrom } from '../../sync/tables/wireValues.ts';
import type { Automating } from '../context.ts';
import { readNights } from '../perform/nights.ts';
import { doneElsewhere } from '../perform/others.ts';
import { Stopped } from '../perform/stopped.ts';
import type { Activity } from '../perform/conversation.ts';
import type { Plan } from '../plans/table.ts';
import type { ActionOf } from '../rules/actions.ts';
import { isWithin } from '../rules/conditions.ts';
import type { Action, ActionContext } from './action.ts';

const OFFERS = ['special_offer', 'preapproval'] as const satisfies readonly OfferType[];
const PAGE = 100;

/** Dates of a listing that a guest asks about. */
interface Inquiry {
  conversation_id: string;
  channel_type: string;
  listing_id: string;
  property_id: number | null;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
}

/** The record of an offer: its dates before it leaves, and its id afterwards. */
type Made = Pick<Inquiry, 'check_in_date' | 'check_out_date'> & { special_offer_id?: string | null };

/** Offers the guest of an inquiry its dates at the rule's price. */
export const specialOffer: Action<'special_offer'> = {
  isRepeatable: () => false,
  speaks: true,
  async prepare(actionContext) {
    const { spec, context } = actionContext;
    const inquiry = await openInquiry(actionContext, offerChannels);
    const { conversation_id, listing_id, check_in_date, check_out_date } = inquiry;
    const price = await priceOf(context, spec, inquiry);
    const body = {
      conversation_id,
      listing_id,
      check_in_date,
      check_out_date,
      price,
      number_of_adults: spec.adults,
      number_of_children: spec.children,
      number_of_infants: spec.infants,
      number_of_pets: spec.pets,
      ...(spec.rate_plan_id !== undefined && { rate_plan_id: spec.rate_plan_id }),
      ...(spec.currency !== undefined && { currency: spec.currency }),
    };
    return {
      text: `offer ${listing_id}, ${check_in_date} to ${check_out_date}, for ${price}`,
      intent: { check_in_date, check_out_date } satisfies Made,
      async run(guard) {
        const { data } = await context.client.call('createSpecialOffer', body, guard);
        return { check_in_date, check_out_date, special_offer_id: data.id } satisfies Made;
      },
    };
  },
  find: (context, plan) => findOffer(context, plan, 'special_offer'),
};

/** Lets the guest of an inquiry book it at the standard price. */
export const preapproval: Action<'preapproval'> = {
  isRepeatable: () => false,
  speaks: true,
  async prepare(actionContext) {
    const { context } = actionContext;
    const { conversation_id, check_in_date, check_out_date } = await openInquiry(actionContext, preapprovalChannels);
    return {
      text: `pre-approve ${check_in_date} to ${check_out_date}`,
      intent: { check_in_date, check_out_date } satisfies Made,
      async run(guard) {
        const { data } = await context.client.call('createPreapproval', { conversation_id }, guard);
        return { check_in_date, check_out_date, special_offer_id: data.id } satisfies Made;
      },
    };
  },
  find: (context, plan) => findOffer(context, plan, 'preapproval'),
};

/** Returns the inquiry to make an offer for. Throws Stopped if anything prevents the offer. */
async function openInquiry(
  actionContext: ActionContext<'special_offer'> | ActionContext<'preapproval'>,
  channels: readonly string[],
): Promise<Inquiry> {
  const { context, plan, spec } = actionContext;
  const inquiry = onlyInquiry(actionContext, channels);
  const nights = daysBetween(inquiry.check_in_date, inquiry.check_out_date);
  if (spec.nights && !isWithin(nights, spec.nights)) {
    throw new Stopped('skipped', 'condition', { detail: 'nights' });
  }
  await checkOffers(context, plan, inquiry);
  await checkNights(actionContext, inquiry);
  return inquiry;
}

function onlyInquiry(
  { conversation, context, facts }: Pick<ActionContext, 'conversation' | 'context' | 'facts'>,
  channels: readonly string[],
): Inquiry {
  if (!conversation) throw new Stopped('waiting', 'no_conversation');
  const { conversation_id, channel_type } = conversation;
  if (channel_type === null || !channels.includes(channel_type)) {
    throw new Stopped('skipped', 'out_of_bounds', { detail: `no such offers on ${channel_type ?? 'this channel'}` });
  }
  const today = dateIn(facts.property?.zone ?? context.zone(), context.clock.now());
  // Past stays are history. An activity without dates may lie ahead.
  const coming = conversation.activities.filter((one) => one.check_out_date === null || one.check_out_date > today);
  const [only, ...others] = coming;
  if (!only?.isInquiry || others.length > 0) throw new Stopped('skipped', 'no_inquiry');
  const { listing_id, property_id, check_in_date, check_out_date }: Activity = only;
  const isWhole = listing_id !== null && check_in_date !== null && check_out_date !== null;
  if (!isWhole || check_in_date < today || check_in_date >= check_out_date) {
    throw new Stopped('skipped', 'no_inquiry', { detail: 'its dates' });
  }
  return { conversation_id, channel_type, listing_id, property_id, check_in_date, check_out_date };
}

/**
 * Checks for existing offers: those that upstream shows, whoever made them, and those of our own plans, which upstream
 * may not show yet.
 */
async function checkOffers(context: Automating, plan: Plan, inquiry: Inquiry): Promise<void> {
  const { conversation_id } = inquiry;
  const ours = await doneElsewhere(context, plan, { conversation_id }, OFFERS);
  const made = ours.map(({ result }) => JSON.parse(result ?? '{}') as Partial<Made>);
  for (const one of [...made, ...(await offersIn(context, conversation_id))]) {
    const { check_in_date = null, check_out_date = null } = one;
    const isUnknown = check_in_date === null || check_out_date === null;
    if (isUnknown || (check_in_date === inquiry.check_in_date && check_out_date === inquiry.check_out_date)) {
      throw new Stopped('skipped', 'has_offer');
    }
  }
}

async function offersIn({ client, signal }: Pick<Automating, 'client' | 'signal'>, conversation_id: string) {
  const asked = { conversation_id, offset: 0, limit: PAGE };
  const { data } = await client.call('listSpecialOffers', asked, { purpose: 'reply', signal });
  return data.special_offers.map((one) => ({
    special_offer_id: one.id,
    offer_type: one.offer_type,
    check_in_date: plainDateFrom(one.check_in_date),
    check_out_date: plainDateFrom(one.check_out_date),
  }));
}

/** Checks that every night is free, because an inquiry holds no nights. */
async function checkNights(
  { context, plan }: Pick<ActionContext, 'context' | 'plan'>,
  { property_id, check_in_date, check_out_date }: Inquiry,
): Promise<void> {
  const range = { first: check_in_date, last: addDaysWithin(check_out_date, -1) };
  const known = property_id ? await readNights(context, property_id, range) : new Map<PlainDate, string>();
  const nights = nightsOf(check_in_date, check_out_date).map((night) => known.get(night));
  if (nights.some((state) => state !== undefined && state !== 'free')) throw new Stopped('skipped', 'nights_taken');
  if (nights.includes(undefined) && plan.approved === 0) throw new Stopped('awaiting_approval', 'nights_unknown');
}

async function priceOf(
  { client, signal }: Automating,
  { price_per_night, change_percent = 0, floor = 0 }: ActionOf<'special_offer'>['with'],
  { channel_type, listing_id, check_in_date, check_out_date }: Inquiry,
): Promise<number> {
  const nights = nightsOf(check_in_date, check_out_date);
  if (price_per_night !== undefined) return price_per_night * nights.length;
  const asked = {
    listings: [{ channel_type, listing_id }],
    start_date: check_in_date,
    end_date: addDaysWithin(check_out_date, -1),
  };
  const { data } = await client.call('listCalendars', asked, { purpose: 'reply', signal });
  const days = data.listings.find((one) => one.listing_id === listing_id)?.calendar ?? [];
  const prices = new Map(days.map(({ date, price }) => [date, price]));
  return nights.reduce((sum, night) => {
    const price = prices.get(night) ?? null;
    if (price === null) throw new Stopped('waiting', 'missing', { detail: `the price of ${night}` });
    return sum + Math.max(floor, Math.round((price * (100 + change_percent)) / 100));
  }, 0);
}

/** Looks for the offer of a plan. Before the call, there was none for these dates. */
async function findOffer(context: Automating, plan: Plan, type: OfferType): Promise<Made | undefined> {
  const { check_in_date, check_out_date } = JSON.parse(plan.result ?? '{}') as Partial<Made>;
  if (plan.conversation_id === null || check_in_date === undefined || check_out_date === undefined) return undefined;
  const found = (await offersIn(context, plan.conversation_id)).find(
    (one) => one.offer_type === type && one.check_in_date === check_in_date && one.check_out_date === check_out_date,
  );
  return found && { check_in_date, check_out_date, special_offer_id: found.special_offer_id };
}
