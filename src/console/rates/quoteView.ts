import { isPlainDate } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import type { AnsweredQuote, PricedQuote, QuotedLine } from './query.ts';
import { dayName, moneyText } from './words.ts';

/** Shows the price of a stay line by line, or why the stay is not possible. */
export function quoteView(visit: Visit, { quote, refused }: AnsweredQuote): Html {
  return quote ? pricedView(visit, quote) : refusedView(visit, refused);
}

function pricedView(visit: Visit, quote: PricedQuote): Html {
  const words = visit.texts.rates;
  const { format } = visit;
  const { currency, balance_due_date: due } = quote;
  const money = (amount: number) => moneyText(visit, amount, currency);
  const rows = quote.lines.map((line) => [
    lineName(visit, line),
    format.count(line.quantity),
    line.unit === null ? '' : money(line.unit),
    money(line.amount),
  ]);
  const steps = quote.cancellation.steps.map((step) =>
    words.refundUntil(format.percent(step.refund_percent / 100), format.day(step.until)),
  );
  return html`${table(
      [
        words.what,
        { head: words.times, isAmount: true },
        { head: words.each, isAmount: true },
        { head: words.amount, isAmount: true },
      ],
      rows,
    )}
    <p class="total">${words.total}: <strong>${money(quote.total)}</strong></p>
    <ul class="sentences">
      ${quote.included_taxes.map((tax) => html`<li>${words.contains(tax.name, money(tax.amount))}</li>`)}
      ${quote.deposit > 0 ? html`<li>${words.depositApart(money(quote.deposit))}</li>` : ''}
      <li>
        ${
          due === null
            ? words.dueAtOnce(money(quote.first_payment))
            : words.dueInParts(money(quote.first_payment), money(quote.balance), format.day(due))
        }
      </li>
      <li>${words.cancelling([...steps, words.refundNever].join(', '))}</li>
    </ul>`;
}

function lineName(visit: Visit, { kind, name, percent }: QuotedLine): string {
  const words = visit.texts.rates;
  const own = kind === 'season_weekend' ? words.weekendOf(name) : (words.kinds[kind] ?? name);
  return percent === undefined ? own : `${own} (${visit.format.percent(percent / 100)})`;
}

function refusedView(visit: Visit, refused: AnsweredQuote['refused']): Html {
  const words = visit.texts.rates;
  return html`<div class="bad" role="alert">
    <p>${words.noPrice}</p>
    <ul>
      ${refused.map((one) => html`<li>${words.reasons[one.reason]?.(limitText(visit, one)) ?? one.says}</li>`)}
    </ul>
  </div>`;
}

function limitText(visit: Visit, { limit, weekdays, date }: AnsweredQuote['refused'][number]): string {
  if (date !== undefined && isPlainDate(date)) return visit.format.day(date);
  if (weekdays) return weekdays.map((day) => dayName(visit, day)).join(', ');
  return limit === undefined ? '' : String(limit);
}
