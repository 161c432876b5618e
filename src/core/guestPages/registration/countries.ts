import type { RegistrationField } from './fieldNames.ts';

/** How long what was registered is kept: so many days after the day of arrival or of leaving. */
export interface Keeping {
  readonly days: number;
  readonly after: 'check_in' | 'check_out';
}

/** What a country asks of the guests of a house. */
export interface CountryForm {
  /** Fields that each guest gives, beside the name, the nationality and the date of birth. */
  readonly fields: readonly RegistrationField[];
  /** Fields that a guest may leave out. */
  readonly optional?: readonly RegistrationField[];
  /** What the country asks of its own nationals: all, all but the document, or nothing. */
  readonly ownNationals: 'all' | 'no_document' | 'nothing';
  /** Whose document is asked for: everybody's from an age on, or that of the first guest of a stay alone. */
  readonly documentOf: { readonly fromAge: number } | 'first';
  /** null: as the installation is set. */
  readonly keep: Keeping | null;
  /** On what this rests, in a few words, for the operator. */
  readonly basis: string;
}

const DOCUMENT = ['document_type', 'document_number'] as const;

/** What is asked for where a country has no row of its own. */
export const GENERIC: CountryForm = {
  fields: ['address', 'residence', ...DOCUMENT],
  ownNationals: 'all',
  documentOf: { fromAge: 15 },
  keep: null,
  basis: 'no row for this country: the set that most registers of guests have in common',
};

/**
 * What countries ask for, as far as it is generally known: a help for operators, and no legal advice. A region or a town
 * can ask for more, and rules change; an operator compares the row with what the authority says.
 */
export const COUNTRIES: Readonly<Record<string, CountryForm>> = {
  DE: {
    fields: ['address', ...DOCUMENT],
    ownNationals: 'nothing',
    documentOf: { fromAge: 15 },
    keep: { days: 365, after: 'check_in' },
    basis:
      'registration of foreign guests alone since 2025; forms are kept one year from arrival, then destroyed within three months',
  },
  AT: {
    fields: ['sex', 'address', 'residence', ...DOCUMENT, 'document_country'],
    ownNationals: 'no_document',
    documentOf: { fromAge: 15 },
    keep: { days: 2_557, after: 'check_out' },
    basis: 'register of guests, kept for seven years; the document of guests from other countries',
  },
  IT: {
    fields: ['sex', 'birth_place', ...DOCUMENT, 'document_country'],
    ownNationals: 'all',
    documentOf: 'first',
    keep: { days: 5, after: 'check_out' },
    basis:
      'report to the police within 24 hours of arrival, after which the operator keeps no copy; one document for a family or a group',
  },
  ES: {
    fields: ['sex', 'address', 'residence', 'phone', ...DOCUMENT],
    optional: ['email'],
    ownNationals: 'all',
    documentOf: { fromAge: 14 },
    keep: { days: 1_096, after: 'check_out' },
    basis: 'register of travellers and report to the authorities, kept for three years after the stay',
  },
  PT: {
    fields: ['residence', ...DOCUMENT, 'document_country'],
    ownNationals: 'nothing',
    documentOf: { fromAge: 15 },
    keep: { days: 365, after: 'check_out' },
    basis: 'report of foreign guests within three working days, kept for one year after they leave',
  },
  FR: {
    fields: ['birth_place', 'address', 'phone'],
    optional: ['email'],
    ownNationals: 'nothing',
    documentOf: { fromAge: 15 },
    keep: { days: 183, after: 'check_in' },
    basis: 'form for the police about foreign guests alone, without a document, kept for six months',
  },
  HR: {
    fields: ['sex', 'birth_place', 'residence', ...DOCUMENT],
    ownNationals: 'all',
    documentOf: { fromAge: 15 },
    keep: null,
    basis:
      'report of every guest to the state’s register within 24 hours of arrival; the register keeps it, not the operator',
  },
};

/** Returns what a country asks for; undefined: nothing, since no country is set. */
export function formOf(country: string | null): CountryForm | undefined {
  if (country === null) return undefined;
  return Object.hasOwn(COUNTRIES, country) ? COUNTRIES[country] : GENERIC;
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes that are regions of the world or stand for nothing. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'ZZ', 'QO', 'XA', 'XB', 'AC', 'CP', 'DG', 'EA', 'IC', 'TA', 'CQ']);
const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

/** The two letters of every country. */
export const countryCodes: readonly string[] = LETTERS.flatMap((one) =>
  LETTERS.map((other) => `${one}${other}`),
).filter(
  (code) =>
    !NO_COUNTRIES.has(code) &&
    names.of(code) !== undefined &&
    // A country that is no more has the code of its successor.
    Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`,
);
const known = new Set(countryCodes);

export function isCountry(code: string): boolean {
  return known.has(code);
}
