import { fromWireAmount } from '../../kernel/money.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, hiddenFields, inputField, typed } from '../frame/form.ts';
import { openable } from '../frame/openable.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import type { Agreed } from './booking.ts';
import { facts, type StayContent, titleOf } from './content.ts';

const STANDING: ReadonlySet<string | null> = new Set(['wait_pay', 'accepted']);

/** Shows what was agreed with a guest who booked on a page, what is paid and due, and what can be done. */
export function agreedPart(visit: Visit, content: StayContent): Html {
  const { agreed } = content;
  if (!agreed) return html``;
  const { texts, format } = visit;
  const words = texts.booking.stay;
  const money = moneyOf(visit, agreed);
  const { quote, due } = agreed;
  const isBalance = due?.purpose === 'balance' && quote.balance_due_date !== null;
  const dueText =
    due === null
      ? null
      : html`<strong>${money(due.amount)}</strong> ${words.dueFor[due.purpose] ?? due.purpose}
          ${isBalance ? words.dueBy(format.day(quote.balance_due_date ?? '')) : ''}`;
  return section(
    'agreed',
    words.title,
    '',
    html`${facts([
        [words.agreed, money(quote.total)],
        [words.paid, money(agreed.received)],
        [words.due, STANDING.has(agreed.status) ? dueText : null],
        [words.surplus, agreed.surplus > 0 ? html`<strong>${money(agreed.surplus)}</strong>` : null],
        [words.heldUntil, agreed.status === 'wait_pay' ? format.moment(agreed.expires_at) : null],
        [words.guestPage, html`<a href="${agreed.guest_url}" rel="noreferrer noopener">${agreed.guest_url}</a>`],
        [words.contact, mailLink(visit, content, agreed)],
        [
          words.policy,
          quote.cancellation.steps
            .map(({ until, refund_percent }) => words.step(format.day(until), refund_percent))
            .join(', '),
        ],
      ])}
      <details>
        <summary>${words.lines}</summary>
        <ul class="amounts">
          ${quote.lines.map(({ name, quantity, amount }) => html`<li><span>${quantity === 1 ? name : `${name} × ${quantity}`}</span> <span>${money(amount)}</span></li>`)}
        </ul>
      </details>
      ${paymentTable(visit, agreed)} ${refundTable(visit, agreed)} ${forms(visit, content, agreed)}`,
  );
}

/** Opens the mail program of the person with the address of the guest's page; for those who may see guests. */
function mailLink(visit: Visit, { around }: StayContent, { guest_url, reservation_code }: Agreed): Html | null {
  const words = visit.texts.booking.stay;
  const email = around.guests.find(({ guest_key }) => guest_key === 'booker')?.email;
  if (!email || !visit.may('persons')) return null;
  const mail = new URLSearchParams({ subject: words.mailSubject(reservation_code), body: guest_url });
  // Mail programs take a plus sign literally.
  const query = mail.toString().replaceAll('+', '%20');
  return html`<a href="mailto:${encodeURIComponent(email)}?${query}">${words.mail}</a>`;
}

function moneyOf({ format }: Visit, { currency }: Agreed) {
  return (amount: number) => format.money(fromWireAmount(amount, currency) ?? 0, currency);
}

function paymentTable(visit: Visit, agreed: Agreed): Html {
  const { texts, format } = visit;
  const words = texts.booking.stay;
  const money = moneyOf(visit, agreed);
  if (agreed.payments.length === 0) return html``;
  const rows = agreed.payments.map((one) => [
    html`${words.purposes[one.purpose] ?? one.purpose}
      <span class="dim">${words.providers[one.provider] ?? one.provider}</span>`,
    html`${words.states[one.state] ?? one.state}
      <span class="dim">${format.moment(one.updated_at)}</span>
      ${one.problem === null ? '' : html`<span class="bad">${one.problem}</span>`}
      ${one.url === null ? '' : html`<a href="${one.url}" rel="noreferrer noopener">${words.payLink}</a>`}
      ${one.state === 'late' || one.state === 'mismatch' ? button(visit, 'settle-payment', words.settle, { payment: one.id }) : ''}`,
    money(one.received ?? one.amount),
  ]);
  return table([words.payments, words.state, { head: words.amount, isAmount: true }], rows);
}

