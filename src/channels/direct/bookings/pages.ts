import { lockAccount } from '../../../core/accounts/lock.ts';
import { subscriptionAt } from '../../../core/accounts/rules.ts';
import { runChange } from '../../../core/change.ts';
import type { Core, Principal } from '../../../core/context.ts';
import type { AccountRow } from '../../../core/database.ts';
import { maySee, requireProperties } from '../../../core/ownership.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { ApiError, invalid } from '../../../kernel/errors.ts';
import { sha256Hex } from '../../../kernel/signature.ts';
import { nextIds } from '../../../store/leases/sequences.ts';
import type { BookingPageRow } from './rows.ts';
import { newToken, openPageToken, sealPageToken, TOKEN } from './secrets.ts';
import { accountById, addPage, pageByHash, pageById, pagePropertyIds, pagesOf, writePage } from './table.ts';

/** Address of booking pages; the token of one follows. */
export const BOOK_PATH = '/book';
/** Booking pages of one account that are not revoked. */
const MOST_PAGES = 200;

/** A person of an account, and the properties that they see. */
export type Keeper = Pick<Principal, 'visible'> & { account: AccountRow; operator: Principal['operator'] | null };

/** A booking page as people of the account see it. */
export interface ShownPage {
  readonly id: number;
  readonly name: string;
  readonly property_ids: readonly number[];
  readonly rules: string;
  /** null: it is revoked. */
  readonly url: string | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

/** Lists the booking pages all of whose properties a person sees. */
export async function listPages(core: Core, who: Keeper): Promise<ShownPage[]> {
  const { account_id } = who.account;
  const rows = await pagesOf(core.store.db, account_id);
  const parts = await pagePropertyIds(core.store.db, account_id);
  return rows
    .map((row) => shown(core, row, partsOf(parts, row.id)))
    .filter(({ property_ids }) => property_ids.every((id) => maySee(who, id)));
}

/** Adds a booking page. @throws ApiError 403 or 404 for a property, 409 when there are too many */
export async function addPageOf(
  core: Core,
  who: Keeper,
  { name, property_ids, rules }: { name: string; property_ids: readonly number[]; rules: string },
): Promise<ShownPage> {
  if (property_ids.length === 0) throw invalid('property_ids', 'name at least one property');
  if (/\p{Cc}/u.test(name)) throw invalid('name', 'must be on one line');
  return runChange(core, who, async (change) => {
    const { trx, account, now } = change;
    await lockAccount(trx, account.account_id);
    const properties = await requireProperties(trx, account, who, property_ids);
    const open = (await pagesOf(trx, account.account_id)).filter((page) => page.revoked_at === null);
    if (open.length >= MOST_PAGES) throw new ApiError(409, `An account has at most ${MOST_PAGES} booking pages.`);
    const id = await nextIds(trx, 'booking_pages');
    const token = newToken(core);
    const row: BookingPageRow = {
      account_id: account.account_id,
      id,
      name,
      token: sealPageToken(core, id, token),
      token_hash: sha256Hex(token),
      rules,
      created_at: instantOf(now),
      revoked_at: null,
    };
    await addPage(trx, row, properties);
    change.audit('add booking page', String(id), { after: { name, property_ids: properties } });
    return shown(core, row, properties);
  });
}

/** Revokes a booking page: its address opens nothing from now on. Bookings that were made there stay. */
export function revokePage(core: Core, who: Keeper, id: number): Promise<ShownPage> {
  return runChange(core, who, async (change) => {
    const { trx, account, now } = change;
    await lockAccount(trx, account.account_id);
    const row = await pageById(trx, { account_id: account.account_id, id });
    const parts = partsOf(await pagePropertyIds(trx, account.account_id), id);
    if (!row || !parts.every((property) => maySee(who, property)))
      throw new ApiError(404, 'id not found.', { field: 'id' });
    const revoked = { ...row, revoked_at: row.revoked_at ?? instantOf(now) };
    await writePage(trx, row, { revoked_at: revoked.revoked_at });
    if (row.revoked_at === null) change.audit('revoke booking page', String(id), { before: { name: row.name } });
    return shown(core, revoked, parts);
  });
}

/** A booking page that a guest has opened. */
export interface OpenPage {
  readonly page: BookingPageRow;
  readonly account: AccountRow;
}

/** Returns the page that a token opens; undefined if it opens none, or no longer. */
export async function openPage({ store, clock }: Core, token: string): Promise<OpenPage | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const page = await pageByHash(store.db, sha256Hex(token));
  if (!page || page.revoked_at !== null) return undefined;
  const account = await accountById(store.db, page.account_id);
  return subscriptionAt(account, clock.now()) === 'active' ? { page, account } : undefined;
}

function partsOf(parts: readonly { page_id: number; property_id: number }[], id: number): number[] {
  return parts.filter((part) => part.page_id === id).map((part) => part.property_id);
}

function shown(core: Core, row: BookingPageRow, property_ids: readonly number[]): ShownPage {
  const { id, name, rules, created_at, revoked_at } = row;
  const url = revoked_at === null ? `${core.publicUrl()}${BOOK_PATH}/${openPageToken(core, row)}` : null;
  return { id, name, property_ids, rules, url, created_at, revoked_at };
}
