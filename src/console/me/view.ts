import { renderSVG } from 'uqr';
import { Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, hiddenFields, inputField, typed } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import type { AuthenticatorOffer, OwnSafety, PasskeyOffer } from './query.ts';

/** Shows how a person signs in, with what changes it. */
export function meView(visit: Visit, safety: OwnSafety): Html {
  const words = visit.texts.me;
  return html`<header class="head">
      <h1>${visit.person.name}</h1>
      <p class="dim">${visit.texts.people.roles[visit.person.role]} · ${visit.person.account}</p>
    </header>
    ${factors(visit, safety)} ${sessions(visit, safety)}
    ${section('new-password', words.password, words.passwordHint, passwordForm(visit, safety.login))}`;
}

function factors(visit: Visit, { factors: all, recovery_codes: left }: OwnSafety): Html {
  const { texts, format } = visit;
  const words = texts.me;
  const rows = all.map(({ id, kind, name, created_at, last_used_at }) => [
    name,
    words.kinds[kind],
    format.moment(created_at),
    last_used_at === null ? words.never : format.moment(last_used_at),
    askFirst(visit, {
      page: 'me',
      action: 'remove-factor',
      open: words.remove,
      consequence: words.removeConsequence(name),
      confirm: words.remove,
      hidden: { id },
    }),
  ]);
  return section(
    'factors',
    words.factors,
    words.factorsHint,
    html`${
        rows.length === 0
          ? html`<p class="note">${words.noFactor}</p>`
          : table([words.name, words.kind, words.since, words.lastUsed, words.remove], rows)
      }
      <div class="actions">
        <a class="button" href="${visit.address('me', { add: 'authenticator' })}">${words.addAuthenticator}</a>
        <a class="button" href="${visit.address('me', { add: 'passkey' })}">${words.addPasskey}</a>
      </div>
      ${
        rows.length === 0
          ? ''
          : html`<p>${words.codesLeft(left)}</p>
              ${askFirst(visit, {
                page: 'me',
                action: 'renew-codes',
                open: words.renewCodes,
                consequence: words.renewConsequence,
                confirm: words.renewCodes,
              })}`
      }`,
  );
}

function sessions(visit: Visit, { sessions: all }: OwnSafety): Html {
  const { texts, format, person } = visit;
  const words = texts.me;
  const rows = all.map(({ id, created_at, seen_at, agent, address }) => [
    browserName(agent) ?? words.unknownBrowser,
    address ?? '',
    format.moment(created_at),
    format.moment(seen_at),
    id === person.sessionId
      ? html`<span class="good">${words.thisOne}</span>`
      : actionForm(
          visit,
          { page: 'me', action: 'end-session', classes: 'inline' },
          html`${hiddenFields({ id })}<button type="submit" class="second">${words.end}</button>`,
        ),
  ]);
  return section(
    'sessions',
    words.sessions,
    words.sessionsHint,
    table([words.browser, words.address, words.since, words.lastUsed, words.end], rows),
  );
}

/** Returns the name of a browser and its system, as far as they say them. */
function browserName(agent: string | null): string | undefined {
  if (agent === null) return undefined;
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\/[\d.]+/.exec(agent)?.[1];
  const system = /\b(Windows|Android|iPhone|iPad|Mac OS X|Linux)\b/.exec(agent)?.[1];
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };
  const parts = [browser, system].flatMap((part) => (part === undefined ? [] : [names[part] ?? part]));
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function passwordForm(visit: Visit, login: string | null): Html {
  const words = visit.texts.me;
  return actionForm(
    visit,
    { page: 'me', action: 'password' },
    html`<input hidden name="username" autocomplete="username" value="${login ?? ''}" />
      ${inputField({ name: 'old', label: words.oldPassword, type: 'password', autocomplete: 'current-password', isRequired: true, longest: 200 })}
      ${inputField({ name: 'password', label: words.newPassword, type: 'password', autocomplete: 'new-password', isRequired: true, longest: 200 })}
      <button type="submit">${words.changePassword}</button>`,
  );
}

/** Shows the secret of an authenticator as a picture and as text, and asks for its first code. */
export function authenticatorView(visit: Visit, { secret, address, offer }: AuthenticatorOffer): Html {
  const words = visit.texts.me;
  // The picture is made of numbers of our own, and of squares.
  const picture = new Html(renderSVG(address, { border: 2 }));
  return html`<h1>${words.addAuthenticator}</h1>
    <p>${words.scan}</p>
    <div class="qr" role="img" aria-label="${words.picture}">${picture}</div>
    <p>${words.orType} <code>${secret.match(/.{1,4}/g)?.join(' ') ?? secret}</code></p>
    ${actionForm(
      visit,
      { page: 'me', action: 'add-authenticator', at: { add: 'authenticator' } },
      html`${hiddenFields({ offer })}
        ${inputField({
          name: 'name',
          label: words.name,
          value: typed(visit, 'add-authenticator', 'name', words.usualName),
          isRequired: true,
          longest: 50,
        })}
        ${inputField({ name: 'code', label: words.firstCode, autocomplete: 'one-time-code', isRequired: true, longest: 20 })}
        <button type="submit">${words.add}</button>`,
    )}`;
}

/** Asks the browser to make a passkey. */
export function passkeyView(visit: Visit, { options, offer }: PasskeyOffer): Html {
  const words = visit.texts.me;
  return html`<h1>${words.addPasskey}</h1>
    <p>${words.passkeyHint}</p>
    ${actionForm(
      visit,
      { page: 'me', action: 'add-passkey', at: { add: 'passkey' }, passkey: options },
      html`${hiddenFields({ offer, passkey: '' })}
        ${inputField({
          name: 'name',
          label: words.name,
          value: typed(visit, 'add-passkey', 'name', words.usualPasskey),
          isRequired: true,
          longest: 50,
        })} <button type="submit">${words.add}</button>`,
    )}`;
}

/** Shows recovery codes, this once. */
export function recoveryCodesView(visit: Visit, codes: readonly string[]): Html {
  const words = visit.texts.me;
  return html`<h1>${words.codes}</h1>
    <p class="note">${words.codesHint}</p>
    <ul class="codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p><a class="button" href="${visit.address('me')}">${words.codesKept}</a></p>`;
}
