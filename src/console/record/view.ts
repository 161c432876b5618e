import { type Html, html } from '../../kernel/markup/html.ts';
import { choiceField, inputField } from '../frame/form.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { actionChoices, actionName } from './actionName.ts';
import type { RecordPage, RecordQuestion } from './query.ts';

type Entry = RecordPage['entries'][number];

/** Shows who did what, with the values before and after. */
export function recordView(visit: Visit, { entries, next }: RecordPage, question: RecordQuestion): Html {
  const { texts, format } = visit;
  const words = texts.record;
  const rows = entries.map((entry) => [
    format.moment(entry.at),
    entry.operator_name ?? entry.client_id ?? words.service,
    words.entrances[entry.entrance ?? 'service'] ?? String(entry.entrance),
    actionName(words.actions, entry.action),
    html`<code>${entry.subject}</code>`,
    changesOf(entry),
  ]);
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    <form class="form" method="get" action="/console/record">
      ${choiceField({
        name: 'action',
        label: words.action,
        options: actionChoices(visit.texts, question.action),
        chosen: question.action,
        none: words.anyAction,
      })}
      ${inputField({ name: 'since', label: words.since, value: question.since, type: 'date' })}
      <button type="submit" class="second">${texts.frame.show}</button>
    </form>
    <section>
      ${
        rows.length === 0
          ? html`<p class="note">${words.nothing}</p>`
          : table([words.at, words.who, words.entrance, words.action, words.subject, words.values], rows)
      }
      ${
        next === null
          ? ''
          : html`<p>
              <a href="${visit.address('record', { ...question, after: next })}" rel="next">${words.earlier}</a>
            </p>`
      }
    </section>`;
}

/** Shows each value that differs, before and after. */
function changesOf({ old_values, new_values }: Entry): Html {
  const names = [...new Set([...Object.keys(old_values ?? {}), ...Object.keys(new_values ?? {})])];
  const changed = names.filter((name) => textOf(old_values?.[name]) !== textOf(new_values?.[name]));
  if (changed.length === 0) return html``;
  return html`<div>
    ${changed.map(
      (name) =>
        html`<div>
          <span class="dim">${name}</span> ${old_values === null ? '' : html`<del>${textOf(old_values[name])}</del> →`}
          <ins>${textOf(new_values?.[name])}</ins>
        </div>`,
    )}
  </div>`;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
