import { type Html, html } from '../../kernel/markup/html.ts';
import { decimalText, fromWireAmount } from '../../kernel/money.ts';
import { actionForm, choiceField, hiddenFields, inputField, typed } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Place } from '../calendar/panel/query.ts';
import { type AnsweredQuote, type AskedStay, extraField } from '../rates/query.ts';
import { quoteView } from '../rates/quoteView.ts';
import { partyFields } from '../rates/view.ts';
import type { Visit } from '../visit.ts';
import type { Quote, QuoteNight } from './query.ts';

/** Where, when, and who; a party is asked for only where a rate plan counts it. */
type Wish = AskedStay;

interface Named {
  readonly id: number;
  readonly name: string | null;
}

interface Shown {
  readonly places: readonly Place[];
  readonly sources: readonly Named[];
  /** The ways by which money comes in. */
  readonly methods: readonly Named[];
  /** Undefined: there is no property yet. */
  readonly wish: Wish | undefined;
  readonly quote: Quote | undefined;
  /** The price by the property's rate plan; undefined: it has none. */
  readonly rates: AnsweredQuote | undefined;
  /** Fees that the guest may choose, by their names. */
  readonly extras: readonly string[];
  readonly problem: string | undefined;
}

/** Other free properties that are named. */
const MOST_OTHERS = 8;
/** Nights that are listed one by one. */
const MOST_NIGHTS = 60;

/** Shows a new booking: where and when, its quote, and the form for it. */
export function bookView(visit: Visit, shown: Shown): Html {
  const { places, sources, methods, wish, quote, rates, extras, problem } = shown;
  const words = visit.texts.book;
  if (!wish || !quote) {
    return html`<h1>${words.title}</h1>
      <section class="note"><p>${words.noProperty}</p></section>`;
  }
  return html`<header class="head"><h1>${words.title}</h1></header>
    ${problem === undefined ? '' : html`<p class="bad" role="alert">${problem}</p>`}
    ${whereForm(visit, places, { wish, extras: rates && extras })}
    <div class="book">
      ${section('quote', words.quote, '', quotePart(visit, places, { wish, quote, rates }))}
      ${section('guest', words.guest, '', guestForm(visit, { sources, methods }, { wish, quote, rates }))}
    </div>`;
}

/** @param extras undefined: no rate plan counts who comes */
function whereForm(
  visit: Visit,
  places: readonly Place[],
  { wish, extras }: { wish: Wish; extras: readonly string[] | undefined },
): Html {
  const { texts, connection, connections } = visit;
  const words = texts.book;
  return html`<form class="form" method="get" action="/console/book" aria-label="${words.where}">
    ${connections.length > 1 ? hiddenFields({ connection }) : ''}
    ${choiceField({
      name: 'property',
      label: texts.today.property,
      options: places.map(({ id, name }) => ({ value: id, text: name })),
      chosen: wish.property,
    })}
    ${inputField({ name: 'from', label: texts.calendar.panel.arrive, type: 'date', value: wish.from, isRequired: true })}
    ${inputField({ name: 'to', label: texts.calendar.panel.leave, type: 'date', value: wish.to, isRequired: true })}
    ${extras ? partyFields(visit, wish, { of: '', extras }) : ''}
    <button type="submit" class="second">${words.look}</button>
  </form>`;
}

interface Offer {
  readonly wish: Wish;
  readonly quote: Quote;
  readonly rates: AnsweredQuote | undefined;
}

function quotePart(visit: Visit, places: readonly Place[], { wish, quote, rates }: Offer): Html {
  const { texts, format } = visit;
  const words = texts.book;
  const { nights, currency, total, minimum } = quote;
  const isShort = minimum !== null && nights.length < minimum;
  return html`<p class="${quote.isFree ? 'good' : 'bad'}">${quote.isFree ? words.isFree : words.isTaken}</p>
    ${isShort ? html`<p class="bad">${words.tooShort(texts.calendar.atLeast(minimum))}</p>` : ''}
    ${
      rates
        ? html`<h3>${texts.rates.byPlan}</h3>
            ${quoteView(visit, rates)} ${rates.quote ? html`<p class="dim">${texts.rates.takenOver}</p>` : ''}`
        : ''
    }
    ${nightTable(visit, nights, { currency, takenOnly: rates?.quote != null })}
    ${
      rates?.quote
        ? ''
        : html`<p class="total">
            ${
              total === null
                ? words.totalUnknown(texts.today.nights(nights.length))
                : words.total(texts.today.nights(nights.length), format.money(total, currency))
            }
          </p>`
    }
    ${otherPlaces(visit, places, { wish, quote })}`;
}

