import { makeGuestPage, type Who } from '../../../../src/core/guestPages/link.ts';
import { changeGuide, type GuideDraft } from '../../../../src/core/guestPages/guides.ts';
import { masterOperator } from '../../../../src/core/accounts/table.ts';
import type { StoreLocation } from '../../../../src/store/store.ts';
import { startCore, type TestCore } from '../../../support/core.ts';

/** What a guest writes into the form of the registration. */
export const ADA = {
  given_name: 'Ada',
  family_name: 'Lovelace',
  nationality: 'GB',
  birth_date: '1985-12-10',
  address: '12 St James Square, London',
  document_type: 'passport',
  document_number: 'XK-998877',
};

/** An answer of the listener to a guest's browser. */
export interface Seen {
  readonly http: number;
  readonly text: string;
  readonly headers: Record<string, unknown>;
}

/** A core with a house at the sea, and a browser that opens pages of guests. */
export interface GuestWorld {
  readonly core: TestCore;
  readonly who: Who;
  readonly sea: number;
  readonly hill: number;
  /** Books directly. @returns the code of the reservation, which is that of its stay */
  book(property: number, from: string, to: string, more?: Record<string, unknown>): Promise<string>;
  /** @returns the path of the page of a reservation */
  link(code: string, renew?: boolean): Promise<string>;
  tell(property: number, guide: GuideDraft): Promise<unknown>;
  see(path: string, headers?: Record<string, string>): Promise<Seen>;
  send(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Seen>;
  /** Moves the clock to a moment, `2026-12-01T14:59:00Z`. */
  at(moment: string): void;
}

/** @param location by default an SQLite database of its own */
export async function startGuestWorld(location?: StoreLocation): Promise<GuestWorld> {
  const core = await startCore(location);
  const { account } = core.own;
  const who: Who = { account, visible: null, operator: await masterOperator(core.core.store.db, account.account_id) };
  const property = async (name: string): Promise<number> => (await core.call('createProperty', { name })).property_id;
  const ask = async (method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: string) => {
    const answer = await core.app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
    return { http: answer.statusCode, text: answer.body, headers: answer.headers };
  };
  return {
    core,
    who,
    sea: await property('Sea House'),
    hill: await property('Hill House'),
    async book(property_id, check_in_date, check_out_date, more = {}) {
      const draft = {
        property_id,
        check_in_date,
        check_out_date,
        guest_name: 'Ada Lovelace',
        number_of_guests: 2,
        ...more,
      };
      return (
        await core.call('createReservation', { rate_amount: 300, commission_amount: 0, received_amount: 0, ...draft })
      ).reservation_code;
    },
    async link(code, renew = false) {
      return new URL((await makeGuestPage(core.core, who, code, renew)).url ?? '').pathname;
    },
    tell: (id, guide) => changeGuide(core.core, who, id, guide),
    see: (path, headers = {}) => ask('GET', path, headers),
    send: (path, fields, headers = {}) =>
      ask(
        'POST',
        path,
        { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        new URLSearchParams(fields).toString(),
      ),
    at: (moment) => core.clock.jump(Date.parse(moment) - core.clock.now()),
  };
}

let forms = 0;

/** The number of a form that nobody has sent. */
export function once(): string {
  forms += 1;
  return `form-${String(forms).padStart(17, '0')}`;
}
