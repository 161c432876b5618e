import { dateIn, msOf } from '../../kernel/dates.ts';
import type { PropertyFacts, StayFacts } from '../facts/facts.ts';
import type { Reason } from '../reasons.ts';
import { type UsualTimes } from '../times.ts';
import { momentOf } from '../../kernel/quietHours.ts';

interface SecretCase {
  stay: StayFacts | null;
  property: PropertyFacts | null;
  usual: UsualTimes;
  /** Milliseconds before arrival from which secrets may be sent. */
  withinMs: number;
  nowMs: number;
}

/** Returns the reason against a text with a secret now, or undefined. */
export function secretsRefused({ stay, property, usual, withinMs, nowMs }: SecretCase): Reason | undefined {
  if (!stay || !property || stay.status !== 'accepted') return 'stay_status';
  if (!stay.is_paid) return 'not_paid';
  if (!stay.is_identified) return 'not_identified';
  const arrival = msOf(momentOf(stay.check_in_date, stay.arrival ?? usual.check_in, property.zone));
  const isOver = dateIn(property.zone, nowMs) > stay.check_out_date;
  return nowMs < arrival - withinMs || isOver ? 'not_near' : undefined;
}
