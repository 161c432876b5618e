import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { countRows, type Range } from '../../store/queries/paging.ts';
import { prepared } from '../../store/queries/prepared.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { CoreDb, CoreTransaction, PropertyGroupRow } from '../database.ts';
import { groupProperties, hasNoMember, hasShownMember } from '../members.ts';
import { nameKey } from '../names.ts';

interface GroupQuestion extends Range {
  accountId: AccountId;
  visible: readonly number[] | null;
  id?: number | undefined;
}

/**
 * Returns one page, newest first, and the number of all matches. A sub-account sees empty groups and those with a
 * property of its own.
 */
export async function groupPage(
  db: CoreDb | CoreTransaction,
  question: GroupQuestion,
): Promise<{ rows: PropertyGroupRow[]; total: number }> {
  const { visible } = question;
  let matching = db.selectFrom('property_groups as owner').where('owner.account_id', '=', question.accountId);
  if (question.id !== undefined) matching = matching.where('owner.id', '=', question.id);
  if (visible !== null) {
    matching = matching.where((where) =>
      where.or([hasShownMember(groupProperties, visible), hasNoMember(groupProperties)]),
    );
  }
  const total = question.total ?? (await countRows(matching));
  const left = question.before === undefined ? matching : matching.where('owner.id', '<', question.before);
  const rows = await left
    .selectAll('owner')
    .orderBy('owner.id', 'desc')
    .limit(question.limit)
    .offset(question.offset)
    .execute();
  return { rows, total };
}

/** Returns a group by its number, whoever owns it. */
export function groupById(trx: CoreTransaction, id: number): Promise<PropertyGroupRow | undefined> {
  return trx.selectFrom('property_groups').where('id', '=', id).selectAll().executeTakeFirst();
}

/** Returns groups by their numbers, whoever owns them. */
export function groupsById(db: CoreDb | CoreTransaction, ids: readonly number[]) {
  return db
    .selectFrom('property_groups')
    .where((where) => inList(where.ref('id'), ids))
    .select(['id', 'account_id'])
    .execute();
}

export function groupNamed(trx: CoreTransaction, accountId: AccountId, name: string) {
  return trx
    .selectFrom('property_groups')
    .where('account_id', '=', accountId)
    .where('name_key', '=', nameKey(name))
    .select('id')
    .executeTakeFirst();
}

export async function addGroup(trx: CoreTransaction, accountId: AccountId, name: string, at: Instant): Promise<number> {
  const id = await nextIds(trx, 'property_groups');
  await trx
    .insertInto('property_groups')
    .values({ account_id: accountId, id, name, name_key: nameKey(name), created_at: at })
    .execute();
  return id;
}

export async function renameGroup(trx: CoreTransaction, row: PropertyGroupRow, name: string): Promise<void> {
  await trx
    .updateTable('property_groups')
    .set({ name, name_key: nameKey(name) })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
}

export async function removeGroup(trx: CoreTransaction, row: PropertyGroupRow): Promise<void> {
  await trx.deleteFrom('property_groups').where('account_id', '=', row.account_id).where('id', '=', row.id).execute();
}

/** Returns the groups of each of these properties, oldest first. */
export const groupRowsOf = prepared((db: CoreDb, arg: { accountId: AccountId; propertyIds: readonly number[] }) =>
  db
    .selectFrom('group_properties as part')
    .innerJoin('property_groups as grouping', (join) =>
      join.onRef('grouping.account_id', '=', 'part.account_id').onRef('grouping.id', '=', 'part.group_id'),
    )
    .where('part.account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('part.property_id'), arg.propertyIds))
    .select(['part.property_id', 'grouping.id', 'grouping.name'])
    .orderBy('grouping.id'),
);
