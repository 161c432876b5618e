import { runChange } from '../../../core/change.ts';
import type { Change } from '../../../core/context.ts';
import type { AccountRow } from '../../../core/database.ts';
import { bookDirect, type ReservationGuest } from '../../../core/reservations/book.ts';
import { applyDepositEvent, depositOf } from '../../../core/reservations/deposits/deposits.ts';
import { lockReservation, staysOf } from '../../../core/reservations/lookup.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { sha256Hex } from '../../../kernel/signature.ts';
import { awaitTransfer } from '../payments/begin.ts';
import type { PaymentSettingsRow } from '../payments/rows.ts';
import { readSettings } from '../payments/settings.ts';
import { canCharge } from '../payments/stripe.ts';
import type { DirectWork } from '../work.ts';
import { freshenFeeds } from './freshFeeds.ts';
import { spansNearby } from './freeNights.ts';
import type { Quote, QuoteLine } from '../quotes/quote.ts';
import type { OpenPage } from './pages.ts';
import { type KeptQuote, keptOf, type Refusal } from './quotes.ts';
import type { DirectBookingRow, PaymentMethod } from './rows.ts';
import { newToken, sealBookingToken } from './secrets.ts';
import { addBooking, bookingByCode, countWaiting, lockQuote, markBooked } from './table.ts';

/** Milliseconds for which nights are held for a payment by card: longer than its page is open. */
export const CARD_HOLD_MS = 60 * 60_000;
const HOUR_MS = 3_600_000;

/** Reservations of one page that may wait for their payment, so that nobody closes a calendar by many of them. */
const MOST_WAITING = 20;

/** What a guest fills in. */
export interface BookingDraft {
  readonly guest: ReservationGuest;
  readonly message: string | null;
  readonly method: PaymentMethod;
  readonly language: string;
}

/** Returns the ways to pay that an account offers for a currency. */
export function methodsOf(settings: PaymentSettingsRow, currency: string): PaymentMethod[] {
  const card = settings.stripe_key !== null && canCharge(currency);
  return [...(card ? ['stripe' as const] : []), ...(settings.transfer_text === null ? [] : ['transfer' as const])];
}

/**
 * Books by a quote: a reservation that waits for its payment and holds the nights until then. The calendars of other
 * places are read first. A quote is booked once: a repeat finds the same reservation.
 */
