import { codesOf, errorCodes } from '../../../contract/errors.ts';
import { type OperationId, operations } from '../../../contract/index.ts';
import { rateClasses } from '../../../contract/limits.ts';
import type { Operation } from '../../../contract/operation.ts';
import { type Html, html } from '../../../kernel/markup/html.ts';
import { windowName } from '../../../kernel/limits/windows.ts';
import { codeBlock } from '../frame/code.ts';
import { table } from '../frame/table.ts';
import { describedOperation } from './described.ts';
import type { FieldRow } from './fields.ts';
import { nameOfOperation } from './resources.ts';
import { sampleBlocks } from './samples.ts';
import { tryForm } from './tryForm.ts';

const SCOPES: Record<Operation['scope'], string> = {
  read: 'any token',
  write: 'a writable token',
  confirm: 'a writable token; an assistant asks a person first',
  open: 'no token',
};

/** Renders one operation: input, answer, failures, requests in three languages, and a form to try it. */
export function operationSection(id: OperationId, { tries }: { readonly tries: boolean }): Html {
  const operation: Operation = operations[id];
  const { method, path, summary, notes } = operation;
  const described = describedOperation(id);
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-name">
    <div class="about">
      <h2 id="${id}-name"><a href="#${id}">${nameOfOperation(id)}</a></h2>
      <p class="request"><span class="method ${method.toLowerCase()}">${method}</span> <code>/v3${path}</code></p>
      <p>${summary} ${notes ?? ''}</p>
      ${facts(operation)} ${fieldTable(id, 'Path', described.path)} ${fieldTable(id, 'Query', described.query)}
      ${fieldTable(id, 'Body', described.body)}
      ${
        described.answer.length > 0
          ? html`<details>
              <summary>Answer: the fields of <code>data</code></summary>
              ${fieldTable(id, '', described.answer)}
            </details>`
          : html`<p class="dim">The answer has no <code>data</code>.</p>`
      }
    </div>
    <div class="beside">${sampleBlocks(operation)} ${answerExample(described.example)} ${tries ? tryForm(id) : ''}</div>
  </section>`;
}

/** Longer examples are folded, so that the next request is not far away. */
const MOST_LINES = 30;

function answerExample(example: unknown): Html {
  if (example === undefined) return html``;
  const text = JSON.stringify(example, null, 2);
  const block = codeBlock(text, { title: 'Answer' });
  if (text.split('\n').length <= MOST_LINES) return block;
  return html`<details>
    <summary>Answer: an example</summary>
    ${block}
  </details>`;
}

function facts(operation: Operation): Html {
  const { scope, rate, tool, since, emits } = operation;
  return html`<dl class="facts">
    <dt>Who</dt>
    <dd>${SCOPES[scope]}</dd>
    <dt>Limit</dt>
    <dd>${limitText(rate)} ${rate === 'default' ? '' : html`(<a href="/docs/errors#limits">${rate}</a>)`}</dd>
    <dt>Since</dt>
    <dd>${since}</dd>
    ${
      tool
        ? html`<dt>Tool</dt>
            <dd><code>${tool.name}</code> (${tool.category})</dd>`
        : ''
    }
    ${
      emits.length > 0
        ? html`<dt>Events</dt>
            <dd>${emits.map((kind) => html`<a href="/docs/events#${kind}">${kind}</a> `)}</dd>`
        : ''
    }
    <dt>Errors</dt>
    <dd>
      ${codesOf(operation).map((code) => html`<a href="/docs/errors#error-${code}">${code} ${errorCodes[code].name}</a> `)}
    </dd>
  </dl>`;
}

function fieldTable(id: OperationId, title: string, rows: readonly FieldRow[]): Html {
  if (rows.length === 0) return html``;
  const isInput = title !== '';
  return html`${isInput ? html`<h3>${title}</h3>` : ''}
  ${table(
    ['Field', 'Type', 'Notes'],
    rows.map((row) => ({
      ...(isInput && { anchor: anchorOf(id, row) }),
      cells: [nameCell(row, isInput), row.type, notesCell(row)],
    })),
  )}`;
}

/** Returns the anchor of an input field; the fields of an operation have different names. */
export function anchorOf(id: OperationId, { name }: FieldRow): string {
  return `${id}.${name}`;
}

function nameCell({ name, required, isAddition }: FieldRow, isInput: boolean): Html {
  return html`<code>${name}</code>${isInput && required ? html` <span class="badge">required</span>` : ''}${
      isAddition ? html` <a class="badge" href="/docs/guides/v3-additions">addition</a>` : ''
    }`;
}

function notesCell({ notes, values }: FieldRow): Html {
  if (values.length === 0) return html`${notes}`;
  return html`${notes} One of ${values.map((value, index) => html`${index === 0 ? '' : ', '}<code>${value}</code>`)}.`;
}

/** Returns the windows of a class of limits in words. */
export function limitText(rate: Operation['rate']): string {
  return rateClasses[rate].map((window) => `${window.max.toLocaleString('en-US')} in ${windowName(window)}`).join(', ');
}
