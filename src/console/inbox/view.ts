import { msOf } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import type { Visit } from '../visit.ts';
import { asideView } from './asideView.ts';
import { type Entry, type Show, shows } from './query.ts';
import type { InboxQuestion, Opened } from './question.ts';
import { threadView } from './threadView.ts';

interface Shown {
  readonly entries: readonly Entry[];
  readonly hasMore: boolean;
  readonly choices: readonly { id: number; name: string | null }[];
  readonly opened: Opened | undefined;
}

/** Shows the list of conversations, and beside it the one that was chosen. */
export function inboxView(visit: Visit, asked: InboxQuestion, { entries, hasMore, choices, opened }: Shown): Html {
  const words = visit.texts.inbox;
  const list = html`<section class="conversations" aria-labelledby="conversations">
    <h2 id="conversations" class="hidden">${words.conversations}</h2>
    ${
      entries.length === 0
        ? emptyList(visit, asked)
        : html`<ol>
            ${entries.map((entry) => entryItem(visit, asked, entry, opened?.thread.conversation_id))}
          </ol>`
    }
    ${pagesNav(visit, asked, hasMore)}
  </section>`;
  return html`<header class="head">
      <h1>${words.title}</h1>
      ${filters(visit, asked)} ${finder(visit, asked, choices)}
    </header>
    <div class="${opened ? 'inbox open' : 'inbox'}">
      ${list} ${opened ? threadView(visit, asked, opened) : ''} ${opened ? asideView(visit, opened.thread) : ''}
    </div>`;
}

function filters(visit: Visit, { show, property, named }: InboxQuestion): Html {
  const words = visit.texts.inbox;
  return html`<nav class="tabs" aria-label="${words.filters}">
    ${shows.map(
      (one: Show) =>
        html`<a
          href="${visit.address('inbox', { show: one, property, named })}"
          ${one === show ? html`aria-current="true"` : ''}
          >${words.shows[one]}</a
        >`,
    )}
  </nav>`;
}

function finder(visit: Visit, { show, property, named }: InboxQuestion, choices: Shown['choices']): Html {
  const { texts, connection, connections } = visit;
  const words = texts.inbox;
  return html`<form class="choice" method="get" action="/console/inbox" role="search" aria-label="${words.filters}">
    <input type="hidden" name="show" value="${show}" />
    ${connections.length > 1 ? html`<input type="hidden" name="connection" value="${connection}" />` : ''}
    ${
      choices.length < 2
        ? ''
        : html`<select name="property" aria-label="${words.property}">
            <option value="">${words.allProperties}</option>
            ${choices.map(
              ({ id, name }) =>
                html`<option value="${id}" ${id === property ? 'selected' : ''}>${name ?? `#${id}`}</option>`,
            )}
          </select>`
    }
    <input
      type="search"
      name="named"
      value="${named ?? ''}"
      maxlength="100"
      aria-label="${words.guestsName}"
      placeholder="${words.guestsName}"
    />
    <button type="submit" class="second">${words.find}</button>
  </form>`;
}

function emptyList(visit: Visit, { show, property, named }: InboxQuestion): Html {
  const words = visit.texts.inbox;
  const isNarrowed = property !== undefined || named !== undefined;
  if (isNarrowed) {
    const all = visit.address('inbox', { show });
    return html`<p class="dim">${words.noneFound} <a href="${all}">${words.showAll}</a></p>`;
  }
  return html`<p class="dim">${words.empty[show]}</p>`;
}

function entryItem(visit: Visit, asked: InboxQuestion, entry: Entry, chosen: string | undefined): Html {
  const { texts, format, services } = visit;
  const words = texts.inbox;
  const { conversation_id, guest, last_at, last_text, isOurs, isUnanswered, drafts } = entry;
  const { show, property, named, page } = asked;
  const to = visit.address('inbox', {
    show,
    property,
    named,
    page: page > 1 ? page : undefined,
    conversation: conversation_id,
  });
  const age = last_at === null ? undefined : Math.max(0, (services.now() - msOf(last_at)) / 1_000);
  const about = [...entry.properties, ...dates(visit, entry)].join(' · ');
  return html`<li>
    <a
      class="${isUnanswered ? 'entry waits' : 'entry'}"
      href="${to}"
      ${conversation_id === chosen ? html`aria-current="true"` : ''}
      data-entry
    >
      <span class="who">${guest ?? words.unknownGuest}</span>
      <span class="when dim">${age === undefined ? '' : format.span(Math.round(age))}</span>
      <span class="about dim">${about}</span>
      <span class="last"
        >${isOurs ? html`<span class="dim">${words.you}</span> ` : ''}${excerpt(last_text) || (last_at === null ? '' : words.noWords)}</span
      >
      <span class="chips">
        ${isUnanswered ? html`<span class="chip waiting">${words.unanswered}</span>` : ''}
        ${drafts > 0 ? html`<span class="chip">${words.drafts(drafts)}</span>` : ''}
      </span>
    </a>
  </li>`;
}

function dates({ format }: Visit, { check_in_date, check_out_date }: Entry): string[] {
  if (check_in_date === null || check_out_date === null) return [];
  return [`${format.day(check_in_date)} – ${format.day(check_out_date)}`];
}

const EXCERPT = 140;

function excerpt(text: string | null): string {
  const line = (text ?? '').replaceAll(/\s+/g, ' ');
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line;
}

function pagesNav(visit: Visit, { show, property, named, page }: InboxQuestion, hasMore: boolean): Html {
  if (page === 1 && !hasMore) return html``;
  const words = visit.texts.inbox;
  const to = (other: number) => visit.address('inbox', { show, property, named, page: other });
  return html`<nav class="range" aria-label="${words.pages}">
    ${page > 1 ? html`<a href="${to(page - 1)}" rel="prev">${words.newer}</a>` : ''}
    ${hasMore ? html`<a href="${to(page + 1)}" rel="next">${words.older}</a>` : ''}
  </nav>`;
}
