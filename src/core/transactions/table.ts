import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import type { Dictionary } from '../../contract/dictionaries.ts';
import type { Instant } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { Range } from '../../store/queries/paging.ts';
import { prepared, preparedByArguments, preparedTotal } from '../../store/queries/prepared.ts';
import { isScanCheaper } from '../../store/queries/scanOrSort.ts';
import { unindexed } from '../../store/queries/unindexed.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { CoreDatabase, CoreDb, CoreTransaction, TransactionRow } from '../database.ts';
import { idSpanOf } from '../idSpan.ts';
import { holding, searchKey } from '../names.ts';
import { allocationsOf } from './rules.ts';

export interface TransactionQuestion extends Range {
  accountId: AccountId;
  visible: readonly number[] | null;
  id?: number | undefined;
  from?: Instant | undefined;
  /** Exclusive. */
  until?: Instant | undefined;
  propertyId?: number | undefined;
  reservationCode?: string | undefined;
  direction?: 'income' | 'expense' | undefined;
  itemId?: number | undefined;
  methodId?: number | undefined;
  currency?: string | undefined;
  keyword?: string | undefined;
}

/** A row with the names that the wire form needs. */
export type NamedTransaction = TransactionRow & {
  item_name: string | null;
  method_name: string | null;
  operator_name: string | null;
  property_name: string | null;
};

/** Returns one page, newest id first, and the number of all matches. */
export async function transactionPage(
  db: CoreDb,
  question: TransactionQuestion,
): Promise<{ rows: NamedTransaction[]; keys: number[]; total: number }> {
  const { accountId, offset, limit, before } = question;
  const filters = filtersOf(question);
  const total = question.total ?? (await count(db, filters));
  // Where the window covers most of the ledger, the whole of it by id is the cheaper way.
  const pageIds = (await isScanCheaper(total, () => idSpan(db, accountId))) ? scannedIds : sortedIds;
  const page = await pageIds(db, { ...filters, offset, limit, before });
  const ids = page.map((row) => row.id);
  const rows = ids.length === 0 ? [] : await namedTransactions(db, { accountId, ids });
  return { rows, keys: ids, total };
}

/** Filters of a list, in the form that the database takes. */
interface Filters extends Omit<TransactionQuestion, keyof Range | 'visible' | 'propertyId' | 'keyword'> {
  /** Properties that the entry must belong to: all visible ones, and the requested one. */
  seen?: readonly number[] | null;
  asked?: readonly number[] | undefined;
  pattern?: string | undefined;
}
type Page = Filters & Omit<Range, 'total'>;

function filtersOf({ visible, propertyId, keyword, ...rest }: TransactionQuestion): Filters {
  const { offset: _, limit: __, before: ___, total: ____, ...same } = rest;
  return {
    ...same,
    seen: visible,
    asked: propertyId === undefined ? undefined : [propertyId],
    pattern: keyword === undefined ? undefined : holding(keyword),
  };
}

const count = preparedTotal((db: CoreDb, arg: Filters) =>
  byWindow(db, arg).select((of) => of.fn.countAll<number>().as('total')),
);

/** Query by the window. SQLite by itself scans the whole ledger by id for a part of it. */
const sortedIds = preparedByArguments((db: CoreDb, arg: Page) => {
  const { before } = arg;
  const window = byWindow(db, arg);
  const query = before === undefined ? window : window.where((of) => of(unindexedId(of), '<', before));
  return query.select('entry.id').orderBy(unindexedId, 'desc').limit(arg.limit).offset(arg.offset);
});

const unindexedId = (of: Entries) => of('entry.id', '+', of.lit(0));

const scannedIds = preparedByArguments((db: CoreDb, arg: Page) => {
  const all = matching(db, arg, (of) => unindexed(of.ref('entry.action_at')));
  const query = arg.before === undefined ? all : all.where('entry.id', '<', arg.before);
  return query.select('entry.id').orderBy('entry.id', 'desc').limit(arg.limit).offset(arg.offset);
});

