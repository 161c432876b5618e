import { codesOf, errorCodes } from '../../contract/errors.ts';
import { exampleRequest } from '../../contract/example.ts';
import { type OperationId, operations } from '../../contract/index.ts';
import { rateClasses } from '../../contract/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { windowName } from '../../kernel/windows.ts';
import { type FieldRow, fieldRows, type JsonSchema } from './fields.ts';

/** The part of an operation in the OpenAPI document that the page shows. */
export interface OperationObject {
  operationId: OperationId;
  tags: [string];
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: JsonSchema }[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
  responses: { 200: { content: { 'application/json': { schema: { anyOf: [JsonSchema, JsonSchema] } } } } };
}

const SCOPES: Record<Operation['scope'], string> = {
  read: 'any token',
  write: 'a writable token',
  confirm: 'a writable token; an assistant asks a person first',
  open: 'no token',
};

/** Renders one operation: input, answer, example and failures. */
export function operationSection(described: OperationObject): Html {
  const id = described.operationId;
  const operation: Operation = operations[id];
  const { method, path, scope, rate, tool, since, summary, notes, emits } = operation;
  const answer = described.responses[200].content['application/json'].schema.anyOf[0].properties?.['data'];
  return html`<section id="${id}">
    <h3>
      <a href="#${id}">${method} <code>/v3${path}</code></a>
    </h3>
    <p>${summary} ${notes ?? ''}</p>
    <dl>
      <dt>Who</dt>
      <dd>${SCOPES[scope]}</dd>
      <dt>Limit</dt>
      <dd>${limitText(rate)}</dd>
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
              <dd>${emits.map((kind) => html`<a href="#event-${kind}">${kind}</a> `)}</dd>`
          : ''
      }
      <dt>Errors</dt>
      <dd>${codesOf(operation).map((code) => html`<a href="#error-${code}">${code} ${errorCodes[code].name}</a> `)}</dd>
    </dl>
    ${fieldTable('Path and query', parameterRows(described))}
    ${fieldTable('Body', fieldRows(described.requestBody?.content['application/json'].schema ?? {}))}
    <h4>Example</h4>
    <pre>${curlOf(operation)}</pre>
    ${
      answer
        ? html`<details>
            <summary>Answer in <code>data</code></summary>
            ${fieldTable('', fieldRows(answer))}
          </details>`
        : ''
    }
  </section>`;
}

function parameterRows({ parameters = [] }: OperationObject): FieldRow[] {
  return parameters.flatMap(({ name, required, description, schema }) => {
    const field = { ...schema, ...(description !== undefined && { description }) };
    return fieldRows({ properties: { [name]: field }, required: required ? [name] : [] });
  });
}

function fieldTable(title: string, rows: readonly FieldRow[]): Html {
  if (rows.length === 0) return html``;
  return html`${title === '' ? '' : html`<h4>${title}</h4>`}
    <table>
      <thead>
        <tr>
          <th>field</th>
          <th>type</th>
          <th>notes</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, type, required, notes }) =>
            html`<tr>
              <td><code>${name}</code>${required && title !== '' ? html` <b title="required">*</b>` : ''}</td>
              <td>${type}</td>
              <td>${notes}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

/** Renders the example as a command; $URL and $TOKEN are the reader's own. */
function curlOf(operation: Operation): string {
  const { method, path, body } = exampleRequest(operation);
  const lines = [`curl${method === 'GET' || (method === 'POST' && body) ? '' : ` -X ${method}`} "$URL/v3${path}"`];
  lines.push('-H "Service-Access-Token: $TOKEN"');
  if (body) {
    const text = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
    lines.push("-H 'Content-Type: application/json'", `-d '${text}'`);
  }
  return lines.join(' \\\n  ');
}

function limitText(rate: Operation['rate']): string {
  return rateClasses[rate].map((window) => `${window.max.toLocaleString('en-US')} in ${windowName(window)}`).join(', ');
}
