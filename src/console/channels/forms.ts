import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, choiceField, hiddenFields, inputField, typed } from '../frame/form.ts';
import type { Visit } from '../visit.ts';
import type { Feed } from './query.ts';

const LONGEST_NAME = 60;
const LONGEST_URL = 2_048;

export type Property = { readonly id: number; readonly name: string | null };

export function nameOf({ id, name }: Property): string {
  return name ?? `#${id}`;
}

/** Returns the name of a property by its id. */
export function nameIn(properties: readonly Property[], id: number): string {
  return nameOf(properties.find((one) => one.id === id) ?? { id, name: null });
}

export function propertyOptions(properties: readonly Property[]): { value: number; text: string }[] {
  return properties.map((one) => ({ value: one.id, text: nameOf(one) }));
}

/** Builds the form that connects the calendar of a marketplace. */
export function connectForm(visit: Visit, properties: readonly Property[], chosen: Property | undefined): Html {
  const words = visit.texts.feeds;
  return actionForm(
    visit,
    { page: 'channels', action: 'add' },
    html`${propertyField(visit, 'add', properties, chosen)} ${nameField(visit, 'add', { hint: words.nameHint })}
      <div class="wide">${urlField(visit, 'add', words.url, words.urlHint)}</div>
      <button type="submit">${words.connectNow}</button>`,
  );
}

/** Builds the form that makes a private calendar. */
export function privateForm(visit: Visit, properties: readonly Property[], chosen: Property | undefined): Html {
  const words = visit.texts.feeds;
  return actionForm(
    visit,
    { page: 'channels', action: 'add-private' },
    html`${propertyField(visit, 'add-private', properties, chosen)}
      ${nameField(visit, 'add-private', { hint: words.privateNameHint })} ${detailChoice(visit, 'add-private', [])}
      <button type="submit">${words.addPrivateNow}</button>`,
  );
}

/** Builds the form that changes a feed. */
export function changeForm(visit: Visit, feed: Feed): Html {
  const words = visit.texts.feeds;
  const more =
    feed.audience === 'private'
      ? detailChoice(visit, 'change', feed.shows)
      : html`<div class="wide">${urlField(visit, 'change', words.newUrl, words.newUrlHint)}</div>`;
  return actionForm(
    visit,
    { page: 'channels', action: 'change' },
    html`${hiddenFields({ id: feed.id })} ${nameField(visit, 'change', { value: feed.name })} ${more}
      <button type="submit">${visit.texts.form.save}</button>`,
  );
}

function propertyField(
  visit: Visit,
  action: string,
  properties: readonly Property[],
  chosen: Property | undefined,
): Html {
  return choiceField({
    of: `${action}-`,
    name: 'property_id',
    label: visit.texts.feeds.property,
    options: propertyOptions(properties),
    chosen: typed(visit, action, 'property_id', String(chosen?.id ?? '')),
  });
}

function nameField(visit: Visit, action: string, { value, hint }: { value?: string; hint?: string }): Html {
  return inputField({
    of: `${action}-`,
    name: 'name',
    label: visit.texts.feeds.name,
    value: typed(visit, action, 'name', value),
    isRequired: true,
    longest: LONGEST_NAME,
    ...(hint !== undefined && { hint }),
  });
}

function urlField(visit: Visit, action: string, label: string, hint: string): Html {
  const value = typed(visit, action, 'url');
  return inputField({ of: `${action}-`, name: 'url', label, hint, value, type: 'url', longest: LONGEST_URL });
}

/** Builds the choice of what a private calendar shows beside nights; what was ticked in a refused form stays ticked. */
function detailChoice(visit: Visit, action: string, shows: readonly string[]): Html {
  const { refused, texts } = visit;
  const ticked = refused?.action === action ? [refused.fields['shows'] ?? []].flat() : shows;
  return html`<fieldset class="wide">
    <legend>${texts.feeds.shows}</legend>
    <div class="checks">
      ${Object.entries(texts.feeds.details).map(
        ([detail, text]) =>
          html`<label
            ><input type="checkbox" name="shows" value="${detail}" ${ticked.includes(detail) ? 'checked' : ''} />
            ${text}</label
          >`,
      )}
    </div>
  </fieldset>`;
}
