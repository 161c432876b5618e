import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, hiddenFields, inputField, typed } from '../frame/form.ts';
import type { Contact } from '../setup/services.ts';
import type { Visit } from '../visit.ts';

/** Shows the form for another deployment. */
export function connectView(visit: Visit): Html {
  const words = visit.texts.connect;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${actionForm(
      visit,
      { page: 'connect', action: 'check' },
      html`${inputField({
          name: 'url',
          label: words.url,
          value: typed(visit, 'check', 'url'),
          isRequired: true,
          longest: 500,
          hint: words.urlHint,
        })}
        ${inputField({
          name: 'token',
          label: words.token,
          type: 'password',
          autocomplete: 'off',
          isRequired: true,
          longest: 4_000,
          hint: words.tokenHint,
        })} <button type="submit">${words.check}</button>`,
    )}`;
}

/** Shows what the other deployment answered, and asks for what it did not say. */
export function contactView(visit: Visit, { url, token }: { url: string; token: string }, contact: Contact): Html {
  const words = visit.texts.connect;
  const { profile, account, time_zone, currency, may_write, refused } = contact;
  const facts = [
    [words.account, account ?? words.unsaid],
    [words.dialect, profile],
    [words.writes, may_write === null ? words.unsaid : may_write ? words.mayWrite : words.mayRead],
  ];
  return html`<h1>${words.found}</h1>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<dt>${name ?? ''}</dt>
            <dd>${value ?? ''}</dd>`,
      )}
    </dl>
    ${
      refused.length === 0
        ? ''
        : html`<p class="note">${words.refused}</p>
            <ul>
              ${refused.map((one) => html`<li>${one}</li>`)}
            </ul>`
    }
    ${actionForm(
      visit,
      { page: 'connect', action: 'save' },
      html`${hiddenFields({ url, token })}
        ${time_zone === null ? inputField({ name: 'time_zone', label: words.timeZone, value: visit.zone }) : ''}
        ${currency === null ? inputField({ name: 'currency', label: words.currency, value: visit.currency, longest: 3 }) : ''}
        <p class="wide">${words.consequence}</p>
        <button type="submit">${words.save}</button>`,
    )}`;
}
