import type { CancellationShare } from '../../channels/direct/bookings/cancel.ts';
import type { KeptQuote } from '../../channels/direct/bookings/quotes.ts';
import type { DirectBookingRow } from '../../channels/direct/bookings/rows.ts';
import type { MoneyState } from '../../channels/direct/payments/due.ts';
import type { PaymentRow, RefundRow } from '../../channels/direct/payments/rows.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { bookPage, type Shell } from './frame.ts';
import { policyPart, priceTable, stayText } from './quoteView.ts';
import type { Words } from './words.ts';

export interface BookingShown {
  /** Address of the page of this booking. */
  readonly base: string;
  /** Address for another stay; undefined: its booking page is gone. */
  readonly again: string | undefined;
  readonly booking: DirectBookingRow;
  readonly kept: Pick<KeptQuote, 'quote' | 'wish'>;
  readonly property: { readonly name: string; readonly time_zone: string };
  readonly status: string;
  readonly money: MoneyState;
  readonly payments: readonly PaymentRow[];
  readonly refunds: readonly RefundRow[];
  /** Where to pay the open payment of a purpose by card; undefined: nowhere yet. */
  readonly payAt: { readonly due: string | undefined; readonly deposit: string | undefined };
  readonly hasCard: boolean;
  readonly transferText: string | null;
  readonly isPayFailed: boolean;
  /** What becomes of the money if the guest cancels now; undefined: they cannot. */
  readonly cancelling: CancellationShare | undefined;
}

/** Renders how a booking stands: its state, what is to be paid and how. It shows nobody's name. */
export function renderBooking(shell: Shell, shown: BookingShown): string {
  const { words } = shell;
  const { texts } = words;
  const { booking, status, property, kept } = shown;
  const stands = status === 'wait_pay' || status === 'accepted';
  const look = status === 'accepted' ? 'good' : stands ? 'note' : 'bad';
  return bookPage(
    shell,
    texts.booking,
    html`<p class="${look}" role="status">
        ${texts.status[status] ?? texts.status['other'] ?? ''}
        ${status === 'wait_pay' ? texts.until(words.moment(booking.expires_at, property.time_zone)) : ''}
      </p>
      ${shown.isPayFailed ? html`<p class="bad" role="alert">${texts.payFailed}</p>` : ''}
      ${shown.payments.some(({ state }) => state === 'late' || state === 'mismatch') ? html`<p class="bad">${texts.attention}</p>` : ''}
      <p><strong>${property.name}</strong><br />${stayText(words, kept)}</p>
      <dl>
        <dt>${texts.code}</dt>
        <dd><code>${booking.reservation_code}</code></dd>
      </dl>
      ${stands ? duePart(words, shown) : ''} ${moneyPart(words, shown)} ${stands ? depositPart(words, shown) : ''}
      <h2 id="quote">${texts.quote}</h2>
      ${priceTable(words, kept.quote)} ${policyPart(words, kept.quote, property.time_zone)}
      ${stands ? cancelPart(words, shown) : ''}
      <p class="dim">${texts.keep}</p>
      ${shown.again === undefined ? '' : html`<p><a href="${shown.again}">${texts.again}</a></p>`}`,
  );
}

function cancelPart({ texts, language }: Words, { base, cancelling }: BookingShown): Html {
  if (!cancelling) return html`<p>${texts.cancelAsk}</p>`;
  return html`<p><a href="${base}/cancel?lang=${language}">${texts.cancel}</a></p>`;
}

function duePart(words: Words, shown: BookingShown): Html {
  const { texts } = words;
  const { booking, money, kept } = shown;
  if (!money.due) return html`<p>${texts.nothingDue}</p>`;
  const amount = words.money(money.due.amount, booking.currency);
  const isLater = money.due.purpose === 'balance' && kept.quote.balance_due_date !== null;
  return html`<h2>${texts.due}</h2>
    <p><strong>${amount}</strong>${isLater ? ` · ${texts.dueBy(words.day(kept.quote.balance_due_date ?? ''))}` : ''}</p>
    ${booking.method === 'stripe' && shown.hasCard ? cardPart(words, shown, { purpose: 'due', amount }) : transferPart(words, shown, amount)}`;
}

function transferPart({ texts }: Words, { booking, transferText }: BookingShown, amount: string): Html {
  return html`<p>${texts.transfer}:</p>
    <dl>
      <dt>${texts.amount}</dt>
      <dd>${amount}</dd>
      <dt>${texts.reference}</dt>
      <dd><code>${booking.reservation_code}</code></dd>
      <dt>${texts.account}</dt>
      <dd class="lines">${transferText ?? ''}</dd>
    </dl>`;
}

/** Shows the link to the page of the provider, or the button that opens one. */
function cardPart(
  { texts, language }: Words,
  { base, payAt, payments }: BookingShown,
  { purpose, amount }: { purpose: 'due' | 'deposit'; amount: string },
): Html {
  const url = payAt[purpose];
  const isStarting = payments.some(
    (one) => one.state === 'starting' && (one.purpose === 'deposit') === (purpose === 'deposit'),
  );
  if (url !== undefined)
    return html`<p><a class="button" href="${url}" rel="noreferrer">${texts.goPay(amount)}</a></p>
      <p class="dim">${texts.leaving}</p>`;
  return html`${isStarting ? html`<p>${texts.preparing}</p>` : ''}
    <form method="post" action="${base}/pay">
      <input type="hidden" name="lang" value="${language}" />
      <input type="hidden" name="purpose" value="${purpose}" />
      <button type="submit">${purpose === 'due' ? texts.pay(amount) : texts.depositPay(amount)}</button>
    </form>`;
}

function moneyPart(words: Words, { booking, money, refunds }: BookingShown): Html {
  const { texts } = words;
  const shown = (amount: number) => words.money(amount, booking.currency);
  const sum = (states: readonly string[]) =>
    refunds.filter(({ state }) => states.includes(state)).reduce((all, { amount }) => all + amount, 0);
  const [done, under] = [sum(['done']), sum(['sending', 'by_hand', 'unknown', 'refused'])];
  return html`<dl>
      <dt>${texts.paid}</dt>
      <dd>${shown(money.received + done)}</dd>
    </dl>
    ${done > 0 ? html`<p>${texts.refunded(shown(done))}</p>` : ''}
    ${under > 0 ? html`<p>${texts.refunding(shown(under))}</p>` : ''}`;
}

function depositPart(words: Words, shown: BookingShown): Html {
  const { texts } = words;
  const { kept, payments, status, booking, hasCard } = shown;
  const { deposit, currency } = kept.quote;
  if (deposit === 0 || status !== 'accepted') return html``;
  const amount = words.money(deposit, currency);
  if (payments.some(({ purpose, state }) => purpose === 'deposit' && state === 'authorised'))
    return html`<p>${texts.depositHeld(amount)}</p>`;
  if (payments.some(({ purpose, state }) => purpose === 'deposit' && (state === 'captured' || state === 'released')))
    return html``;
  if (booking.method !== 'stripe' || !hasCard) return html`<p>${texts.depositAsked(amount)}</p>`;
  const isAsked = payments.some(({ purpose }) => purpose === 'deposit');
  return isAsked ? cardPart(words, shown, { purpose: 'deposit', amount }) : html`<p>${texts.depositAsked(amount)}</p>`;
}
