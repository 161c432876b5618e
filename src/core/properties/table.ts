import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { endOf, type Range } from '../../store/queries/paging.ts';
import { preparedByArguments, preparedTotal } from '../../store/queries/prepared.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { CoreDb, CoreTransaction, PropertyRow } from '../database.ts';

export type PropertyDraft = Pick<PropertyRow, 'name' | 'time_zone' | 'currency'>;

interface PropertyQuestion extends Range {
  accountId: AccountId;
  visible: readonly number[] | null;
  id?: number | undefined;
  group_id?: number | undefined;
  tag_id?: number | undefined;
}

/** Returns one page, newest first, and the number of all matches. */
export async function propertyPage(
  db: CoreDb,
  { accountId, visible, id, group_id, tag_id, offset, limit, before, total: known }: PropertyQuestion,
): Promise<{ rows: PropertyRow[]; total: number }> {
  const filters = { accountId, visible, id, group_id, tag_id };
  const rows = await page(db, { ...filters, offset, limit, before });
  const total = known ?? endOf(rows, { offset, limit }) ?? (await count(db, filters));
  return { rows, total };
}

type Filters = Omit<PropertyQuestion, keyof Range>;
type Page = Omit<PropertyQuestion, 'total'>;

const count = preparedTotal((db: CoreDb, arg: Filters) =>
  matching(db, arg).select((of) => of.fn.countAll<number>().as('total')),
);

const page = preparedByArguments((db: CoreDb, arg: Page) => {
  const query = arg.before === undefined ? matching(db, arg) : matching(db, arg).where('id', '<', arg.before);
  return query.selectAll().orderBy('id', 'desc').limit(arg.limit).offset(arg.offset);
});

function matching(db: CoreDb, { accountId, visible, id, group_id: groupId, tag_id: tagId }: Filters) {
  let query = db.selectFrom('properties').where('account_id', '=', accountId);
  if (id !== undefined) query = query.where('id', '=', id);
  if (groupId !== undefined) {
    query = query.where('id', 'in', (select) =>
      select
        .selectFrom('group_properties')
        .where('account_id', '=', accountId)
        .where('group_id', '=', groupId)
        .select('property_id'),
    );
  }
  if (tagId !== undefined) {
    query = query.where('id', 'in', (select) =>
      select
        .selectFrom('tag_properties')
        .where('account_id', '=', accountId)
        .where('tag_id', '=', tagId)
        .select('property_id'),
    );
  }
  return visible == null ? query : query.where((where) => inList(where.ref('id'), visible));
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

/** What an operator sets of a property beside v3. */
export type PropertySettings = Pick<
  PropertyRow,
  'name' | 'status' | 'address' | 'latitude' | 'longitude' | 'time_zone' | 'check_in_time' | 'check_out_time'
>;

export function propertyById(trx: CoreTransaction, accountId: AccountId, id: number): Promise<PropertyRow | undefined> {
  return trx
    .selectFrom('properties')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

export async function setPropertySettings(
  trx: CoreTransaction,
  accountId: AccountId,
  id: number,
  settings: Partial<PropertySettings>,
): Promise<void> {
  await trx.updateTable('properties').set(settings).where('account_id', '=', accountId).where('id', '=', id).execute();
}