const idSpan = idSpanOf('transactions');

/**
 * Selects by the most selective index: a reservation has few entries, whose dates are checked afterwards; otherwise the
 * window.
 */
function byWindow(db: CoreDb, arg: Filters) {
  return matching(db, arg, (of) =>
    arg.reservationCode === undefined ? of.ref('entry.action_at') : unindexed(of.ref('entry.action_at')),
  );
}

type Entries = ExpressionBuilder<CoreDatabase & { entry: TransactionRow }, 'entry'>;

/** @param actionAt the column, or an expression of it that no index matches */
function matching(db: CoreDb, arg: Filters, actionAt: (of: Entries) => Expression<Instant>) {
  const { from, until, reservationCode, pattern, seen, asked } = arg;
  let query = db.selectFrom('transactions as entry').where('entry.account_id', '=', arg.accountId);
  if (arg.id !== undefined) query = query.where('entry.id', '=', arg.id);
  if (from !== undefined) query = query.where((of) => of(actionAt(of), '>=', from));
  if (until !== undefined) query = query.where((of) => of(actionAt(of), '<', until));
  if (reservationCode !== undefined) {
    query = query.where('entry.reservation_code', '=', reservationCode as ReservationCode);
  }
  if (arg.direction !== undefined) query = query.where('entry.direction', '=', arg.direction);
  if (arg.itemId !== undefined) query = query.where('entry.item_id', '=', arg.itemId);
  if (arg.methodId !== undefined) query = query.where('entry.payment_method_id', '=', arg.methodId);
  if (arg.currency !== undefined) query = query.where('entry.currency', '=', arg.currency);
  if (pattern !== undefined) {
    query = query.where(sql<boolean>`coalesce(entry.note_key, entry.note) like ${pattern} escape '\\'`);
  }
  if (seen != null) query = query.where(linkedTo(seen));
  return asked === undefined ? query : query.where(linkedTo(asked));
}

/** Matches entries of these properties: linked directly, or through a reservation with a stay there. */
function linkedTo(propertyIds: readonly number[]) {
  return (where: ExpressionBuilder<CoreDatabase & { entry: TransactionRow }, 'entry'>) =>
    where.or([
      inList(where.ref('entry.property_id'), propertyIds),
      where.exists(
        where
          .selectFrom('stays')
          .whereRef('stays.account_id', '=', 'entry.account_id')
          .whereRef('stays.reservation_code', '=', 'entry.reservation_code')
          .where((where) => inList(where.ref('stays.property_id'), propertyIds))
          .select('stays.id'),
      ),
    ]);
}

