import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { prepared, preparedByArguments } from '../../store/queries/prepared.ts';
import { type CoreDb, type CoreTransaction, flag } from '../database.ts';
import type { Flag } from '../flag.ts';

/** Returns those of the requested properties that exist and are visible, by rising id. */
export async function propertiesAmong(
  db: CoreDb,
  accountId: AccountId,
  asked: readonly number[],
  visible: readonly number[] | null,
): Promise<number[]> {
  const rows = await idsAmong(db, { accountId, asked, visible });
  return rows.map((row) => row.id);
}

const idsAmong = preparedByArguments(
  (db: CoreDb, arg: { accountId: AccountId; asked: readonly number[]; visible: readonly number[] | null }) => {
    const { visible } = arg;
    const query = db
      .selectFrom('properties')
      .where('account_id', '=', arg.accountId)
      .where((where) => inList(where.ref('id'), arg.asked))
      .select('id')
      .orderBy('id');
    return visible == null ? query : query.where((where) => inList(where.ref('id'), visible));
  },
);

interface NightRange {
  accountId: AccountId;
  start: PlainDate;
  end: PlainDate;
}
type NightsByProperty = Map<number, Set<PlainDate>>;

/** Returns nights that a stay holds, per property, both dates included. */
export function takenNights(
  db: CoreDb | CoreTransaction,
  range: NightRange,
  propertyIds: readonly number[],
): Promise<NightsByProperty> {
  return nightsIn(db, 'nights', range, propertyIds);
}

/** Returns nights that are blocked here, per property, both dates included. A stay may hold them as well. */
export function ownBlocks(
  db: CoreDb | CoreTransaction,
  range: NightRange,
  propertyIds: readonly number[],
): Promise<NightsByProperty> {
  return nightsIn(db, 'blocks', range, propertyIds);
}

/** Returns nights that are blocked here or by a feed, per property, both dates included. A stay may hold them as well. */
export function blockedNights(
  db: CoreDb | CoreTransaction,
  range: NightRange,
  propertyIds: readonly number[],
): Promise<NightsByProperty> {
  return nightsIn(db, 'blocked', range, propertyIds);
}

/** Returns nights of one property that a feed closes; without the named one, if any. */
export async function nightsClosedByFeeds(
  db: CoreDb | CoreTransaction,
  range: NightRange,
  propertyId: number,
  except?: number,
): Promise<ReadonlySet<PlainDate>> {
  const { accountId, start, end } = range;
  const rows = await closureRows(db, { accountId, start, end, propertyId, except });
  return new Set(rows.map((row) => row.night));
}

const closureRows = preparedByArguments(
  (db: CoreDb | CoreTransaction, arg: NightRange & { propertyId: number; except: number | undefined }) => {
    const rows = db
      .selectFrom('feed_closures')
      .where('account_id', '=', arg.accountId)
      .where('property_id', '=', arg.propertyId)
      .where('night', '>=', arg.start)
      .where('night', '<=', arg.end)
      .select('night');
    return arg.except === undefined ? rows : rows.where('feed_id', '<>', arg.except);
  },
);

/**
 * Returns the reasons of blocked nights that have one, per property, both dates included: as somebody gave it, else the
 * name of the feed that closes the night.
 */
export async function blockReasons(
  db: CoreDb | CoreTransaction,
  { accountId, start, end }: NightRange,
  ids: readonly number[],
): Promise<Map<number, Map<PlainDate, string>>> {
  const reasons = new Map<number, Map<PlainDate, string>>();
  for (const { property_id, night, reason } of await reasonRows(db, { accountId, start, end, ids })) {
    const nights = reasons.get(property_id) ?? new Map<PlainDate, string>();
    if (reason !== null) reasons.set(property_id, nights.set(night, reason));
  }
  return reasons;
}

