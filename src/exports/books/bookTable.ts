import type { Instant } from '../../kernel/dates.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { MirrorDb, MirrorStore, MirrorTrx } from '../../sync/tables/database.ts';
import type { BookHead, BookLot } from './lot.ts';

const OF_GROUP = ['book_entries', 'book_postings', 'book_deposits', 'book_exceptions', 'book_groups'] as const;
const OF_BOOK = ['book_accounts', 'book_properties', 'book_channels'] as const;

/** Writes the rows of groups in place of their former rows. */
export async function storeLot(store: MirrorStore, connection: string, { groups, removed }: BookLot): Promise<void> {
  await store.transaction(async (trx) => {
    await removeGroups(trx, connection, [...removed, ...groups.map(({ group }) => group)]);
    await insertMany(
      trx,
      'book_entries',
      groups.flatMap(({ entries }) => entries),
    );
    await insertMany(
      trx,
      'book_postings',
      groups.flatMap(({ postings }) => postings),
    );
    await insertMany(
      trx,
      'book_deposits',
      groups.flatMap(({ deposits }) => deposits),
    );
    await insertMany(
      trx,
      'book_exceptions',
      groups.flatMap(({ exceptions }) => exceptions),
    );
    await insertMany(
      trx,
      'book_groups',
      groups.map(({ group, digest }) => ({ connection, group_key: group, digest })),
    );
  });
}

async function removeGroups(trx: MirrorTrx, connection: string, keys: readonly string[]): Promise<void> {
  for (const table of OF_GROUP) {
    await trx.deleteFrom(table).where('connection', '=', connection).where('group_key', 'in', keys).execute();
  }
}

/** Writes the rows that belong to the books as a whole, and their progress. */
export async function storeHead(
  store: MirrorStore,
  connection: string,
  head: BookHead & { at: Instant; seq: number; basis: string },
): Promise<void> {
  await store.transaction(async (trx) => {
    for (const table of OF_BOOK) await trx.deleteFrom(table).where('connection', '=', connection).execute();
    await removeGroups(trx, connection, ['']);
    await insertMany(trx, 'book_accounts', head.accounts);
    await insertMany(trx, 'book_properties', head.properties);
    await insertMany(trx, 'book_channels', head.channels);
    await insertMany(trx, 'book_exceptions', head.exceptions);
    const { through, at, seq, basis, entries } = head;
    await trx.deleteFrom('books').where('connection', '=', connection).execute();
    await trx.insertInto('books').values({ connection, through, booked_at: at, seq, basis, entries }).execute();
  });
}

/** Returns the basis of the stored books, or undefined if none are stored. */
export async function keptBasis(db: MirrorDb, connection: string): Promise<string | undefined> {
  const row = await db.selectFrom('books').select('basis').where('connection', '=', connection).executeTakeFirst();
  return row?.basis;
}
