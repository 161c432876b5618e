import { type Html, html } from '../../kernel/markup/html.ts';
import type { Visit } from '../visit.ts';
import type { Agreed } from './booking.ts';
import type { Deposit } from './deposit.ts';
import type { Details } from './details.ts';
import type { Step } from './history.ts';
import type { Around, Stay } from './query.ts';

/** The page of a reservation for its guests. */
export interface GuestPage {
  /** Its secret address; null: there is none. */
  readonly url: string | null;
  /** Guests who have registered, of those who are to; null: nothing is asked. */
  readonly registered: { readonly guests: number; readonly of: number } | null;
  /** What guests have registered; left out: it was not asked for. */
  readonly people?: readonly Readonly<{ property: string | null; registered_at: string; [field: string]: unknown }>[];
}

/** All that the page of a stay shows. */
export interface StayContent {
  readonly stay: Stay;
  readonly details: Details;
  readonly around: Around;
  readonly deposit: Deposit;
  /** undefined: the guest did not book on a page here. */
  readonly agreed: Agreed | undefined;
  /** Newest first. */
  readonly history: readonly Step[];
  readonly items: readonly { id: number; name: string | null }[];
  readonly methods: readonly { id: number; name: string | null }[];
  /** undefined: there can be none, or the person does not see it. */
  readonly guestPage: GuestPage | undefined;
  /** Left out: it was not asked for; null: there is none. */
  readonly lockCode: string | null | undefined;
}

/** Returns the name of the booker for those who may see it, else the code. */
export function titleOf(visit: Visit, { stay, around }: Pick<StayContent, 'stay' | 'around'>): string {
  const booker = around.guests.find(({ guest_key }) => guest_key === 'booker');
  return (visit.may('persons') ? booker?.name : undefined) ?? stay.stay_code;
}

/** Returns the dates of a stay as text. */
export function datesText({ format }: Visit, { check_in_date, check_out_date }: Stay): string {
  return [check_in_date, check_out_date].map((date) => (date === null ? '?' : format.day(date))).join(' – ');
}

/** Builds a list of facts; those without a text are left out. */
export function facts(rows: readonly (readonly [name: string, value: string | Html | null | undefined])[]): Html {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`<dl class="facts">
    ${known.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value ?? ''}</dd>`,
    )}
  </dl>`;
}
