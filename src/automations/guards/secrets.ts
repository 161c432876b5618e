import { dateIn, msOf } from '../../kernel/dates.ts';
import type { PropertyFacts, StayFacts } from '../facts/facts.ts';
import type { Reason } from '../reasons.ts';
import { momentOf, type UsualTimes } from '../times.ts';

export interface SecretCase {
  stay: StayFacts | null;
  property: PropertyFacts | null;
  usual: UsualTimes;
  /** How long before arrival at the earliest. */
  withinMs: number;
  nowMs: number;
}

/** Why a text with a secret must not be said now; undefined: it may. */
export function secretsRefused({ stay, property, usual, withinMs, nowMs }: SecretCase): Reason | undefined {
  if (!stay || !property || stay.status !== 'accepted') return 'stay_status';
  if (!stay.is_paid) return 'not_paid';
  if (!stay.is_identified) return 'not_identified';
  const arrival = msOf(momentOf(stay.check_in_date, stay.arrival ?? usual.check_in, property.zone));
  const isOver = dateIn(property.zone, nowMs) > stay.check_out_date;
  return nowMs < arrival - withinMs || isOver ? 'not_near' : undefined;
}
