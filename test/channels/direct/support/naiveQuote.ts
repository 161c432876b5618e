import { Temporal } from 'temporal-polyfill';
import type { WrittenPlan } from '../../../../src/channels/direct/plans/plan.ts';
import { exponentOf } from '../../../../src/kernel/money.ts';

/**
 * A second quote, written apart from the first: it goes through every night and every guest by itself, counts in
 * fractions, reads the plan as it is written, and knows dates by another package.
 */

interface Stay {
  from: string;
  to: string;
  adults: number;
  children: readonly number[];
  pets: number;
  today: string;
  chosen: readonly string[];
}

export interface NaiveQuote {
  reasons: Set<string>;
  accommodation: bigint;
  fees: bigint;
  added: Map<string, bigint>;
  included: Map<string, bigint>;
  total: bigint;
  first: bigint;
  due: string | null;
}

class Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
  constructor(top: bigint, bottom = 1n) {
    this.top = top;
    this.bottom = bottom;
  }
  plus(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }
  times(other: Fraction): Fraction {
    return new Fraction(this.top * other.top, this.bottom * other.bottom);
  }
  over(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom, this.bottom * other.top);
  }
  /** Halves go away from zero. */
  rounded(): bigint {
    const below = this.top / this.bottom;
    const rest = this.top % this.bottom;
    const isHalf = 2n * (rest < 0n ? -rest : rest) >= this.bottom;
    return isHalf ? below + (this.top < 0n ? -1n : 1n) : below;
  }
}

/** Reads a decimal number by its digits. */
function exact(value: number): Fraction {
  const [whole = '0', part = ''] = value.toFixed(6).split('.');
  return new Fraction(BigInt(whole + part), 10n ** BigInt(part.length));
}

const HUNDRED = new Fraction(100n);
const zero = new Fraction(0n);
const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const weekday = (date: Temporal.PlainDate) => dayNames[date.dayOfWeek - 1] ?? '';

export function naiveQuote(plan: WrittenPlan, stay: Stay): NaiveQuote {
  const minor = (value: number) =>
    exact(value)
      .times(new Fraction(10n ** BigInt(exponentOf(plan.currency))))
      .rounded();
  const [from, to, today] = [stay.from, stay.to, stay.today].map((date) => Temporal.PlainDate.from(date)) as [
    Temporal.PlainDate,
    Temporal.PlainDate,
    Temporal.PlainDate,
  ];
  const nights: Temporal.PlainDate[] = [];
  for (let night = from; Temporal.PlainDate.compare(night, to) < 0; night = night.add({ days: 1 })) nights.push(night);
  const seasons = nights.map((night) => seasonAt(plan, night));
  const counted = stay.children.filter((age) => !(age < plan.guests.infants_below_age)).length + stay.adults;
  const reasons = reasonsAgainst(plan, { stay, nights, seasons, counted, from, to, today });

  let accommodation = 0n;
  for (const [index, night] of nights.entries()) {
    const season = seasons[index];
    const weekend = (plan.weekend?.nights ?? ['friday', 'saturday']).some((day) => day === weekday(night));
    let price = weekend ? (plan.weekend?.price ?? plan.base_price) : plan.base_price;
    if (season?.price !== undefined) price = season.price;
    if (weekend && season?.weekend_price !== undefined) price = season.weekend_price;
    accommodation += minor(price);
    for (let guest = (plan.guests.included ?? plan.guests.most) + 1; guest <= counted; guest += 1) {
      accommodation += minor(plan.guests.extra_price);
    }
  }
  let longest = 0;
  let off = 0;
  for (const { from_nights, percent } of plan.discounts) {
    if (nights.length >= from_nights && from_nights > longest) [longest, off] = [from_nights, percent];
  }
  accommodation -= new Fraction(accommodation).times(exact(off)).over(HUNDRED).rounded();

  const feeAmounts = new Map<string, bigint>();
  for (const fee of plan.fees) {
    if (fee.optional && !stay.chosen.includes(fee.name)) continue;
    let amount = 0n;
    const units = fee.per.includes('pet') ? stay.pets : fee.per.includes('guest') ? counted : 1;
    const rounds = fee.per.endsWith('night') ? nights.length : 1;
    for (let round = 0; round < rounds; round += 1) {
      for (let unit = 0; unit < units; unit += 1) amount += minor(fee.amount);
    }
    feeAmounts.set(fee.name, amount);
  }
  const fees = [...feeAmounts.values()].reduce((sum, one) => sum + one, 0n);

  const covers = (tax: WrittenPlan['taxes'][number], part: string): boolean => {
    const bases = tax.of ?? ['accommodation', 'fees'];
    if (part === 'accommodation') return bases.includes('accommodation');
    const fee = plan.fees.find((one) => one.name === part);
    return fee?.taxable === true && (bases.includes('fees') || bases.includes(part));
  };
  const added = new Map<string, bigint>();
  const included = new Map<string, bigint>();
  for (const tax of plan.taxes) {
    let amount = 0n;
    if (tax.percent === undefined) {
      const per = tax.per ?? 'guest_night';
      const ages = [...Array.from({ length: stay.adults }, () => Infinity), ...stay.children];
      const payers = ages.filter((age) => tax.exempt_below_age === undefined || age >= tax.exempt_below_age);
      for (const [index] of nights.entries()) {
        const isCounted = per.endsWith('night') ? index < (tax.max_nights ?? Infinity) : index === 0;
        if (!isCounted) continue;
        for (const _ of per.startsWith('guest') ? payers : [0]) amount += minor(tax.amount ?? 0);
      }
    } else {
      let sum = zero;
      for (const [part, price] of [['accommodation', accommodation] as const, ...feeAmounts]) {
        if (!covers(tax, part)) continue;
        let inside = HUNDRED;
        for (const other of plan.taxes) {
          if (other.included && other.percent !== undefined && covers(other, part)) {
            inside = inside.plus(exact(other.percent));
          }
        }
        const before = new Fraction(price).times(HUNDRED).over(inside);
        sum = sum.plus(before.times(exact(tax.percent)).over(HUNDRED));
      }
      amount = sum.rounded();
    }
    const most = tax.max_amount === undefined ? undefined : minor(tax.max_amount);
    if (most !== undefined && amount > most) amount = most;
    (tax.included ? included : added).set(tax.name, amount);
  }
  const taxes = [...added.values()].reduce((sum, one) => sum + one, 0n);
  const total = accommodation + fees + taxes;
  const due = from.subtract({ days: plan.payment.balance_days });
  const isLate = Temporal.PlainDate.compare(today, due) >= 0;
  const first = isLate
    ? total
    : new Fraction(total).times(exact(plan.payment.at_booking_percent)).over(HUNDRED).rounded();
  return { reasons, accommodation, fees, added, included, total, first, due: first === total ? null : due.toString() };
}

