import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, hiddenFields, typed } from '../frame/form.ts';
import type { Visit } from '../visit.ts';

/** The dictionaries of the ledger, in the order of the page. */
export const DICTIONARIES = ['income_items', 'income_methods', 'expense_items', 'expense_methods'] as const;

interface Entry {
  readonly id: number;
  readonly name: string | null;
}

/** A list of names that can be added to and renamed. */
export interface NameList {
  readonly list: (typeof DICTIONARIES)[number] | 'custom_channels';
  readonly entries: readonly Entry[];
}

/** Shows a list of names, each in a field that renames it, and a field for another. */
export function nameList(visit: Visit, { list, entries }: NameList): Html {
  const words = visit.texts.money;
  const isRefused = (action: string, id: string) =>
    visit.refused?.action === action &&
    visit.refused.fields['list'] === list &&
    (visit.refused.fields['id'] ?? '') === id;
  const form = (action: string, id: string, content: Html) =>
    actionForm(
      isRefused(action, id) ? visit : { ...visit, refused: undefined },
      { page: 'money', action, classes: 'form tight' },
      content,
    );
  const mayChange = visit.may('money.close');
  return html`<section aria-labelledby="list-${list}">
    <h3 id="list-${list}">${words.lists[list]}</h3>
    ${entries.length === 0 ? html`<p class="dim">${words.emptyList}</p>` : ''}
    ${
      mayChange
        ? html`${entries.map(({ id, name }) => {
            const shown = isRefused('rename', String(id)) ? typed(visit, 'rename', 'name') : (name ?? '');
            return form(
              'rename',
              String(id),
              html`${hiddenFields({ list, id })}
                <input name="name" value="${shown}" maxlength="100" required aria-label="${words.nameOf(name ?? '')}" />
                <button type="submit" class="second">${words.rename}</button>`,
            );
          })}
          ${form(
            'add',
            '',
            html`${hiddenFields({ list })}
              <input
                name="name"
                value="${isRefused('add', '') ? typed(visit, 'add', 'name') : ''}"
                maxlength="100"
                required
                aria-label="${words.newName(words.lists[list])}"
              />
              <button type="submit">${words.add}</button>`,
          )}`
        : html`<ul class="plain">
            ${entries.map(({ name }) => html`<li>${name ?? ''}</li>`)}
          </ul>`
    }
  </section>`;
}
