import { type Kysely, sql } from 'kysely';
import { exceptions, exceptionsDigest } from './books/exceptions.ts';
import { deposits, guestAdvances, payoutReconciliation, payouts, trust } from './books/held.ts';
import { profitAndLoss, tax } from './books/ledger.ts';
import { ownerLines, ownerStatement } from './books/owners.ts';
import { trialBalance } from './books/trialBalance.ts';
import { balances } from './reports/balances.ts';
import { bookingWindow, cancellations, channelMix } from './reports/bookings.ts';
import { arrivals, house, taskLoad } from './reports/days.ts';
import { gaps, unsoldWeekends } from './reports/gaps.ts';
import { responseTimes, reviewBacklog, reviewScores, unanswered } from './reports/guests.ts';
import { cashBook, revenueByBookedDate, revenueByStayDate } from './reports/money.ts';
import { occupancy } from './reports/occupancy.ts';
import { onTheBooksBy, pickupBy } from './reports/pace.ts';
import { sync, syncProof } from './reports/sync.ts';

/** Views for all properties together and, under the same name with `_by_property`, for each. */
function both(name: string, view: (byProperty: boolean) => string): [string, string][] {
  return [
    [name, view(false)],
    [`${name}_by_property`, view(true)],
  ];
}

/** Each view with its text, in an order in which each finds those that it asks. */
const views: readonly (readonly [name: string, text: string])[] = [
  ...both('v1_occupancy', occupancy),
  ...both('v1_on_the_books', onTheBooksBy),
  ...both('v1_pickup', pickupBy),
  ['v1_booking_window', bookingWindow],
  ...both('v1_channel_mix', channelMix),
  ['v1_arrivals', arrivals],
  ['v1_house', house],
  ['v1_task_load', taskLoad],
  ...both('v1_revenue_by_stay_date', revenueByStayDate),
  ...both('v1_revenue_by_booked_date', revenueByBookedDate),
  ...both('v1_cash_book', cashBook),
  ['v1_balances', balances],
  ...both('v1_cancellations', cancellations),
  ['v1_gaps', gaps],
  ['v1_unsold_weekends', unsoldWeekends],
  ['v1_response_times', responseTimes],
  ['v1_unanswered', unanswered],
  ...both('v1_review_scores', reviewScores),
  ['v1_review_backlog', reviewBacklog],
  ['v1_sync', sync],
  ['v1_sync_proof', syncProof],
  ['v1_guest_advances', guestAdvances],
  ['v1_deposits', deposits],
  ['v1_trust', trust],
  ['v1_payout_reconciliation', payoutReconciliation()],
  ['v1_payouts', payouts],
  ['v1_owner_statement', ownerStatement],
  ['v1_owner_lines', ownerLines],
  ...both('v1_profit_and_loss', profitAndLoss),
  ...both('v1_tax', tax),
  ['v1_trial_balance', trialBalance],
  ['v1_exceptions', exceptions],
  ['v1_exceptions_digest', exceptionsDigest],
];

/** Creates the views of all reports. */
export async function createReportViews(db: Kysely<unknown>): Promise<void> {
  for (const [name, text] of views) await sql.raw(`create view ${name} as ${text}`).execute(db);
}