// A reason that somebody gave comes last, and so in the place of a feed's name.
const reasonRows = prepared((db: CoreDb | CoreTransaction, arg: NightRange & { ids: readonly number[] }) =>
  db
    .selectFrom('feed_closures')
    .where('account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('property_id'), arg.ids))
    .where('night', '>=', arg.start)
    .where('night', '<=', arg.end)
    .select((of) => ['property_id', 'night', of.ref('name').$castTo<string | null>().as('reason')])
    .unionAll(
      db
        .selectFrom('blocks')
        .where('account_id', '=', arg.accountId)
        .where((where) => inList(where.ref('property_id'), arg.ids))
        .where('night', '>=', arg.start)
        .where('night', '<=', arg.end)
        .where('reason', 'is not', null)
        .select(['property_id', 'night', 'reason']),
    ),
);

/** Returns nights of one property that were blocked by hand. */
export function blocksByHand(
  db: CoreDb | CoreTransaction,
  range: NightRange,
  propertyId: number,
): Promise<ReadonlySet<PlainDate>> {
  return blocksOf(db, range, propertyId, flag(false));
}

/** Returns nights of one property that are closed because no channel sells it. */
export function unlistedNights(
  db: CoreDb | CoreTransaction,
  range: NightRange,
  propertyId: number,
): Promise<ReadonlySet<PlainDate>> {
  return blocksOf(db, range, propertyId, flag(true));
}

async function blocksOf(
  db: CoreDb | CoreTransaction,
  range: NightRange,
  propertyId: number,
  unlisted: Flag,
): Promise<ReadonlySet<PlainDate>> {
  const rows = await db
    .selectFrom('blocks')
    .where('account_id', '=', range.accountId)
    .where('property_id', '=', propertyId)
    .where('night', '>=', range.start)
    .where('night', '<=', range.end)
    .where('unlisted', '=', unlisted)
    .select('night')
    .execute();
  return new Set(rows.map((row) => row.night));
}

type Asked = NightRange & { ids: readonly number[] };

const nightRows = {
  nights: prepared((db: CoreDb | CoreTransaction, arg: Asked) => nightsOfTable(db, 'nights', arg)),
  blocks: prepared((db: CoreDb | CoreTransaction, arg: Asked) => nightsOfTable(db, 'blocks', arg)),
  blocked: prepared((db: CoreDb | CoreTransaction, arg: Asked) =>
    nightsOfTable(db, 'blocks', arg).unionAll(nightsOfTable(db, 'feed_closures', arg)),
  ),
};

function nightsOfTable(db: CoreDb | CoreTransaction, table: 'nights' | 'blocks' | 'feed_closures', arg: Asked) {
  return db
    .selectFrom(table)
    .where('account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('property_id'), arg.ids))
    .where('night', '>=', arg.start)
    .where('night', '<=', arg.end)
    .select(['property_id', 'night']);
}

async function nightsIn(
  db: CoreDb | CoreTransaction,
  table: keyof typeof nightRows,
  { accountId, start, end }: NightRange,
  ids: readonly number[],
): Promise<NightsByProperty> {
  const rows = await nightRows[table](db, { accountId, start, end, ids });
  const taken = new Map<number, Set<PlainDate>>();
  for (const { property_id, night } of rows) {
    let nights = taken.get(property_id);
    if (!nights) taken.set(property_id, (nights = new Set()));
    nights.add(night);
  }
  return taken;
}

type Holder = { account_id: AccountId; property_id: number; id: number };

/** Takes nights for a stay. @returns the number that were free; the rest belong to others */
export function takeNights(trx: CoreTransaction, stay: Holder, nights: readonly PlainDate[]): Promise<number> {
  const rows = nights.map((night) => ({
    account_id: stay.account_id,
    property_id: stay.property_id,
    night,
    stay_id: stay.id,
  }));
  // The primary key decides who gets a night, so two concurrent reservations cannot both win.
  return insertMany(trx, 'nights', rows, { columns: ['account_id', 'property_id', 'night'] });
}

/** Returns the holders of the nights from check-in up to check-out. */
export async function nightHolders(
  trx: CoreTransaction,
  place: { account_id: AccountId; property_id: number; check_in_date: PlainDate; check_out_date: PlainDate },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('nights')
    .where('account_id', '=', place.account_id)
    .where('property_id', '=', place.property_id)
    .where('night', '>=', place.check_in_date)
    .where('night', '<', place.check_out_date)
    .select('stay_id')
    .distinct()
    .execute();
  return rows.map((row) => row.stay_id);
}

/** Frees all nights of a stay. @returns the nights that became free */
export async function dropNights(trx: CoreTransaction, stay: Holder): Promise<PlainDate[]> {
  const rows = await trx
    .deleteFrom('nights')
    .where('account_id', '=', stay.account_id)
    .where('property_id', '=', stay.property_id)
    .where('stay_id', '=', stay.id)
    .returning('night')
    .execute();
  return rows.map((row) => row.night).toSorted();
}

type Block = { account_id: AccountId; property_id: number };

/** Blocks nights by hand, including those closed for another reason. The reason replaces an earlier one. */
export async function addBlocks(
  trx: CoreTransaction,
  { reason, ...block }: Block & { reason: string | null },
  nights: readonly PlainDate[],
): Promise<void> {
  const rows = nights.map((night) => ({ ...block, night, unlisted: flag(false), reason }));
  const columns = ['account_id', 'property_id', 'night'] as const;
  await insertMany(trx, 'blocks', rows, { columns, update: ['unlisted', 'reason'] });
}

/** Closes nights because no channel sells the property. Nights that are blocked stay unchanged. */
export async function addUnlisted(trx: CoreTransaction, block: Block, nights: readonly PlainDate[]): Promise<void> {
  const rows = nights.map((night) => ({ ...block, night, unlisted: flag(true), reason: null }));
  await insertMany(trx, 'blocks', rows, { columns: ['account_id', 'property_id', 'night'] });
}

/** Opens nights from a date on that were closed because no channel sold the property. @returns these nights */
export async function dropUnlisted(trx: CoreTransaction, block: Block, from: PlainDate): Promise<PlainDate[]> {
  const rows = await trx
    .deleteFrom('blocks')
    .where('account_id', '=', block.account_id)
    .where('property_id', '=', block.property_id)
    .where('unlisted', '=', 1)
    .where('night', '>=', from)
    .returning('night')
    .execute();
  return rows.map((row) => row.night).toSorted();
}

export async function removeBlocks(trx: CoreTransaction, block: Block, nights: readonly PlainDate[]): Promise<void> {
  await trx
    .deleteFrom('blocks')
    .where('account_id', '=', block.account_id)
    .where('property_id', '=', block.property_id)
    .where((where) => inList(where.ref('night'), nights))
    .execute();
}
