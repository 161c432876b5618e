import { addDaysWithin, dayNumber, nightsOf, type PlainDate } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import type { Visit } from '../visit.ts';
import { type Calendar, type NightCount, RANGES } from './query.ts';
import { type Columns, dateClasses, mayChange, sizeClasses, unitRow } from './rows.ts';
import { calendarAddress, lookOf, type Question } from './state.ts';

const DAY_MS = 86_400_000;
/** Days by which the calendar moves. */
const STEPS: Readonly<Record<NightCount, number>> = { 28: 14, 90: 30, 365: 90 };

/** Shows the calendar: a row for each property, a column for each night, a cell for each stay. */
export function calendarView(visit: Visit, calendar: Calendar, asked: Question, panel: Html): Html {
  const words = visit.texts.calendar;
  return html`<header class="head">
      <h1>${words.title}</h1>
      ${visit.may('stay.book') ? html`<a class="button" href="${visit.address('book')}">${words.newBooking}</a>` : ''}
      ${filters(visit, calendar, asked)}
    </header>
    ${panel} ${rangeNav(visit, calendar, asked)}
    ${
      calendar.units.length === 0
        ? html`<section class="note">
            <h2>${words.nothing}</h2>
            <p>${words.nothingHint}</p>
          </section>`
        : grid(visit, calendar, asked)
    }
    ${pagesNav(visit, calendar)}`;
}

function filters(
  visit: Visit,
  { from, groups, tags }: Calendar,
  { nights, named, group, tag, prices }: Question,
): Html {
  const { texts, connection, connections } = visit;
  const words = texts.calendar;
  const hidden = {
    from,
    ...(nights !== 28 && { nights }),
    ...(prices !== undefined && { prices }),
    ...(connections.length > 1 && { connection }),
  };
  return html`<form class="choice" method="get" action="/console/calendar" role="search" aria-label="${words.search}">
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <label for="named">${words.search}</label>
    <input id="named" name="named" type="search" value="${named ?? ''}" maxlength="100" />
    ${choice('group', words.allGroups, groups, group)} ${choice('tag', words.allTags, tags, tag)}
    <button type="submit" class="second">${words.find}</button>
  </form>`;
}

function choice(name: string, all: string, names: readonly string[], chosen: string | undefined): Html {
  if (names.length === 0) return html``;
  return html`<select name="${name}" aria-label="${all}">
    <option value="">${all}</option>
    ${names.map((one) => html`<option value="${one}" ${one === chosen ? 'selected' : ''}>${one}</option>`)}
  </select>`;
}

function rangeNav(visit: Visit, { from, units, nights }: Calendar, { prices }: Question): Html {
  const { texts, format } = visit;
  const words = texts.calendar;
  const to = (date: PlainDate | undefined) => calendarAddress(visit, { from: date });
  return html`<nav class="range" aria-label="${words.range}">
    <a href="${to(addDaysWithin(from, -STEPS[nights]))}" rel="prev">${words.earlier}</a>
    <a href="${to(undefined)}">${words.today}</a>
    <a href="${to(addDaysWithin(from, STEPS[nights]))}" rel="next">${words.later}</a>
    <span class="dim">${format.day(from)} – ${format.day(addDaysWithin(from, nights - 1))}</span>
    <span class="switch">
      ${RANGES.map(
        (count) =>
          html`<a
            href="${calendarAddress(visit, { nights: count, page: undefined })}"
            ${count === nights ? html`aria-current="true"` : ''}
            >${texts.today.nights(count)}</a
          >`,
      )}
    </span>
    ${
      nights === 365
        ? ''
        : html`<a href="${calendarAddress(visit, { prices: prices === undefined ? '1' : undefined, page: undefined })}"
            >${prices === undefined ? words.showPrices : words.hidePrices}</a
          >`
    }
    <ul class="legend" aria-label="${words.legend}">
      <li><span class="key stay"></span>${words.stay}</li>
      <li><span class="key block"></span>${words.blocked}</li>
      ${units.some(({ lanes }) => lanes.length > 1) ? html`<li><span class="key double"></span>${words.double}</li>` : ''}
    </ul>
  </nav>`;
}

