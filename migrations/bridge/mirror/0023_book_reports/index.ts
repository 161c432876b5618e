import { exceptionsDigest } from '../../../mirror/0001_baseline/books/exceptions.ts';
import { exceptions } from './exceptions.ts';
import {
  deposits,
  guestAdvances,
  payoutReconciliation,
  payouts,
  trust,
} from '../../../mirror/0001_baseline/books/held.ts';
import { profitAndLoss, tax } from '../../../mirror/0001_baseline/books/ledger.ts';
import { trialBalance } from './trialBalance.ts';
import { ownerLines, ownerStatement } from '../../../mirror/0001_baseline/books/owners.ts';

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
