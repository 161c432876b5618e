import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../kernel/ids.ts';
import { inList } from '../store/queries/inList.ts';
import { insertMany } from '../store/queries/insertMany.ts';
import type { CoreDatabase, CoreDb, CoreTransaction } from './database.ts';
import { grouped } from './grouped.ts';

type Visible = readonly number[] | null;

/** A table that assigns members to owners. */
export interface MemberList {
  readonly table:
    | 'group_properties'
    | 'room_type_properties'
    | 'tag_properties'
    | 'tag_room_types'
    | 'share_link_properties';
  readonly owner: string;
  readonly member: 'property_id' | 'room_type_id';
}

export const groupProperties: MemberList = { table: 'group_properties', owner: 'group_id', member: 'property_id' };
export const roomTypeProperties: MemberList = {
  table: 'room_type_properties',
  owner: 'room_type_id',
  member: 'property_id',
};
export const tagProperties: MemberList = { table: 'tag_properties', owner: 'tag_id', member: 'property_id' };
export const tagRoomTypes: MemberList = { table: 'tag_room_types', owner: 'tag_id', member: 'room_type_id' };
export const shareLinkProperties: MemberList = {
  table: 'share_link_properties',
  owner: 'link_id',
  member: 'property_id',
};

/** Returns the members of each owner, by rising id. Owners without members are left out. */
export async function membersOf(
  db: CoreDb | CoreTransaction,
  list: MemberList,
  accountId: AccountId,
  owners: readonly number[],
): Promise<Map<number, number[]>> {
  const { table, owner, member } = plain(list);
  const rows = await db
    .selectFrom(table)
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref(owner), owners))
    .select([`${owner} as owner`, `${member} as member`])
    .orderBy(owner)
    .orderBy(member)
    .execute();
  return grouped(
    rows,
    (row) => row.owner,
    (row) => row.member,
  );
}

/** Returns the owners of these members, each once. */
export async function ownersOf(
  db: CoreDb | CoreTransaction,
  list: MemberList,
  accountId: AccountId,
  members: readonly number[],
): Promise<number[]> {
  const { table, owner, member } = plain(list);
  const rows = await db
    .selectFrom(table)
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref(member), members))
    .select(`${owner} as owner`)
    .distinct()
    .execute();
  return rows.map((row) => row.owner);
}

/** Returns the changes for a list from a caller who sees only some members. Members that it does not see stay. */
export function replacement(
  now: readonly number[],
  given: readonly number[],
  visible: Visible,
): { added: number[]; removed: number[] } {
  return {
    added: given.filter((id) => !now.includes(id)),
    removed: shownAmong(now, visible).filter((id) => !given.includes(id)),
  };
}

/** Returns the members that the caller sees. */
export function shownAmong(members: readonly number[], visible: Visible): number[] {
  return members.filter((id) => visible === null || visible.includes(id));
}

/** Attaches members to an owner. */
export async function addMembers(
  trx: CoreTransaction,
  list: MemberList,
  { accountId, owner }: { accountId: AccountId; owner: number },
  members: readonly number[],
): Promise<void> {
  const rows = members.map((member) => ({ account_id: accountId, [list.owner]: owner, [list.member]: member }));
  await insertMany(trx, list.table as 'group_properties', rows as never[]);
}

/** Detaches these members, or all, from an owner. */
export async function dropMembers(
  trx: CoreTransaction,
  list: MemberList,
  { accountId, owner }: { accountId: AccountId; owner: number },
  members?: readonly number[],
): Promise<void> {
  const names = plain(list);
  let query = trx.deleteFrom(names.table).where('account_id', '=', accountId).where(names.owner, '=', owner);
  if (members) query = query.where((where) => inList(where.ref(names.member), members));
  await query.execute();
}

/** Tests that the row called `owner` has a member that the caller sees. */
export function hasShownMember(list: MemberList, visible: readonly number[]): RawBuilder<boolean> {
  return sql<boolean>`exists (${memberRows(list)} and ${inList(sql.ref<number>(`part.${list.member}`), visible)})`;
}

/** Tests that the row called `owner` has no member. */
export function hasNoMember(list: MemberList): RawBuilder<boolean> {
  return sql<boolean>`not exists (${memberRows(list)})`;
}

function memberRows(list: MemberList) {
  return sql`select 1 from ${sql.table(list.table)} as part
    where part.account_id = owner.account_id and ${sql.ref(`part.${list.owner}`)} = owner.id`;
}

/**
 * Returns the names of a list in a form that kysely accepts. The tables are alike, but the types cannot express it, so
 * one represents all.
 */
function plain(list: MemberList) {
  return list as unknown as {
    table: 'group_properties' & keyof CoreDatabase;
    owner: 'group_id';
    member: 'property_id';
  };
}