/** The rows of this page, and room for those of the others, which a script fills when somebody looks there. */
function grid(visit: Visit, calendar: Calendar, { prices }: Question): Html {
  const { from, nights, page, pages } = calendar;
  const columns = columnsOf(visit, calendar, prices !== undefined);
  const title = visit.texts.calendar.title;
  const look = `calendar n${nights}${prices === undefined || nights === 365 ? '' : ' prices'}`;
  return html`<div class="${look}" id="calendar" tabindex="0" role="region" aria-label="${title}">
    <div
      role="table"
      aria-label="${title}"
      aria-colcount="${nights + 1}"
      data-from="${from}"
      data-address="${calendarAddress(visit)}"
      ${mayChange(visit) ? 'data-selects' : ''}
      ${visit.may('calendar.move') ? 'data-moves' : ''}
    >
      <div role="rowgroup" class="dates">${headRow(visit, columns)}</div>
      ${pages.map((count, index) =>
        index + 1 === page
          ? rowsOf(visit, calendar, columns)
          : html`<div
              role="rowgroup"
              id="rows-${index + 1}"
              class="rows later ${sizeClasses(count)}"
              aria-busy="true"
              data-rows="${rowsAddress(visit, from, index + 1)}"
            ></div>`,
      )}
    </div>
  </div>`;
}

function columnsOf({ format }: Visit, { from, nights }: Calendar, hasPrices: boolean): Columns {
  const end = addDaysWithin(from, nights);
  const dates = nightsOf(from, end);
  const days = [...dates, end].map((date) => format.day(date));
  return { dates, days, isFine: nights === 28 || (nights === 90 && hasPrices) };
}

/** Shows the rows of one page, for a calendar that is open already. */
export function rowsView(visit: Visit, calendar: Calendar, { prices }: Question): Html {
  return rowsOf(visit, calendar, columnsOf(visit, calendar, prices !== undefined));
}

function rowsOf(visit: Visit, { from, page, units }: Calendar, columns: Columns): Html {
  return html`<div
    role="rowgroup"
    id="rows-${page}"
    class="rows ${sizeClasses(units.length)}"
    data-rows="${rowsAddress(visit, from, page)}"
  >
    ${units.map((unit) => unitRow(visit, unit, columns))}
  </div>`;
}

function rowsAddress(visit: Visit, from: PlainDate, page: number): string {
  return calendarAddress(visit, { page, from, only: 1 });
}

function headRow(visit: Visit, { dates, days }: Columns): Html {
  const { locale, texts, today } = visit;
  const weekdays = new Intl.DateTimeFormat(locale, { weekday: 'narrow', timeZone: 'UTC' });
  const months = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' });
  const cells = dates.map((date, index) => {
    const moment = dayNumber(date) * DAY_MS;
    const hasMonth = date.endsWith('-01') || (index === 0 && Number(date.slice(8)) < 25);
    return html`<div role="columnheader" class="${dateClasses(date, today)}">
      ${hasMonth ? html`<i class="month">${months.format(moment)}</i>` : ''}
      <abbr title="${days[index] ?? ''}">${weekdays.format(moment)}<br />${Number(date.slice(8))}</abbr>
    </div>`;
  });
  return html`<div role="row" class="row">
    <div role="columnheader" class="unit">${texts.calendar.units}</div>
    ${cells}
  </div>`;
}

/** The way to the other rows for those whose browser runs no script. */
function pagesNav(visit: Visit, { page, pages }: Calendar): Html {
  if (pages.length === 1) return html``;
  const words = visit.texts.calendar;
  const to = (next: number) => calendarAddress(visit, { ...lookOf(visit), page: next });
  return html`<nav class="range pages" aria-label="${words.pages}">
    ${page > 1 ? html`<a href="${to(page - 1)}" rel="prev">${words.previous}</a>` : ''}
    <span class="dim">${words.page(page, pages.length)}</span>
    ${page < pages.length ? html`<a href="${to(page + 1)}" rel="next">${words.next}</a>` : ''}
  </nav>`;
}
