import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cancelByGuest, guestCancellation } from '../../channels/direct/bookings/cancel.ts';
import { type KeptQuote, keptOf } from '../../channels/direct/bookings/quotes.ts';
import { BOOK_PATH } from '../../channels/direct/bookings/pages.ts';
import type { DirectBookingRow, KeptQuoteRow } from '../../channels/direct/bookings/rows.ts';
import { openPageToken, TOKEN } from '../../channels/direct/bookings/secrets.ts';
import { accountById, bookingByHash, pageById, propertyById, quoteById } from '../../channels/direct/bookings/table.ts';
import { beginPayment } from '../../channels/direct/payments/begin.ts';
import { moneyOf } from '../../channels/direct/payments/due.ts';
import { lookAtPayment } from '../../channels/direct/payments/look.ts';
import type { PaymentRow } from '../../channels/direct/payments/rows.ts';
import { openPaymentUrl, readSettings } from '../../channels/direct/payments/settings.ts';
import { paymentsOf, refundsOf } from '../../channels/direct/payments/table.ts';
import type { DirectWork } from '../../channels/direct/work.ts';
import type { StayRow } from '../../core/database.ts';
import { staysOf } from '../../core/reservations/lookup.ts';
import { msOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { type BookAnswers, otherLanguage, sentIn, wordsIn } from './answers.ts';
import { renderBooking } from './bookingView.ts';
import { renderCancelling } from './cancelView.ts';
import { type Sent, textOf } from './fields.ts';
import { stayText } from './quoteView.ts';

/** Serves `/book/of/<token>`: how one booking stands, for whoever made it. */
export function serveBookings(app: FastifyInstance, work: DirectWork, answers: BookAnswers): void {
  const opening = (handle: (opened: Opened) => Promise<FastifyReply>) =>
    answers.guarding(async (request, reply) => {
      const { booking: token } = request.params as { booking: string };
      const booking = TOKEN.test(token) ? await bookingByHash(work.core.store.db, sha256Hex(token)) : undefined;
      if (!booking) return answers.nothing(request, reply);
      if (!answers.mayVisit(request, `booking ${booking.reservation_code}`)) return answers.busy(request, reply);
      return handle({ booking, base: `${BOOK_PATH}/of/${token}`, request, reply });
    });
  app.get(
    `${BOOK_PATH}/of/:booking`,
    opening(async (opened) => {
      const { booking, request } = opened;
      // Back from the page of the provider.
      if ((request.query as Sent)['back'] !== undefined) await lookNow(work, booking);
      return show(work, answers, opened, (request.query as Sent)['failed'] !== undefined);
    }),
  );
  app.post(
    `${BOOK_PATH}/of/:booking/pay`,
    opening(async ({ booking, base, request, reply }) => {
      const sent = sentIn(request);
      const purpose = textOf(sent, 'purpose') === 'deposit' ? 'deposit' : 'due';
      const isOpen = await began(work, booking, purpose);
      return reply.redirect(`${base}?lang=${wordsIn(request).language}${isOpen ? '' : '&failed=1'}`, 303);
    }),
  );
  app.get(
    `${BOOK_PATH}/of/:booking/cancel`,
    opening(async (opened) => {
      await lookNow(work, opened.booking);
      return askToCancel(work, answers, opened, false);
    }),
  );
  app.post(
    `${BOOK_PATH}/of/:booking/cancel`,
    opening(async (opened) => {
      const { booking, base, request, reply } = opened;
      await lookNow(work, booking);
      const account = await accountById(work.core.store.db, booking.account_id);
      const shown = textOf(sentIn(request), 'refund');
      const isDone = /^\d{1,15}$/.test(shown) && (await cancelByGuest(work, account, booking, Number(shown)));
      if (!isDone) return askToCancel(work, answers, opened, true);
      work.wake();
      return reply.redirect(`${base}?lang=${wordsIn(request).language}`, 303);
    }),
  );
}

interface Opened {
  readonly booking: DirectBookingRow;
  readonly base: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** @returns false if the page to pay on could not be opened */
async function began(work: DirectWork, booking: DirectBookingRow, purpose: 'due' | 'deposit'): Promise<boolean> {
  try {
    return (await beginPayment(work, booking, purpose)).state !== 'failed';
  } catch (error) {
    // Nothing is due any more, or cards are not taken any more: the page shows it.
    if (error instanceof ApiError && error.code === 409) return true;
    throw error;
  }
}

/** Asks the provider about payments of a booking that may be paid by now: it may not have told yet. */
async function lookNow(work: DirectWork, booking: DirectBookingRow): Promise<void> {
  const payments = await paymentsOf(work.core.store.db, booking.account_id, booking.reservation_code);
  for (const row of payments) if (row.provider === 'stripe' && row.state === 'open') await lookAtPayment(work, row);
}

/** Shows what becomes of the money if the guest cancels; the page of the booking where they cannot. */
async function askToCancel(
  work: DirectWork,
  answers: BookAnswers,
  { booking, base, request, reply }: Opened,
  isMoved: boolean,
): Promise<FastifyReply> {
  const { clock, store } = work.core;
  const { account_id: accountId, reservation_code: code, currency } = booking;
  const account = await accountById(store.db, accountId);
  const words = wordsIn(request);
  const share = await guestCancellation(store.db, account, booking, clock.now());
  if (!share) return reply.redirect(`${base}?lang=${words.language}`, 303);
  const [stay] = await staysOf(store.db, accountId, code);
  const quote = await quoteById(store.db, accountId, booking.quote_id);
  if (!stay || !quote) return answers.nothing(request, reply);
  const property = await propertyById(store.db, accountId, stay.property_id ?? booking.property_id);
  const look = await answers.lookOf(account);
  const shell = { words, look, other: otherLanguage(`${base}/cancel`, {}, words) };
  const text = [property?.name ?? '', stayText(words, keptNow(quote, stay))].join(' · ');
  const page = renderCancelling(shell, { base, code, stay: text, currency, share, isMoved });
  return answers.send(reply, isMoved ? 409 : 200, page, look);
}

async function show(
  work: DirectWork,
  answers: BookAnswers,
  { booking, base, request, reply }: Opened,
  isPayFailed: boolean,
): Promise<FastifyReply> {
  const { core } = work;
  const { db } = core.store;
  const { account_id: accountId, reservation_code: code } = booking;
  const account = await accountById(db, accountId);
  const look = await answers.lookOf(account);
  const words = wordsIn(request);
  const [stay] = await staysOf(db, accountId, code);
  const quote = await quoteById(db, accountId, booking.quote_id);
  const property = await propertyById(db, accountId, stay?.property_id ?? booking.property_id);
  const booked = property ?? (await propertyById(db, accountId, booking.property_id));
  const page = await pageById(db, { account_id: accountId, id: booking.page_id });
  const settings = await readSettings(db, accountId);
  const payments = await paymentsOf(db, accountId, code);
  if (!quote || !stay) return answers.nothing(request, reply);
  const payAt = (isDeposit: boolean) => {
    const open = payments.findLast(
      (row) => (row.purpose === 'deposit') === isDeposit && isPayable(row, core.clock.now()),
    );
    return open?.url == null ? undefined : openPaymentUrl(core, open.id, open.url);
  };
  const rendered = renderBooking(
    { words, look, other: otherLanguage(base, request.query as Sent, words) },
    {
      base,
      again:
        page && page.revoked_at === null
          ? `${BOOK_PATH}/${openPageToken(core, page)}?lang=${words.language}`
          : undefined,
      booking,
      kept: keptNow(quote, stay),
      property: { name: booked?.name ?? '', time_zone: booked?.time_zone ?? account.time_zone },
      status: stay.status,
      money: await moneyOf(db, booking),
      payments,
      refunds: await refundsOf(db, accountId, code),
      payAt: { due: payAt(false), deposit: payAt(true) },
      hasCard: settings.stripe_key !== null,
      transferText: settings.transfer_text,
      isPayFailed,
      cancelling: await guestCancellation(db, account, booking, core.clock.now()),
    },
  );
  return answers.send(reply, 200, rendered, look);
}

/** What was agreed, on the dates of the stay: they may have been moved since. */
function keptNow(quote: KeptQuoteRow, { check_in_date, check_out_date }: StayRow): Pick<KeptQuote, 'quote' | 'wish'> {
  const kept = keptOf(quote);
  return { quote: kept.quote, wish: { ...kept.wish, check_in_date, check_out_date } };
}

function isPayable({ provider, state, expires_at }: PaymentRow, now: number): boolean {
  return provider === 'stripe' && state === 'open' && expires_at !== null && msOf(expires_at) > now;
}
