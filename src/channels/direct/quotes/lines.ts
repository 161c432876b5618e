import type { PlainDate } from '../../../kernel/dates.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { Fee, RatePlan } from '../plans/plan.ts';
import { seasonOf, weekdayOf } from '../plans/seasons.ts';
import type { Asked, QuoteLine } from './terms.ts';
import { percentOf } from './share.ts';

/** A stay that is possible, with its nights. */
export interface PricedStay extends Asked {
  readonly nights: readonly PlainDate[];
}

/** Returns the guests that count: children below the age of infants do not. */
export function guestsOf({ guests }: RatePlan, { adults, children }: Pick<Asked, 'adults' | 'children'>): number {
  return adults + children.filter((age) => age >= guests.infants_below_age).length;
}

/** Returns the nights, further guests, and the discount for a long stay. */
export function accommodationLines(plan: RatePlan, stay: PricedStay): QuoteLine[] {
  const lines = [...nightLines(plan, stay), ...extraGuests(plan, stay)];
  const sum = lines.reduce((total, { amount }) => total + amount, 0);
  const [discount] = plan.discounts
    .filter(({ from_nights }) => stay.nights.length >= from_nights)
    .toSorted((a, b) => b.from_nights - a.from_nights);
  if (!discount) return lines;
  const amount = 0 - percentOf(sum, discount.percent);
  if (amount === 0) return lines;
  const name = `Discount from ${discount.from_nights} nights`;
  return [
    ...lines,
    { kind: 'discount', name, quantity: 1, unit: null, amount, percent: discount.percent, taxable: true },
  ];
}

/** Returns one line for all nights of the same kind, name and price. */
function nightLines(plan: RatePlan, { nights }: PricedStay): QuoteLine[] {
  const lines = new Map<string, QuoteLine & { unit: Minor }>();
  for (const night of nights) {
    const priced = priceOf(plan, night);
    const key = JSON.stringify([priced.kind, priced.name, priced.unit]);
    const before = lines.get(key) ?? { ...priced, quantity: 0, amount: 0, date: night, taxable: true };
    const quantity = before.quantity + 1;
    lines.set(key, { ...before, quantity, amount: quantity * before.unit });
  }
  return [...lines.values()];
}

/** A season's weekend costs its weekend price, or else its price, or else what weekends cost out of season. */
function priceOf(plan: RatePlan, night: PlainDate): { kind: QuoteLine['kind']; name: string; unit: Minor } {
  const season = seasonOf(plan.seasons, night);
  const isWeekend = plan.weekend_nights.includes(weekdayOf(night));
  if (season && isWeekend && season.weekend_price !== null) {
    return { kind: 'season_weekend', name: season.name, unit: season.weekend_price };
  }
  if (season && season.price !== null) return { kind: 'season', name: season.name, unit: season.price };
  if (isWeekend && plan.weekend_price !== null) {
    return { kind: 'weekend', name: 'Weekend nights', unit: plan.weekend_price };
  }
  return { kind: 'night', name: 'Nights', unit: plan.base_price };
}

function extraGuests(plan: RatePlan, stay: PricedStay): QuoteLine[] {
  const extra = guestsOf(plan, stay) - plan.guests.included;
  const unit = plan.guests.extra_price;
  if (extra <= 0 || unit === 0) return [];
  const quantity = extra * stay.nights.length;
  return [{ kind: 'extra_guest', name: 'Further guests', quantity, unit, amount: quantity * unit, taxable: true }];
}

/** Returns the fees that everybody pays, and the optional ones that were chosen. */
export function feeLines(plan: RatePlan, stay: PricedStay): QuoteLine[] {
  return plan.fees.flatMap((fee): QuoteLine[] => {
    const { name, amount: unit, taxable, optional } = fee;
    const quantity = countOf(fee.per, plan, stay);
    if (quantity === 0 || (optional && !stay.optional_fees?.includes(name))) return [];
    return [{ kind: optional ? 'optional_fee' : 'fee', name, quantity, unit, amount: quantity * unit, taxable }];
  });
}

function countOf(per: Fee['per'], plan: RatePlan, stay: PricedStay): number {
  const nights = stay.nights.length;
  const counts: Record<Fee['per'], number> = {
    stay: 1,
    night: nights,
    guest: guestsOf(plan, stay),
    guest_night: guestsOf(plan, stay) * nights,
    pet: stay.pets,
    pet_night: stay.pets * nights,
  };
  return counts[per];
}
