import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, choiceField, hiddenFields, inputField, typed } from '../frame/form.ts';
import { openable } from '../frame/openable.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { amountText, type Deposit, type DepositMove, stateOf } from './deposit.ts';
import type { PriceLine } from './details.ts';
import { facts, type StayContent, titleOf } from './content.ts';
import { returnForm } from './returnForm.ts';

const ENDED: ReadonlySet<string | null> = new Set(['cancelled', 'denied', 'timeout']);

/** Shows the price with its lines, what came in, and what is still open; with a form for a payment. */
export function moneyPart(visit: Visit, content: StayContent): Html {
  const { texts, format } = visit;
  const { stay, details, around } = content;
  const words = texts.stay;
  const currency = stay.currency ?? '';
  const paid = stay.payment_currency ?? currency;
  const money = (minor: number | null, of: string) => (minor === null ? null : format.money(minor, of));
  const several = around.rooms.length > 1;
  return section(
    'money',
    words.money,
    '',
    html`${facts([
      [words.fields['rates.rate.amount'] ?? '', money(stay.rate_minor, currency)],
      [words.wholePrice, several ? money(stay.total_rate_minor, currency) : null],
      [words.fields['rates.commission.amount'] ?? '', money(stay.commission_minor, currency)],
      [words.fields['rates.tax.amount'] ?? '', money(stay.tax_minor, currency)],
      [words.received, money(stay.received_minor, paid)],
      [words.balance, balanceText(visit, content)],
    ])}
    ${priceLines(visit, details.lines)} ${priceLines(visit, details.fees)} ${entriesTable(visit, content)}
    ${visit.may('stay.money') ? payForm(visit, content) : ''}`,
  );
}

function balanceText({ format }: Visit, { stay }: StayContent): Html | null {
  if (stay.balance_minor === null) return null;
  const text = format.money(stay.balance_minor, stay.payment_currency ?? stay.currency ?? '');
  return stay.balance_minor > 0 ? html`<strong>${text}</strong>` : html`<span class="good">${text}</span>`;
}

function priceLines({ format, texts }: Visit, lines: readonly PriceLine[]): Html {
  if (lines.length < 2) return html``;
  return html`<details>
    <summary>${texts.stay.priceLines}</summary>
    <ul class="amounts">
      ${lines.map(({ name, minor, currency }) => html`<li><span>${name}</span> <span>${format.money(minor, currency)}</span></li>`)}
    </ul>
  </details>`;
}

function entriesTable(visit: Visit, { around }: StayContent): Html {
  const { texts, format } = visit;
  const words = texts.stay;
  if (around.entries.length === 0) return html`<p class="dim">${words.noEntries}</p>`;
  const byWhom = (name: string | null) => (visit.may('persons') ? (name ?? '') : '');
  const rows = around.entries.map((entry) => [
    entry.action_date === null ? '' : format.day(entry.action_date),
    html`${entry.item_name ?? ''}
      <span class="dim"
        >${[entry.payment_method_name ?? '', byWhom(entry.operator_name)].filter(Boolean).join(' · ')}</span
      >
      ${entry.status === 'outstanding' ? html`<span class="badge wait">${words.outstanding}</span>` : ''}`,
    format.money(signed(entry.direction, entry.amount_minor ?? 0), entry.currency ?? ''),
  ]);
  return table([words.when, words.entry, { head: words.amount, isAmount: true }], rows);
}

function signed(direction: string | null, minor: number): number {
  return direction === 'expense' ? -minor : minor;
}

function payForm(visit: Visit, { stay, items, methods }: StayContent): Html {
  const words = visit.texts.stay;
  const currency = stay.payment_currency ?? stay.currency ?? '';
  if (items.length === 0 || methods.length === 0) return html`<p class="dim">${words.noDictionaries}</p>`;
  const chosen = (field: string) => typed(visit, 'pay', field);
  const options = (rows: StayContent['items']) => rows.map(({ id, name }) => ({ value: id, text: name ?? `#${id}` }));
  return openable(
    visit,
    { action: 'pay', open: words.pay },
    actionForm(
      visit,
      { page: 'stay', action: 'pay', label: words.pay },
      html`${inputField({
          name: 'amount',
          label: `${words.amount} (${currency})`,
          type: 'number',
          step: 'any',
          min: 0,
          isRequired: true,
          value: typed(visit, 'pay', 'amount', amountText(stay.balance_minor, currency)),
          of: 'pay-',
        })}
        ${choiceField({ name: 'item_id', label: words.item, options: options(items), chosen: chosen('item_id'), of: 'pay-' })}
        ${choiceField({
          name: 'payment_method_id',
          label: words.method,
          options: options(methods),
          chosen: chosen('payment_method_id'),
          of: 'pay-',
        })}
        ${inputField({ name: 'note', label: words.note, value: chosen('note'), longest: 500, of: 'pay-' })}
        <button type="submit">${words.enter}</button>`,
    ),
  );
}

