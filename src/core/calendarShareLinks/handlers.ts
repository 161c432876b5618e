import type { z } from 'zod';
import type { calendarShareLink } from '../../contract/calendarShareLinks.ts';
import { instantOf, withOffset } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Reseal } from '../../kernel/seal.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { lockAccount } from '../accounts/lock.ts';
import type { Change, Context, Core, Handler } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import type { CalendarShareLinkRow, CoreTransaction } from '../database.ts';
import { addMembers, dropMembers, membersOf, shareLinkProperties } from '../members.ts';
import { notAuthorized, refuseForeign, requireProperties } from '../ownership.ts';
import { addLink, allTokens, entireLink, linkById, linkPage, removeLink, saveToken } from './table.ts';

/** Bytes of a token: 192 bits cannot be guessed. */
const TOKEN_BYTES = 24;

export const listCalendarShareLinks: Handler<'listCalendarShareLinks'> = async (input, context) => {
  const { db, account, visible, core } = context;
  const accountId = account.account_id;
  const page = pageOf('listCalendarShareLinks', 'number', input, context);
  const found = await linkPage(db, { ...input, ...page.range, accountId, visible });
  const { rows, next } = closePage(page, found, (row) => row.id);
  const members = await membersOf(
    db,
    shareLinkProperties,
    accountId,
    rows.map((row) => row.id),
  );
  const links = rows.map((row) => present(core, row, members.get(row.id) ?? [], account.time_zone));
  return { calendar_share_links: links, total: found.total, ...next };
};

export const createCalendarShareLink: Handler<'createCalendarShareLink'> = (input, context) =>
  context.change(async (change) => {
    const { account, core } = change;
    const link = input.scope === 'entire' ? await entire(change, context) : await partial(change, context, input);
    const calendar_share_link = present(core, link.row, link.property_ids, account.time_zone);
    return { calendar_share_link, ...calendar_share_link };
  });

export const deleteCalendarShareLink: Handler<'deleteCalendarShareLink'> = async (input, context) => {
  await context.change(async (change) => {
    const { trx, account } = change;
    const { account_id: accountId } = account;
    await lockAccount(trx, accountId);
    refuseForeign(await linkById(trx, input.id), account, 'id');
    const question = { accountId, visible: context.visible, id: input.id, offset: 0, limit: 1 };
    const [row] = (await linkPage(trx, question)).rows;
    if (!row) throw new ApiError(404, 'id not found.', { field: 'id' });
    await dropMembers(trx, shareLinkProperties, { accountId, owner: row.id });
    await removeLink(trx, row);
    change.audit('deleteCalendarShareLink', String(row.id));
  });
};

interface MadeLink {
  row: CalendarShareLinkRow;
  property_ids: readonly number[];
}

/**
 * Returns the link to all properties, and creates it if there is none. @throws ApiError 401 for a sub-account, which
 * sees fewer properties
 */
async function entire(change: Change, { visible }: Context): Promise<MadeLink> {
  if (visible !== null) throw notAuthorized();
  await lockAccount(change.trx, change.account.account_id);
  const known = await entireLink(change.trx, change.account.account_id);
  return { row: known ?? (await makeLink(change, 'entire')), property_ids: [] };
}

async function partial(
  change: Change,
  context: Context,
  input: { property_ids?: readonly number[] | undefined },
): Promise<MadeLink> {
  const { trx, account } = change;
  const property_ids = await requireProperties(trx, account, context, input.property_ids ?? []);
  const row = await makeLink(change, 'partial');
  await addMembers(trx, shareLinkProperties, { accountId: account.account_id, owner: row.id }, property_ids);
  return { row, property_ids: property_ids.toSorted((a, b) => a - b) };
}

async function makeLink(change: Change, scope: CalendarShareLinkRow['scope']): Promise<CalendarShareLinkRow> {
  const { trx, account, core, now } = change;
  const token = core.random.bytes(TOKEN_BYTES).toString('base64url');
  const id = await nextIds(trx, 'calendar_share_links');
  const row: CalendarShareLinkRow = {
    account_id: account.account_id,
    id,
    scope,
    token: core.sealer.seal(token, sealContext(id)),
    token_hash: sha256Hex(token),
    created_at: instantOf(now),
  };
  await addLink(trx, row);
  change.audit('createCalendarShareLink', String(id));
  return row;
}

function present(
  core: Core,
  row: CalendarShareLinkRow,
  propertyIds: readonly number[],
  zone: string,
): z.output<typeof calendarShareLink> {
  const token = core.sealer.open(row.token, sealContext(row.id));
  return {
    id: row.id,
    scope: row.scope,
    property_ids: [...propertyIds],
    url: `${core.publicUrl()}/share/${token}`,
    created_at: withOffset(row.created_at, zone),
  };
}

/** Seals the tokens of all links again. @returns their number */
export async function resealShareLinks(trx: CoreTransaction, reseal: Reseal): Promise<number> {
  const rows = await allTokens(trx);
  for (const { id, token } of rows) await saveToken(trx, { id, token: reseal(token, sealContext(id)) });
  return rows.length;
}

function sealContext(id: number): string {
  return `calendar_share_link:${id}`;
}
