import { isPlainDate } from '../../kernel/dates.ts';
import type { Wish } from '../../channels/direct/bookings/frozen.ts';
import type { BookingDraft } from '../../channels/direct/bookings/hold.ts';
import type { PaymentMethod } from '../../channels/direct/bookings/rows.ts';
import type { SearchFields } from './calendarView.ts';
import { isCountry } from './countries.ts';
import type { GuestFields } from './quoteView.ts';
import type { Words } from './words.ts';

/** A form as it was sent; of a field that came twice, all. */
export type Sent = Readonly<Record<string, string | readonly string[] | undefined>>;

export type Errors = Readonly<Record<string, string>>;

const MOST_CHILDREN = 20;
const LONGEST_MESSAGE = 1_000;
const EMAIL = /^[^\s@<>(),;:"]{1,64}@[^\s@<>(),;:"]{1,190}\.[^\s@<>(),;:"]{2,}$/;
const PHONE = /^\+?[\d\s()/.-]{5,40}$/;

/** Returns one field as text. */
export function textOf(sent: Sent, name: string): string {
  const value = sent[name];
  return (typeof value === 'string' ? value : (value?.[0] ?? '')).trim();
}

function listOf(sent: Sent, name: string): string[] {
  return [sent[name] ?? []].flat().map(String).slice(0, 20);
}

export function searchFields(sent: Sent): SearchFields {
  return {
    from: textOf(sent, 'from'),
    to: textOf(sent, 'to'),
    adults: textOf(sent, 'adults') || '2',
    children: textOf(sent, 'children').slice(0, 100),
    pets: textOf(sent, 'pets') || '0',
    extras: listOf(sent, 'extra'),
  };
}

/** Reads dates and people. @returns what is wrong by field, if anything is */
export function readWish({ texts }: Words, typed: SearchFields): { wish: Wish } | { errors: Errors } {
  const children = typed.children === '' ? [] : typed.children.split(/[,;\s]+/).filter((part) => part !== '');
  const wrong = [
    ...(isPlainDate(typed.from) ? [] : ['from']),
    ...(isPlainDate(typed.to) ? [] : ['to']),
    ...(isWhole(typed.adults, 1, 50) ? [] : ['adults']),
    ...(children.length <= MOST_CHILDREN && children.every((age) => isWhole(age, 0, 17)) ? [] : ['children']),
    ...(isWhole(typed.pets, 0, 10) ? [] : ['pets']),
  ];
  if (wrong.length > 0) return { errors: errorsFor(texts.errors, wrong) };
  return {
    wish: {
      check_in_date: typed.from,
      check_out_date: typed.to,
      adults: Number(typed.adults),
      children: children.map(Number),
      pets: Number(typed.pets),
      optional_fees: typed.extras,
    },
  };
}

export function guestFields(sent: Sent): GuestFields {
  const text = (name: string) => textOf(sent, name);
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    country: text('country'),
    message: text('message').replaceAll('\r\n', '\n'),
    accept: text('accept'),
    method: text('method'),
  };
}

/** Reads a guest's details. @returns what is wrong by field, if anything is */
export function readGuest(
  { texts, language }: Words,
  typed: GuestFields,
  { methods, hasRules }: { methods: readonly PaymentMethod[]; hasRules: boolean },
): { draft: BookingDraft } | { errors: Errors } {
  const method = methods.find((one) => one === typed.method);
  const wrong = [
    ...(typed.name !== '' && typed.name.length <= 100 && !/\p{Cc}/u.test(typed.name) ? [] : ['name']),
    ...(typed.email.length <= 100 && EMAIL.test(typed.email) ? [] : ['email']),
    ...(PHONE.test(typed.phone) ? [] : ['phone']),
    ...(isCountry(typed.country) ? [] : ['country']),
    ...(typed.message.length <= LONGEST_MESSAGE && !/[^\P{Cc}\n\t]/u.test(typed.message) ? [] : ['message']),
    ...(method === undefined ? ['method'] : []),
    ...(hasRules && typed.accept !== '1' ? ['accept'] : []),
  ];
  if (wrong.length > 0 || method === undefined) return { errors: errorsFor(texts.errors, wrong) };
  const { name, email, phone, country } = typed;
  return {
    draft: {
      guest: { name, email, phone, country },
      message: typed.message === '' ? null : typed.message,
      method,
      language,
    },
  };
}

function errorsFor(texts: Readonly<Record<string, string>>, names: readonly string[]): Errors {
  return Object.fromEntries(names.map((name) => [name, texts[name] ?? name]));
}

function isWhole(text: string, least: number, most: number): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= least && Number(text) <= most;
}
