import type { PlainDate } from '../../../kernel/dates.ts';
import { availabilityScan, nearNightsScan } from '../resources/availability.ts';
import { calendarsScan, nearDaysScan } from '../resources/calendars.ts';
import { listedOffersScan, conversationsScan } from '../resources/conversations.ts';
import { staysInOrderOfUse } from '../resources/reservations.ts';
import { reviewsScan } from '../resources/reviews.ts';
import { transactionsScan } from '../resources/transactions.ts';
import type { Scan } from '../scan.ts';
import { automationActionsScan, knowledgeBasesScan, staffsScan, tasksScan } from '../resources/work.ts';

/**
 * Returns all other scans, in rows that run in parallel, since each kind of request has limits of its own. Within a
 * row, the most useful scan is first.
 */
export function rowsOfWork(today: PlainDate): readonly (readonly Scan[])[] {
  return [
    staysInOrderOfUse(today),
    [transactionsScan],
    [nearDaysScan, calendarsScan],
    [nearNightsScan, availabilityScan],
    [conversationsScan],
    [listedOffersScan],
    [reviewsScan],
    [staffsScan, tasksScan, automationActionsScan, knowledgeBasesScan],
  ];
}
