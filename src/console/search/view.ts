import { type Html, html } from '../../kernel/markup/html.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { type Hits, type MessageHit, MOST_HITS, type StayHit } from './query.ts';

/** Shows what was found, by its kind, each with its link. */
export function searchView(visit: Visit, question: string, hits: Hits | undefined): Html {
  const words = visit.texts.search;
  return html`<header class="head"><h1>${words.title}</h1></header>
    ${box(visit, question)} ${hits ? found(visit, question, hits) : html`<p class="dim">${words.hint}</p>`}`;
}

function box({ texts, connection, connections }: Visit, question: string): Html {
  const words = texts.search;
  return html`<form
    class="form filters"
    method="get"
    action="/console/search"
    role="search"
    aria-label="${words.title}"
  >
    ${connections.length > 1 ? html`<input type="hidden" name="connection" value="${connection}" />` : ''}
    <div class="field wide">
      <label for="q">${words.question}</label>
      <input id="q" name="q" type="search" value="${question}" maxlength="200" />
    </div>
    <button type="submit">${words.find}</button>
  </form>`;
}

function found(visit: Visit, question: string, { byCode, byGuest, properties, messages }: Hits): Html {
  const words = visit.texts.search;
  if (byCode.length + byGuest.length + properties.length + messages.length === 0) {
    return html`<section aria-labelledby="nothing">
      <h2 id="nothing">${words.nothing(question)}</h2>
      <p class="dim">${words.nothingHint}</p>
    </section>`;
  }
  return html`${stays(visit, 'codes', words.codes, byCode)} ${stays(visit, 'guests', words.guests, byGuest)}
  ${places(visit, properties)} ${texts(visit, messages)}`;
}

function stays(visit: Visit, id: string, title: string, hits: readonly StayHit[]): Html {
  if (hits.length === 0) return html``;
  const { texts: all, format } = visit;
  const words = all.search;
  const day = (date: string | null) => (date === null ? '' : format.day(date));
  const rows = hits.map((hit) => [
    html`<a href="${visit.address('stay', { code: hit.stay_code })}">${hit.guest ?? hit.stay_code}</a>`,
    hit.property ?? '',
    hit.check_in_date === null ? '' : `${day(hit.check_in_date)} – ${day(hit.check_out_date)}`,
    words.statuses[hit.status ?? ''] ?? hit.status ?? '',
    html`<code>${hit.stay_code}</code>`,
    hit.channel_id === null || hit.channel_id === hit.stay_code ? '' : html`<code>${hit.channel_id}</code>`,
  ]);
  const heads = [words.stay, words.property, words.nights, words.status, words.code, words.channelId];
  return section(id, counted(visit, title, hits.length), '', html`${table(heads, rows)}${more(visit, hits.length)}`);
}

function places(visit: Visit, hits: Hits['properties']): Html {
  if (hits.length === 0) return html``;
  const words = visit.texts.search;
  const list = html`<ul class="plain">
    ${hits.map(
      ({ id, name }) =>
        html`<li>
          <a href="${visit.address('today', { property: id })}">${name ?? `#${id}`}</a>
          ${name === null ? '' : html`<a class="dim" href="${visit.address('calendar', { named: name.slice(0, 100) })}" aria-label="${words.calendarOf(name)}">${words.calendar}</a>`}
        </li>`,
    )}
  </ul>`;
  return section(
    'properties',
    counted(visit, words.properties, hits.length),
    '',
    html`${list}${more(visit, hits.length)}`,
  );
}

function texts(visit: Visit, hits: readonly MessageHit[]): Html {
  if (hits.length === 0) return html``;
  const words = visit.texts.search;
  const list = html`<ul class="plain">
    ${hits.map(
      ({ conversation_id, sent_at, text }) =>
        html`<li>
          <a href="${visit.address('inbox', { conversation: conversation_id })}">${text === '' ? words.empty : text}</a>
          <span class="dim">${sent_at === null ? '' : visit.format.moment(sent_at)}</span>
        </li>`,
    )}
  </ul>`;
  return section('messages', counted(visit, words.messages, hits.length), '', html`${list}${more(visit, hits.length)}`);
}

function counted({ format }: Visit, title: string, count: number): Html {
  return html`${title} <span class="count">${format.count(count)}</span>`;
}

function more({ texts: { search } }: Visit, count: number): Html {
  return count < MOST_HITS ? html`` : html`<p class="dim">${search.more(MOST_HITS)}</p>`;
}
