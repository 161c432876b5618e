import { operations } from '../../../contract/index.ts';
import { type Html, html } from '../../../kernel/markup/html.ts';
import { operationSection } from './operation.ts';
import { nameOfOperation, type Resource } from './resources.ts';
import { tokenBox } from './tryForm.ts';

/** Renders the page of a resource: its operations as a list, then each in full. */
export function resourcePage({ name, about, operations: ids }: Resource, options: { readonly tries: boolean }): Html {
  return html`<h1>${name}</h1>
    <p>${about}</p>
    <ul class="plain index">
      ${ids.map(
        (id) =>
          html`<li>
            <a href="#${id}">${nameOfOperation(id)}</a>
            <span class="dim">${operations[id].method} <code>/v3${operations[id].path}</code></span>
          </li>`,
      )}
    </ul>
    ${options.tries ? tokenBox() : ''} ${ids.map((id) => operationSection(id, options))}`;
}
