import { daysBetween } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, hiddenFields } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { changeForm, nameIn, type Property } from './forms.ts';
import { type Feed, type FeedEntry, type OpenFeed, stateOf } from './query.ts';
import { fetchedText, sourceName } from './view.ts';

/** Shows one feed: what needs a look, both addresses, its events, and what can be done with it. */
export function feedView(visit: Visit, feed: OpenFeed, properties: readonly Property[]): Html {
  const words = visit.texts.feeds;
  const property = nameIn(properties, feed.property_id);
  const clashes = feed.entries.filter((entry) => entry.needs_a_look);
  return html`<header class="head">
      <h1>${feed.name}</h1>
      <p class="dim">${words.of(property, sourceName(visit, feed))}</p>
    </header>
    <p><a href="${visit.address('channels')}">${words.all}</a></p>
    ${troubles(visit, feed)} ${clashes.length === 0 ? '' : clashSection(visit, feed, clashes)}
    ${section('ours', words.ourAddress, '', ours(visit, feed))}
    ${feed.host === null ? '' : html`${section('theirs', words.theirs, '', theirs(visit, feed))} ${events(visit, feed)}`}
    ${section('change', words.change, '', changeForm(visit, feed))} ${removal(visit, feed, property)}`;
}

function troubles({ texts }: Visit, feed: Feed): Html {
  const words = texts.feeds;
  const { problem, unreadable } = feed.read;
  return html`${problem === null ? '' : html`<p class="bad" role="status">${words.problem(problem)}</p>`}
  ${unreadable === null ? '' : html`<p class="bad" role="status">${words.unreadable(unreadable)}</p>`}
  ${stateOf(feed) === 'paused' ? html`<p class="note">${words.isPaused}</p>` : ''}`;
}

function clashSection(visit: Visit, { id }: Feed, clashes: readonly FeedEntry[]): Html {
  const words = visit.texts.feeds;
  const rows = clashes.map((entry) => [
    nights(visit, entry),
    entry.reference ?? '',
    html`<div class="actions">
      <a href="${visit.address('calendar', { from: entry.start_date })}">${words.seeNights}</a>
      ${plainButton(visit, 'settle', { id, entry: entry.entry }, words.same)}
    </div>`,
  ]);
  return section('look', words.look, words.lookHint, table([words.nights, words.code, visit.texts.today.answer], rows));
}

function ours(visit: Visit, feed: Feed): Html {
  const words = visit.texts.feeds;
  const isPrivate = feed.audience === 'private';
  const fetched = fetchedText(visit, feed);
  return html`<p>${isPrivate ? words.giveHint : words.pasteHint(feed.name)} ${whatIsSeen(visit, feed)}</p>
    <p><code class="secret">${feed.calendar_url}</code></p>
    <p class="dim">${fetched === undefined ? words.neverFetched : `${words.fetched}: ${fetched}`}</p>
    ${askFirst(visit, {
      page: 'channels',
      action: 'renew',
      open: words.renew,
      consequence: words.renewConsequence(feed.name),
      confirm: words.renewNow,
      hidden: { id: feed.id },
    })}`;
}

/** Returns what somebody with the address of our calendar sees. */
function whatIsSeen({ texts: { feeds: words } }: Visit, { shows }: Feed): string {
  if (shows.length === 0) return words.seesNights;
  return words.seesMore(shows.map((detail) => words.details[detail] ?? detail).join(', '));
}

function theirs(visit: Visit, feed: Feed): Html {
  const { texts, format } = visit;
  const words = texts.feeds;
  const moment = (at: string | null) => (at === null ? words.never : format.moment(at));
  const { good_at, tried_at, events: count } = feed.read;
  const facts = [
    [words.host, feed.host ?? ''],
    [words.lastRead, moment(good_at)],
    [words.tried, moment(tried_at)],
    [words.eventsTitle, count === null ? '–' : format.count(count)],
  ];
  const isPaused = feed.state === 'paused';
  return html`<dl class="facts">
      ${facts.map(
        ([label = '', value = '']) =>
          html`<dt>${label}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    <div class="actions">
      ${plainButton(visit, 'read', { id: feed.id }, words.readNow)}
      ${plainButton(visit, 'set-state', { id: feed.id, state: isPaused ? 'active' : 'paused' }, isPaused ? words.resume : words.pause)}
    </div>`;
}

function plainButton(
  visit: Visit,
  action: string,
  hidden: Readonly<Record<string, string | number>>,
  text: string,
): Html {
  return actionForm(
    visit,
    { page: 'channels', action, classes: 'inline' },
    html`${hiddenFields(hidden)}<button type="submit" class="second">${text}</button>`,
  );
}

function events(visit: Visit, { id, entries }: OpenFeed): Html {
  const words = visit.texts.feeds;
  const rows = entries.map((entry) => [
    nights(visit, entry),
    words.kinds[entry.kind] ?? entry.kind,
    entry.reference ?? '',
    stayLink(visit, id, entry),
    entry.missing_since === null ? '' : visit.format.moment(entry.missing_since),
  ]);
  return section(
    'events',
    words.eventsTitle,
    words.eventsHint,
    rows.length === 0
      ? html`<p class="dim">${words.noEvents}</p>`
      : table([words.nights, words.kind, words.code, words.reservation, words.missing], rows),
  );
}

function nights({ texts, format }: Visit, { start_date, end_date }: FeedEntry): Html {
  const span = texts.calendar.panel.span(format.day(start_date), format.day(end_date));
  return html`${span} <span class="dim">${texts.today.nights(daysBetween(start_date, end_date))}</span>`;
}

/** The reservation that stands for an event, and what cancels it: nothing else can, since no person made it. */
function stayLink(visit: Visit, id: number, { entry, reservation_code: code, ...span }: FeedEntry): Html {
  if (code === null) return html``;
  const words = visit.texts.feeds;
  const { start_date, end_date } = span;
  return html`<a href="${visit.address('stay', { code })}">${code}</a> ${askFirst(visit, {
      page: 'channels',
      action: 'cancel',
      open: words.cancel,
      consequence: words.cancelConsequence(
        visit.texts.calendar.panel.span(visit.format.day(start_date), visit.format.day(end_date)),
      ),
      confirm: words.cancelNow,
      hidden: { id, entry },
    })}`;
}

function removal(visit: Visit, { id, name, host, entries }: OpenFeed, property: string): Html {
  const words = visit.texts.feeds;
  const booked = entries.filter((entry) => entry.reservation_code !== null).length;
  return askFirst(visit, {
    page: 'channels',
    action: 'remove',
    open: words.remove,
    consequence: host === null ? words.removeOurs(name) : words.removeChannel(name, property, booked),
    confirm: words.removeNow(name),
    hidden: { id, name },
    ...(booked > 0 && {
      more: html`<label class="tick"><input type="checkbox" name="cancel" value="1" /> ${words.removeCancels}</label>`,
    }),
  });
}
