import { availabilityScan } from './resources/availability.ts';
import {
  calendarShareLinksScan,
  propertyGroupsScan,
  propertyTagsScan,
  reservationTagsScan,
  roomTypesScan,
} from './resources/portfolio.ts';
import { conversationsScan, newestMessagesScan, specialOffersScan } from './resources/conversations.ts';
import { calendarsScan, nearDaysScan } from './resources/calendars.ts';
import { channelAccountsScan } from './resources/channelAccounts.ts';
import { listingsScan } from './resources/listings.ts';
import { automationActionsScan, knowledgeBasesScan, staffsScan, tasksScan } from './resources/work.ts';
import { propertiesScan } from './resources/properties.ts';
import { nearStaysScan, newestStaysScan, reservationsScan } from './resources/reservations.ts';
import { reviewsScan } from './resources/reviews.ts';
import { accountScan, customChannelsScan, dictionariesScan, webhooksScan } from './resources/singleLists.ts';
import { transactionsScan } from './resources/transactions.ts';
import type { Scan } from './scan.ts';

/** The resources that all others refer to: zones, properties, listings. One request or a few answer each list whole. */
export const groundwork: readonly Scan[] = [
  accountScan,
  webhooksScan,
  dictionariesScan,
  customChannelsScan,
  propertiesScan,
  roomTypesScan,
  propertyGroupsScan,
  propertyTagsScan,
  reservationTagsScan,
  calendarShareLinksScan,
  channelAccountsScan,
  listingsScan,
];

/**
 * All scans, in the order in which they are made. First come the ones that others need (zones, properties). The ledger
 * comes before the reservations whose payments follow from it, and conversations before the offers in them.
 */
export const scans: readonly Scan[] = [
  ...groundwork,
  transactionsScan,
  reservationsScan,
  conversationsScan,
  specialOffersScan,
  reviewsScan,
  availabilityScan,
  calendarsScan,
  staffsScan,
  tasksScan,
  automationActionsScan,
  knowledgeBasesScan,
];

/** What a start itself has changed there if it had to register our webhook. */
export const scansOfRegistering: readonly Scan[] = [webhooksScan];

/**
 * The parts that are read at once after a short stop: new reservations, new messages, and all that changes around today.
 * What else was missed is found by reconciliation, within the ages of its tiers.
 */
export const scansAfterStop: readonly Scan[] = [
  ...scansOfRegistering,
  newestStaysScan,
  newestMessagesScan,
  nearStaysScan,
  nearDaysScan,
];

/** Kinds of rows that are only read together with others. */
export const readWithOthers: readonly string[] = scans
  .flatMap(({ also = [] }) => also.map(({ name }) => name))
  .filter((name) => scans.every(({ resource }) => resource !== name));
