import type { OpenPage } from '../../channels/direct/bookings/pages.ts';
import type { PropertyRow } from '../../core/database.ts';
import { type DayState, datesOfMonth } from '../../core/calendarShareLinks/rules.ts';
import { addDays, type PlainDate } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { bookPage, field, problems, type Shell, structured } from './frame.ts';
import type { Words } from './words.ts';

/** What a guest has filled in so far, as text. */
export interface SearchFields {
  readonly from: string;
  readonly to: string;
  readonly adults: string;
  readonly children: string;
  readonly pets: string;
  readonly extras: readonly string[];
}

export interface CalendarShown {
  readonly open: OpenPage;
  /** Address of this booking page. */
  readonly base: string;
  readonly properties: readonly PropertyRow[];
  /** undefined: the guest has not chosen yet. */
  readonly property: PropertyRow | undefined;
  readonly today: PlainDate;
  readonly months: {
    readonly shown: readonly string[];
    readonly previous: string | null;
    readonly next: string | null;
  };
  readonly stateOf: (date: PlainDate) => DayState;
  readonly typed: SearchFields;
  readonly extras: readonly string[];
  readonly errors: Readonly<Record<string, string>>;
  readonly refusal: Html | undefined;
}

/** Renders the properties to choose from, or the free nights of one and the form for dates and guests. */
export function renderCalendar(shell: Shell, shown: CalendarShown): string {
  const { words } = shell;
  const { texts } = words;
  const { property, properties, open } = shown;
  if (!property) return renderChoice(shell, shown);
  const others = properties.length > 1 ? html`<p><a href="${address(shown, words)}">${texts.others}</a></p>` : html``;
  return bookPage(
    shell,
    texts.book(property.name),
    html`${structured({
        '@type': 'LodgingBusiness',
        name: shell.look?.name ?? open.account.name,
        ...(property.address !== '' && { address: property.address }),
        makesOffer: { '@type': 'Offer', itemOffered: { '@type': 'Accommodation', name: property.name } },
      })}
      ${problems(words, Object.values(shown.errors))} ${shown.refusal ?? ''}
      ${property.address === '' ? '' : html`<p class="dim">${property.address}</p>`} ${others}
      ${monthLinks(words, shown)} ${legend(words)}
      <div class="months">${shown.months.shown.map((month) => renderMonth(words, month, shown.stateOf))}</div>
      ${searchForm(words, shown, property)}`,
  );
}

function renderChoice(shell: Shell, shown: CalendarShown): string {
  const { words } = shell;
  const { texts } = words;
  const { properties, open } = shown;
  const title = properties.length === 0 ? open.page.name : texts.properties;
  return bookPage(
    shell,
    title,
    properties.length === 0
      ? html`<p>${texts.none}</p>`
      : html`<ul class="plain">
          ${properties.map(
            ({ id, name, address: place }) =>
              html`<li class="note">
                <h2>${name}</h2>
                ${place === '' ? '' : html`<p class="dim">${place}</p>`}
                <p>
                  <a class="button" href="${address(shown, words, { property: String(id) })}"
                    >${texts.see}<span class="unseen">: ${name}</span></a
                  >
                </p>
              </li>`,
          )}
        </ul>`,
  );
}

/** Returns an address of this booking page in the same language. */
function address(
  { base }: Pick<CalendarShown, 'base'>,
  words: Words,
  more: Readonly<Record<string, string>> = {},
): string {
  return `${base}?${new URLSearchParams({ ...more, lang: words.language }).toString()}`;
}

function monthLinks(words: Words, shown: CalendarShown): Html {
  const { texts } = words;
  const link = (to: string | null, text: string, rel: string) =>
    to === null
      ? html`<span class="off">${text}</span>`
      : html`<a rel="${rel}" href="${address(shown, words, { property: String(shown.property?.id ?? ''), month: to })}"
          >${text}<span class="unseen">: ${words.month(to)}</span></a
        >`;
  return html`<nav class="row" aria-label="${texts.months}">
    ${link(shown.months.previous, texts.earlier, 'prev')} ${link(shown.months.next, texts.later, 'next')}
  </nav>`;
}

function legend({ texts }: Words): Html {
  return html`<ul class="legend" aria-label="${texts.legend}">
    ${(['free', 'taken', 'past'] as const).map(
      (state) => html`<li><span class="${state}" aria-hidden="true">1</span>${texts.states[state]}</li>`,
    )}
  </ul>`;
}

function renderMonth(words: Words, month: string, stateOf: (date: PlainDate) => DayState): Html {
  const first = new Date(`${month}-01T00:00:00Z`).getUTCDay();
  const blank = html`<td></td>`;
  const days = datesOfMonth(month).map((date) => {
    const state = stateOf(date);
    return html`<td class="${state}">
      <time datetime="${date}">${Number(date.slice(8))}</time><span class="unseen"> ${words.texts.states[state]}</span>
    </td>`;
  });
  const cells = [...Array.from({ length: (first + 6) % 7 }, () => blank), ...days];
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) => cells.slice(week * 7, week * 7 + 7));
  return html`<table>
    <caption>
      ${words.month(month)}
    </caption>
    <thead>
      <tr>
        ${words.weekdays().map(({ short, long }) => html`<th scope="col"><abbr title="${long}">${short}</abbr></th>`)}
      </tr>
    </thead>
    <tbody>
      ${weeks.map(
        (week) =>
          html`<tr>
            ${week}${Array.from({ length: 7 - week.length }, () => blank)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function searchForm(words: Words, shown: CalendarShown, property: PropertyRow): Html {
  const { texts, language } = words;
  const { typed, errors, today, extras } = shown;
  return html`<h2 id="dates">${texts.dates}</h2>
    <form method="post" action="${shown.base}/quotes" novalidate aria-labelledby="dates">
      <input type="hidden" name="lang" value="${language}" />
      <input type="hidden" name="property" value="${property.id}" />
      <div class="pair">
        ${field({ name: 'from', label: texts.from, value: typed.from, type: 'date', error: errors['from'], more: html`min="${today}"` })}
        ${field({ name: 'to', label: texts.to, value: typed.to, type: 'date', error: errors['to'], more: html`min="${addDays(today, 1)}"` })}
        ${field({ name: 'adults', label: texts.adults, value: typed.adults, type: 'number', error: errors['adults'], more: html`min="1" max="50"` })}
        ${field({ name: 'pets', label: texts.pets, value: typed.pets, type: 'number', error: errors['pets'], more: html`min="0" max="10"` })}
      </div>
      ${field({ name: 'children', label: texts.children, value: typed.children, hint: texts.childrenHint, error: errors['children'], isRequired: false })}
      ${
        extras.length === 0
          ? ''
          : html`<fieldset>
              <legend>${texts.extras}</legend>
              ${extras.map(
                (name) =>
                  html`<label class="tick"
                    ><input
                      type="checkbox"
                      name="extra"
                      value="${name}"
                      ${typed.extras.includes(name) ? html` checked` : ''}
                    />
                    ${name}</label
                  >`,
              )}
            </fieldset>`
      }
      <button type="submit">${texts.seePrice}</button>
    </form>`;
}
