import { addDays, type PlainDate } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { type Html, html } from '../../../kernel/markup/html.ts';
import { isCurrency, toMinor } from '../../../kernel/money.ts';
import { actionForm, askFirst, choiceField, hiddenFields, inputField, typed } from '../../frame/form.ts';
import { table } from '../../frame/table.ts';
import type { Visit } from '../../visit.ts';
import { type Listing, type NightPrice, readListingNights, readListings } from '../prices.ts';
import { priceText } from '../rows.ts';
import { calendarAddress, lookOf, type Question } from '../state.ts';
import { readMinimum, readPrice, spanText } from './actions.ts';
import { hasReasons } from './ours.ts';
import { type Held, type Place, placesOf, readHeld, readStays, requirePlace, spanDates, type Stay } from './query.ts';

interface Chosen {
  readonly place: Place;
  readonly places: readonly Place[];
  readonly first: PlainDate;
  readonly last: PlainDate;
}

/** Shows a property on some nights, and all that can be done with them. */
export async function unitPanel(visit: Visit, unit: number, asked: Question): Promise<Html> {
  const places = await placesOf(visit);
  const place = requirePlace(places, unit, 'unit');
  const first = asked.first ?? visit.today;
  const last = asked.last !== undefined && asked.last >= first ? asked.last : first;
  const chosen: Chosen = { place, places, first, last };
  const held = await readHeld(visit, { property: unit, from: first, end: addDays(last, 1) });
  const stays = await readStays(visit, held.codes);
  const words = visit.texts.calendar.panel;
  return panel(
    visit,
    `${place.name}: ${spanText(visit, chosen)}`,
    html`${asked.last !== undefined && asked.last < first ? html`<p class="bad" role="alert">${words.wrongOrder}</p>` : ''}
    ${rangeForm(visit, chosen)} ${stays.map((stay) => stayLine(visit, stay))}
    ${
      visit.may('stay.book') && held.codes.length === 0 && held.blocks.length === 0
        ? html`<p>
            <a class="button" href="${visit.address('book', { property: unit, from: first, to: addDays(last, 1) })}"
              >${words.book}</a
            >
          </p>`
        : ''
    }
    ${visit.may('calendar.block') ? html`${blockForm(visit, chosen)} ${openForm(visit, chosen, held)}` : ''}
    ${visit.may('calendar.price') ? await pricePart(visit, chosen, asked) : ''}`,
  );
}

/** Builds the part of the page where something is about to be changed. */
export function panel(visit: Visit, title: string, content: Html): Html {
  return html`<section class="panel" id="panel" aria-labelledby="panel-title">
    <header class="head">
      <h2 id="panel-title">${title}</h2>
      <a href="${calendarAddress(visit)}">${visit.texts.calendar.panel.close}</a>
    </header>
    ${content}
  </section>`;
}

/** Builds a form that only looks: it leads to the calendar with these fields. */
export function lookForm(visit: Visit, label: string, content: Html): Html {
  const { connection, connections } = visit;
  return html`<form class="form" method="get" action="/console/calendar" aria-label="${label}">
    ${hiddenFields({ ...lookOf(visit), ...(connections.length > 1 && { connection }) })} ${content}
  </form>`;
}

function rangeForm(visit: Visit, { place, first, last }: Chosen): Html {
  const words = visit.texts.calendar.panel;
  return lookForm(
    visit,
    words.nights,
    html`${hiddenFields({ unit: place.id })} ${nightFields(visit, { first, last }, 'range-')}
      <button type="submit" class="second">${visit.texts.frame.show}</button>`,
  );
}

function nightFields({ texts }: Visit, { first, last }: { first: string; last: string }, of: string): Html {
  const words = texts.calendar.panel;
  return html`${inputField({ name: 'first', label: words.first, type: 'date', value: first, isRequired: true, of })}
  ${inputField({ name: 'last', label: words.last, type: 'date', value: last, isRequired: true, of })}`;
}

function stayLine(visit: Visit, stay: Stay): Html {
  const words = visit.texts.calendar.panel;
  const { day } = visit.format;
  const title = stay.guest ?? stay.stay_code;
  return html`<p class="actions">
    <span class="key stay"></span>
    <a href="${visit.address('stay', { code: stay.stay_code })}">${title}</a>
    <span class="dim">${words.span(day(stay.check_in_date), day(stay.check_out_date))}</span>
    ${
      visit.may('calendar.move')
        ? html`<a href="${calendarAddress(visit, { move: stay.stay_code })}" aria-label="${words.moveOf(title)}"
            >${words.move}</a
          >`
        : ''
    }
  </p>`;
}

function blockForm(visit: Visit, { place, places, first, last }: Chosen): Html {
  const words = visit.texts.calendar.panel;
  const value = (field: string, otherwise = '') => typed(visit, 'block', field, otherwise);
  const others = places.filter(({ id }) => id !== place.id);
  return actionForm(
    visit,
    { page: 'calendar', action: 'block', label: words.block },
    html`${hiddenFields({ unit: place.id })}
      ${nightFields(visit, { first: value('first', first), last: value('last', last) }, 'block-')}
      ${
        hasReasons(visit)
          ? inputField({ name: 'reason', label: words.reason, value: value('reason'), longest: 200, of: 'block-' })
          : html`<p class="dim wide">${words.noReason}</p>`
      }
      ${others.length === 0 ? '' : otherPlaces(visit, others, 'block')} <button type="submit">${words.block}</button>`,
  );
}

