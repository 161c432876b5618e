import type { KeptQuote } from '../../channels/direct/bookings/quotes.ts';
import type { PaymentMethod } from '../../channels/direct/bookings/rows.ts';
import type { Quote, QuoteLine } from '../../channels/direct/quotes/quote.ts';
import type { PropertyRow } from '../../core/database.ts';
import { daysBetween } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { countriesIn } from './countries.ts';
import { bookPage, describedBy, field, problems, type Shell, structured, wrong } from './frame.ts';
import type { Words } from './words.ts';

/** What a guest has filled in of their details, as text. */
export interface GuestFields {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly country: string;
  readonly message: string;
  readonly accept: string;
  readonly method: string;
}

export interface QuoteShown {
  readonly base: string;
  readonly kept: KeptQuote;
  readonly property: PropertyRow;
  readonly rules: string;
  readonly methods: readonly PaymentMethod[];
  readonly typed: GuestFields;
  readonly errors: Readonly<Record<string, string>>;
  readonly refusal: Html | undefined;
  /** true: the price holds no longer. */
  readonly isOver: boolean;
}

/** Renders a kept quote, and the form by which it is booked. */
export function renderQuote(shell: Shell, shown: QuoteShown): string {
  const { words } = shell;
  const { texts } = words;
  const { kept, property, isOver } = shown;
  const { quote, row } = kept;
  const search = `${shown.base}?${new URLSearchParams({ property: String(property.id), from: kept.wish.check_in_date, to: kept.wish.check_out_date, lang: words.language }).toString()}`;
  return bookPage(
    shell,
    texts.book(property.name),
    html`${structured({
        '@type': 'Offer',
        price: String(quoteTotal(quote)),
        priceCurrency: quote.currency,
        validThrough: row.expires_at,
        itemOffered: { '@type': 'Accommodation', name: property.name },
      })}
      ${problems(words, Object.values(shown.errors))} ${shown.refusal ?? ''}
      ${isOver ? html`<p class="bad" role="alert">${texts.refused.expired}</p>` : ''}
      <p>${stayText(words, kept)}</p>
      <h2 id="quote">${texts.quote}</h2>
      ${priceTable(words, quote)} ${conditions(words, quote, property.time_zone)}
      ${isOver ? '' : html`<p class="note">${texts.holds(words.moment(row.expires_at, property.time_zone))}</p>`}
      <p><a href="${search}">${texts.otherDates}</a></p>
      ${isOver ? '' : guestForm(words, shown)}`,
  );
}

/** The price as a number in decimals, as structured data has it. */
function quoteTotal({ total, currency }: Quote): string {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  return (total / 10 ** digits).toFixed(digits);
}

/** Says dates and people in one line. */
export function stayText(words: Words, { wish }: Pick<KeptQuote, 'wish'>): string {
  const { texts } = words;
  const { check_in_date: from, check_out_date: to } = wish;
  return [
    texts.span(words.day(from), words.day(to)),
    texts.nights(daysBetween(from, to)),
    texts.guests(wish.adults, wish.children.length, wish.pets),
  ].join(' · ');
}

