import { type Html, html } from '../../kernel/markup/html.ts';
import { choiceField } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { connectForm, nameIn, nameOf, privateForm, type Property, propertyOptions } from './forms.ts';
import { type Feed, type ListedFeed, stateOf } from './query.ts';

interface Shown {
  readonly feeds: readonly ListedFeed[];
  /** By name. */
  readonly properties: readonly Property[];
  /** The property whose feeds are shown; undefined: all. */
  readonly chosen: Property | undefined;
}

/** Shows all feeds by property, and the forms for another one. */
export function channelsView(visit: Visit, shown: Shown): Html {
  const words = visit.texts.feeds;
  const { properties, chosen } = shown;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${
      properties.length === 0
        ? html`<p class="note">
            ${words.noProperty} <a href="${visit.address('properties')}">${words.addProperty}</a>
          </p>`
        : html`${section('feeds', words.calendars, '', html`${filters(visit, shown)} ${list(visit, shown)}`)}
          ${section('connect', words.connect, words.connectHint, connectForm(visit, properties, chosen))}
          ${section('private', words.addPrivate, words.addPrivateHint, privateForm(visit, properties, chosen))}`
    }`;
}

function filters({ texts, connection, connections }: Visit, { properties, chosen }: Shown): Html {
  const words = texts.feeds;
  return html`<form class="form filters" method="get" action="/console/channels" aria-label="${words.filters}">
    ${connections.length > 1 ? html`<input type="hidden" name="connection" value="${connection}" />` : ''}
    ${choiceField({
      of: 'by-',
      name: 'property',
      label: words.property,
      none: words.everyProperty,
      options: propertyOptions(properties),
      chosen: chosen?.id,
    })}
    <button type="submit" class="second">${texts.frame.show}</button>
  </form>`;
}

function list(visit: Visit, { feeds, properties, chosen }: Shown): Html {
  const words = visit.texts.feeds;
  if (feeds.length === 0)
    return html`<p class="note">${chosen ? words.noneOfProperty(nameOf(chosen)) : words.none}</p>`;
  const rows = feeds
    .map((feed) => ({ feed, property: nameIn(properties, feed.property_id) }))
    .toSorted((a, b) => a.property.localeCompare(b.property, visit.locale))
    .map(({ feed, property }) => row(visit, property, feed));
  return table(
    [words.calendar, words.property, words.source, words.state, words.lastRead, words.fetched, words.ourAddress],
    rows,
  );
}

function row(visit: Visit, property: string, feed: ListedFeed): (string | Html)[] {
  return [
    html`<a href="${visit.address('channels', { feed: feed.id })}">${feed.name}</a>`,
    property,
    sourceName(visit, feed),
    html`${stateBadge(visit, feed)} ${clashBadge(visit, feed)}`,
    readCell(visit, feed),
    fetchedText(visit, feed) ?? visit.texts.feeds.never,
    html`<code class="secret">${feed.calendar_url}</code>`,
  ];
}

/** Returns where a feed comes from, or that it is private. */
export function sourceName({ texts: { feeds: words } }: Visit, { audience, source, source_name }: Feed): string {
  if (audience === 'private') return words.private;
  return source === 'generic' ? words.otherSource : source_name;
}

const LOOKS = { given: '', paused: 'wait', failing: 'gone', active: 'ok' } as const;

function stateBadge({ texts }: Visit, feed: Feed): Html {
  const state = stateOf(feed);
  return html`<span class="badge ${LOOKS[state]}">${texts.feeds.states[state]}</span>`;
}

/** Nights that may be sold twice stand in the list, or nobody would open the one feed of many that has them. */
function clashBadge({ texts }: Visit, { clashes: { events, nights } }: ListedFeed): Html | string {
  return events === 0 ? '' : html`<span class="badge gone">${texts.feeds.soldTwice(nights)}</span>`;
}

function readCell({ texts, format }: Visit, { host, read }: Feed): Html {
  const words = texts.feeds;
  if (host === null) return html`${words.notRead}`;
  const { good_at, events, problem } = read;
  const count = events === null ? '' : `, ${words.events(events)}`;
  return html`<div>
    ${good_at === null ? words.never : `${format.moment(good_at)}${count}`}
    ${problem === null ? '' : html`<div class="bad">${words.problem(problem)}</div>`}
  </div>`;
}

/** Returns when somebody last fetched our calendar, and with which program; undefined: nobody has. */
export function fetchedText({ texts, format }: Visit, { fetched: { at, by } }: Feed): string | undefined {
  return at === null ? undefined : texts.feeds.fetchedBy(format.moment(at), by ?? '');
}
