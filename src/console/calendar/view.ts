import { addDaysWithin, dayNumber, nightsOf, type PlainDate } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { addressOf } from '../page.ts';
import type { Visit } from '../visit.ts';
import { type Calendar, NIGHTS, type Span, type Unit } from './query.ts';

/** Days by which the calendar moves. */
const STEP = 14;

/** Shows the calendar as a table: a row for each property, a column for each night, a cell for each stay. */
export function calendarView(visit: Visit, calendar: Calendar, named: string | undefined): Html {
  const words = visit.texts.calendar;
  const { units } = calendar;
  return html`<header class="head">
      <h1>${words.title}</h1>
      ${search(visit, calendar, named)}
    </header>
    ${rangeNav(visit, calendar, named)}
    ${
      units.length === 0
        ? html`<section class="note">
            <h2>${words.nothing}</h2>
            <p>${words.nothingHint}</p>
          </section>`
        : grid(visit, calendar)
    }
    ${pagesNav(visit, calendar, named)}`;
}

function search({ texts, connection, connections }: Visit, { from }: Calendar, named: string | undefined): Html {
  const words = texts.calendar;
  return html`<form class="choice" method="get" action="/console/calendar" role="search">
    <input type="hidden" name="from" value="${from}" />
    ${connections.length > 1 ? html`<input type="hidden" name="connection" value="${connection}" />` : ''}
    <label for="named">${words.search}</label>
    <input id="named" name="named" type="search" value="${named ?? ''}" maxlength="100" />
    <button type="submit" class="second">${words.find}</button>
  </form>`;
}

type Fields = Readonly<Record<string, string | number | undefined>>;

/** Returns the address of this calendar with some fields changed. */
function calendarAddress({ connection, connections }: Visit, fields: Fields): string {
  return addressOf('calendar', { ...fields, ...(connections.length > 1 && { connection }) });
}

function rangeNav(visit: Visit, { from, page, units }: Calendar, named: string | undefined): Html {
  const { texts, format } = visit;
  const words = texts.calendar;
  const to = (date: PlainDate | undefined) => calendarAddress(visit, { from: date, named, page });
  return html`<nav class="range" aria-label="${words.range}">
    <a href="${to(addDaysWithin(from, -STEP))}" rel="prev">${words.earlier}</a>
    <a href="${to(undefined)}">${words.today}</a>
    <a href="${to(addDaysWithin(from, STEP))}" rel="next">${words.later}</a>
    <span class="dim">${format.day(from)} – ${format.day(addDaysWithin(from, NIGHTS - 1))}</span>
    <ul class="legend" aria-label="${words.legend}">
      <li><span class="key stay"></span>${words.stay}</li>
      <li><span class="key block"></span>${words.blocked}</li>
      ${units.some(({ lanes }) => lanes.length > 1) ? html`<li><span class="key double"></span>${words.double}</li>` : ''}
    </ul>
  </nav>`;
}

function grid(visit: Visit, { from, units }: Calendar): Html {
  const { texts, today } = visit;
  const dates = nightsOf(from, addDaysWithin(from, NIGHTS));
  const days = new Intl.DateTimeFormat(visit.locale, { weekday: 'narrow', timeZone: 'UTC' });
  const head = dates.map((date) => {
    const moment = dayNumber(date) * DAY_MS;
    return html`<th scope="col" class="${classesOf(date, today)}">
      <abbr title="${visit.format.day(date)}">${days.format(moment)}<br />${Number(date.slice(8))}</abbr>
    </th>`;
  });
  return html`<div class="calendar" tabindex="0" role="region" aria-label="${texts.calendar.title}">
    <table>
      <thead>
        <tr>
          <th scope="col">${texts.calendar.units}</th>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${units.map((unit) => unitRow(visit, unit, dates))}
      </tbody>
    </table>
  </div>`;
}

const DAY_MS = 86_400_000;

function classesOf(date: PlainDate, today: PlainDate): string {
  // 1970-01-01 was a Thursday.
  const weekday = (dayNumber(date) + 4) % 7;
  return [date === today ? 'today' : '', weekday === 0 || weekday === 6 ? 'weekend' : ''].filter(Boolean).join(' ');
}

function unitRow(visit: Visit, { name, id, lanes }: Unit, dates: readonly PlainDate[]): Html[] {
  const rows = lanes.length === 0 ? [[]] : lanes;
  return rows.map(
    (spans, index) =>
      html`<tr>
        ${index === 0 ? html`<th scope="rowgroup" rowspan="${rows.length}">${name ?? `#${id}`}</th>` : ''}
        ${laneCells(visit, spans, dates)}
      </tr>`,
  );
}

function laneCells(visit: Visit, spans: readonly Span[], dates: readonly PlainDate[]): Html[] {
  const cells: Html[] = [];
  let column = 0;
  const freeUntil = (end: number) => {
    for (; column < end; column += 1)
      cells.push(html`<td class="${classesOf(dates[column] ?? '', visit.today)}"></td>`);
  };
  for (const span of spans) {
    freeUntil(span.first);
    cells.push(spanCell(visit, span, dates));
    column += span.nights;
  }
  freeUntil(dates.length);
  return cells;
}

function spanCell({ texts, format }: Visit, span: Span, dates: readonly PlainDate[]): Html {
  const { kind, first, nights, text, isDouble } = span;
  const words = texts.calendar;
  const shown = text ?? (kind === 'stay' ? texts.today.unknownGuest : words.blocked);
  const from = dates[first] ?? '';
  const title = words.nightsOf(shown, format.day(from), format.day(addDaysWithin(from, nights)));
  return html`<td colspan="${nights}">
    <span class="span ${isDouble ? 'double' : kind}" title="${title}${isDouble ? `: ${words.double}` : ''}"
      >${isDouble ? `${words.double}: ` : ''}${shown}</span
    >
  </td>`;
}

function pagesNav(visit: Visit, { from, page, pages }: Calendar, named: string | undefined): Html {
  if (pages === 1) return html``;
  const words = visit.texts.calendar;
  const to = (next: number) => calendarAddress(visit, { from, named, page: next });
  return html`<nav class="range" aria-label="${words.pages}">
    ${page > 1 ? html`<a href="${to(page - 1)}" rel="prev">${words.previous}</a>` : ''}
    <span class="dim">${words.page(page, pages)}</span>
    ${page < pages ? html`<a href="${to(page + 1)}" rel="next">${words.next}</a>` : ''}
  </nav>`;
}
