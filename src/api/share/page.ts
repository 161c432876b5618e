import type { DayState } from '../../core/calendarShareLinks/rules.ts';
import type { SharedCalendar, SharedMonth } from '../../core/calendarShareLinks/sharedCalendar.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { type Look, masthead } from '../../kernel/markup/look.ts';
import { pagesWith } from '../../kernel/markup/page.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const STATES: Record<DayState, string> = { free: 'free', taken: 'not available', past: 'past' };

const { page, policy } = pagesWith(`
:root{--free:#e2f5ea;--free-ink:#0b5a2f;--taken:#e6e8eb;--taken-ink:#4d545c}
@media screen and (prefers-color-scheme:dark){:root{--free:#123c25;--free-ink:#b4ecca;--taken:#2b3036;--taken-ink:#b3bac2}}
body{margin:0 auto;max-width:64rem;padding:calc(var(--gap)*3)}
h1{margin:0 0 .5rem;overflow-wrap:anywhere}
h2{font-size:1rem;margin:1.5rem 0 .5rem;overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.75rem 0}
nav a,nav span.off{display:inline-block;min-height:2.75rem;padding:.6rem .9rem;border:1px solid var(--line);border-radius:.5rem}
nav span.off{color:var(--dim)}
ul.legend{display:flex;flex-wrap:wrap;gap:.5rem 1rem;padding:0;margin:.5rem 0;list-style:none}
ul.legend span{display:inline-block;width:2rem;text-align:center;margin-right:.4rem;border-radius:.3rem}
.months{display:grid;grid-template-columns:repeat(auto-fill,minmax(17.5rem,1fr));gap:1rem;align-items:start}
table{width:100%;border-collapse:separate;border-spacing:2px;table-layout:fixed;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.25rem 0}
th{font-weight:500;font-size:.85rem}
abbr{text-decoration:none}
td{height:2.4rem;text-align:center;border-radius:.3rem}
.free{background:var(--free);color:var(--free-ink);font-weight:600}
.taken{background:var(--taken);color:var(--taken-ink);text-decoration:line-through}
.past{color:var(--dim)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`);

/** Returns the content policy of these pages: show them, nothing else. */
export function contentPolicy(look?: Look): string {
  return policy(undefined, look);
}

/** Renders the page of a valid link, in the look of its account. */
export function renderCalendar(calendar: SharedCalendar, look?: Look): string {
  const [only] = calendar.properties.length === 1 && calendar.pages === 1 ? calendar.properties : [];
  const title = only ? only.name : 'Availability';
  return page(
    look ? `${title} · ${look.name}` : title,
    html`${masthead(look)}
      <main>
        <h1>${title}</h1>
        ${monthLinks(calendar, 'Month')} ${LEGEND}
        ${calendar.properties.length === 0 ? html`<p>There are no properties to show.</p>` : ''}
        ${calendar.properties.map((property) => renderProperty(property, !only))} ${pageLinks(calendar)}
        ${calendar.properties.length > 1 ? monthLinks(calendar, 'Month, again') : ''}
      </main>`,
    look,
  );
}

/** Renders the page of a link that has ended or never existed. */
export function renderInvalid(): string {
  return page(
    'Share link invalid',
    html`<main>
      <h1>Share link invalid</h1>
      <p>Ask whoever sent it to you for a new one.</p>
    </main>`,
  );
}

/** Renders the page for a visitor who has to wait. */
export function renderBusy(): string {
  return page(
    'Too many requests',
    html`<main>
      <h1>Too many requests</h1>
      <p>This page is asked for very often. Try again in a minute.</p>
    </main>`,
  );
}

const LEGEND = html`<ul class="legend" aria-label="Legend">
  <li><span class="free" aria-hidden="true">1</span>free</li>
  <li><span class="taken" aria-hidden="true">1</span>not available</li>
  <li><span class="past" aria-hidden="true">1</span>past</li>
</ul>`;

function monthLinks({ month, previous, next, page }: SharedCalendar, label: string): Html {
  const link = (to: string | null, text: string, rel: string) =>
    to === null
      ? html`<span class="off">${text}</span>`
      : html`<a rel="${rel}" href="?month=${to}${page > 1 ? `&page=${page}` : ''}"
          >${text}<span class="unseen">: ${monthName(to)}</span></a
        >`;
  return html`<nav aria-label="${label}">
    ${link(previous, 'Earlier', 'prev')} <strong>${monthName(month)}</strong> ${link(next, 'Later', 'next')}
  </nav>`;
}

function pageLinks({ month, page, pages }: SharedCalendar): Html {
  if (pages === 1) return html``;
  const link = (to: number, text: string) =>
    to < 1 || to > pages
      ? html`<span class="off">${text}</span>`
      : html`<a href="?month=${month}&amp;page=${to}">${text}</a>`;
  return html`<nav aria-label="Properties">
    ${link(page - 1, 'Previous properties')} page ${page} of ${pages} ${link(page + 1, 'More properties')}
  </nav>`;
}

function renderProperty({ name, months }: SharedCalendar['properties'][number], isNamed: boolean): Html {
  return html`<section aria-label="${name}">
    ${isNamed ? html`<h2>${name}</h2>` : ''}
    <div class="months">${months.map(renderMonth)}</div>
  </section>`;
}

function renderMonth({ month, days }: SharedMonth): Html {
  const cells = [...blanks(month), ...days.map(renderDay)];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) => cells.slice(week * 7, week * 7 + 7));
  const heads = WEEKDAYS.map((day) => html`<th scope="col"><abbr title="${day}">${day.slice(0, 2)}</abbr></th>`);
  return html`<table>
    <caption>
      ${monthName(month)}
    </caption>
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${weeks.map(
        (week) =>
          html`<tr>
            ${week}${Array.from({ length: 7 - week.length }, () => BLANK)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const BLANK = html`<td></td>`;

/** Renders the days of the first week that belong to the month before; weeks begin on Monday. */
function blanks(month: string): Html[] {
  return Array.from({ length: (new Date(`${month}-01T00:00:00Z`).getUTCDay() + 6) % 7 }, () => BLANK);
}

function renderDay({ date, state }: SharedMonth['days'][number]): Html {
  const day = Number(date.slice(8));
  return html`<td class="${state}">
    <time datetime="${date}">${day}</time><span class="unseen"> ${STATES[state]}</span>
  </td>`;
}

const monthFormat = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function monthName(month: string): string {
  return monthFormat.format(new Date(`${month}-01T00:00:00Z`));
}
