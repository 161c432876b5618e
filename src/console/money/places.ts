import { itemClasses } from '../../kernel/books.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm } from '../frame/form.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import type { Books } from './books.ts';

/** Accounts that the field for one proposes. */
const USUAL_ACCOUNTS = ['Assets:Bank', 'Assets:Cash', 'Assets:Clearing:Cards', 'channel', 'none'];
const USUAL = 'usual-accounts';

/** Something without a place, and the field that gives it one. */
interface Unplaced {
  /** The setting: its part, direction and id, or its part and channel. */
  readonly thing: string;
  readonly name: string;
  readonly kind: string;
  readonly used: number;
  field(chosen: string | undefined): Html;
}

/** Shows what has no place in the books, with a form that gives it one. */
export function placesPart(visit: Visit, { mapped }: Books): Html {
  const words = visit.texts.money;
  const unplaced = unplacedOf(visit, mapped);
  const { accounts } = mapped;
  const count = unplaced.length + accounts.length;
  if (count === 0) return html`<p class="good">✓ ${words.allMapped}</p>`;
  return html`<details open>
    <summary class="bad">${words.unmapped(count)}</summary>
    ${unplaced.length === 0 ? '' : placesForm(visit, unplaced)}
    ${
      accounts.length === 0
        ? ''
        : html`<p class="dim">${words.accountsHint}</p>
            ${table(
              [words.account, words.neededBy],
              accounts.map((one) => [one.account, one.jobs.join(', ')]),
            )}`
    }
    <details>
      <summary>${words.asLines}</summary>
      <p class="dim">${words.howToMap}</p>
      <pre tabindex="0">${mapped.proposal}</pre>
    </details>
  </details>`;
}

function placesForm(visit: Visit, unplaced: readonly Unplaced[]): Html {
  const words = visit.texts.money;
  const typed = chosenBefore(visit);
  const rows = unplaced.map((one) => [
    html`${one.name}<input type="hidden" name="thing" value="${one.thing}" />`,
    one.kind,
    visit.format.count(one.used),
    one.field(typed.get(one.thing)),
  ]);
  return actionForm(
    visit,
    { page: 'money', action: 'place', keeps: true },
    html`<p class="dim">${words.placeHint}</p>
      ${table([words.name, words.kind, words.used, words.place], rows)}
      <datalist id="${USUAL}">${USUAL_ACCOUNTS.map((account) => html`<option value="${account}"></option>`)}</datalist>
      <button type="submit">${words.placeThem}</button>`,
  );
}

/** Returns what was chosen in a form that was refused, by its thing. */
function chosenBefore({ refused }: Visit): ReadonlyMap<string, string> {
  if (refused?.action !== 'place') return new Map();
  const [things, places] = [refused.fields['thing'], refused.fields['place']].map((value) => [value ?? []].flat());
  return new Map((things ?? []).map((thing, index) => [thing, places?.[index] ?? '']));
}

function unplacedOf({ texts }: Visit, { items, methods, deposits }: Books['mapped']): Unplaced[] {
  const words = texts.money;
  const classes = itemClasses.map((value) => [value, words.classes[value] ?? value] as const);
  return [
    ...items.map((one) => ({
      thing: `items/${one.direction}/${one.id}`,
      name: one.name,
      kind: words.itemOf(one.direction),
      used: one.entries,
      field: (chosen = one.proposed) => choice(words.placeOf(one.name), words.leave, classes, chosen),
    })),
    ...methods.map((one) => ({
      thing: `methods/${one.direction}/${one.id}`,
      name: one.name,
      kind: words.methodOf(one.direction),
      used: one.entries,
      field: (chosen = one.proposed) =>
        html`<input
          name="place"
          list="${USUAL}"
          maxlength="100"
          aria-label="${words.placeOf(one.name)}"
          value="${chosen}"
        />`,
    })),
    ...deposits.map((one) => ({
      thing: `deposits/${one.channel}`,
      name: one.channel,
      kind: words.depositsOf,
      used: one.stays,
      field: (chosen = '') =>
        choice(
          words.placeOf(one.channel),
          words.leave,
          [
            ['charge', words.charge],
            ['hold', words.hold],
          ],
          chosen,
        ),
    })),
  ];
}

function choice(label: string, none: string, options: readonly (readonly [string, string])[], chosen: string): Html {
  return html`<select name="place" aria-label="${label}">
    <option value="">${none}</option>
    ${options.map(
      ([value, text]) => html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${text}</option>`,
    )}
  </select>`;
}
