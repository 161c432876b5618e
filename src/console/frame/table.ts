import { type Html, html } from '../../kernel/markup/html.ts';

/** A column: its head, and if it holds amounts, which stand at its end. */
export type Column = string | { readonly head: string; readonly isAmount: true };

/** Builds a table whose rows become cards on a narrow page; the first cell names the row. */
export function table(columns: readonly Column[], rows: readonly (readonly (string | Html)[])[]): Html {
  const headOf = (column: Column) => (typeof column === 'string' ? column : column.head);
  const classOf = (column: Column | undefined) =>
    typeof column === 'object' && column.isAmount ? html`class="amount"` : '';
  const [, ...others] = columns;
  return html`<table>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col" ${classOf(column)}>${headOf(column)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([first = '', ...cells]) =>
          html`<tr>
            <th scope="row">${first}</th>
            ${cells.map(
              (cell, index) =>
                html`<td data-label="${headOf(others[index] ?? '')}" ${classOf(others[index])}>${cell}</td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Builds a section with a title, and a sentence on what it shows. */
export function section(id: string, title: string | Html, hint: string, content: Html): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${hint === '' ? '' : html`<p class="dim">${hint}</p>`} ${content}
  </section>`;
}