/** Shows the deposit with its steps, and what can be done with it now. */
export function depositPart(visit: Visit, content: StayContent): Html {
  const { texts, format } = visit;
  const { deposit } = content;
  const words = texts.stay;
  const { currency } = deposit;
  const money = (minor: number) => (minor === 0 ? null : format.money(minor, currency));
  if (deposit.asked === 0 && deposit.paid === 0 && deposit.steps.length === 0) {
    return section('deposit', words.deposit, '', html`<p class="dim">${words.noDeposit}</p>`);
  }
  return section(
    'deposit',
    words.deposit,
    '',
    html`${facts([
      [words.state, words.depositStatus[deposit.status] ?? deposit.status],
      [words.asked, money(deposit.asked)],
      [words.paidIn, money(deposit.paid)],
      [words.deducted, money(deposit.deducted)],
      [words.refunded, money(deposit.refunded)],
      [words.owed, deposit.owed === 0 ? null : html`<strong>${format.money(deposit.owed, currency)}</strong>`],
    ])}
    ${stepsOf(visit, deposit)} ${visit.may('stay.money') && visit.isHere ? depositForms(visit, content) : ''}`,
  );
}

function stepsOf(visit: Visit, { steps, currency }: Deposit): Html {
  const { texts, format } = visit;
  const words = texts.stay;
  if (steps.length === 0) return html`<p class="dim">${words.noSteps}</p>`;
  return html`<ol class="steps">
    ${steps.map(
      ({ at, kind, amount, reference, who }) =>
        html`<li>
          <span>${words.depositSteps[kind] ?? kind}</span>
          ${amount === null ? '' : html`<strong>${format.money(amount, currency)}</strong>`}
          <span class="dim"
            >${[format.moment(at), who ?? '', reference ?? ''].filter((part) => part !== '').join(' · ')}</span
          >
        </li>`,
    )}
  </ol>`;
}

function depositForms(visit: Visit, content: StayContent): Html {
  const { stay, deposit } = content;
  const words = visit.texts.stay;
  if (!deposit.isOwn) return html`<p class="dim">${words.channelDeposit}</p>`;
  const left = deposit.asked - deposit.paid;
  const amounts: readonly (readonly [DepositMove, number])[] = [
    ...(!ENDED.has(stay.status) && left > 0 ? [['paid', left] as const] : []),
    ...(deposit.owed > 0 ? [['refunded', deposit.owed] as const, ['deducted', 0] as const] : []),
  ];
  return html`<div class="actions">
    ${amounts.map(([move, amount]) => amountForm(visit, content, move, amount))}
    ${deposit.owed > 0 ? returnForm(visit, { code: stay.stay_code, guest: titleOf(visit, content), deposit }) : ''}
  </div>`;
}

function amountForm(visit: Visit, { deposit }: StayContent, move: DepositMove, amount: number): Html {
  const words = visit.texts.stay;
  const isRefused = visit.refused?.fields['event'] === move;
  const value = (field: string, otherwise: string) => (isRefused ? typed(visit, 'deposit', field) : otherwise);
  const of = `deposit-${move}-`;
  return html`<details class="ask" ${isRefused ? 'open' : ''}>
    <summary>${words.depositMoves[move]}</summary>
    ${actionForm(
      isRefused ? visit : { ...visit, refused: undefined },
      { page: 'stay', action: 'deposit', label: words.depositMoves[move] },
      html`${hiddenFields({ event: move, state: stateOf(deposit) })}
        ${inputField({
          name: 'amount',
          label: `${words.amount} (${deposit.currency})`,
          type: 'number',
          step: 'any',
          min: 0,
          isRequired: true,
          value: value('amount', amountText(amount, deposit.currency)),
          of,
        })}
        ${inputField({ name: 'reference', label: words.reference, longest: 100, value: value('reference', ''), of })}
        <button type="submit">${words.enter}</button>`,
    )}
  </details>`;
}
