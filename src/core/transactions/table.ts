import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import type { Dictionary } from '../../contract/dictionaries.ts';
import type { Instant } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import { inList } from '../../store/inList.ts';
import { insertMany } from '../../store/insertMany.ts';
import { nextIds } from '../../store/sequences.ts';
import type { CoreDatabase, CoreDb, CoreTransaction, TransactionRow } from '../database.ts';
import { allocationsOf } from './rules.ts';

export interface TransactionQuestion {
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
  offset: number;
  limit: number;
}

/** A row with the names the wire wants beside its ids. */
export type NamedTransaction = TransactionRow & {
  item_name: string | null;
  method_name: string | null;
  operator_name: string | null;
  property_name: string | null;
};

/** One page, newest id first, and how many match in all. */
export async function transactionPage(
  db: CoreDb,
  question: TransactionQuestion,
): Promise<{ rows: NamedTransaction[]; total: number }> {
  const matching = matchingIds(db, question);
  const { total } = await matching.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = await matching
    .select('matching.id')
    .orderBy('matching.id', 'desc')
    .limit(question.limit)
    .offset(question.offset)
    .execute();
  const ids = page.map((row) => row.id);
  return { rows: ids.length === 0 ? [] : await namedTransactions(db, question.accountId, ids), total };
}

/**
 * What says most is asked first: a reservation has few entries, whose dates are looked at afterwards; else the
 * window. What matches is then sorted: left to itself, SQLite walks the window, or the whole ledger by id.
 */
function matchingIds(db: CoreDb, question: TransactionQuestion) {
  const { reservationCode, from, until } = question;
  const few = reservationCode !== undefined;
  let matching = db
    .with(
      (cte) => cte('matching').materialized(),
      () => matchingTransactions(db, few ? { ...question, from: undefined, until: undefined } : question),
    )
    .selectFrom('matching');
  if (few && from !== undefined) matching = matching.where('matching.action_at', '>=', from);
  if (few && until !== undefined) matching = matching.where('matching.action_at', '<', until);
  return matching;
}

function matchingTransactions(db: CoreDb, question: TransactionQuestion) {
  let query = db
    .selectFrom('transactions as entry')
    .where('entry.account_id', '=', question.accountId)
    .select(['entry.id', 'entry.action_at']);
  if (question.id !== undefined) query = query.where('entry.id', '=', question.id);
  if (question.from !== undefined) query = query.where('entry.action_at', '>=', question.from);
  if (question.until !== undefined) query = query.where('entry.action_at', '<', question.until);
  if (question.reservationCode !== undefined) {
    query = query.where('entry.reservation_code', '=', question.reservationCode as ReservationCode);
  }
  if (question.direction !== undefined) query = query.where('entry.direction', '=', question.direction);
  if (question.itemId !== undefined) query = query.where('entry.item_id', '=', question.itemId);
  if (question.methodId !== undefined) query = query.where('entry.payment_method_id', '=', question.methodId);
  if (question.currency !== undefined) query = query.where('entry.currency', '=', question.currency);
  if (question.keyword !== undefined) query = query.where(noteHolds(question.keyword));
  const within = question.propertyId === undefined ? question.visible : [question.propertyId];
  if (within !== null) query = query.where(linkedTo(within));
  if (question.propertyId !== undefined && question.visible !== null) query = query.where(linkedTo(question.visible));
  return query;
}

/**
 * Part of the note, in any case; `%` and `_` mean themselves. The database lowers both sides, since SQLite knows the
 * cases of ASCII alone.
 */
function noteHolds(keyword: string) {
  const pattern = `%${keyword.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return sql<boolean>`lower(entry.note) like lower(${pattern}) escape '\\'`;
}

/** Entries of these properties: linked to one directly, or through a reservation with a stay there. */
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

/** Ids are unique over all dictionaries, but only with the dictionary named does the key lead to the row. */
function namedTransactions(db: CoreDb, accountId: AccountId, ids: readonly number[]): Promise<NamedTransaction[]> {
  return db
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
    .where('entry.account_id', '=', accountId)
    .where((where) => inList(where.ref('entry.id'), ids))
    .selectAll('entry')
    .select(['item.name as item_name', 'method.name as method_name', 'operator.name as operator_name'])
    .select((of) => [
      of
        .selectFrom('properties')
        .whereRef('properties.account_id', '=', 'entry.account_id')
        .where('properties.id', '=', (of) =>
          of.fn.coalesce(
            of.ref('entry.property_id'),
            // The first room's; in this order the index by code answers it, where min() would walk all stays.
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
    .orderBy('entry.id', 'desc')
    .execute();
}

function itemsOf(direction: Expression<string>) {
  return sql<Dictionary>`case ${direction} when 'income' then 'income_items' else 'expense_items' end`;
}

function methodsOf(direction: Expression<string>) {
  return sql<Dictionary>`case ${direction} when 'income' then 'income_methods' else 'expense_methods' end`;
}

/** An entry by its number, whoever owns it; kept as it is until the transaction ends. */
export function lockTransaction(trx: CoreTransaction, id: number): Promise<TransactionRow | undefined> {
  return trx.selectFrom('transactions').where('id', '=', id).selectAll().forUpdate().executeTakeFirst();
}

/** What of an entry can be edited. */
export type TransactionChanges = Partial<
  Pick<TransactionRow, 'amount' | 'item_id' | 'payment_method_id' | 'action_at' | 'note'>
>;

export type TransactionDraft = Omit<TransactionRow, 'id' | 'created_at' | 'updated_at'>;

export async function addTransaction(trx: CoreTransaction, draft: TransactionDraft, at: Instant): Promise<number> {
  const id = await nextIds(trx, 'transactions');
  await insertMany(trx, 'transactions', [{ ...draft, id, created_at: at, updated_at: at }]);
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
    .set({ ...changes, updated_at: at })
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

/** Writes each stay's part anew. An entry of a reservation with one stay has no need of parts. */
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
