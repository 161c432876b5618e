import { instantOf, withOffset } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import type { Reseal } from '../../kernel/seal.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { runChange } from '../change.ts';
import type { Change, Core, Principal } from '../context.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import { goneResource, maySee } from '../ownership.ts';
import { findReservationByAnyCode, lockReservation } from '../reservations/lookup.ts';
import { countsOf } from './registration/counts.ts';
import type { GuestPageRow } from './rows.ts';
import { allTokens, dropPage, pageOf, savePage, saveToken } from './table.ts';

/** Path of the pages; the token of one follows. */
export const GUEST_PAGE_PATH = '/stay';
/** Bytes of a token: 192 bits cannot be guessed. */
const TOKEN_BYTES = 24;

/** A person of an account, and the properties that they see. */
export type Who = Pick<Principal, 'account' | 'visible'> & { operator: Principal['operator'] | null };

/** The page of a reservation as an operator sees it. */
export interface ShownGuestPage {
  readonly reservation_code: string;
  /** The secret address; null: there is no page. */
  readonly url: string | null;
  readonly created_at: string | null;
  /** Guests who have registered, of those who are to; null: nothing is asked of them. */
  readonly registered: { readonly guests: number; readonly of: number } | null;
}

/** Returns the page of a reservation, by the code of it or of one of its stays. @throws ApiError 404 */
export async function readGuestPage(core: Core, who: Who, code: string): Promise<ShownGuestPage> {
  const { db } = core.store;
  const reservation = await requireReservation(db, who, code);
  return shown(core, db, who, reservation, await pageOf(db, who.account.account_id, reservation));
}

/**
 * Makes the page of a reservation, or returns the one that there is. @param renew true gives it a new address, and ends
 * the one before
 * @throws ApiError 404 for a code of no reservation
 */
export function makeGuestPage(core: Core, who: Who, code: string, renew: boolean): Promise<ShownGuestPage> {
  const { account_id } = who.account;
  return runChange(core, who, async (change) => {
    const reservation = await requireReservation(change.trx, who, code);
    await lockReservation(change.trx, account_id, reservation);
    const known = await pageOf(change.trx, account_id, reservation);
    const page = known && !renew ? known : await newPage(change, reservation);
    if (page !== known) change.audit(known ? 'renew guest page' : 'make guest page', reservation);
    return shown(core, change.trx, who, reservation, page);
  });
}

/** Ends the page of a reservation. @throws ApiError 404 if there is none */
export function revokeGuestPage(core: Core, who: Who, code: string): Promise<void> {
  return runChange(core, who, async (change) => {
    const reservation_code = await requireReservation(change.trx, who, code);
    const wasThere = await dropPage(change.trx, { account_id: who.account.account_id, reservation_code });
    if (!wasThere) throw new ApiError(404, 'code: the reservation has no guest page.', { field: 'code' });
    change.audit('revoke guest page', reservation_code);
  });
}

/** Returns the code of a reservation of which the caller sees every stay. @throws ApiError 404 */
export async function requireReservation(
  db: CoreDb | CoreTransaction,
  { account, visible }: Pick<Who, 'account' | 'visible'>,
  code: string,
): Promise<ReservationCode> {
  const found = await findReservationByAnyCode(db, account.account_id, code);
  if (!found?.property_ids.every((property) => maySee({ visible }, property))) throw goneResource();
  return found.reservation_code;
}

async function newPage({ trx, core, account, now }: Change, code: ReservationCode): Promise<GuestPageRow> {
  const token = core.random.bytes(TOKEN_BYTES).toString('base64url');
  const row: GuestPageRow = {
    account_id: account.account_id,
    reservation_code: code,
    token: core.sealer.seal(token, sealContext(code)),
    token_hash: sha256Hex(token),
    created_at: instantOf(now),
  };
  await savePage(trx, row);
  return row;
}

async function shown(
  core: Core,
  db: CoreDb | CoreTransaction,
  { account }: Pick<Who, 'account'>,
  code: ReservationCode,
  page: GuestPageRow | undefined,
): Promise<ShownGuestPage> {
  const token = page && core.sealer.open(page.token, sealContext(code));
  return {
    reservation_code: code,
    url: token === undefined ? null : `${core.publicUrl()}${GUEST_PAGE_PATH}/${token}`,
    created_at: page ? withOffset(page.created_at, account.time_zone) : null,
    registered: await countsOf(db, account.account_id, code),
  };
}

/** Seals the tokens of all pages again. @returns their number */
export async function resealGuestPages(trx: CoreTransaction, reseal: Reseal): Promise<number> {
  const rows = await allTokens(trx);
  for (const row of rows) {
    await saveToken(trx, { ...row, token: reseal(row.token, sealContext(row.reservation_code)) });
  }
  return rows.length;
}

function sealContext(code: ReservationCode): string {
  return `guest_page:${code}`;
}
