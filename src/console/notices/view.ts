import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, hiddenFields } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { addForm, type FormKind, formKinds } from './form.ts';
import type { Place, ToldNotice } from './query.ts';
import { serverView } from './server.ts';

interface Shown {
  readonly places: readonly Place[];
  readonly told: readonly ToldNotice[];
  /** The kind whose form is open. */
  readonly kind: FormKind | undefined;
  /** True if the form of the mail server is open. */
  readonly asksServer: boolean;
}

/** Shows who is told, what was told last, and how to add somebody. */
export async function noticesView(visit: Visit, { places, told, kind, asksServer }: Shown): Promise<Html> {
  const words = visit.texts.notices;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${section('places', words.places, '', places.length === 0 ? html`<p class="note">${words.none}</p>` : placeTable(visit, places))}
    ${section('add', words.add, kind === undefined ? words.addHint : (words.kindHints[kind] ?? ''), kind === undefined ? choices(visit) : addForm(visit, kind))}
    ${section('server', words.server.title, words.server.hint, await serverView(visit, asksServer))}
    ${section('log', words.log, '', told.length === 0 ? html`<p class="dim">${words.nothingTold}</p>` : logTable(visit, told))}`;
}

function choices(visit: Visit): Html {
  const words = visit.texts.notices;
  return html`<div class="actions">
    ${formKinds.map((kind) => html`<a class="button second" href="${visit.address('notices', { kind })}">${words.kinds[kind] ?? kind}</a>`)}
  </div>`;
}

function placeTable(visit: Visit, places: readonly Place[]): Html {
  const words = visit.texts.notices;
  const rows = places.map((place) => [
    place.name,
    words.kinds[place.kind] ?? place.kind,
    place.shown,
    hearsOf(visit, place),
    stateOf(visit, place),
    actionsOf(visit, place),
  ]);
  return table([words.name, words.kind, words.to, words.hears, words.state, words.remove], rows);
}

function hearsOf({ texts }: Visit, { hears, briefing_at, quiet }: Place): string {
  const words = texts.notices;
  const topics = hears.map((topic) =>
    topic === 'today' && briefing_at !== null ? words.todayAt(briefing_at) : (words.topics[topic] ?? topic),
  );
  const parts = topics.length === 0 ? [words.rulesOnly] : topics;
  return [...parts, ...(quiet === null ? [] : [words.quietFrom(quiet)])].join(', ');
}

function stateOf({ texts, format }: Visit, { state, problem, succeeded_at }: Place): Html | string {
  const words = texts.notices;
  if (state === 'paused') return words.paused;
  if (problem !== null) return html`<span class="bad">${words.failing(problem)}</span>`;
  return succeeded_at === null ? words.neverTold : words.toldAt(format.moment(succeeded_at));
}

function actionsOf(visit: Visit, { name, state }: Place): Html {
  const words = visit.texts.notices;
  const button = (action: string, text: string) =>
    actionForm(
      visit,
      { page: 'notices', action, classes: 'inline' },
      html`${hiddenFields({ place: name })}<button type="submit" class="second">${text}</button>`,
    );
  return html`<div class="actions">
    ${state === 'paused' ? button('resume', words.resume) : html`${button('test', words.test)} ${button('pause', words.pause)}`}
    ${askFirst(visit, {
      page: 'notices',
      action: 'remove',
      open: words.remove,
      consequence: words.removeConsequence(name),
      confirm: words.remove,
      hidden: { place: name },
    })}
  </div>`;
}

function logTable({ texts, format }: Visit, told: readonly ToldNotice[]): Html {
  const words = texts.notices;
  return table(
    [words.when, words.name, words.what, words.state],
    told.map(({ created_at, place, title, state, problem }) => [
      format.moment(created_at),
      place,
      title,
      problem === null || state === 'sent'
        ? (words.states[state] ?? state)
        : `${words.states[state] ?? state}: ${problem}`,
    ]),
  );
}
