import { type Html, html } from '../../../kernel/markup/html.ts';

/** One row: its cells, and the anchor by which it is linked to. */
export interface TableRow {
  readonly anchor?: string;
  readonly cells: readonly (Html | string)[];
}

/** Renders a table; on a narrow screen each row becomes a card, whose cells name their column. */
export function table(columns: readonly string[], rows: readonly TableRow[]): Html {
  return html`<table>
    <thead>
      <tr>
        ${columns.map((name) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ anchor, cells: [first = '', ...rest] }) =>
          html`<tr ${anchor === undefined ? '' : html`id="${anchor}"`}>
            <th scope="row">${first}</th>
            ${rest.map((cell, index) => html`<td data-label="${columns[index + 1] ?? ''}">${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
