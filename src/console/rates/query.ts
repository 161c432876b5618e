import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import type { Visit } from '../visit.ts';

const days = z.array(z.string()).optional();
const limits = {
  min_nights: z.number().optional(),
  max_nights: z.number().optional(),
  arrival_days: days,
  departure_days: days,
};

/** A rate plan in the form of the management API; what this page has no field for is kept as it came. */
const plan = z.looseObject({
  name: z.string(),
  currency: z.string(),
  base_price: z.number(),
  weekend: z.object({ price: z.number(), nights: z.array(z.string()) }).optional(),
  seasons: z.array(
    z.looseObject({
      name: z.string(),
      from: z.string(),
      to: z.string(),
      price: z.number().optional(),
      weekend_price: z.number().optional(),
      ...limits,
    }),
  ),
  stay: z.looseObject({ ...limits, lead_days: z.number(), ahead_days: z.number() }),
  guests: z.looseObject({
    most: z.number(),
    included: z.number().optional(),
    extra_price: z.number(),
    infants_below_age: z.number(),
    pets: z.number(),
  }),
  discounts: z.array(z.object({ from_nights: z.number(), percent: z.number() })),
  fees: z.array(
    z.looseObject({
      name: z.string(),
      amount: z.number(),
      per: z.string(),
      taxable: z.boolean(),
      optional: z.boolean(),
    }),
  ),
  taxes: z.array(
    z.looseObject({
      name: z.string(),
      percent: z.number().optional(),
      of: z.array(z.string()).optional(),
      amount: z.number().optional(),
      per: z.string().optional(),
      max_nights: z.number().optional(),
      max_amount: z.number().optional(),
      exempt_below_age: z.number().optional(),
      included: z.boolean(),
    }),
  ),
  security_deposit: z.number(),
  payment: z.object({ at_booking_percent: z.number(), balance_days: z.number() }),
  cancellation: z.union([
    z.string(),
    z.object({ steps: z.array(z.object({ days_before: z.number(), refund_percent: z.number() })) }),
  ]),
});

const stored = z.object({ id: z.number(), version: z.number(), property_ids: z.array(z.number()), plan });
const line = z.object({
  kind: z.string(),
  name: z.string(),
  quantity: z.number(),
  unit: z.number().nullable(),
  amount: z.number(),
  percent: z.number().optional(),
});
const answered = z.object({
  quote: z
    .object({
      currency: z.string(),
      lines: z.array(line),
      total: z.number(),
      included_taxes: z.array(line),
      deposit: z.number(),
      first_payment: z.number(),
      balance: z.number(),
      balance_due_date: z.string().nullable(),
      cancellation: z.object({
        name: z.string(),
        steps: z.array(z.object({ until: z.string(), days_before: z.number(), refund_percent: z.number() })),
      }),
    })
    .nullable(),
  refused: z.array(
    z.object({
      reason: z.string(),
      says: z.string(),
      limit: z.number().optional(),
      weekdays: z.array(z.string()).optional(),
      date: z.string().optional(),
    }),
  ),
});

export type Plan = z.output<typeof plan>;
export type StoredRates = z.output<typeof stored>;
export type AnsweredQuote = z.output<typeof answered>;
export type PricedQuote = NonNullable<AnsweredQuote['quote']>;
export type QuotedLine = z.output<typeof line>;

/** Reads all rate plans. */
export async function readRates(visit: Visit): Promise<readonly StoredRates[]> {
  const all = z.object({ rate_plans: z.array(stored) });
  return all.parse(await visit.portal('GET /portal/rate_plans')).rate_plans;
}

/** Reads the rate plan of a property; undefined if it has none. */
export async function readRatesOf(visit: Visit, property_id: number): Promise<StoredRates | undefined> {
  try {
    return stored.parse(await visit.portal('GET /portal/rate_plans/:property_id', { property_id }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}

/** Fees of a plan, at most. */
const MOST_FEES = 20;
const feeIndexes = Array.from({ length: MOST_FEES }, (_, index) => index);

/** Fields of the address of a page that asks who comes besides adults, and what they choose. */
export const partyQuestion = {
  children: z.string().max(60).default(''),
  pets: z.coerce.number().int().min(0).max(20).default(0),
  ...Object.fromEntries(feeIndexes.map((index) => [extraField(index), z.string().max(60).optional()])),
};

/** The field that holds the name of a chosen fee: an address has one value for each field. */
export function extraField(index: number): string {
  return `extra_${index}`;
}

/** Returns the names of the fees that a guest may choose. */
export function extrasOf(plan: Plan | undefined): string[] {
  return (plan?.fees ?? []).flatMap(({ name, optional }) => (optional ? [name] : []));
}

/** Returns those that an address has chosen, and the plan still has. */
export function chosenExtras(plan: Plan | undefined, asked: Readonly<Record<string, unknown>>): string[] {
  const chosen = new Set(feeIndexes.map((index) => asked[extraField(index)]));
  return extrasOf(plan).filter((name) => chosen.has(name));
}

/** A stay that somebody asks the price of. */
export interface AskedStay {
  readonly property: number;
  readonly from: string;
  readonly to: string;
  readonly adults: number;
  /** Ages of children as they were typed. */
  readonly children: string;
  readonly pets: number;
  /** Names of optional fees. */
  readonly extras: readonly string[];
}

/** Reads the price of a stay by the plan of its property. @throws ApiError for ages that are none */
export async function readRateQuote(visit: Visit, asked: AskedStay): Promise<AnsweredQuote> {
  const { property, from, to, adults, children, pets, extras } = asked;
  return answered.parse(
    await visit.portal('POST /portal/rate_plans/quote', {
      property_id: property,
      check_in_date: from,
      check_out_date: to,
      adults,
      children: agesIn(visit, children),
      pets,
      optional_fees: extras,
    }),
  );
}

function agesIn({ texts }: Visit, text: string): number[] {
  const ages = text.split(/[\s,;]+/).filter((one) => one !== '');
  if (ages.every((age) => /^(?:\d|1[0-7])$/.test(age))) return ages.map(Number);
  throw new ApiError(422, texts.rates.wrongAges, { field: 'children' });
}
