import type { ConnectionStatus } from '../../client/status.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { section, table } from '../frame/table.ts';
import type { Texts } from '../texts/choose.ts';
import type { Alarm, Visit } from '../visit.ts';
import { countNeeds, type Problem, problemsOf } from './problems.ts';

/** Shows the state of a connection: the verdict, the problems with their remedies, then the figures. */
export function healthView(visit: Visit, status: ConnectionStatus, alarms: readonly Alarm[]): Html {
  const { texts, format, services } = visit;
  const words = texts.health;
  const problems = problemsOf(status, alarms);
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">
        ${words.version(services.version)} · ${words.since(format.moment(services.startedAt))} · ${words.deployment}
        <code>${status.base_url}</code>
      </p>
    </header>
    ${verdict(visit, status, alarms)} ${problems.length === 0 ? '' : problemTable(visit, problems)}
    ${freshness(visit, status)} ${events(visit, status)} ${propagation(visit, status)} ${waits(visit, status)}
    ${budget(visit, status)}`;
}

function verdict({ texts, format }: Visit, status: ConnectionStatus, alarms: readonly Alarm[]): Html {
  const { paused, catch_up_due } = status;
  const words = texts.health;
  if (paused)
    return html`<p class="bad" role="status">${words.paused(format.moment(paused.since))} ${paused.because ?? ''}</p>`;
  const needs = countNeeds(status, alarms);
  if (needs > 0) return html`<p class="bad" role="status">${texts.frame.needsPerson(needs)}</p>`;
  return html`<p class="${catch_up_due === null ? 'good' : 'note'}" role="status">
    ${catch_up_due === null ? words.well : words.reading}
  </p>`;
}

function problemTable({ texts }: Visit, problems: readonly Problem[]): Html {
  const words = texts.health;
  return section(
    'problems',
    words.alarms,
    '',
    table(
      [words.about, words.says, words.remedy],
      problems.map(({ level, about, says, remedy }) => [
        html`<span class="${level === 'note' ? 'dim' : 'bad'}">${words.level[level]}</span> ${about}`,
        says,
        remedy ?? '',
      ]),
    ),
  );
}

function freshness({ texts, format }: Visit, { fresh }: ConnectionStatus): Html {
  const words = texts.health;
  const parts = Object.entries(fresh);
  const late = parts.filter(([, { freshness: state }]) => state === 'overdue');
  const rows = [...late, ...parts.filter((part) => !late.includes(part))].map(
    ([part, { freshness: state, age, max_age }]) => [
      nameOfPart(words, part),
      age === null ? words.never : format.span(age),
      format.span(max_age),
      state === 'ok' ? html`<span class="good">${words.ok}</span>` : html`<span class="bad">${words.overdue}</span>`,
    ],
  );
  return section(
    'freshness',
    words.freshness,
    words.freshnessHint,
    html`<details ${late.length > 0 ? 'open' : ''}>
      <summary>${words.freshParts(parts.length - late.length, parts.length)}</summary>
      ${table([words.part, words.age, words.maxAge, words.state], rows)}
    </details>`,
  );
}

/** Returns the name of a part, `availability.near`, for people; the name itself where a language has none. */
function nameOfPart({ resources, slices }: Texts['health'], part: string): string {
  const [resource = '', slice] = part.split('.', 2);
  const name = resources[resource] ?? resource;
  return slice === undefined ? name : `${name}, ${slices[slice] ?? slice}`;
}

function events({ texts, format }: Visit, { loss }: ConnectionStatus): Html {
  const words = texts.health;
  const rows = Object.entries(loss).map(([kind, { received, lost, late, lost_percent }]) => [
    html`<code>${kind}</code>`,
    format.count(received),
    lost_percent === null ? format.count(lost) : `${format.count(lost)} (${format.percent(lost_percent / 100)})`,
    format.count(late),
  ]);
  const content =
    rows.length === 0
      ? html`<p class="dim">${words.noEvents}</p>`
      : table([words.kind, words.received, words.lost, words.late], rows);
  return section('events', words.events, words.eventsHint, content);
}

function propagation({ texts, format }: Visit, { propagation: measured }: ConnectionStatus): Html {
  const words = texts.health;
  const rows = Object.entries(measured).map(([resource, { changes, p50, p99, worst }]) => [
    nameOfPart(words, resource),
    format.count(changes),
    format.span(p50),
    format.span(p99),
    format.span(worst),
  ]);
  if (rows.length === 0) return html``;
  return section(
    'propagation',
    words.propagation,
    '',
    table([words.resource, words.changes, words.half, words.nearly, words.worst], rows),
  );
}

function waits({ texts, format }: Visit, { inbox, dirty, dead }: ConnectionStatus): Html {
  const words = texts.health;
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const rows = [
    [words.inbox, format.count(inbox.pending)],
    [words.dirty, format.count(sum(Object.values(dirty).map(({ keys }) => keys)))],
    [words.given, format.count(sum(Object.values(dead)))],
  ];
  return section('waits', words.waits, '', table([words.about, words.count], rows));
}

function budget({ texts, format }: Visit, { budget: routes }: ConnectionStatus): Html {
  const words = texts.health;
  const rows = Object.entries(routes).flatMap(([route, windows]) =>
    Object.entries(windows).map(([seconds, { used, max }]) => [
      html`<code>${route}</code>`,
      format.span(Number(seconds)),
      format.count(used),
      format.count(max),
    ]),
  );
  if (rows.length === 0) return html``;
  return section(
    'budget',
    words.budget,
    words.budgetHint,
    table([words.route, words.window, words.used, words.limit], rows),
  );
}
