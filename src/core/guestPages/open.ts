import type { ReservationCode } from '../../kernel/ids.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { subscriptionAt } from '../accounts/rules.ts';
import type { Core } from '../context.ts';
import type { AccountRow } from '../database.ts';
import { usualGuestPages } from './ports.ts';
import { isOpen } from './rules.ts';
import { accountOfPage, pageByHash, type PlacedStay, staysWithPlaces } from './table.ts';

/** The form of every token. */
const TOKEN = /^[A-Za-z0-9_-]{32}$/;
/** A page that a token has opened. */
export interface OpenPage {
  readonly account: AccountRow;
  readonly code: ReservationCode;
  readonly stays: readonly PlacedStay[];
}

/**
 * Returns the page that a token opens; undefined if there is none, or no longer. A token that was never made, one that
 * was revoked and one whose time is over differ in nothing.
 */
export async function guestPageBehind(core: Core, token: string): Promise<OpenPage | undefined> {
  const { store, clock } = core;
  if (!TOKEN.test(token)) return undefined;
  // The look-up is by the digest, so that its time tells nothing about a token that nearly fits.
  const page = await pageByHash(store.db, sha256Hex(token));
  if (!page) return undefined;
  const account = await accountOfPage(store.db, page.account_id);
  if (subscriptionAt(account, clock.now()) !== 'active') return undefined;
  const stays = await staysWithPlaces(store.db, page.account_id, page.reservation_code);
  const { openDays } = core.guestPages ?? usualGuestPages;
  const open = isOpen(stays, { zone: account.time_zone, now: clock.now(), openDays });
  return open ? { account, code: page.reservation_code, stays } : undefined;
}
