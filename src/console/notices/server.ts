import { type Html, html } from '../../kernel/markup/html.ts';
import { ApiError } from '../../kernel/errors.ts';
import { actionForm, choiceField, inputField, typed } from '../frame/form.ts';
import type { MailServerDraft, MailServerShown } from '../setup/services.ts';
import type { Visit } from '../visit.ts';

const SECURITY = ['starttls', 'tls', 'none'] as const;
const USUAL_PORT = 587;

/** Shows the server that sends mail, or the form for it. */
export async function serverView(visit: Visit, asks: boolean): Promise<Html> {
  const words = visit.texts.notices.server;
  const server = await visit.services.setup.mailServer();
  if (asks) return serverForm(visit, server);
  return html`<p class="${server ? '' : 'note'}">${server ? words.sends(server.host, server.from) : words.none}</p>
    <div class="actions">
      <a class="button second" href="${visit.address('notices', { server: 'edit' })}"
        >${server ? words.change : words.set}</a
      >
    </div>`;
}

/** Builds the form of the mail server. A password is never shown. */
function serverForm(visit: Visit, before: MailServerShown | null): Html {
  const words = visit.texts.notices.server;
  const given = (field: string, otherwise = '') => typed(visit, 'server', field, otherwise);
  return actionForm(
    visit,
    { page: 'notices', action: 'server', label: words.title },
    html`${inputField({ name: 'host', label: words.host, hint: words.hostHint, value: given('host', before?.host), isRequired: true, autocomplete: 'off', longest: 255 })}
      ${inputField({ name: 'port', label: words.port, type: 'number', min: 1, max: 65_535, value: given('port', String(before?.port ?? USUAL_PORT)), isRequired: true })}
      ${choiceField({
        name: 'security',
        label: words.security,
        options: SECURITY.map((value) => ({ value, text: words.securities[value] })),
        chosen: given('security', before?.security ?? 'starttls'),
      })}
      ${inputField({ name: 'user', label: words.user, value: given('user', before?.user ?? ''), autocomplete: 'off', longest: 320 })}
      ${inputField({ name: 'password', label: words.password, hint: before?.user == null ? words.passwordHint : words.passwordKept, type: 'password', autocomplete: 'off', longest: 1_000 })}
      ${inputField({ name: 'from', label: words.from, hint: words.fromHint, value: given('from', before?.from), isRequired: true, autocomplete: 'off', longest: 400 })}
      <button type="submit">${words.save}</button>
      <a class="button second" href="${visit.address('notices')}">${visit.texts.form.cancel}</a>`,
  );
}

/** Reads the form of the mail server. @throws ApiError 422 with a field that says nothing usable */
export function readServer(fields: Readonly<Record<string, unknown>>): MailServerDraft {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name].trim() : '');
  const security = SECURITY.find((one) => one === text('security'));
  if (security === undefined) throw new ApiError(422, 'security: is missing', { field: 'security' });
  const user = text('user');
  return {
    host: text('host'),
    port: Number(text('port')),
    security,
    user: user === '' ? null : user,
    password: typeof fields['password'] === 'string' ? fields['password'] : '',
    from: text('from'),
  };
}
