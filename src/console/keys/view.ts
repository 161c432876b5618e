import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, choiceField, hiddenFields, inputField } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import type { Keys } from './query.ts';

/** Shows tokens, webhooks and endpoints, each with what makes and ends it. */
export function keysView(visit: Visit, keys: Keys): Html {
  const words = visit.texts.keys;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${visit.isHere ? html`${tokens(visit, keys)} ${webhooks(visit, keys)}` : ''} ${endpoints(visit, keys)}`;
}

function tokens(visit: Visit, { tokens: all }: Keys): Html {
  const { texts, format } = visit;
  const words = texts.keys;
  const rows = all.map(({ id, name, operator_name, scope, hint, created_at, last_used_on }) => [
    name,
    operator_name,
    scope === 'write' ? words.write : words.read,
    html`<code>${hint}</code>`,
    format.moment(created_at),
    last_used_on === null ? words.never : format.day(last_used_on),
    askFirst(visit, {
      page: 'access',
      action: 'revoke',
      open: words.revoke,
      consequence: words.revokeConsequence(name),
      confirm: words.revoke,
      hidden: { id },
    }),
  ]);
  return section(
    'tokens',
    words.tokens,
    words.tokensHint,
    html`${rows.length === 0 ? html`<p class="dim">${words.noTokens}</p>` : table([words.name, words.of, words.may, words.sign, words.since, words.lastUsed, words.revoke], rows)}
    ${actionForm(
      visit,
      { page: 'access', action: 'token' },
      html`${inputField({ name: 'name', label: words.name, isRequired: true, longest: 100 })}
        ${choiceField({
          name: 'scope',
          label: words.may,
          options: [
            { value: 'read', text: words.read },
            { value: 'write', text: words.write },
          ],
        })} <button type="submit">${words.makeToken}</button>`,
    )}`,
  );
}

function webhooks(visit: Visit, { webhooks: all }: Keys): Html {
  const { texts, format } = visit;
  const words = texts.keys;
  const rows = all.map(({ id, url, events, created_at }) => [
    url,
    events.length === 0 ? words.allEvents : events.join(', '),
    format.moment(created_at),
    askFirst(visit, {
      page: 'access',
      action: 'remove-webhook',
      open: words.remove,
      consequence: words.removeWebhook(url),
      confirm: words.remove,
      hidden: { id },
    }),
  ]);
  return section(
    'webhooks',
    words.webhooks,
    words.webhooksHint,
    rows.length === 0
      ? html`<p class="dim">${words.noWebhooks}</p>`
      : table([words.address, words.events, words.since, words.remove], rows),
  );
}

function endpoints(visit: Visit, { endpoints: all }: Keys): Html {
  const words = visit.texts.keys;
  const rows = all.map(({ endpoint_id, url, state, kinds }) => [
    url,
    kinds.join(', '),
    words.states[state] ?? state,
    html`<div class="actions">
      ${actionForm(
        visit,
        { page: 'access', action: 'ping', classes: 'inline' },
        html`${hiddenFields({ endpoint_id })}<button type="submit" class="second">${words.ping}</button>`,
      )}
      ${askFirst(visit, {
        page: 'access',
        action: 'remove-endpoint',
        open: words.remove,
        consequence: words.removeEndpoint(url),
        confirm: words.remove,
        hidden: { endpoint_id },
      })}
    </div>`,
  ]);
  return section(
    'endpoints',
    words.endpoints,
    words.endpointsHint,
    html`${rows.length === 0 ? html`<p class="dim">${words.noEndpoints}</p>` : table([words.address, words.events, words.state, words.remove], rows)}
    ${actionForm(
      visit,
      { page: 'access', action: 'endpoint' },
      html`${inputField({ name: 'url', label: words.address, type: 'url', isRequired: true, longest: 2_048 })}
        <div class="checks">
          <label><input type="checkbox" name="persons" /> ${words.persons}</label>
        </div>
        <button type="submit">${words.makeEndpoint}</button>`,
    )}`,
  );
}

/** Shows a secret, this once. */
export function secretView(visit: Visit, hint: string, secret: string): Html {
  const words = visit.texts.keys;
  return html`<h1>${words.secret}</h1>
    <p>${hint}</p>
    <p><code class="secret">${secret}</code></p>
    <p><a class="button" href="${visit.address('access')}">${words.kept}</a></p>`;
}
