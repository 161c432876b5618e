import { type Html, html } from '../../kernel/markup/html.ts';
import type { Visit } from '../visit.ts';
import type { Deposit } from './deposit.ts';
import type { Details } from './details.ts';
import type { Step } from './history.ts';
import type { Around, Stay } from './query.ts';

/** All that the page of a stay shows. */
export interface StayContent {
  readonly stay: Stay;
  readonly details: Details;
  readonly around: Around;
  readonly deposit: Deposit;
  /** Newest first. */
  readonly history: readonly Step[];
  readonly items: readonly { id: number; name: string | null }[];
  readonly methods: readonly { id: number; name: string | null }[];
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
