import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, inputField, typed } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import type { BookingPage, PaymentSettings } from './query.ts';

interface Shown {
  readonly pages: readonly BookingPage[];
  readonly settings: PaymentSettings;
  readonly properties: readonly { readonly id: number; readonly name: string | null }[];
}

/** Shows the pages where guests book, how they pay, and the forms that change both. */
export function bookingPagesView(visit: Visit, shown: Shown): Html {
  const words = visit.texts.booking;
  const { transfer, stripe } = shown.settings;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${transfer.text === null && !stripe.connected ? html`<p class="note">${words.nothing}</p>` : ''}
    ${section('pages', words.pages, '', shown.pages.length === 0 ? html`<p class="note">${words.none}</p>` : pageTable(visit, shown))}
    ${section('add', words.add, '', shown.properties.length === 0 ? html`<p class="note">${words.noProperties}</p>` : addForm(visit, shown))}
    ${section('transfer', words.transferTitle, '', transferForm(visit, shown.settings))}
    ${section('cancelling', words.cancelTitle, '', cancelForm(visit, shown.settings))}
    ${section('stripe', words.stripeTitle, words.stripeHint, stripePart(visit, shown.settings))}`;
}

function pageTable(visit: Visit, { pages, properties }: Shown): Html {
  const { texts, format } = visit;
  const words = texts.booking;
  const nameOf = (id: number) => properties.find((one) => one.id === id)?.name ?? `#${id}`;
  const rows = pages.map((page) => [
    page.name,
    page.property_ids.map(nameOf).join(', '),
    page.url === null ? '' : html`<a href="${page.url}" rel="noreferrer noopener">${page.url}</a>`,
    page.revoked_at === null ? words.open : words.revokedAt(format.moment(page.revoked_at)),
    page.url === null
      ? ''
      : askFirst(visit, {
          page: 'booking',
          action: 'revoke',
          open: words.revoke,
          consequence: words.revokes(page.name),
          confirm: words.revoke,
          hidden: { id: page.id, name: page.name },
        }),
  ]);
  return table([words.name, words.properties, words.address, words.state, words.revoke], rows);
}

function addForm(visit: Visit, { properties }: Shown): Html {
  const words = visit.texts.booking;
  return actionForm(
    visit,
    { page: 'booking', action: 'add', label: words.add },
    html`${inputField({ name: 'name', label: words.name, hint: words.nameHint, value: typed(visit, 'add', 'name'), isRequired: true, longest: 60 })}
      <fieldset class="checks wide">
        <legend>${words.properties}</legend>
        ${properties.map(
          ({ id, name }) =>
            html`<label><input type="checkbox" name="properties" value="${id}" /> ${name ?? `#${id}`}</label>`,
        )}
      </fieldset>
      ${area({ name: 'rules', label: words.rules, hint: words.rulesHint, value: typed(visit, 'add', 'rules'), longest: 4_000 })}
      <button type="submit">${words.addNow}</button>`,
  );
}

function transferForm(visit: Visit, { transfer, feed_minutes }: PaymentSettings): Html {
  const words = visit.texts.booking;
  const value = (name: string, otherwise: string | number) => typed(visit, 'transfer', name, String(otherwise));
  return actionForm(
    visit,
    { page: 'booking', action: 'transfer', label: words.transferTitle },
    html`${area({ name: 'transfer_text', label: words.transfer, hint: words.transferHint, value: value('transfer_text', transfer.text ?? ''), longest: 1_000 })}
      ${inputField({ name: 'transfer_hours', label: words.hours, type: 'number', min: 1, max: 336, isRequired: true, value: value('transfer_hours', transfer.hours) })}
      ${inputField({ name: 'feed_minutes', label: words.feedMinutes, hint: words.feedHint, type: 'number', min: 1, max: 10_080, isRequired: true, value: value('feed_minutes', feed_minutes) })}
      <button type="submit">${visit.texts.form.save}</button>`,
  );
}

function cancelForm(visit: Visit, { guests_cancel: isByGuests }: PaymentSettings): Html {
  const words = visit.texts.booking;
  return html`<p>${isByGuests ? words.guestsCancel : words.hostCancels}</p>
    ${actionForm(
      visit,
      { page: 'booking', action: 'cancelling', label: words.cancelTitle },
      html`<input type="hidden" name="by" value="${isByGuests ? 'host' : 'guests'}" />
        <button type="submit">${isByGuests ? words.letHost : words.letGuests}</button>`,
    )}`;
}

function stripePart(visit: Visit, { stripe }: PaymentSettings): Html {
  const words = visit.texts.booking;
  return html`<p>
      ${stripe.connected ? words.connected(words.modes[stripe.mode ?? ''] ?? '') : words.notConnected}
      ${stripe.has_webhook_secret ? words.hasSecret : ''}
    </p>
    <p>${words.webhook} <code class="secret">${stripe.webhook_url}</code></p>
    ${actionForm(
      visit,
      { page: 'booking', action: 'stripe', label: words.stripeTitle },
      html`${inputField({ name: 'key', label: words.key, hint: words.keyHint, value: '', autocomplete: 'off', longest: 255 })}
        ${inputField({ name: 'webhook_secret', label: words.secret, hint: words.secretHint, value: '', autocomplete: 'off', longest: 255 })}
        <button type="submit">${words.connect}</button>`,
    )}
    ${
      stripe.connected
        ? askFirst(visit, {
            page: 'booking',
            action: 'disconnect',
            open: words.disconnect,
            consequence: words.disconnects,
            confirm: words.disconnect,
          })
        : ''
    }`;
}

function area(of: { name: string; label: string; hint: string; value: string; longest: number }): Html {
  return html`<div class="field wide">
    <label for="${of.name}">${of.label}</label>
    <p id="${of.name}-hint" class="dim">${of.hint}</p>
    <textarea id="${of.name}" name="${of.name}" maxlength="${of.longest}" rows="4" aria-describedby="${of.name}-hint">
${of.value}</textarea>
  </div>`;
}
