import { sql } from 'kysely';
import type { Instant } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { MirrorStore, MirrorTrx } from '../../sync/tables/database.ts';
import type { BookBalancesTable } from '../tables/bookTables.ts';
import { type GroupRows, isEmpty } from './groupRows.ts';
import type { BookHead, BookLot } from './lot.ts';

const OF_GROUP = [
  'book_entries',
  'book_postings',
  'book_deposits',
  'book_exceptions',
  'book_outcomes',
  'book_groups',
] as const;
const OF_BOOK = ['book_accounts', 'book_properties', 'book_channels'] as const;

/** Writes the rows of groups in place of their former rows, and what that changes in the balances. */
export async function storeLot(store: MirrorStore, connection: string, { groups, removed }: BookLot): Promise<void> {
  const keys = [...removed, ...groups.map(({ group }) => group)];
  await store.transaction(async (trx) => {
    await moveBalances(trx, connection, { keys, groups });
    await removeGroups(trx, connection, keys);
    await insertMany(trx, 'book_entries', rowsOf(groups, 'entries'));
    await insertMany(trx, 'book_postings', rowsOf(groups, 'postings'));
    await insertMany(trx, 'book_deposits', rowsOf(groups, 'deposits'));
    await insertMany(trx, 'book_exceptions', rowsOf(groups, 'exceptions'));
    await insertMany(trx, 'book_outcomes', rowsOf(groups, 'outcomes'));
    await insertMany(
      trx,
      'book_groups',
      groups
        .filter((rows) => !isEmpty(rows))
        .map(({ group, digest, dueOn }) => ({ connection, group_key: group, digest, due_on: dueOn })),
    );
  });
}

function rowsOf<Kind extends 'entries' | 'postings' | 'deposits' | 'exceptions' | 'outcomes'>(
  groups: readonly GroupRows[],
  kind: Kind,
): GroupRows[Kind][number][] {
  return groups.flatMap((rows) => [...rows[kind]]);
}

async function removeGroups(trx: MirrorTrx, connection: string, keys: readonly string[]): Promise<void> {
  for (const table of OF_GROUP) {
    await trx
      .deleteFrom(table)
      .where('connection', '=', connection)
      .where((eb) => inList(eb.ref('group_key'), keys))
      .execute();
  }
}

/** Adds to the balances of months what the new rows have more than the stored ones. */
async function moveBalances(
  trx: MirrorTrx,
  connection: string,
  { keys, groups }: { keys: readonly string[]; groups: readonly GroupRows[] },
): Promise<void> {
  const moves = new Map<string, { amount: bigint; postings: number }>();
  const move = (cell: readonly [period: string, account: string, currency: string], by: bigint, postings: number) => {
    const key = JSON.stringify(cell);
    const known = moves.get(key);
    moves.set(key, { amount: (known?.amount ?? 0n) + by, postings: (known?.postings ?? 0) + postings });
  };
  const former = await trx
    .selectFrom('book_postings')
    .select((eb) => [
      sql<string>`substr(date, 1, 7)`.as('period'),
      'account',
      'currency',
      sql<string>`cast(sum(amount_minor) as text)`.as('amount'),
      eb.fn.countAll<number>().as('postings'),
    ])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('group_key'), keys))
    .groupBy([sql`substr(date, 1, 7)`, 'account', 'currency'])
    .execute();
  for (const { period, account, currency, amount, postings } of former) {
    move([period, account, currency], -BigInt(amount), -Number(postings));
  }
  for (const { date, account, currency, amount_minor } of rowsOf(groups, 'postings')) {
    move([date.slice(0, 7), account, currency], BigInt(amount_minor), 1);
  }
  for (const [key, { amount, postings }] of moves) {
    if (amount === 0n && postings === 0) continue;
    const [period = '', account = '', currency = ''] = JSON.parse(key) as string[];
    await addToBalance(trx, { connection, period, account, currency }, { amount, postings });
  }
}

async function addToBalance(
  trx: MirrorTrx,
  cell: Pick<BookBalancesTable, 'connection' | 'period' | 'account' | 'currency'>,
  { amount, postings }: { amount: bigint; postings: number },
): Promise<void> {
  await trx
    .insertInto('book_balances')
    .values({ ...cell, amount_minor: sql<number>`cast(${String(amount)} as bigint)`, postings })
    .onConflict((conflict) =>
      conflict.columns(['connection', 'period', 'account', 'currency']).doUpdateSet({
        amount_minor: sql<number>`book_balances.amount_minor + excluded.amount_minor`,
        postings: sql<number>`book_balances.postings + excluded.postings`,
      }),
    )
    .execute();
}

/** Writes the rows that belong to the books as a whole, and their progress. */
export async function storeHead(
  store: MirrorStore,
  connection: string,
  { head, at }: { head: BookHead; at: Instant },
): Promise<void> {
  await store.transaction(async (trx) => {
    for (const table of OF_BOOK) await trx.deleteFrom(table).where('connection', '=', connection).execute();
    await removeGroups(trx, connection, ['']);
    await trx.deleteFrom('book_balances').where('connection', '=', connection).where('postings', '=', 0).execute();
    await insertMany(trx, 'book_accounts', head.accounts);
    await insertMany(trx, 'book_properties', head.properties);
    await insertMany(trx, 'book_channels', head.channels);
    await insertMany(trx, 'book_exceptions', head.exceptions);
    const { through, seq, basis, entries, changedAt: changed_at } = head;
    await trx.deleteFrom('books').where('connection', '=', connection).execute();
    await insertMany(trx, 'books', [{ connection, through, booked_at: at, seq, basis, entries, changed_at }]);
  });
}
