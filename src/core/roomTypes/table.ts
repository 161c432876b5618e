import { type ExpressionBuilder, sql } from 'kysely';
import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { countRows, type Range } from '../../store/queries/paging.ts';
import { prepared } from '../../store/queries/prepared.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { CoreDatabase, CoreDb, CoreTransaction, RoomTypeRow } from '../database.ts';
import { hasNoMember, hasShownMember, roomTypeProperties } from '../members.ts';
import { nameKey } from '../names.ts';

interface RoomTypeQuestion extends Range {
  accountId: AccountId;
  visible: readonly number[] | null;
  id?: number | undefined;
  tag_id?: number | undefined;
}

/**
 * Returns one page, newest first, and the number of all matches. A sub-account sees empty types and those with a
 * property of its own.
 */
export async function roomTypePage(
  db: CoreDb,
  question: RoomTypeQuestion,
): Promise<{ rows: RoomTypeRow[]; total: number }> {
  const { visible, tag_id: tagId } = question;
  let matching = db.selectFrom('room_types as owner').where('owner.account_id', '=', question.accountId);
  if (question.id !== undefined) matching = matching.where('owner.id', '=', question.id);
  if (tagId !== undefined) {
    matching = matching.where('owner.id', 'in', (select) =>
      select
        .selectFrom('tag_room_types')
        .where('account_id', '=', question.accountId)
        .where('tag_id', '=', tagId)
        .select('room_type_id'),
    );
  }
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

type Owner = ExpressionBuilder<CoreDatabase & { owner: RoomTypeRow }, 'owner'>;

function shownTo(visible: readonly number[]) {
  return (where: Owner) => where.or([hasShownMember(roomTypeProperties, visible), hasNoMember(roomTypeProperties)]);
}

/** Returns room types by number, whoever owns them, and whether the caller sees those of its account. */
export async function roomTypesById(
  db: CoreDb | CoreTransaction,
  ids: readonly number[],
  visible: readonly number[] | null,
): Promise<{ id: number; account_id: AccountId; shown: boolean }[]> {
  const rows = await db
    .selectFrom('room_types as owner')
    .where((where) => inList(where.ref('owner.id'), ids))
    .select(['owner.id', 'owner.account_id'])
    .select((of) =>
      visible === null
        ? sql<number>`1`.as('shown')
        : of.case().when(shownTo(visible)(of)).then(1).else(0).end().as('shown'),
    )
    .execute();
  return rows.map((row) => ({ ...row, shown: row.shown === 1 }));
}

export function roomTypeNamed(trx: CoreTransaction, accountId: AccountId, name: string) {
  return trx
    .selectFrom('room_types')
    .where('account_id', '=', accountId)
    .where('name_key', '=', nameKey(name))
    .select('id')
    .executeTakeFirst();
}

export async function countRoomTypes(trx: CoreTransaction, accountId: AccountId): Promise<number> {
  const { total } = await trx
    .selectFrom('room_types')
    .where('account_id', '=', accountId)
    .select((of) => of.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** Returns true if one of these properties is in a room type. */
export async function isPlaced(
  trx: CoreTransaction,
  accountId: AccountId,
  propertyIds: readonly number[],
): Promise<boolean> {
  const placed = await trx
    .selectFrom('room_type_properties')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('property_id'), propertyIds))
    .select('room_type_id')
    .limit(1)
    .executeTakeFirst();
  return placed !== undefined;
}

export async function addRoomType(
  trx: CoreTransaction,
  accountId: AccountId,
  name: string,
  at: Instant,
): Promise<number> {
  const id = await nextIds(trx, 'room_types');
  await trx
    .insertInto('room_types')
    .values({ account_id: accountId, id, name, name_key: nameKey(name), created_at: at })
    .execute();
  return id;
}

/** Returns the properties of each of these room types, oldest first. */
export function placedProperties(db: CoreDb, accountId: AccountId, ids: readonly number[]) {
  return db
    .selectFrom('room_type_properties as part')
    .innerJoin('properties as property', (join) =>
      join.onRef('property.account_id', '=', 'part.account_id').onRef('property.id', '=', 'part.property_id'),
    )
    .where('part.account_id', '=', accountId)
    .where((where) => inList(where.ref('part.room_type_id'), ids))
    .select(['part.room_type_id', 'property.id', 'property.name'])
    .orderBy('property.id')
    .execute();
}

/** Returns the room type of each of these properties. Properties without one are left out. */
export const roomTypeRowsOf = prepared((db: CoreDb, arg: { accountId: AccountId; propertyIds: readonly number[] }) =>
  db
    .selectFrom('room_type_properties as part')
    .innerJoin('room_types as owner', (join) =>
      join.onRef('owner.account_id', '=', 'part.account_id').onRef('owner.id', '=', 'part.room_type_id'),
    )
    .where('part.account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('part.property_id'), arg.propertyIds))
    .select(['part.property_id', 'owner.id', 'owner.name']),
);