export async function holdQuote(
  work: DirectWork,
  { account }: OpenPage,
  kept: KeptQuote,
  draft: BookingDraft,
): Promise<{ booking: DirectBookingRow; isNew: boolean } | Refusal> {
  const { core, reader } = work;
  const known = kept.row.reservation_code;
  if (known !== null) return { booking: await requireBooking(work, account, known), isNew: false };
  const settings = await readSettings(core.store.db, account.account_id);
  if (!methodsOf(settings, kept.quote.currency).includes(draft.method)) return { refused: 'method' };
  if (kept.row.expires_at <= instantOf(core.clock.now())) return { refused: 'expired' };
  const { account_id: accountId, property_id: propertyId } = kept.row;
  const stale = await freshenFeeds(core, reader, { accountId, propertyId, minutes: settings.feed_minutes });
  try {
    return await runChange(core, { account, operator: null }, async (change) => {
      const row = await lockQuote(change.trx, accountId, kept.row.id);
      if (!row) return { refused: 'expired' as const };
      if (row.reservation_code !== null) {
        const booking = await bookingByCode(change.trx, accountId, row.reservation_code);
        if (booking) return { booking, isNew: false };
      }
      if (row.expires_at <= instantOf(change.now)) return { refused: 'expired' as const };
      if ((await countWaiting(change.trx, row)) >= MOST_WAITING) return { refused: 'busy' as const };
      if (stale.length > 0) return { refused: 'calendars' as const };
      return { booking: await book(change, keptOf(row), draft, settings), isNew: true };
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 409) throw error;
    return { refused: 'taken', nearby: await spansNearby(core, account, propertyId, kept.wish) };
  }
}

async function requireBooking({ core }: DirectWork, account: AccountRow, code: string): Promise<DirectBookingRow> {
  const booking = await bookingByCode(core.store.db, account.account_id, code);
  if (!booking) throw new Error(`the booking ${code} of a quote is gone`);
  return booking;
}

async function book(
  change: Change,
  { row, quote, wish }: KeptQuote,
  { guest, message, method, language }: BookingDraft,
  settings: PaymentSettingsRow,
): Promise<DirectBookingRow> {
  const { trx, core, now, account } = change;
  const holdMs = method === 'stripe' ? CARD_HOLD_MS : settings.transfer_hours * HOUR_MS;
  const expires_at = instantOf(now + holdMs);
  const { reservation_code } = await bookDirect(change, {
    rooms: [
      {
        property_id: row.property_id,
        check_in_date: wish.check_in_date,
        check_out_date: wish.check_out_date,
        rate: quote.total,
        commission: 0,
        number_of_guests: wish.adults + wish.children.length,
        number_of_adults: wish.adults,
        number_of_children: wish.children.length,
        number_of_pets: wish.pets,
        lines: rateLines(quote),
      },
    ],
    guest,
    currency: quote.currency,
    tax: quote.taxes === 0 ? null : quote.taxes,
    remarks: message,
    creator: 'booking page',
    booked_at: instantOf(now),
    pay_until: quote.first_payment > 0 ? expires_at : undefined,
  });
  const token = newToken(core);
  const booking: DirectBookingRow = {
    account_id: account.account_id,
    reservation_code,
    stay_code: await askDeposit(change, reservation_code, quote.deposit),
    page_id: row.page_id,
    property_id: row.property_id,
    quote_id: row.id,
    method,
    language,
    token: sealBookingToken(core, reservation_code, token),
    token_hash: sha256Hex(token),
    currency: quote.currency,
    quote: row.quote,
    expires_at,
    created_at: instantOf(now),
    settled_at: null,
  };
  await addBooking(trx, booking);
  await markBooked(trx, row, reservation_code);
  if (method === 'transfer') await awaitTransfer(change, booking);
  change.audit('book by page', reservation_code, { after: { page: row.page_id, method, plan: row.plan_version } });
  return booking;
}

/** Lines that are a part of the price of the room; a discount reduces it. */
const ROOM: ReadonlySet<QuoteLine['kind']> = new Set(['night', 'weekend', 'season', 'season_weekend', 'discount']);
const KINDS: Readonly<Partial<Record<QuoteLine['kind'], string>>> = { extra_guest: 'EXTRA_GUEST_FEE', tax: 'TAX' };

/** Returns the lines of a quote as reservations have them: what the room costs in one, and none below zero. */
function rateLines({ lines }: Quote) {
  const room = lines.filter((line) => ROOM.has(line.kind)).reduce((sum, line) => sum + line.amount, 0);
  const others = lines.filter((line) => !ROOM.has(line.kind) && line.amount > 0);
  return [
    { type: 'ACCOMMODATION', description: '', amount: room },
    ...others.map(({ kind, name, amount }) => ({ type: KINDS[kind] ?? 'OTHER', description: name, amount })),
  ];
}

/** Notes the security deposit that is asked for. @returns the code of the stay */
async function askDeposit(
  change: Change,
  code: DirectBookingRow['reservation_code'],
  amount: number,
): Promise<DirectBookingRow['stay_code']> {
  const { trx, account } = change;
  const reservation = await lockReservation(trx, account.account_id, code);
  const [stay] = await staysOf(trx, account.account_id, code);
  if (!reservation || !stay) throw new Error(`the reservation ${code} was not made`);
  if (amount > 0) {
    const before = await depositOf(change, stay, reservation);
    await applyDepositEvent(change, { stay, reservation, before, reference: null }, { kind: 'required', amount });
  }
  return stay.stay_code;
}
