import type { Recognition } from '../../kernel/books.ts';
import { nightsOf, type PlainDate } from '../../kernel/dates.ts';
import { type Minor, splitByWeights } from '../../kernel/money.ts';
import type { ReservationFact, StayFact } from './read/facts.ts';

/** A part of a reservation's income: its day, and the stay that earns it. */
export interface Part {
  /** Null if not known yet. */
  readonly date: PlainDate | null;
  /** `rec`, or `n3` for the income of the third night. */
  readonly suffix: string;
  readonly stay: StayFact;
  /** True for money that is retained of a cancelled reservation. */
  readonly isRetained: boolean;
  /** The share of its stay, relative to the shares of the other stays. */
  readonly weight: number;
}

const ENDED: ReadonlySet<string> = new Set(['cancelled', 'denied', 'timeout']);
/** Most nights of a stay. More nights are a mistake in the dates. */
const MOST_NIGHTS = 3_660;

/**
 * Returns the days on which a reservation's income is earned, by the current states of its stays. Accepted stays share
 * by their rates. If all have ended, parts earned before the end stay, and the rest is retained on the day of the end.
 * Requests earn nothing, nor do reservations whose stays are all gone.
 */
export function scheduleOf(reservation: ReservationFact, recognition: Recognition): Part[] {
  const accepted = reservation.stays.filter((stay) => stay.status === 'accepted');
  if (accepted.length > 0) return earned(accepted, recognition, null);
  const ended = reservation.stays.filter((stay) => ENDED.has(stay.status));
  if (ended.length === 0 || ended.length < reservation.stays.length) return waiting(reservation.stays);
  if (reservation.cancelled === null) return waiting(ended);
  return earned(ended, recognition, reservation.cancelled);
}

/** Returns parts of which nothing is earned yet. */
function waiting(stays: readonly StayFact[]): Part[] {
  return weighed(stays).map(({ stay, weight }) => ({ date: null, suffix: 'rec', stay, isRetained: false, weight }));
}

/**
 * Returns the earned parts.
 * @param end the day of the cancellation, or null
 */
function earned(stays: readonly StayFact[], recognition: Recognition, end: PlainDate | null): Part[] {
  const parts =
    recognition === 'nightly' ? byNight(stays) : weighed(stays).map((one) => atOnce(one, stays, recognition));
  if (end === null) return parts;
  return parts.map((part) => (part.date !== null && part.date < end ? part : retained(part, end)));
}

function retained(part: Part, date: PlainDate): Part {
  return { ...part, date, suffix: 'rec', isRetained: true };
}

function atOnce({ stay, weight }: Weighed, stays: readonly StayFact[], recognition: Recognition): Part {
  const dates = stays.map((one) => (recognition === 'check_out' ? one.checkOut : one.checkIn)).toSorted();
  const date = (recognition === 'check_out' ? dates.at(-1) : dates[0]) ?? null;
  return { date, suffix: 'rec', stay, isRetained: false, weight };
}

function byNight(stays: readonly StayFact[]): Part[] {
  const nights = weighed(stays).flatMap(({ stay, weight }) => {
    const own = nightsOf(stay.checkIn, stay.checkOut);
    if (own.length === 0 || own.length > MOST_NIGHTS) {
      return [{ date: stay.checkIn, suffix: '', stay, isRetained: false, weight }];
    }
    return own.map((date) => ({ date, suffix: '', stay, isRetained: false, weight }));
  });
  const dates = [...new Set(nights.map((night) => night.date))].toSorted();
  const numbers = new Map(dates.map((date, index) => [date, index + 1]));
  return nights
    .map((night) => ({ ...night, suffix: `n${numbers.get(night.date)}` }))
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

interface Weighed {
  stay: StayFact;
  weight: number;
}

/**
 * Weighs stays by their rates if none is negative and some are positive, else equally. An unknown rate counts as zero.
 */
function weighed(stays: readonly StayFact[]): Weighed[] {
  const rates = stays.map((stay) => stay.rate ?? 0);
  const isFair = rates.every((rate) => rate >= 0) && rates.some((rate) => rate > 0);
  return stays.map((stay, index) => ({ stay, weight: isFair ? (rates[index] ?? 0) : 1 }));
}

/** Spreads an amount over parts, exact to the minor unit: first over the stays, then over the nights of each. */
export function spread(amount: Minor, parts: readonly Part[]): { part: Part; amount: Minor }[] {
  if (parts.length === 0) return [];
  const stays = [...new Set(parts.map((part) => part.stay))];
  const own = stays.map((stay) => parts.filter((part) => part.stay === stay));
  const amounts = splitByWeights(
    amount,
    own.map((some) => some[0]?.weight ?? 0),
  );
  return own.flatMap((some, index) => {
    const shares = splitByWeights(
      amounts[index] ?? 0,
      some.map(() => 1),
    );
    return some.map((part, at) => ({ part, amount: shares[at] ?? 0 }));
  });
}
