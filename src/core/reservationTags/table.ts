import { sql } from 'kysely';
import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { countRows, type Range } from '../../store/queries/paging.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { CoreDb, CoreTransaction, ReservationTagRow, StayRow } from '../database.ts';
import { holding, nameKey } from '../names.ts';
import { LAST_DEFAULT_ID } from './rules.ts';

interface TagQuestion extends Range {
  accountId: AccountId;
  id?: number | undefined;
  keyword?: string | undefined;
}

/** Returns one page of the operator's own live tags, newest first, and the number of all matches. */
export async function ownTagPage(
  db: CoreDb,
  question: TagQuestion,
): Promise<{ rows: ReservationTagRow[]; total: number }> {
  const { keyword } = question;
  let matching = db
    .selectFrom('reservation_tags')
    .where('account_id', '=', question.accountId)
    .where('deleted_at', 'is', null);
  if (question.id !== undefined) matching = matching.where('id', '=', question.id);
  if (keyword !== undefined) matching = matching.where(nameHolds(keyword));
  const total = question.total ?? (await countRows(matching));
  const left = question.before === undefined ? matching : matching.where('id', '<', question.before);
  const rows = await left.selectAll().orderBy('id', 'desc').limit(question.limit).offset(question.offset).execute();
  return { rows, total };
}

/** Matches a part of the name, in any case of letters. `%` and `_` are literal. */
function nameHolds(keyword: string) {
  return sql<boolean>`name_key like ${holding(keyword)} escape '\\'`;
}

/** Returns a tag by its number, whoever owns it, deleted or not. */
export function ownTagById(trx: CoreTransaction, id: number): Promise<ReservationTagRow | undefined> {
  return trx.selectFrom('reservation_tags').where('id', '=', id).selectAll().executeTakeFirst();
}

/** Returns the tag of this name: the live one, or else the one deleted last. */
export async function ownTagNamed(
  trx: CoreTransaction,
  accountId: AccountId,
  name: string,
): Promise<ReservationTagRow | undefined> {
  const rows = await trx
    .selectFrom('reservation_tags')
    .where('account_id', '=', accountId)
    .where('name_key', '=', nameKey(name))
    .selectAll()
    .execute();
  return rows.toSorted((a, b) => ((a.deleted_at ?? '~') < (b.deleted_at ?? '~') ? 1 : -1))[0];
}

/** Returns the colours of the operator's own live tags. */
export async function ownTagColors(trx: CoreTransaction, accountId: AccountId): Promise<string[]> {
  const rows = await trx
    .selectFrom('reservation_tags')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .select('color')
    .execute();
  return rows.map((row) => row.color);
}

type TagDraft = Pick<ReservationTagRow, 'account_id' | 'tag_name' | 'color'>;

export async function addOwnTag(trx: CoreTransaction, draft: TagDraft, at: Instant): Promise<number> {
  const id = LAST_DEFAULT_ID + (await nextIds(trx, 'reservation_tags'));
  await trx
    .insertInto('reservation_tags')
    .values({ ...draft, id, name_key: nameKey(draft.tag_name), created_at: at, deleted_at: null })
    .execute();
  return id;
}

/** Restores a deleted tag, in the case of letters of the new request. */
export async function restoreTag(trx: CoreTransaction, row: ReservationTagRow, name: string): Promise<void> {
  await trx
    .updateTable('reservation_tags')
    .set({ tag_name: name, name_key: nameKey(name), deleted_at: null })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
}

export async function deleteTag(trx: CoreTransaction, row: ReservationTagRow, at: Instant): Promise<void> {
  await trx
    .updateTable('reservation_tags')
    .set({ deleted_at: at })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
}

type Stay = Pick<StayRow, 'account_id' | 'id'>;

/** @returns false when the stay has the tag already */
export async function attachTag(trx: CoreTransaction, stay: Stay, tagId: number): Promise<boolean> {
  const row = { account_id: stay.account_id, stay_id: stay.id, tag_id: tagId };
  return (await insertMany(trx, 'stay_tags', [row], { columns: ['account_id', 'stay_id', 'tag_id'] })) > 0;
}

/** @returns false when the stay does not have the tag */
export async function detachTag(trx: CoreTransaction, stay: Stay, tagId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('stay_tags')
    .where('account_id', '=', stay.account_id)
    .where('stay_id', '=', stay.id)
    .where('tag_id', '=', tagId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the stays that have a tag, as their events name them. */
export function taggedStays(trx: CoreTransaction, accountId: AccountId, tagId: number): Promise<StayRow[]> {
  return trx
    .selectFrom('stay_tags as part')
    .innerJoin('stays as stay', (join) =>
      join.onRef('stay.account_id', '=', 'part.account_id').onRef('stay.id', '=', 'part.stay_id'),
    )
    .where('part.account_id', '=', accountId)
    .where('part.tag_id', '=', tagId)
    .selectAll('stay')
    .orderBy('stay.id')
    .execute();
}

/** Removes a tag from every stay. */
export async function detachFromAll(trx: CoreTransaction, accountId: AccountId, tagId: number): Promise<void> {
  await trx.deleteFrom('stay_tags').where('account_id', '=', accountId).where('tag_id', '=', tagId).execute();
}