/** Lists the nights with what channels sell them for; where a rate plan gives the price, only those that are taken. */
function nightTable(
  visit: Visit,
  nights: readonly QuoteNight[],
  { currency, takenOnly }: { currency: string; takenOnly: boolean },
): Html {
  const words = visit.texts.book;
  const listed = takenOnly ? nights.filter(({ takenBy }) => takenBy !== undefined) : nights;
  if (listed.length === 0 || listed.length > MOST_NIGHTS) return html``;
  return table(
    [words.night, { head: words.price, isAmount: true }],
    listed.map((night) => [visit.format.day(night.date), nightText(visit, night, currency)]),
  );
}

function nightText({ texts, format }: Visit, { price, takenBy }: QuoteNight, currency: string): Html {
  const amount =
    price === null ? html`<span class="dim">${texts.calendar.noPrice}</span>` : html`${format.money(price, currency)}`;
  if (!takenBy) return amount;
  const what = takenBy.kind === 'stay' ? texts.book.stayThere : (takenBy.text ?? texts.calendar.blocked);
  return html`<strong class="bad">${what}</strong>`;
}

function otherPlaces(visit: Visit, places: readonly Place[], { wish, quote }: Pick<Offer, 'wish' | 'quote'>): Html {
  const words = visit.texts.book;
  const { from, to } = wish;
  const others = places.filter(({ id }) => quote.free.includes(id));
  if (others.length === 0) return html`<p class="dim">${words.noOther}</p>`;
  return html`<p>
    ${words.alsoFree}
    ${others
      .slice(0, MOST_OTHERS)
      .map(
        ({ id, name }, index) =>
          html`${index > 0 ? ', ' : ''}<a href="${visit.address('book', { property: id, from, to })}">${name}</a>`,
      )}
    ${others.length > MOST_OTHERS ? html`<span class="dim">${words.more(others.length - MOST_OTHERS)}</span>` : ''}
  </p>`;
}

function guestForm(
  visit: Visit,
  { sources, methods }: Pick<Shown, 'sources' | 'methods'>,
  { wish, quote, rates }: Offer,
): Html {
  const words = visit.texts.book;
  const { total, currency } = offered({ quote, rates });
  const { extras, ...asked } = wish;
  const chosen = Object.fromEntries(extras.map((name, index) => [extraField(index), name]));
  const value = (field: string, otherwise = '') => typed(visit, 'create', field, otherwise);
  const text = (name: string, label: string, more: object = {}) =>
    inputField({ name, label, value: value(name), ...more });
  const choice = (name: string, label: string, none: string, entries: readonly Named[]) => {
    const options = entries.map((entry) => ({ value: entry.id, text: entry.name ?? `#${entry.id}` }));
    return options.length === 0 ? '' : choiceField({ name, label, options, chosen: value(name), none });
  };
  return actionForm(
    visit,
    { page: 'book', action: 'create', at: { ...asked, ...chosen }, label: words.guest },
    html`${hiddenFields({ property: wish.property, from: wish.from, to: wish.to, currency })}
      ${text('guest_name', words.name, { isRequired: true, longest: 100 })}
      ${text('number_of_guests', words.people, { type: 'number', min: 1, max: 99, value: value('number_of_guests', String(partySize(wish))) })}
      ${text('email', words.email, { type: 'email', longest: 50 })}
      ${text('mobile', words.phone, { type: 'tel', longest: 50 })}
      ${text('rate_amount', words.rate(currency), {
        isRequired: true,
        longest: 20,
        value: value('rate_amount', total === null ? '' : decimalText(total, currency)),
      })}
      ${text('commission_amount', words.commission, { longest: 20, value: value('commission_amount', '0') })}
      ${text('received_amount', words.received, { longest: 20, value: value('received_amount', '0') })}
      ${choice('income_method_id', words.method, words.usualMethod, methods)}
      ${choice('custom_channel_id', words.source, words.noSource, sources)}
      ${text('note', words.note, { longest: 500 })}
      <p class="wide"><button type="submit">${words.submit}</button></p>`,
  );
}

function partySize({ adults, children }: Wish): number {
  return adults + children.split(/[\s,;]+/).filter((age) => age !== '').length;
}

/** The price to begin with: by the rate plan, or else what channels sell the nights for. */
function offered({ quote, rates }: Pick<Offer, 'quote' | 'rates'>): Pick<Quote, 'total' | 'currency'> {
  if (!rates?.quote) return quote;
  const { total, currency } = rates.quote;
  return { total: fromWireAmount(total, currency) ?? null, currency };
}
