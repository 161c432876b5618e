import assert from 'node:assert/strict';
import type { ColumnType, Generated } from 'kysely';
import { migrate, type Migrations, type Steps } from '../../../src/store/migrate.ts';
import { createSequences } from '../../../src/store/leases/sequences.ts';
import type { Store } from '../../../src/store/store.ts';

export interface Tables {
  things: {
    id: number;
    name: string | null;
    amount: Generated<number>;
    /** 0 or 1; a boolean may be given. */
    flag: ColumnType<number, number | boolean | undefined, number | boolean>;
    body: string | null;
  };
  owners: { id: number; thing_id: number };
  feed_heads: { connection: string; seq: number };
  changes: { connection: string; seq: number; thing: string };
}

/** What a case gets: an empty database, and the one thing that the two kinds cannot have in common. */
export interface Given {
  readonly store: Store<Tables>;
  /**
   * Called inside a transaction to stay there until `until` is fulfilled. Only PostgreSQL can: on SQLite a
   * transaction that waits is refused, so it goes on at once.
   */
  readonly hold: (until: Promise<unknown>) => Promise<void>;
  /** Resolves when another transaction waits for a lock; on SQLite, where none ever does, at once. */
  readonly somebodyWaits: () => Promise<void>;
}

export interface ContractCase {
  readonly name: string;
  readonly run: (given: Given) => Promise<void>;
}

/** A promise and the function that fulfils it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** Migrations of one step. */
export const tables = {
  steps: {
    '0001_tables': {
      async up(db) {
        await db.schema
          .createTable('things')
          .addColumn('id', 'bigint', (column) => column.primaryKey())
          .addColumn('name', 'text', (column) => column.unique())
          .addColumn('amount', 'bigint', (column) => column.notNull().defaultTo(0))
          .addColumn('flag', 'bigint', (column) => column.notNull().defaultTo(0))
          .addColumn('body', 'text')
          .execute();
        await db.schema
          .createTable('owners')
          .addColumn('id', 'bigint', (column) => column.primaryKey())
          .addColumn('thing_id', 'bigint', (column) => column.notNull().references('things.id').onDelete('cascade'))
          .execute();
        await db.schema
          .createTable('feed_heads')
          .addColumn('connection', 'text', (column) => column.primaryKey())
          .addColumn('seq', 'bigint', (column) => column.notNull())
          .execute();
        await db.schema
          .createTable('changes')
          .addColumn('connection', 'text', (column) => column.notNull())
          .addColumn('seq', 'bigint', (column) => column.notNull())
          .addColumn('thing', 'text', (column) => column.notNull())
          .addPrimaryKeyConstraint('changes_key', ['connection', 'seq'])
          .execute();
        await createSequences(db, ['things', 'gets']);
      },
    },
  },
} satisfies Migrations;

/** The tables above, and further steps. */
export function andThen(later: Steps): Migrations {
  return { steps: { ...tables.steps, ...later } };
}

/** A case that starts with the tables above. */
export function onTables(name: string, run: (given: Given) => Promise<void>): ContractCase {
  return {
    name,
    async run(given) {
      assert.deepEqual(await migrate(given.store, tables), ['0001_tables']);
      await run(given);
    },
  };
}

export async function idsIn(store: Store<Tables>): Promise<number[]> {
  const rows = await store.db.selectFrom('things').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
}

/** Lets `count` microtasks pass. */
export async function microtasks(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await Promise.resolve();
}