type Season = WrittenPlan['seasons'][number];

/** Looks for the season of a night by writing out the nights of every season. */
function seasonAt(plan: WrittenPlan, night: Temporal.PlainDate): Season | undefined {
  let best: { season: Season; rank: number } | undefined;
  for (const { season, days } of calendarOf(plan)) {
    const isYearly = season.from.length === 5;
    const key = isYearly ? night.toString().slice(5) : night.toString();
    if (!days.has(key)) continue;
    const rank = days.size + (isYearly ? 1_000_000 : 0);
    if (!best || rank < best.rank) best = { season, rank };
  }
  return best?.season;
}

const calendars = new WeakMap<WrittenPlan, { season: Season; days: Set<string> }[]>();

function calendarOf(plan: WrittenPlan): { season: Season; days: Set<string> }[] {
  const calendar = calendars.get(plan) ?? plan.seasons.map((season) => ({ season, days: daysOf(season) }));
  calendars.set(plan, calendar);
  return calendar;
}

/** Every day of a leap year, as months and days. */
const yearDays = Array.from({ length: 366 }, (_, index) =>
  Temporal.PlainDate.from('2028-01-01').add({ days: index }).toString().slice(5),
);

function daysOf(season: Season): Set<string> {
  if (season.from.length === 5) {
    const [first, last] = [yearDays.indexOf(season.from), yearDays.indexOf(season.to)];
    const days =
      first <= last ? yearDays.slice(first, last + 1) : [...yearDays.slice(first), ...yearDays.slice(0, last + 1)];
    return new Set(days);
  }
  const days = new Set<string>();
  let day = Temporal.PlainDate.from(season.from);
  while (!days.has(season.to)) {
    days.add(day.toString());
    day = day.add({ days: 1 });
  }
  return days;
}

interface Around {
  stay: Stay;
  nights: readonly Temporal.PlainDate[];
  seasons: readonly (Season | undefined)[];
  counted: number;
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
  today: Temporal.PlainDate;
}

function reasonsAgainst(plan: WrittenPlan, { stay, nights, seasons, counted, from, to, today }: Around): Set<string> {
  const reasons = new Set<string>();
  if (counted > plan.guests.most) reasons.add('guests');
  if (stay.pets > plan.guests.pets) reasons.add('pets');
  if (nights.length === 0) return reasons.add('dates');
  for (const season of seasons) {
    const { min_nights = plan.stay.min_nights, max_nights = plan.stay.max_nights } = season ?? {};
    if (min_nights !== undefined && nights.length < min_nights) reasons.add('min_stay');
    if (max_nights !== undefined && nights.length > max_nights) reasons.add('max_stay');
  }
  const arrivals = seasons[0]?.arrival_days ?? plan.stay.arrival_days;
  const departures = seasons.at(-1)?.departure_days ?? plan.stay.departure_days;
  if (arrivals && !arrivals.some((day) => day === weekday(from))) reasons.add('arrival_day');
  if (departures && !departures.some((day) => day === weekday(to))) reasons.add('departure_day');
  const isPast = Temporal.PlainDate.compare(from, today) < 0;
  if (isPast) reasons.add('dates');
  if (!isPast && Temporal.PlainDate.compare(from, today.add({ days: plan.stay.lead_days })) < 0)
    reasons.add('lead_time');
  if (Temporal.PlainDate.compare(from, today.add({ days: plan.stay.ahead_days })) > 0) reasons.add('too_far');
  return reasons;
}
