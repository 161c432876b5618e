import { addDaysWithin, daysBetween, nightsOf, type PlainDate } from '../../../kernel/dates.ts';
import type { RatePlan, StayLimits, Weekday } from '../plans/plan.ts';
import { MOST_NIGHTS } from '../plans/schema.ts';
import { seasonOf, weekdayOf } from '../plans/seasons.ts';
import { guestsOf } from './lines.ts';
import type { Asked } from './terms.ts';

/** Reasons against a stay. */
export const refusalReasons = [
  'dates',
  'min_stay',
  'max_stay',
  'arrival_day',
  'departure_day',
  'lead_time',
  'too_far',
  'guests',
  'pets',
  'optional_fee',
  'too_large',
] as const;

/** A reason against a stay, and what would be possible. */
export interface Refused {
  readonly reason: (typeof refusalReasons)[number];
  /** In English. */
  readonly says: string;
  /** Nights, guests or pets: the fewest or the most that are possible. */
  readonly limit?: number;
  /** Days of arrival or departure that are possible. */
  readonly weekdays?: readonly Weekday[];
  /** The first or the last possible day of arrival. */
  readonly date?: PlainDate;
}

/** Returns all reasons against a stay. Of dates that are in no order nothing else can be said. */
export function refusalsOf(plan: RatePlan, asked: Asked): Refused[] {
  return [...dateRefusals(asked), ...(inOrder(asked) ? stayRefusals(plan, asked) : []), ...guestRefusals(plan, asked)];
}

function inOrder({ check_in_date, check_out_date }: Asked): boolean {
  const nights = daysBetween(check_in_date, check_out_date);
  return nights >= 1 && nights <= MOST_NIGHTS;
}

function dateRefusals({ check_in_date, check_out_date, booked_on }: Asked): Refused[] {
  const nights = daysBetween(check_in_date, check_out_date);
  if (nights < 1) return [{ reason: 'dates', says: 'Check-out must be after check-in.' }];
  if (nights > MOST_NIGHTS) {
    return [{ reason: 'dates', says: `A stay has at most ${MOST_NIGHTS} nights.`, limit: MOST_NIGHTS }];
  }
  if (check_in_date >= booked_on) return [];
  return [{ reason: 'dates', says: `Check-in must not be before ${booked_on}.`, date: booked_on }];
}

function stayRefusals(plan: RatePlan, { check_in_date, check_out_date, booked_on }: Asked): Refused[] {
  const limits = limitsFor(plan, { check_in_date, check_out_date });
  const nights = daysBetween(check_in_date, check_out_date);
  const ahead = daysBetween(booked_on, check_in_date);
  const refused: Refused[] = [];
  if (nights < limits.min_nights) {
    const says = `A stay on these dates has at least ${counted(limits.min_nights, 'night')}.`;
    refused.push({ reason: 'min_stay', says, limit: limits.min_nights });
  }
  if (nights > limits.max_nights) {
    const says = `A stay on these dates has at most ${counted(limits.max_nights, 'night')}.`;
    refused.push({ reason: 'max_stay', says, limit: limits.max_nights });
  }
  const { arrival_days, departure_days } = limits;
  if (arrival_days && !arrival_days.includes(weekdayOf(check_in_date))) {
    const says = `Guests can come on ${listed(arrival_days)}, and ${check_in_date} is a ${titled(check_in_date)}.`;
    refused.push({ reason: 'arrival_day', says, weekdays: arrival_days });
  }
  if (departure_days && !departure_days.includes(weekdayOf(check_out_date))) {
    const says = `Guests can leave on ${listed(departure_days)}, and ${check_out_date} is a ${titled(check_out_date)}.`;
    refused.push({ reason: 'departure_day', says, weekdays: departure_days });
  }
  const { lead_days, ahead_days } = plan.stay;
  if (ahead >= 0 && ahead < lead_days) {
    const date = addDaysWithin(booked_on, lead_days);
    const says = `The first possible check-in is ${date}: ${counted(lead_days, 'day')} after the booking.`;
    refused.push({ reason: 'lead_time', says, date });
  }
  if (ahead > ahead_days) {
    const date = addDaysWithin(booked_on, ahead_days);
    const says = `The last possible check-in is ${date}: ${counted(ahead_days, 'day')} after the booking.`;
    refused.push({ reason: 'too_far', says, date });
  }
  return refused;
}

/** The limits of a stay on its dates. */
export interface LimitsFor {
  readonly min_nights: number;
  readonly max_nights: number;
  readonly arrival_days: readonly Weekday[] | null;
  readonly departure_days: readonly Weekday[] | null;
}

/**
 * Returns the limits that hold for a stay. Of the lengths that its nights ask for the strictest holds; the season of the
 * first night decides the day of arrival, that of the last night the day of departure.
 */
export function limitsFor(plan: RatePlan, stay: Pick<Asked, 'check_in_date' | 'check_out_date'>): LimitsFor {
  const nights = nightsOf(stay.check_in_date, stay.check_out_date);
  const each = nights.map((night): StayLimits => {
    const season = seasonOf(plan.seasons, night);
    return {
      min_nights: season?.min_nights ?? plan.stay.min_nights,
      max_nights: season?.max_nights ?? plan.stay.max_nights,
      arrival_days: season?.arrival_days ?? plan.stay.arrival_days,
      departure_days: season?.departure_days ?? plan.stay.departure_days,
    };
  });
  return {
    min_nights: Math.max(...each.map((one) => one.min_nights ?? 1)),
    max_nights: Math.min(...each.map((one) => one.max_nights ?? MOST_NIGHTS)),
    arrival_days: each[0]?.arrival_days ?? null,
    departure_days: each.at(-1)?.departure_days ?? null,
  };
}

function guestRefusals(plan: RatePlan, asked: Asked): Refused[] {
  const { most, pets } = plan.guests;
  const refused: Refused[] = [];
  if (guestsOf(plan, asked) > most) {
    refused.push({ reason: 'guests', says: `There is room for ${counted(most, 'guest')}.`, limit: most });
  }
  if (asked.adults < 1) refused.push({ reason: 'guests', says: 'One adult at least must come.', limit: 1 });
  if (asked.pets > pets) {
    const says = pets === 0 ? 'Pets cannot come.' : `At most ${counted(pets, 'pet')} can come.`;
    refused.push({ reason: 'pets', says, limit: pets });
  }
  const optional = plan.fees.filter((fee) => fee.optional).map((fee) => fee.name);
  for (const name of asked.optional_fees ?? []) {
    if (optional.includes(name)) continue;
    const says = `"${name}" cannot be chosen; ${optional.length === 0 ? 'nothing can' : `there are ${optional.join(', ')}`}.`;
    refused.push({ reason: 'optional_fee', says });
  }
  return refused;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function titled(date: PlainDate): string {
  return capital(weekdayOf(date));
}

function listed(days: readonly Weekday[]): string {
  return days.map(capital).join(', ');
}

function capital(day: Weekday): string {
  return `${day.slice(0, 1).toUpperCase()}${day.slice(1)}`;
}
