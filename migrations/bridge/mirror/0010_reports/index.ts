import { bookingWindow, cancellations, channelMix } from '../../../mirror/0001_baseline/reports/bookings.ts';
import { balances } from './balances.ts';
import { arrivals, house, taskLoad } from '../../../mirror/0001_baseline/reports/days.ts';
import { gaps, unsoldWeekends } from '../../../mirror/0001_baseline/reports/gaps.ts';
import {
  responseTimes,
  reviewBacklog,
  reviewScores,
  unanswered,
} from '../../../mirror/0001_baseline/reports/guests.ts';
import { cashBook, revenueByBookedDate, revenueByStayDate } from '../../../mirror/0001_baseline/reports/money.ts';
import { occupancy } from '../../../mirror/0001_baseline/reports/occupancy.ts';
import { onTheBooksBy, pickupBy } from '../../../mirror/0001_baseline/reports/pace.ts';

/** Views for all properties together and, under the same name with `_by_property`, for each. */
function both(name: string, view: (byProperty: boolean) => string): [string, string][] {
  return [
    [name, view(false)],
    [`${name}_by_property`, view(true)],
  ];
}

/** Every view with its text, in an order in which each finds those that it asks. */
export const views: readonly (readonly [name: string, text: string])[] = [
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
];
