import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, choiceField, inputField, typed } from '../frame/form.ts';
import type { Visit } from '../visit.ts';

export const securities = ['tls', 'starttls', 'none'] as const;

/** Builds the form that adds a mailbox. Passwords are not typed back when it was refused. */
export function addForm(visit: Visit): Html {
  const words = visit.texts.mail;
  const text = (
    name: string,
    label: string,
    more: { hint?: string; isRequired?: boolean; otherwise?: string } = {},
  ) => {
    const { otherwise = '', ...rest } = more;
    return inputField({
      name,
      label,
      value: typed(visit, 'add', name, otherwise),
      autocomplete: 'off',
      longest: 254,
      ...rest,
    });
  };
  const secret = (name: string, label: string, more: { hint?: string; isRequired?: boolean } = {}) =>
    inputField({ name, label, value: '', type: 'password', autocomplete: 'new-password', longest: 1_000, ...more });
  // A browser takes a second field of type password for a second form, so that of sending is a plain one.
  const port = (name: string, otherwise: number) =>
    inputField({
      name,
      label: words.port,
      type: 'number',
      value: typed(visit, 'add', name, String(otherwise)),
      min: 1,
      max: 65_535,
    });
  const security = (name: string, otherwise: string) =>
    choiceField({
      name,
      label: words.security,
      options: securities.map((value) => ({ value, text: words.securities[value] ?? value })),
      chosen: typed(visit, 'add', name, otherwise),
    });
  const plus = visit.refused?.action === 'add' && visit.refused.fields['plus_addresses'] === 'on';
  return actionForm(
    visit,
    { page: 'mail', action: 'add' },
    html`${text('name', words.name, { hint: words.nameHint, isRequired: true })}
      ${text('address', words.address, { hint: words.addressHint, isRequired: true })}
      <fieldset class="wide">
        <legend>${words.reading}</legend>
        ${text('imap_host', words.host, { hint: words.imapHint, isRequired: true })} ${port('imap_port', 993)}
        ${security('imap_security', 'tls')} ${text('imap_user', words.user, { hint: words.userHint })}
        ${secret('imap_password', words.password, { hint: words.passwordHint, isRequired: true })}
      </fieldset>
      <fieldset class="wide">
        <legend>${words.sending}</legend>
        ${text('smtp_host', words.host, { hint: words.smtpHint })} ${port('smtp_port', 587)}
        ${security('smtp_security', 'starttls')} ${text('smtp_user', words.user, { hint: words.sameHint })}
        ${inputField({ name: 'smtp_password', label: words.password, value: '', autocomplete: 'off', longest: 1_000, hint: words.sameHint })}
      </fieldset>
      <fieldset class="checks wide">
        <legend>${words.answers}</legend>
        <label><input type="checkbox" name="plus_addresses" ${plus ? 'checked' : ''} /> ${words.plus}</label>
      </fieldset>
      ${text('authserv_id', words.signedBy, { hint: words.signedByHint })}
      <button type="submit">${words.addNow}</button>`,
  );
}
