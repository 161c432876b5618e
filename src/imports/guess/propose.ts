import { holds, type Booking, type Outcome } from '../outcome.ts';
import { mappingSchema } from '../mapping.ts';
import { reservationParser, NO_CONTEXT } from '../parseReservation.ts';
import type { DateReading } from './dates.ts';
import { draftMapping, type Draft, type Place } from './draftMapping.ts';
import { findAll, type Findings } from './findings.ts';
import type { Sample } from './sample.ts';

/** A mapping proposed for a file, with notes for its user. */
export interface Proposal {
  draft: Draft;
  /** The result of each row of the sample under the mapping. */
  outcomes: readonly Outcome[];
  /** Points that remain uncertain. */
  doubts: readonly string[];
  /** Fields without a column. */
  missing: readonly string[];
}

/** Fields whose absence is worth a note. */
const WANTED = [
  'status',
  'booked_at',
  'cancelled_at',
  'guest_name',
  'email',
  'phone',
  'country',
  'total_amount',
  'channel',
];

/** Proposes a mapping for a sample. Throws an OperatorError when it finds no check-in, or no end of the stay. */
export function propose(sample: Sample): Proposal {
  const found = findAll(sample);
  const doubts: string[] = [];
  const reading = likeliest(found, doubts);
  const place = placeOf(found, reading);
  const draft = draftMapping(found, reading, place, doubts);
  const missing = WANTED.filter((role) => !(role in found.roles) && !isInstead(role, found));
  return { draft, outcomes: outcomesOf(found, draft), doubts, missing };
}

/**
 * Returns the reading of the dates that yields more reservations, or else much shorter stays: a day taken for a month
 * turns two nights into sixty.
 */
function likeliest(found: Findings, doubts: string[]): DateReading {
  const [first, other] = found.readings;
  if (!first) throw new Error('findAll gives at least one reading');
  if (!other) return first;
  const [one, two] = [weigh(found, first), weigh(found, other)];
  if (one.bookings !== two.bookings) return one.bookings > two.bookings ? first : other;
  const [chosen, left] = two.nights * 2 < one.nights ? [other, first] : [first, other];
  const texts = [chosen, left].map(({ formats }) => formats.join(', '));
  doubts.push(`the dates are read as ${texts[0]}, but could be ${texts[1]}: correct format.dates if needed`);
  return chosen;
}

function weigh(found: Findings, reading: DateReading): { bookings: number; nights: number } {
  const outcomes = outcomesOf(found, draftMapping(found, reading, 'property_group', []));
  const bookings = outcomes.filter((outcome) => outcome.kind === 'booking');
  return { bookings: bookings.length, nights: bookings.reduce((sum, { nights }) => sum + nights, 0) };
}

/** Returns property_group if stays overlap in a column of properties, since a unit holds one stay at a time. */
function placeOf(found: Findings, reading: DateReading): Place {
  if (!found.roles.property) return 'property_group';
  const outcomes = outcomesOf(found, draftMapping(found, reading, 'property', []));
  const held = outcomes.filter((outcome) => outcome.kind === 'booking').filter(holds);
  return overlapping(held) > held.length * MOST_OVERLAPS ? 'property_group' : 'property';
}

/** Largest share of overlapping stays in an export of single properties, which can contain double bookings. */
const MOST_OVERLAPS = 0.05;

/** Counts stays that begin before the previous stay in the same property has ended. */
function overlapping(held: readonly Booking[]): number {
  const freeFrom = new Map<string, string>();
  let count = 0;
  for (const { place, checkIn, checkOut } of held.toSorted((a, b) => (a.checkIn < b.checkIn ? -1 : 1))) {
    const name = 'property' in place ? place.property : place.group;
    const from = freeFrom.get(name) ?? '';
    if (checkIn < from) count += 1;
    if (checkOut > from) freeFrom.set(name, checkOut);
  }
  return count;
}

/** Reads the sample's rows through a draft. */
function outcomesOf({ sample }: Findings, draft: Draft): Outcome[] {
  const mapping = mappingSchema.parse(draft);
  return sample.rowsIn(mapping.format).map(reservationParser(mapping, sample, NO_CONTEXT));
}

/** Returns true when the role has no column of its own, but that of another role answers it. */
function isInstead(role: string, { roles }: Findings): boolean {
  if (role === 'status') return roles.is_cancelled !== undefined;
  if (role === 'booked_at') return roles.lead_time !== undefined;
  if (role === 'total_amount') return (roles.price_per_night ?? roles.payout) !== undefined;
  return role === 'guest_name' && (roles.first_name ?? roles.last_name) !== undefined;
}
