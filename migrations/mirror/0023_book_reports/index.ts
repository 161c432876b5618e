import { exceptions, exceptionsDigest } from './exceptions.ts';
import { deposits, guestAdvances, payoutReconciliation, payouts, trust } from './held.ts';
import { profitAndLoss, tax, trialBalance } from './ledger.ts';
import { ownerLines, ownerStatement } from './owners.ts';

/** Every view on the books with its text, in an order in which each finds those that it asks. */
export const views: readonly (readonly [name: string, text: string])[] = [
  ['v1_guest_advances', guestAdvances],
  ['v1_deposits', deposits],
  ['v1_trust', trust],
  ['v1_payout_reconciliation', payoutReconciliation()],
  ['v1_payouts', payouts],
  ['v1_owner_statement', ownerStatement],
  ['v1_owner_lines', ownerLines],
  ['v1_profit_and_loss', profitAndLoss(false)],
  ['v1_profit_and_loss_by_property', profitAndLoss(true)],
  ['v1_tax', tax(false)],
  ['v1_tax_by_property', tax(true)],
  ['v1_trial_balance', trialBalance],
  ['v1_exceptions', exceptions],
  ['v1_exceptions_digest', exceptionsDigest],
];
