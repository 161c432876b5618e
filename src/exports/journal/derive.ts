import type { PlainDate } from '../../kernel/dates.ts';
import { type Derived, type Draft, type Exception, type Outcome, requireBalance } from './draft.ts';
import type { Group } from './read/facts.ts';
import { fromDeposit } from './fromDeposit.ts';
import { fromPayout } from './fromPayout.ts';
import { fromReservation } from './fromReservation.ts';
import { fromTransaction } from './fromTransaction.ts';
import type { Policy } from './policy.ts';
import { isUnpaid } from './unpaid.ts';

/**
 * Derives all entries of one reservation, or of one ledger entry without a reservation, from the facts as they are now.
 * @param today the operator's date
 */
export function derive(policy: Policy, group: Group, today: PlainDate): Derived {
  const drafts: Draft[] = [];
  const outcomes: Outcome[] = [];
  const exceptions: Exception[] = [];
  const { reservation } = group;
  let hasDeposit = false;
  if (reservation) {
    for (const stay of reservation.stays) {
      const deposit = fromDeposit(policy, reservation, stay);
      if (!deposit) continue;
      hasDeposit ||= deposit.outcome.state === 'posted';
      drafts.push(...deposit.drafts);
      outcomes.push(deposit.outcome);
      exceptions.push(...deposit.exceptions);
    }
    const own = fromReservation(policy, reservation, { today, isUnpaid: isUnpaid(group) });
    if (own) {
      drafts.push(...own.drafts);
      outcomes.push(own.outcome);
    }
  }
  if (group.payout) {
    const paid = fromPayout(policy, group.payout);
    drafts.push(...paid.drafts);
    outcomes.push(paid.outcome);
  }
  for (const transaction of group.transactions) {
    const booked = fromTransaction(transaction, { policy, reservation, today, hasDeposit });
    drafts.push(...booked.drafts);
    outcomes.push(booked.outcome);
  }
  for (const { base, suffix, postings } of drafts) requireBalance(`${base} ${suffix}`, postings);
  return { drafts, outcomes, exceptions };
}
