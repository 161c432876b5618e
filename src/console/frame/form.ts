import { type Html, html } from '../../kernel/markup/html.ts';
import { addressOf } from '../page.ts';
import type { FormValue, Visit } from '../visit.ts';

interface Sending {
  /** Path of the page, and name of its action. */
  readonly page: string;
  readonly action: string;
  /** Fields of the page's address while the form is open; by default those of now. */
  readonly at?: Readonly<Record<string, string | number | undefined>>;
  /** True for a form with files. */
  readonly hasFiles?: boolean;
  readonly classes?: string;
  /** True if the page may renew itself while somebody types here: what is typed stays. */
  readonly keeps?: boolean;
  /** What a browser needs to make a passkey, whose answer the form sends as `passkey`. */
  readonly passkey?: object;
  /** Names the form for those who hear it, where nothing else does. */
  readonly label?: string;
}

/** Builds a form that does something; a refusal of it is said above its fields. */
export function actionForm(visit: Visit, sending: Sending, content: Html): Html {
  const { page, action, at = visit.at, hasFiles = false, classes = 'form', keeps = false, passkey, label } = sending;
  const { connection, connections, texts, refused } = visit;
  const fields = { ...at, ...(connections.length > 1 && { connection }) };
  return html`<form
    class="${classes}"
    method="post"
    action="${addressOf(`${page}/${action}`, fields)}"
    ${hasFiles ? html`enctype="multipart/form-data"` : ''}
    ${label === undefined ? '' : html`aria-label="${label}"`}
    ${keeps ? 'data-keeps' : ''}
    ${passkey === undefined ? '' : html`data-passkey="create" data-options="${JSON.stringify(passkey)}"`}
  >
    <input type="hidden" name="once" value="${visit.freshNumber()}" />
    ${refused?.action === action ? html`<p class="bad" role="alert">${texts.form.wrong(refused.problem)}</p>` : ''}
    ${content}
  </form>`;
}

/** Returns a field as it was typed into a form that was refused; else the given value. */
export function typed({ refused }: Visit, action: string, field: string, otherwise = ''): string {
  const value: FormValue | undefined = refused?.action === action ? refused.fields[field] : undefined;
  return typeof value === 'string' ? value : otherwise;
}

interface Input {
  readonly name: string;
  readonly label: string;
  readonly value?: string | number | null | undefined;
  /** `text` by default; `date`, `number`, `email`, `tel`, `time`, `search`. */
  readonly type?: string;
  readonly isRequired?: boolean;
  readonly min?: string | number;
  readonly max?: string | number;
  readonly step?: string | number;
  readonly longest?: number;
  /** What browsers may fill in, such as `new-password`. */
  readonly autocomplete?: string;
  readonly hint?: string;
  /** Makes the ids of two forms on one page differ. */
  readonly of?: string;
}

/** Builds one labelled field. */
export function inputField(input: Input): Html {
  const {
    name,
    label,
    value,
    type = 'text',
    isRequired = false,
    min,
    max,
    step,
    longest,
    autocomplete,
    hint,
    of = '',
  } = input;
  const id = `${of}${name}`;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${hint === undefined ? '' : html`<p id="${id}-hint" class="dim">${hint}</p>`}
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      value="${value ?? ''}"
      ${isRequired ? 'required' : ''}
      ${min === undefined ? '' : html`min="${min}"`}
      ${max === undefined ? '' : html`max="${max}"`}
      ${step === undefined ? '' : html`step="${step}"`}
      ${longest === undefined ? '' : html`maxlength="${longest}"`}
      ${autocomplete === undefined ? '' : html`autocomplete="${autocomplete}"`}
      ${hint === undefined ? '' : html`aria-describedby="${id}-hint"`}
    />
  </div>`;
}

interface Choice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string | number; readonly text: string }[];
  readonly chosen?: string | number | null | undefined;
  /** The text of the option for none. */
  readonly none?: string;
  readonly of?: string;
}

/** Builds one labelled choice among options. */
export function choiceField({ name, label, options, chosen, none, of = '' }: Choice): Html {
  const id = `${of}${name}`;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="${name}">
      ${none === undefined ? '' : html`<option value="">${none}</option>`}
      ${options.map(
        ({ value, text }) =>
          html`<option value="${value}" ${String(value) === String(chosen ?? '') ? 'selected' : ''}>${text}</option>`,
      )}
    </select>
  </div>`;
}

interface AskFirst extends Sending {
  /** The words of the button that opens the question. */
  readonly open: string;
  /** What will happen, with names, dates and amounts. */
  readonly consequence: string | Html;
  /** The words of the button that does it. */
  readonly confirm: string;
  readonly hidden?: Readonly<Record<string, string | number>>;
  readonly more?: Html;
  /** True for what harms nobody, and is asked about since it is final. */
  readonly isGood?: boolean;
}

/** Builds a button for what cannot be undone: it says first what will happen. Works without a script. */
export function askFirst(visit: Visit, { open, consequence, confirm, hidden = {}, more, ...asking }: AskFirst): Html {
  const { isGood = false, ...sending } = asking;
  const isOpen = visit.refused?.action === sending.action;
  return html`<details class="ask" ${isOpen ? 'open' : ''}>
    <summary>${open}</summary>
    ${actionForm(
      visit,
      sending,
      html`<p>${consequence}</p>
        ${hiddenFields(hidden)} ${more ?? ''}
        <button type="submit" ${isGood ? '' : html`class="danger"`}>${confirm}</button>`,
    )}
  </details>`;
}

export function hiddenFields(fields: Readonly<Record<string, string | number>>): Html[] {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}