/** Names the dictionary as well: ids are unique over all dictionaries, but only the full key finds the row. */
const namedTransactions = prepared((db: CoreDb, arg: { accountId: AccountId; ids: readonly number[] }) =>
  db
    .selectFrom('transactions as entry')
    .leftJoin('dictionary_items as item', (join) =>
      join
        .onRef('item.account_id', '=', 'entry.account_id')
        .on('item.dictionary', '=', (of) => itemsOf(of.ref('entry.direction')))
        .onRef('item.id', '=', 'entry.item_id'),
    )
    .leftJoin('dictionary_items as method', (join) =>
      join
        .onRef('method.account_id', '=', 'entry.account_id')
        .on('method.dictionary', '=', (of) => methodsOf(of.ref('entry.direction')))
        .onRef('method.id', '=', 'entry.payment_method_id'),
    )
    .leftJoin('operators as operator', (join) =>
      join.onRef('operator.account_id', '=', 'entry.account_id').onRef('operator.id', '=', 'entry.operator_id'),
    )
    .where('entry.account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('entry.id'), arg.ids))
    .selectAll('entry')
    .select(['item.name as item_name', 'method.name as method_name', 'operator.name as operator_name'])
    .select((of) => [
      of
        .selectFrom('properties')
        .whereRef('properties.account_id', '=', 'entry.account_id')
        .where('properties.id', '=', (of) =>
          of.fn.coalesce(
            of.ref('entry.property_id'),
            // The first room's. In this order the index by code answers it, where min() would scan all stays.
            of
              .selectFrom('stays')
              .whereRef('stays.account_id', '=', 'entry.account_id')
              .whereRef('stays.reservation_code', '=', 'entry.reservation_code')
              .select('stays.property_id')
              .orderBy('stays.id')
              .limit(1),
          ),
        )
        .select('properties.name')
        .as('property_name'),
    ])
    .orderBy('entry.id', 'desc'),
);

function itemsOf(direction: Expression<string>) {
  return sql<Dictionary>`case ${direction} when 'income' then 'income_items' else 'expense_items' end`;
}

function methodsOf(direction: Expression<string>) {
  return sql<Dictionary>`case ${direction} when 'income' then 'income_methods' else 'expense_methods' end`;
}

/** Returns an entry by its number, whoever owns it, locked until the transaction ends. */
export function lockTransaction(trx: CoreTransaction, id: number): Promise<TransactionRow | undefined> {
  return trx.selectFrom('transactions').where('id', '=', id).selectAll().forUpdate().executeTakeFirst();
}

/** Fields of an entry that can be edited. */
export type TransactionChanges = Partial<
  Pick<TransactionRow, 'amount' | 'item_id' | 'payment_method_id' | 'action_at' | 'note'>
>;

export type TransactionDraft = Omit<TransactionRow, 'id' | 'note_key' | 'created_at' | 'updated_at'>;

export async function addTransaction(trx: CoreTransaction, draft: TransactionDraft, at: Instant): Promise<number> {
  const id = await nextIds(trx, 'transactions');
  await insertMany(trx, 'transactions', [
    { ...draft, id, note_key: searchKey(draft.note), created_at: at, updated_at: at },
  ]);
  await allocate(trx, { ...draft, id });
  return id;
}

export async function changeTransaction(
  trx: CoreTransaction,
  row: TransactionRow,
  changes: TransactionChanges,
  at: Instant,
): Promise<void> {
  await trx
    .updateTable('transactions')
    .set({ ...changes, ...(changes.note !== undefined && { note_key: searchKey(changes.note) }), updated_at: at })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
  if (changes.amount !== undefined) await allocate(trx, { ...row, amount: changes.amount });
}

export async function removeTransaction(trx: CoreTransaction, row: TransactionRow): Promise<void> {
  await dropAllocations(trx, row);
  await trx.deleteFrom('transactions').where('account_id', '=', row.account_id).where('id', '=', row.id).execute();
}

type Allocated = Pick<TransactionRow, 'account_id' | 'id' | 'amount' | 'reservation_code'>;

/** Stores each stay's share again. An entry of a reservation with one stay needs no shares. */
async function allocate(trx: CoreTransaction, entry: Allocated): Promise<void> {
  if (entry.reservation_code === null) return;
  const stays = await trx
    .selectFrom('stays')
    .where('account_id', '=', entry.account_id)
    .where('reservation_code', '=', entry.reservation_code)
    .select(['stay_code', 'rate'])
    .orderBy('id')
    .execute();
  if (stays.length < 2) return;
  await dropAllocations(trx, entry);
  await insertMany(
    trx,
    'allocations',
    allocationsOf(entry.amount, stays).map((part) => ({
      account_id: entry.account_id,
      transaction_id: entry.id,
      ...part,
    })),
  );
}

async function dropAllocations(trx: CoreTransaction, entry: Pick<TransactionRow, 'account_id' | 'id'>): Promise<void> {
  await trx
    .deleteFrom('allocations')
    .where('account_id', '=', entry.account_id)
    .where('transaction_id', '=', entry.id)
    .execute();
}
