import { texts } from '../../contract/errors.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { lockAccount } from '../accounts/lock.ts';
import { channelsOf } from '../channels/listings.ts';
import type { Change, Handler } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import { groupsOfProperties } from '../propertyGroups/ofProperties.ts';
import { tagsOfProperties } from '../propertyTags/carried.ts';
import { addProperty, countProperties, type PropertyDraft, propertyNamed, propertyPage } from './table.ts';
import { presentProperty } from './present.ts';

export const listProperties: Handler<'listProperties'> = async (input, context) => {
  const { db, account, visible } = context;
  const accountId = account.account_id;
  const page = pageOf('listProperties', 'number', input, context);
  const found = await propertyPage(db, { ...input, ...page.range, accountId, visible });
  const { rows, next } = closePage(page, found, (row) => row.id);
  const ids = rows.map((row) => row.id);
  const groups = await groupsOfProperties(db, accountId, ids);
  const tags = await tagsOfProperties(db, accountId, ids);
  const channels = await channelsOf(db, accountId, rows);
  const properties = rows.map((row) =>
    presentProperty(row, {
      channels: channels.get(row.id) ?? [],
      groups: groups.get(row.id) ?? [],
      tags: tags.get(row.id) ?? [],
    }),
  );
  return { properties, total: found.total, ...next };
};

export const createProperty: Handler<'createProperty'> = async (input, context) => ({
  property_id: await context.change((change) =>
    createPropertyIn(change, {
      name: input.name,
      time_zone: context.account.time_zone,
      currency: context.account.currency,
    }),
  ),
});

/** Adds a property within a change. @throws ApiError 409 for a taken name, 420 when the quota is used up */
export async function createPropertyIn(change: Change, draft: PropertyDraft): Promise<number> {
  const { trx, account } = change;
  await lockAccount(trx, account.account_id);
  if (await propertyNamed(trx, account.account_id, draft.name)) {
    throw new ApiError(409, 'A property with this name exists.', { field: 'name' });
  }
  if ((await countProperties(trx, account.account_id)) >= account.property_quota) {
    throw new ApiError(420, texts.propertyQuota);
  }
  const id = await addProperty(trx, account.account_id, draft, instantOf(change.now));
  change.audit('createProperty', String(id));
  return id;
}
