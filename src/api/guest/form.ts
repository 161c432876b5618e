import type { RegistrationField } from '../../core/guestPages/registration/fieldNames.ts';
import { countryCodes } from '../../core/guestPages/registration/countries.ts';
import { documentTypes, fieldsOf, longestOf, type Problems, sexes } from '../../core/guestPages/registration/fields.ts';
import type { RegistrationOfStay, StayOfGuest } from '../../core/guestPages/shown.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import type { GuestTexts } from './texts/en.ts';

/** A form that was refused, as it was filled in. */
export interface RefusedGuest {
  readonly stay: string;
  readonly problems: Problems;
  readonly says: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Shown {
  readonly texts: GuestTexts;
  /** The address to which the forms of the page are sent, by what they do. */
  readonly to: (what: string) => string;
  readonly freshNumber: () => string;
  readonly refused: RefusedGuest | undefined;
}

/** Renders who of a stay has registered, and the form for the next guest. */
export function registrationPart(shown: Shown, stay: StayOfGuest): Html {
  const { registration } = stay;
  const { texts } = shown;
  if (!registration) return html``;
  const { country, form, registered, of, isOpen } = registration;
  const place = countryName(texts.language, country);
  const hints = [
    form.ownNationals === 'nothing' ? texts.ownNothing(place) : '',
    form.ownNationals === 'no_document' ? texts.ownNoDocument(place) : '',
    documentHint(texts, registration),
  ].filter((hint) => hint !== '');
  const isFull = registered.length >= of;
  const id = `registration-${stay.stay_code}`;
  const own = shown.refused?.stay === stay.stay_code ? shown.refused : undefined;
  return html`<div id="${id}">
    <h3>${texts.registration}</h3>
    <p>${isFull ? texts.allRegistered : texts.registered(registered.length, of)}</p>
    ${
      registered.length === 0
        ? ''
        : html`<ul class="people">
            ${registered.map((person) => personLine(shown, person, isOpen))}
          </ul>`
    }
    ${own ? html`<p class="bad" role="alert">${own.says}</p>` : ''}
    ${!isOpen && !isFull ? html`<p>${texts.registrationOver}</p>` : ''}
    ${
      isOpen && !isFull
        ? html`<p class="dim">${texts.registrationWhy(place)} ${hints.join(' ')}</p>
            ${guestForm(shown, stay, registration, own)}`
        : ''
    }
  </div>`;
}

function documentHint(texts: GuestTexts, { form, registered }: RegistrationOfStay): string {
  if (!form.fields.includes('document_number')) return '';
  if (form.documentOf === 'first') return registered.length === 0 ? '' : texts.documentFirst;
  return texts.documentFrom(form.documentOf.fromAge);
}

function personLine(
  { texts, to }: Shown,
  { id, name }: RegistrationOfStay['registered'][number],
  isOpen: boolean,
): Html {
  return html`<li>
    <span>${name}</span>
    ${
      isOpen
        ? html`<form method="post" action="${to('remove')}">
            <input type="hidden" name="guest" value="${id}" />
            <button type="submit" class="second" aria-label="${texts.removeGuest(name)}">${texts.remove}</button>
          </form>`
        : ''
    }
  </li>`;
}

function guestForm(
  { texts, to, freshNumber }: Shown,
  { stay_code }: StayOfGuest,
  registration: RegistrationOfStay,
  refused: RefusedGuest | undefined,
): Html {
  const { form, registered } = registration;
  const skipsDocument = form.documentOf === 'first' && registered.length > 0;
  const fields = fieldsOf(form).filter((field) => !(skipsDocument && field.startsWith('document_')));
  const title = `guest-${stay_code}`;
  return html`<form method="post" action="${to('guest')}" aria-labelledby="${title}" novalidate>
    <h3 id="${title}">${texts.nextGuest(registered.length + 1)}</h3>
    <input type="hidden" name="stay" value="${stay_code}" />
    <input type="hidden" name="once" value="${freshNumber()}" />
    <div class="fields">
      ${fields.map((field) => fieldOf(texts, { field, stay: stay_code, isOptional: form.optional?.includes(field) ?? false }, refused))}
    </div>
    <button type="submit">${texts.register}</button>
  </form>`;
}

interface Asked {
  readonly field: RegistrationField;
  readonly stay: string;
  readonly isOptional: boolean;
}

function fieldOf(texts: GuestTexts, { field, stay, isOptional }: Asked, refused: RefusedGuest | undefined): Html {
  const id = `${field}-${stay}`;
  const problem = refused?.problems[field];
  const typed = refused?.fields[field];
  const value = typeof typed === 'string' ? typed : '';
  const state = problem ? html`aria-invalid="true" aria-describedby="${id}-problem"` : '';
  const options = optionsOf(texts, field);
  return html`<div class="field${field === 'address' ? ' wide' : ''}">
    <label for="${id}"
      >${texts.fields[field]}${isOptional ? html` <span class="dim">(${texts.optional})</span>` : ''}</label
    >
    ${
      options
        ? html`<select id="${id}" name="${field}" ${state}>
            <option value="">${texts.choose}</option>
            ${options.map(
              ([code, text]) => html`<option value="${code}" ${code === value ? 'selected' : ''}>${text}</option>`,
            )}
          </select>`
        : html`<input
            id="${id}"
            name="${field}"
            type="${TYPES[field] ?? 'text'}"
            maxlength="${longestOf(field)}"
            autocomplete="off"
            value="${value}"
            ${state}
          />`
    }
    ${problem ? html`<span class="bad" id="${id}-problem">${texts.problems[problem]}</span>` : ''}
  </div>`;
}

const TYPES: { readonly [Field in RegistrationField]?: string } = { birth_date: 'date', phone: 'tel', email: 'email' };

type Options = readonly (readonly [code: string, text: string])[];

function optionsOf(texts: GuestTexts, field: RegistrationField): Options | undefined {
  switch (field) {
    case 'nationality':
    case 'residence':
    case 'document_country':
      return countriesIn(texts.language);
    case 'sex':
      return sexes.map((sex) => [sex, texts.sexes[sex]]);
    case 'document_type':
      return documentTypes.map((type) => [type, texts.documents[type]]);
    default:
      return undefined;
  }
}

const countryLists = new Map<string, Options>();

/** Returns every country by its name in a language, in the order of that language. */
function countriesIn(language: string): Options {
  const known = countryLists.get(language);
  if (known) return known;
  const { compare } = new Intl.Collator(language);
  const list = countryCodes
    .map((code) => [code, countryName(language, code)] as const)
    .toSorted(([, one], [, other]) => compare(one, other));
  countryLists.set(language, list);
  return list;
}

export function countryName(language: string, code: string): string {
  return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
}
