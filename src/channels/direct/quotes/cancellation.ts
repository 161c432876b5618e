import type { PlainDate } from '../../../kernel/dates.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { PolicyStep } from '../plans/policies.ts';
import { percentOf } from './share.ts';

/** A policy as it was when the quote was made, with its dates. */
export interface CancellationPolicy {
  /** flexible, moderate, strict or custom. */
  readonly name: string;
  /** The earliest first; after the last nothing is given back. `until` is the last day on which a step holds. */
  readonly steps: readonly (PolicyStep & { readonly until: PlainDate })[];
}

/**
 * Divides what was paid of the price when a guest cancels on a day of the property's zone; half a unit goes to the guest.
 * The security deposit is none of it: it is given back whole.
 */
export function refundOf(
  { steps }: CancellationPolicy,
  paid: Minor,
  cancelledOn: PlainDate,
): { refund: Minor; kept: Minor } {
  const step = steps.find(({ until }) => cancelledOn <= until);
  const refund = step ? percentOf(paid, step.refund_percent) : 0;
  return { refund, kept: paid - refund };
}
