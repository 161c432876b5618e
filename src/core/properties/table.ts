import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/inList.ts';
import { nextIds } from '../../store/sequences.ts';
import type { CoreDb, CoreTransaction, PropertyRow } from '../database.ts';

export type PropertyDraft = Pick<PropertyRow, 'name' | 'time_zone' | 'currency'>;

interface PropertyQuestion {
  accountId: AccountId;
  visible: readonly number[] | null;
  id?: number | undefined;
  group_id?: number | undefined;
  tag_id?: number | undefined;
  offset: number;
  limit: number;
}

/** One page, newest first, and how many match in all. */
export async function propertyPage(
  db: CoreDb,
  question: PropertyQuestion,
): Promise<{ rows: PropertyRow[]; total: number }> {
  let matching = db.selectFrom('properties').where('account_id', '=', question.accountId);
  if (question.id !== undefined) matching = matching.where('id', '=', question.id);
  const { visible, accountId, group_id: groupId, tag_id: tagId } = question;
  if (groupId !== undefined) {
    matching = matching.where('id', 'in', (select) =>
      select
        .selectFrom('group_properties')
        .where('account_id', '=', accountId)
        .where('group_id', '=', groupId)
        .select('property_id'),
    );
  }
  if (tagId !== undefined) {
    matching = matching.where('id', 'in', (select) =>
      select
        .selectFrom('tag_properties')
        .where('account_id', '=', accountId)
        .where('tag_id', '=', tagId)
        .select('property_id'),
    );
  }
  if (visible !== null) matching = matching.where((where) => inList(where.ref('id'), visible));
  const { total } = await matching.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching.selectAll().orderBy('id', 'desc').limit(question.limit).offset(question.offset).execute();
  return { rows, total };
}

export function propertyNamed(db: CoreDb | CoreTransaction, accountId: AccountId, name: string) {
  return db
    .selectFrom('properties')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .select('id')
    .executeTakeFirst();
}

export async function countProperties(trx: CoreTransaction, accountId: AccountId): Promise<number> {
  const { total } = await trx
    .selectFrom('properties')
    .where('account_id', '=', accountId)
    .select((of) => of.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

export async function addProperty(
  trx: CoreTransaction,
  accountId: AccountId,
  draft: PropertyDraft,
  at: Instant,
): Promise<number> {
  const id = await nextIds(trx, 'properties');
  await trx
    .insertInto('properties')
    .values({
      account_id: accountId,
      id,
      ...draft,
      status: 'active',
      address: '',
      longitude: '',
      latitude: '',
      created_at: at,
    })
    .execute();
  return id;
}
