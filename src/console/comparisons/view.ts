import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, choiceField, hiddenFields, inputField, typed } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import type { Comparison, ComparisonFinding, ComparisonsShown } from './query.ts';

/** Shows what only one side knows, what is compared, and how to add a calendar. */
export function comparisonsView(visit: Visit, shown: ComparisonsShown): Html {
  const words = visit.texts.comparisons;
  const { comparisons, findings } = shown;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${
      comparisons.length === 0
        ? ''
        : section(
            'findings',
            words.findings,
            words.findingsHint,
            findings.length === 0 ? html`<p class="note">${words.noFindings}</p>` : findingTable(visit, findings),
          )
    }
    ${section('calendars', words.calendars, '', comparisons.length === 0 ? html`<p class="note">${words.none}</p>` : comparisonTable(visit, comparisons))}
    ${section('add', words.add, words.addHint, addForm(visit, shown))}`;
}

function findingTable(visit: Visit, findings: readonly ComparisonFinding[]): Html {
  const words = visit.texts.comparisons;
  const { format } = visit;
  return table(
    [words.nights, words.property, words.calendar, words.knownTo, words.since, words.state],
    findings.map((one) => [
      `${format.day(one.start_date)} – ${format.day(one.end_date)}`,
      one.property ?? `#${one.property_id}`,
      one.name ?? '',
      knownTo(visit, one),
      format.moment(one.first_seen_at),
      stateOf(visit, one),
    ]),
  );
}

function knownTo(visit: Visit, { known_to, stay_code, is_sold }: ComparisonFinding): Html | string {
  const words = visit.texts.comparisons;
  if (known_to === 'calendar') return is_sold ? words.calendarSold : words.calendarClosed;
  const code = stay_code ?? '';
  return html`${words.mirrorAlone} <a href="${visit.address('stay', { code })}">${code}</a>`;
}

function stateOf(visit: Visit, { finding_id, settled_at, needs_person }: ComparisonFinding): Html | string {
  const words = visit.texts.comparisons;
  if (settled_at !== null) return words.settled;
  return html`<span class="${needs_person ? 'bad' : 'dim'}">${needs_person ? words.alarm : words.late}</span>
    ${actionForm(
      visit,
      { page: 'comparisons', action: 'settle', classes: 'inline' },
      html`${hiddenFields({ finding: finding_id })}<button type="submit" class="second">${words.settle}</button>`,
    )}`;
}

function comparisonTable(visit: Visit, comparisons: readonly Comparison[]): Html {
  const words = visit.texts.comparisons;
  return table(
    [words.property, words.calendar, words.from, words.events, words.read, words.remove],
    comparisons.map((one) => [
      one.property ?? `#${one.property_id}`,
      one.name,
      one.host,
      String(one.events ?? ''),
      readState(visit, one),
      actionsOf(visit, one),
    ]),
  );
}

function readState({ texts, format }: Visit, { problem, good_at }: Comparison): Html | string {
  if (problem !== null) return html`<span class="bad">${problem}</span>`;
  return good_at === null ? texts.comparisons.notYet : format.moment(good_at);
}

function actionsOf(visit: Visit, { comparison_id, name, property, property_id }: Comparison): Html {
  const words = visit.texts.comparisons;
  return html`<div class="actions">
    ${actionForm(
      visit,
      { page: 'comparisons', action: 'read', classes: 'inline' },
      html`${hiddenFields({ comparison: comparison_id })}<button type="submit" class="second">
          ${words.readButton}
        </button>`,
    )}
    ${askFirst(visit, {
      page: 'comparisons',
      action: 'remove',
      open: words.remove,
      consequence: words.removeConsequence(name, property ?? `#${property_id}`),
      confirm: words.remove,
      hidden: { comparison: comparison_id },
    })}
  </div>`;
}

function addForm(visit: Visit, { properties }: ComparisonsShown): Html {
  const words = visit.texts.comparisons;
  return actionForm(
    visit,
    { page: 'comparisons', action: 'add' },
    html`${choiceField({
        name: 'property_id',
        label: words.property,
        options: properties.map(({ id, name }) => ({ value: id, text: name ?? `#${id}` })),
        chosen: typed(visit, 'add', 'property_id'),
      })}
      ${inputField({ name: 'name', label: words.calendar, hint: words.nameHint, value: typed(visit, 'add', 'name'), isRequired: true, longest: 60 })}
      <div class="wide">
        ${inputField({ name: 'url', label: words.url, hint: words.urlHint, value: typed(visit, 'add', 'url'), type: 'url', isRequired: true, longest: 2_048 })}
      </div>
      <button type="submit">${words.addNow}</button>`,
  );
}
