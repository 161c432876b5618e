import { addDays, type PlainDate } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { addressOf } from '../page.ts';
import { channelName } from '../frame/channelName.ts';
import type { Visit } from '../visit.ts';
import { type Day, MOST_ROWS, type StayRow } from './query.ts';
import type { Wait } from './waiting.ts';
import { stayLink, waitingNote } from './waitingView.ts';

interface Choice {
  properties: readonly { id: number; name: string | null }[];
  /** Left out: all. */
  property: number | undefined;
}

const PAID_DEPOSITS: ReadonlySet<string | null> = new Set(['paid', 'refunded']);

/** What one day shows. */
interface DayContent {
  readonly day: Day;
  readonly counts: Readonly<Record<Wait, number>>;
  readonly choice: Choice;
}

/** Shows one day: what waits, the days around it, and its three lists. */
export function todayView(visit: Visit, { day, counts, choice }: DayContent): Html {
  const { texts, format } = visit;
  const words = texts.today;
  const lists = [
    { id: 'arrivals', title: words.arrivals, empty: words.noArrivals, rows: day.arrivals, end: words.until },
    { id: 'departures', title: words.departures, empty: words.noDepartures, rows: day.departures, end: words.since },
    { id: 'staying', title: words.staying, empty: words.noStaying, rows: day.staying, end: words.until },
  ];
  return html`<header class="head">
      <h1>${nameOfDay(visit, day.date) ?? format.day(day.date)}</h1>
      <p class="dim">${format.day(day.date)}</p>
      ${
        visit.may('stay.book')
          ? html`<a class="button" href="${visit.address('book')}">${texts.calendar.newBooking}</a>`
          : ''
      }
      ${propertyChoice(visit, day.date, choice)}
    </header>
    ${waitingNote(visit, counts)} ${daysNav(visit, day, choice)}
    ${lists.map(
      ({ id, title, empty, rows, end }) =>
        html`<section aria-labelledby="${id}">
          <h2 id="${id}">${title} <span class="count">${format.count(rows.length)}</span></h2>
          ${rows.length === 0 ? html`<p class="dim">${empty}</p>` : stayTable(visit, rows, end, id === 'departures')}
          ${rows.length === MOST_ROWS ? html`<p class="dim">${words.more(MOST_ROWS)}</p>` : ''}
        </section>`,
    )}`;
}

function nameOfDay({ today, texts }: Visit, date: PlainDate): string | undefined {
  const { yesterday, today: now, tomorrow } = texts.today.day;
  const names: Readonly<Record<PlainDate, string>> = {
    [addDays(today, -1)]: yesterday,
    [today]: now,
    [addDays(today, 1)]: tomorrow,
  };
  return names[date];
}

function propertyChoice({ texts, connection, connections }: Visit, date: PlainDate, choice: Choice): Html {
  if (choice.properties.length < 2) return html``;
  const words = texts.today;
  return html`<form class="choice" method="get" action="/console/today">
    <input type="hidden" name="day" value="${date}" />
    ${connections.length > 1 ? html`<input type="hidden" name="connection" value="${connection}" />` : ''}
    <label for="property">${words.property}</label>
    <select id="property" name="property">
      <option value="">${words.allProperties}</option>
      ${choice.properties.map(
        ({ id, name }) =>
          html`<option value="${id}" ${id === choice.property ? 'selected' : ''}>${name ?? `#${id}`}</option>`,
      )}
    </select>
    <button type="submit" class="second">${texts.frame.show}</button>
  </form>`;
}

function daysNav(visit: Visit, day: Day, { property }: Choice): Html {
  const { texts, format, connection, connections } = visit;
  const words = texts.today;
  const to = (date: PlainDate) =>
    addressOf('today', { day: date, property, ...(connections.length > 1 && { connection }) });
  const first = day.around[0]?.date ?? day.date;
  const last = day.around.at(-1)?.date ?? day.date;
  return html`<nav class="days" aria-label="${words.days}">
    <a href="${to(addDays(first, -8))}" rel="prev">${words.earlier}</a>
    <ol>
      ${day.around.map(
        ({ date, arrivals, departures }) =>
          html`<li>
            <a href="${to(date)}" ${date === day.date ? 'aria-current="date"' : ''}>
              <span>${nameOfDay(visit, date) ?? format.day(date)}</span>
              <span class="dim" title="${words.arrivals}">↓ ${format.count(arrivals)}</span>
              <span class="dim" title="${words.departures}">↑ ${format.count(departures)}</span>
            </a>
          </li>`,
      )}
    </ol>
    <a href="${to(addDays(last, 2))}" rel="next">${words.later}</a>
  </nav>`;
}

function stayTable(visit: Visit, rows: readonly StayRow[], end: string, isLeaving: boolean): Html {
  const { texts, format } = visit;
  const words = texts.today;
  return html`<table class="stays">
    <thead>
      <tr>
        <th scope="col">${words.guest}</th>
        <th scope="col">${words.unit}</th>
        <th scope="col">${end}</th>
        <th scope="col">${words.people}</th>
        <th scope="col">${words.source}</th>
        <th scope="col" class="amount">${words.owed}</th>
        <th scope="col">${words.missing}</th>
        <th scope="col">${words.code}</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => {
        const other = isLeaving ? row.check_in_date : row.check_out_date;
        const missing = missingOf(row).map((need) => words.needs[need]);
        return html`<tr>
          <th scope="row">${stayLink(visit, row)}</th>
          <td data-label="${words.unit}">${row.property ?? words.box}</td>
          <td data-label="${end}">
            <span
              >${other === null ? '' : format.day(other)}
              ${row.nights === null ? '' : html`<span class="dim">${words.nights(row.nights)}</span>`}</span
            >
          </td>
          <td data-label="${words.people}">
            ${row.number_of_guests === null ? '' : words.guests(row.number_of_guests)}
          </td>
          <td data-label="${words.source}">${channelName(visit, row)}</td>
          <td data-label="${words.owed}" class="amount">${owed(visit, row)}</td>
          <td data-label="${words.missing}">
            ${missing.length === 0 ? html`<span class="dim">${words.complete}</span>` : html`<strong>${missing.join(', ')}</strong>`}
          </td>
          <td data-label="${words.code}"><code>${row.stay_code}</code></td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

function owed({ format }: Visit, { balance_minor, payment_currency, currency }: StayRow): string {
  if (balance_minor === null || balance_minor === 0) return '';
  return format.money(balance_minor, payment_currency ?? currency ?? '');
}

type Need = 'payment' | 'deposit' | 'identity' | 'property';

/** Returns what a stay still lacks. */
function missingOf(row: StayRow): Need[] {
  const needs: [Need, boolean][] = [
    ['payment', (row.balance_minor ?? 0) > 0],
    ['deposit', (row.deposit_minor ?? 0) > 0 && !PAID_DEPOSITS.has(row.deposit_status)],
    ['identity', (row.id_required ?? 'not_required') !== 'not_required' && row.has_identity === null],
    ['property', row.in_reservation_box === 1],
  ];
  return needs.flatMap(([need, isMissing]) => (isMissing ? [need] : []));
}