/** A choice of further properties; folded away, since it is rarely wanted. */
function otherPlaces({ texts, refused }: Visit, others: readonly Place[], action: string): Html {
  const words = texts.calendar.panel;
  const chosen = refused?.action === action ? [refused.fields['more'] ?? []].flat() : [];
  return html`<details ${chosen.length > 0 ? 'open' : ''}>
    <summary>${words.also}</summary>
    <select name="more" multiple size="5" aria-label="${words.also}">
      ${others.map(
        ({ id, name }) => html`<option value="${id}" ${chosen.includes(String(id)) ? 'selected' : ''}>${name}</option>`,
      )}
    </select>
  </details>`;
}

function openForm(visit: Visit, { place, first, last }: Chosen, { blocks }: Held): Html {
  if (blocks.length === 0) return html``;
  const words = visit.texts.calendar.panel;
  const lines = blocks.map((block) => {
    const text = spanText(visit, spanDates(first, block));
    return html`<li>${text}${block.text === null ? '' : ` (${block.text})`}</li>`;
  });
  return askFirst(visit, {
    page: 'calendar',
    action: 'open',
    open: words.open,
    consequence: words.openSays(place.name),
    confirm: words.openNow,
    hidden: { unit: place.id, first, last },
    more: html`<ul class="wide">
      ${lines}
    </ul>`,
  });
}

async function pricePart(visit: Visit, chosen: Chosen, asked: Question): Promise<Html> {
  const { services, connection } = visit;
  const { place, first, last } = chosen;
  const words = visit.texts.calendar.panel;
  const listings = await readListings(services.db, { connection, property: place.id });
  if (listings.length === 0) return html`<p class="dim">${words.noListing}</p>`;
  const listing = listings.find((one) => one.listing === asked.listing);
  const fields = html`${hiddenFields({ unit: place.id, first, last })}
    ${choiceField({
      name: 'listing',
      label: words.listing,
      options: listings.map((one) => ({
        value: one.listing,
        text: `${one.title ?? one.listing_id} · ${one.channel_type}`,
      })),
      chosen: asked.listing,
    })}
    ${inputField({ name: 'price', label: words.price, value: asked.price, longest: 20 })}
    ${inputField({ name: 'minimum', label: words.minimum, type: 'number', min: 1, max: 999, value: asked.minimum })}
    <button type="submit" class="second">${words.preview}</button>`;
  return html`${lookForm(visit, words.prices, fields)}
  ${listing && (asked.price !== undefined || asked.minimum !== undefined) ? await preview(visit, chosen, listing, asked) : ''}`;
}

/** Shows what a change of prices replaces, and asks. */
async function preview(visit: Visit, chosen: Chosen, listing: Listing, asked: Question): Promise<Html> {
  const words = visit.texts.calendar.panel;
  const { place, first, last } = chosen;
  let wish: { price: number | undefined; minimum: number | undefined };
  try {
    wish = { price: readPrice(asked.price), minimum: readMinimum(asked.minimum) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return html`<p class="bad" role="alert">${visit.texts.form.wrong(error.message)}</p>`;
  }
  const { services, connection, currency } = visit;
  const window = { connection, from: first, end: addDays(last, 1), properties: [place.id], currency };
  const all = (await readListingNights(services.db, window)).get(place.id) ?? [];
  const nights = all.filter((night) => night.listing === listing.listing);
  const rows = stretches(nights).map(({ from, to, night }) => [
    spanText(visit, { first: from, last: to }),
    priceText(visit, night),
    html`<strong>${priceText(visit, changed(night, wish))}</strong>`,
  ]);
  return html`<div class="preview">
    ${rows.length === 0 ? html`<p class="dim">${words.nothingKnown}</p>` : table([words.nights, words.now, words.after], rows)}
    ${actionForm(
      visit,
      { page: 'calendar', action: 'price', label: words.change },
      html`${hiddenFields({ unit: place.id, first, last, listing: listing.listing, price: asked.price ?? '', minimum: asked.minimum ?? '' })}
        <button type="submit">${words.change}</button>`,
    )}
  </div>`;
}

function changed(
  night: NightPrice,
  { price, minimum }: { price: number | undefined; minimum: number | undefined },
): NightPrice {
  const { currency } = night;
  const minor = price === undefined || !isCurrency(currency) ? night.price : (toMinor(price, currency) ?? night.price);
  return { ...night, price: minor, minimum: minimum ?? night.minimum };
}

/** Joins nights that follow each other at the same price and minimum stay. */
function stretches(nights: readonly NightPrice[]): { from: PlainDate; to: PlainDate; night: NightPrice }[] {
  const found: { from: PlainDate; to: PlainDate; night: NightPrice }[] = [];
  for (const night of nights) {
    const last = found.at(-1);
    const isSame = last?.night.price === night.price && last.night.minimum === night.minimum;
    if (last && isSame && addDays(last.to, 1) === night.date) last.to = night.date;
    else found.push({ from: night.date, to: night.date, night });
  }
  return found;
}