export function priceTable(words: Words, quote: Quote): Html {
  const { texts } = words;
  const money = (amount: number) => words.money(amount, quote.currency);
  return html`<table class="price" aria-labelledby="quote">
      <thead>
        <tr>
          <th scope="col">${texts.line}</th>
          <th scope="col">${texts.amount}</th>
        </tr>
      </thead>
      <tbody>
        ${quote.lines.map(
          (line) =>
            html`<tr>
              <td>${lineText(words, line, quote.currency)}</td>
              <td>${money(line.amount)}</td>
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">${texts.total}</th>
          <td>${money(quote.total)}</td>
        </tr>
      </tfoot>
    </table>
    ${quote.included_taxes.map(({ name, amount }) => html`<p class="dim">${texts.included(name, money(amount))}</p>`)}`;
}

function lineText(words: Words, { kind, name, quantity, unit }: QuoteLine, currency: string): string {
  const own = words.texts.lineKinds[kind] ?? '';
  const isNamed = ['season', 'season_weekend', 'fee', 'optional_fee', 'tax'].includes(kind);
  const title = isNamed ? [name, ...(own === '' ? [] : [own])].join(', ') : own || name;
  return unit === null || quantity === 1 ? title : `${title} (${quantity} × ${words.money(unit, currency)})`;
}

/** Says what is to be paid when, and what goes back after a cancellation. */
function conditions(words: Words, quote: Quote, zone: string): Html {
  const { texts } = words;
  const money = (amount: number) => words.money(amount, quote.currency);
  const isLater = quote.balance > 0 && quote.balance_due_date !== null;
  return html`<p>
      <strong>${texts.now}: ${money(quote.first_payment)}.</strong>
      ${isLater ? texts.later_(money(quote.balance), words.day(quote.balance_due_date ?? '')) : ''}
      ${quote.deposit > 0 ? texts.deposit(money(quote.deposit)) : ''}
    </p>
    ${policyPart(words, quote, zone)}`;
}

/** Says what goes back after a cancellation. */
export function policyPart(words: Words, { cancellation: { steps } }: Quote, zone: string): Html {
  const { texts } = words;
  const rows = steps.map(({ until, refund_percent }) => texts.step(words.day(until), words.percent(refund_percent)));
  return html`<h2>${texts.policy}</h2>
    ${
      steps.length === 0
        ? html`<p>${texts.noRefund}</p>`
        : html`<ul>
            ${[...rows, texts.after].map((row) => html`<li>${row}</li>`)}
          </ul>`
    }
    <p class="dim">${texts.zone(zone)}</p>`;
}

function guestForm(words: Words, shown: QuoteShown): Html {
  const { texts, language } = words;
  const { methods, typed, errors, rules, kept } = shown;
  if (methods.length === 0) return html`<p class="bad">${texts.noMethod}</p>`;
  return html`<h2 id="details">${texts.details}</h2>
    <form method="post" action="${shown.base}/quotes/${kept.row.id}" novalidate aria-labelledby="details">
      <input type="hidden" name="lang" value="${language}" />
      ${field({ name: 'name', label: texts.name, value: typed.name, error: errors['name'], more: html`maxlength="100" autocomplete="name"` })}
      ${field({ name: 'email', label: texts.email, value: typed.email, type: 'email', error: errors['email'], more: html`maxlength="100" autocomplete="email"` })}
      ${field({ name: 'phone', label: texts.phone, value: typed.phone, type: 'tel', hint: texts.phoneHint, error: errors['phone'], more: html`maxlength="40" autocomplete="tel"` })}
      <div class="field">
        <label for="country">${texts.country}</label>
        <select
          id="country"
          name="country"
          required
          autocomplete="country"
          ${describedBy('country', undefined, errors['country'])}
        >
          <option value="">${texts.choose}</option>
          ${countriesIn(language).map(
            ({ code, name }) =>
              html`<option value="${code}" ${typed.country === code ? html` selected` : ''}>${name}</option>`,
          )}
        </select>
        ${wrong('country', errors['country'])}
      </div>
      <div class="field">
        <label for="message">${texts.message}</label>
        <textarea id="message" name="message" maxlength="1000" ${describedBy('message', undefined, errors['message'])}>
${typed.message}</textarea>
        ${wrong('message', errors['message'])}
      </div>
      <fieldset>
        <legend>${texts.method}</legend>
        ${methods.map(
          (method) =>
            html`<label class="tick"
              ><input
                type="radio"
                name="method"
                value="${method}"
                required${typed.method === method || methods.length === 1 ? html` checked` : ''}${describedBy('method', undefined, errors['method'])}
              />
              ${texts.methods[method]}</label
            >`,
        )}
        ${wrong('method', errors['method'])}
      </fieldset>
      ${
        rules === ''
          ? ''
          : html`<h2>${texts.rules}</h2>
              <p class="lines">${rules}</p>
              <div class="field">
                <label class="tick"
                  ><input
                    type="checkbox"
                    name="accept"
                    value="1"
                    required${typed.accept === '1' ? html` checked` : ''}${describedBy('accept', undefined, errors['accept'])}
                  />
                  ${texts.accept}</label
                >
                ${wrong('accept', errors['accept'])}
              </div>`
      }
      <button type="submit">${kept.quote.first_payment > 0 ? texts.submit : texts.submitFree}</button>
    </form>`;
}
