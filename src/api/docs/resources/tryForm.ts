import { exampleRequest } from '../../../contract/example.ts';
import { type OperationId, operations } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/operation.ts';
import { type Html, html } from '../../../kernel/markup/html.ts';
import { nameOfOperation } from './resources.ts';

/** Renders the box for the reader's token. A script keeps it in this page alone, and says whose it is. */
export function tokenBox(): Html {
  return html`<section class="note scripted token" aria-labelledby="token-name">
    <h2 id="token-name">Try it with your token</h2>
    <p>
      Requests go to this very service and are real: take a token of an account with
      <a href="/docs/guides/sandbox">sandbox marketplaces</a>, not that of your business. The token stays in this page
      until you leave it; it is stored nowhere.
    </p>
    <form class="form" data-account autocomplete="off">
      <div class="field">
        <label for="token">Token</label>
        <input id="token" type="password" autocomplete="off" spellcheck="false" />
      </div>
      <button type="submit" class="second">Whose is it?</button>
      <p role="status"></p>
    </form>
  </section>`;
}

/** Renders the form that sends one operation; it is there for readers whose browser runs scripts. */
export function tryForm(id: OperationId): Html {
  const operation: Operation = operations[id];
  const { method, path, scope, params, query, body, example = {} } = operation;
  const inputs = [...Object.keys(params.shape), ...Object.keys(query.shape)];
  const { body: given } = exampleRequest(operation);
  return html`<details class="try scripted">
    <summary>Try it</summary>
    <form
      data-try
      data-method="${method}"
      data-path="/v3${path}"
      data-open="${String(scope === 'open')}"
      data-warning="${scope === 'read' ? '' : warningOf(id)}"
      autocomplete="off"
    >
      ${inputs.map((name) => inputField(id, name, { value: textOf(example[name]), isRequired: name in params.shape }))}
      ${
        body
          ? html`<div class="field wide">
              <label for="${id}-body">Body</label>
              <textarea id="${id}-body" class="code" data-body spellcheck="false">
${JSON.stringify(given, null, 2)}</textarea>
            </div>`
          : ''
      }
      <div class="actions"><button type="submit">Send</button></div>
      <div class="confirm" role="alert" hidden></div>
      <div class="result" role="status"></div>
    </form>
  </details>`;
}

function inputField(
  id: OperationId,
  name: string,
  field: { readonly value: string; readonly isRequired: boolean },
): Html {
  const { value, isRequired } = field;
  return html`<div class="field">
    <label for="${id}-${name}">${name}</label>
    <input
      id="${id}-${name}"
      data-field="${name}"
      value="${value}"
      ${isRequired ? 'required' : ''}
      spellcheck="false"
    />
  </div>`;
}

/** Paths and queries hold words, numbers and truth values. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/** Says what a request will do, for a person who is asked first. */
function warningOf(id: OperationId): string {
  const { summary, emits }: Operation = operations[id];
  const events = emits.length === 0 ? '' : ` Events that may be sent: ${emits.join(', ')}.`;
  return `${nameOfOperation(id)}: ${summary}${events}`;
}
