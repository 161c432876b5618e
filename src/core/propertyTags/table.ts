import type { ExpressionBuilder } from 'kysely';
import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { countRows, type Range } from '../../store/queries/paging.ts';
import { prepared } from '../../store/queries/prepared.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { CoreDatabase, CoreDb, CoreTransaction, PropertyTagRow } from '../database.ts';
import { hasNoMember, hasShownMember, type MemberList, tagProperties, tagRoomTypes } from '../members.ts';
import { nameKey } from '../names.ts';

interface TagQuestion extends Range {
  accountId: AccountId;
  visible: readonly number[] | null;
  id?: number | undefined;
}

/**
 * Returns one page of live tags, newest first, and the number of all matches. A sub-account sees tags of its own
 * carriers, and those without any.
 */
export async function tagPage(
  db: CoreDb | CoreTransaction,
  question: TagQuestion,
): Promise<{ rows: PropertyTagRow[]; total: number }> {
  const { visible } = question;
  let matching = db
    .selectFrom('property_tags as owner')
    .where('owner.account_id', '=', question.accountId)
    .where('owner.deleted_at', 'is', null);
  if (question.id !== undefined) matching = matching.where('owner.id', '=', question.id);
  if (visible !== null) matching = matching.where(shownTo(visible));
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

function shownTo(visible: readonly number[]) {
  return (where: ExpressionBuilder<CoreDatabase & { owner: PropertyTagRow }, 'owner'>) =>
    where.or([
      hasShownMember(tagProperties, visible),
      where.exists(
        where
          .selectFrom('tag_room_types as carried')
          .innerJoin('room_type_properties as room', (join) =>
            join
              .onRef('room.account_id', '=', 'carried.account_id')
              .onRef('room.room_type_id', '=', 'carried.room_type_id'),
          )
          .whereRef('carried.account_id', '=', 'owner.account_id')
          .whereRef('carried.tag_id', '=', 'owner.id')
          .where((where) => inList(where.ref('room.property_id'), visible))
          .select('carried.tag_id'),
      ),
      where.and([hasNoMember(tagProperties), hasNoMember(tagRoomTypes)]),
    ]);
}

/** Returns a tag by its number, whoever owns it, deleted or not. */
export function tagById(trx: CoreTransaction, id: number): Promise<PropertyTagRow | undefined> {
  return trx.selectFrom('property_tags').where('id', '=', id).selectAll().executeTakeFirst();
}

/** Returns the tag of this name: the live one, or else the one deleted last. */
export async function tagNamed(
  trx: CoreTransaction,
  accountId: AccountId,
  name: string,
): Promise<PropertyTagRow | undefined> {
  const rows = await trx
    .selectFrom('property_tags')
    .where('account_id', '=', accountId)
    .where('name_key', '=', nameKey(name))
    .selectAll()
    .execute();
  return rows.toSorted((a, b) => ((a.deleted_at ?? '~') < (b.deleted_at ?? '~') ? 1 : -1))[0];
}

/** Returns the colours of all live tags. */
export async function tagColors(trx: CoreTransaction, accountId: AccountId): Promise<string[]> {
  const rows = await trx
    .selectFrom('property_tags')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .select('color')
    .execute();
  return rows.map((row) => row.color);
}

type TagDraft = Pick<PropertyTagRow, 'account_id' | 'name' | 'color'>;

export async function addTag(trx: CoreTransaction, draft: TagDraft, at: Instant): Promise<number> {
  const id = await nextIds(trx, 'property_tags');
  await trx
    .insertInto('property_tags')
    .values({ ...draft, id, name_key: nameKey(draft.name), created_at: at, deleted_at: null })
    .execute();
  return id;
}

export async function changeTag(
  trx: CoreTransaction,
  row: PropertyTagRow,
  { name, ...columns }: Partial<Pick<PropertyTagRow, 'name' | 'color' | 'deleted_at'>>,
): Promise<void> {
  await trx
    .updateTable('property_tags')
    .set({ ...columns, ...(name !== undefined && { name, name_key: nameKey(name) }) })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
}

/** Queries for the tags of each of these properties or room types, oldest first. */
export const tagRowsOf = { property: carriedBy(tagProperties), room_type: carriedBy(tagRoomTypes) };

function carriedBy(list: MemberList) {
  // The two tables are alike except for this column, which kysely's types cannot express, so one represents both.
  const member = `part.${list.member}` as 'part.property_id';
  return prepared((db: CoreDb, arg: { accountId: AccountId; ids: readonly number[] }) =>
    db
      .selectFrom(`${list.table as 'tag_properties'} as part`)
      .innerJoin('property_tags as tag', (join) =>
        join.onRef('tag.account_id', '=', 'part.account_id').onRef('tag.id', '=', 'part.tag_id'),
      )
      .where('part.account_id', '=', arg.accountId)
      .where((where) => inList(where.ref(member), arg.ids))
      .select([`${member} as carrier`, 'tag.id', 'tag.name', 'tag.color'])
      .orderBy('tag.id'),
  );
}
