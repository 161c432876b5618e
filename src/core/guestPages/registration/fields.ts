import { addYears, isPlainDate, type PlainDate } from '../../../kernel/dates.ts';
import { type CountryForm, isCountry } from './countries.ts';
import { type RegistrationField, registrationFields } from './fieldNames.ts';

export const sexes = ['female', 'male', 'other'] as const;
export const documentTypes = ['passport', 'identity_card', 'driving_licence', 'residence_permit'] as const;

/** What one guest has registered; fields that were not asked for are left out. */
export type Registration = { readonly [Field in RegistrationField]?: string };

/** Why a value is refused. */
export type Problem = 'missing' | 'too_long' | 'unreadable' | 'no_date' | 'not_past' | 'no_choice' | 'no_email';
export type Problems = { readonly [Field in RegistrationField]?: Problem };

const LONGEST: Readonly<Record<RegistrationField, number>> = {
  given_name: 100,
  family_name: 100,
  nationality: 2,
  birth_date: 10,
  birth_place: 100,
  sex: 10,
  address: 300,
  residence: 2,
  phone: 40,
  email: 200,
  document_type: 30,
  document_number: 50,
  document_country: 2,
};

export function longestOf(field: RegistrationField): number {
  return LONGEST[field];
}

/** Fields that every form begins with. */
const ALWAYS: readonly RegistrationField[] = ['given_name', 'family_name', 'nationality', 'birth_date'];
const DOCUMENT: ReadonlySet<RegistrationField> = new Set(['document_type', 'document_number', 'document_country']);
/** All that is stored of a guest of whom the country asks nothing: who it was, and why nothing else. */
const OF_NOBODY: ReadonlySet<RegistrationField> = new Set(['given_name', 'nationality']);

/** Returns the fields of a form, in order; those of `optional` may be left out. */
export function fieldsOf(form: CountryForm): readonly RegistrationField[] {
  const all = new Set([...ALWAYS, ...form.fields, ...(form.optional ?? [])]);
  return registrationFields.filter((field) => all.has(field));
}

interface Circumstances {
  readonly form: CountryForm;
  readonly country: string;
  readonly checkIn: PlainDate;
  readonly today: PlainDate;
  /** True for the first guest of a stay. */
  readonly isFirst: boolean;
}

/**
 * Reads what a guest has filled in. Nothing is returned that the country does not ask of this guest, whatever was typed.
 */
export function readRegistration(
  given: Readonly<Record<string, unknown>>,
  circumstances: Circumstances,
): { values: Registration } | { problems: Problems } {
  const { form } = circumstances;
  const typed = new Map(fieldsOf(form).map((field) => [field, tidy(given[field])] as const));
  const required = requiredOf(typed, circumstances);
  const problems: { [Field in RegistrationField]?: Problem } = {};
  const values: { [Field in RegistrationField]?: string } = {};
  for (const [field, text] of typed) {
    if (!required.asked.has(field)) continue;
    if (text === '') {
      if (required.needed.has(field)) problems[field] = 'missing';
      continue;
    }
    const problem = problemOf(field, text, circumstances);
    if (problem) problems[field] = problem;
    else values[field] = text;
  }
  return Object.keys(problems).length > 0 ? { problems } : { values };
}

/** Returns the fields that are stored of this guest, and those without which nothing is. */
function requiredOf(typed: ReadonlyMap<RegistrationField, string>, around: Circumstances) {
  const { form, country } = around;
  const isOwn = typed.get('nationality') === country;
  if (isOwn && form.ownNationals === 'nothing') return { asked: OF_NOBODY, needed: OF_NOBODY };
  const all = fieldsOf(form);
  const hasDocument = !(isOwn && form.ownNationals === 'no_document') && needsDocument(typed, around);
  const asked = new Set(all.filter((field) => hasDocument || !DOCUMENT.has(field)));
  const optional = new Set(form.optional ?? []);
  return { asked, needed: new Set([...asked].filter((field) => !optional.has(field))) };
}

function needsDocument(
  typed: ReadonlyMap<RegistrationField, string>,
  { form, isFirst, checkIn }: Circumstances,
): boolean {
  if (form.documentOf === 'first') return isFirst;
  const born = typed.get('birth_date') ?? '';
  return !isPlainDate(born) || addYears(born, form.documentOf.fromAge) <= checkIn;
}

function problemOf(field: RegistrationField, text: string, { today }: Circumstances): Problem | undefined {
  if (text.length > LONGEST[field]) return 'too_long';
  switch (field) {
    case 'birth_date':
      if (!isPlainDate(text) || text < '1890-01-01') return 'no_date';
      return text > today ? 'not_past' : undefined;
    case 'nationality':
    case 'residence':
    case 'document_country':
      return isCountry(text) ? undefined : 'no_choice';
    case 'sex':
      return sexes.some((one) => one === text) ? undefined : 'no_choice';
    case 'document_type':
      return documentTypes.some((one) => one === text) ? undefined : 'no_choice';
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text) ? undefined : 'no_email';
    default:
      return /[\p{L}\p{N}]/u.test(text) ? undefined : 'unreadable';
  }
}

/** Takes out what nobody sees, and blanks around the text. */
function tidy(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}