function refundTable(visit: Visit, agreed: Agreed): Html {
  const { texts, format } = visit;
  const words = texts.booking.stay;
  const money = moneyOf(visit, agreed);
  if (agreed.refunds.length === 0) return html``;
  const rows = agreed.refunds.map((one) => [
    words.providers[one.provider] ?? one.provider,
    html`${words.states[one.state] ?? one.state}
      <span class="dim">${format.moment(one.updated_at)}</span>
      ${one.problem === null ? '' : html`<span class="bad">${one.problem}</span>`}
      ${
        ['by_hand', 'refused', 'unknown'].includes(one.state)
          ? html`<span class="actions"
              >${button(visit, 'close-refund', words.wasMade, { refund: one.id, how: 'done' })}
              ${button(visit, 'close-refund', words.wasNotMade, { refund: one.id, how: 'dropped' })}</span
            >`
          : ''
      }`,
    money(one.amount),
  ]);
  return table([words.refunds, words.state, { head: words.amount, isAmount: true }], rows);
}

function button(visit: Visit, action: string, text: string, hidden: Readonly<Record<string, string | number>>): Html {
  return actionForm(
    visit,
    { page: 'stay', action, classes: 'inline' },
    html`${hiddenFields(hidden)}<button type="submit" class="second">${text}</button>`,
  );
}

function forms(visit: Visit, content: StayContent, agreed: Agreed): Html {
  const words = visit.texts.booking.stay;
  const { payments, refunds, due, status, quote } = agreed;
  const stands = STANDING.has(status);
  const back = refunds.filter(({ state }) => state !== 'dropped').reduce((sum, { amount }) => sum + amount, 0);
  const came = payments
    .filter(({ purpose, state }) => purpose !== 'deposit' && ['paid', 'late', 'mismatch', 'settled'].includes(state))
    .reduce((sum, { received }) => sum + (received ?? 0), 0);
  const isHeld = payments.some(({ purpose, state }) => purpose === 'deposit' && state === 'authorised');
  const open = payments.findLast(({ provider, state }) => provider === 'transfer' && state === 'open');
  return html`<div class="actions">
    ${due !== null ? paidForm(visit, agreed, open?.id) : ''}
    ${stands && due !== null && agreed.method === 'stripe' ? button(visit, 'payment-link', words.link, { purpose: 'due' }) : ''}
    ${status === 'accepted' && quote.deposit > 0 && agreed.method === 'stripe' && !isHeld ? button(visit, 'payment-link', words.depositLink, { purpose: 'deposit' }) : ''}
    ${payments.some(({ provider, state }) => provider === 'stripe' && ['open', 'starting'].includes(state)) ? button(visit, 'look', words.look, {}) : ''}
    ${
      came > back
        ? askFirst(visit, {
            page: 'stay',
            action: 'give-back',
            open: words.refund,
            consequence: words.refunds_(titleOf(visit, content)),
            confirm: words.refund,
            hidden: { known: back },
            more: amountField(visit, 'give-back', agreed, agreed.surplus > 0 ? String(agreed.surplus) : ''),
          })
        : ''
    }
    ${
      isHeld
        ? askFirst(visit, {
            page: 'stay',
            action: 'end-deposit',
            open: words.endDeposit,
            consequence: words.keeps,
            confirm: words.endDeposit,
            more: amountField(visit, 'end-deposit', agreed, '0'),
          })
        : ''
    }
  </div>`;
}

function paidForm(visit: Visit, agreed: Agreed, payment: number | undefined): Html {
  const words = visit.texts.booking.stay;
  return openable(
    visit,
    { action: 'mark-paid', open: words.markPaid },
    actionForm(
      visit,
      { page: 'stay', action: 'mark-paid', label: words.markPaid },
      html`<p class="dim">${words.markHint}</p>
        ${payment === undefined ? '' : hiddenFields({ payment })}
        ${amountField(visit, 'mark-paid', agreed, String(agreed.due?.amount ?? ''))}
        ${inputField({ name: 'note', label: visit.texts.stay.note, value: typed(visit, 'mark-paid', 'note'), longest: 200, of: 'mark-paid-' })}
        <label><input type="checkbox" name="anyway" value="1" /> ${words.anyway}</label>
        <button type="submit">${words.markPaid}</button>`,
    ),
  );
}

function amountField(visit: Visit, action: string, { currency }: Agreed, otherwise: string): Html {
  return inputField({
    name: 'amount',
    label: `${visit.texts.booking.stay.amount} (${currency})`,
    type: 'number',
    step: 'any',
    min: 0,
    isRequired: true,
    value: typed(visit, action, 'amount', otherwise),
    of: `${action}-`,
  });
}
