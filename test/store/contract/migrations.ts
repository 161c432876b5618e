import assert from 'node:assert/strict';
import { type Migration, sql } from 'kysely';
import { OperatorError } from '../../../src/kernel/errors.ts';
import { migrate, type Migrations, pendingMigrations } from '../../../src/store/migrate.ts';
import { type ContractCase, type Given, idsIn, tables } from './given.ts';

const more: Migrations = {
  ...tables,
  '0002_more': {
    async up(db) {
      await db.schema.alterTable('things').addColumn('extra', 'text').execute();
    },
  },
};

const failing: Migrations = {
  ...more,
  '0003_fails': {
    async up(db) {
      await db.schema.createTable('half').addColumn('id', 'bigint').execute();
      await db.deleteFrom('things').execute();
      await sql`select * from nowhere`.execute(db);
    },
  },
};

async function tableNames({ store }: Given): Promise<string[]> {
  const found = await store.db.introspection.getTables({ withInternalKyselyTables: true });
  return found.map((table) => table.name).toSorted();
}

async function columnsOfThings({ store }: Given): Promise<string[]> {
  const found = await store.db.introspection.getTables();
  return found.find((table) => table.name === 'things')?.columns.map((column) => column.name) ?? [];
}

export const migrations: ContractCase[] = [
  {
    name: 'a fresh database gets every migration, in the order of their names',
    async run({ store }) {
      const reversed = Object.fromEntries(Object.entries(more).toReversed());
      assert.deepEqual(await pendingMigrations(store, reversed), ['0001_tables', '0002_more']);
      assert.deepEqual(await migrate(store, reversed), ['0001_tables', '0002_more']);
      await store.db.insertInto('things').values({ id: 1 }).execute();
      assert.deepEqual(await idsIn(store), [1]);
    },
  },
  {
    name: 'looking for pending migrations changes nothing',
    async run(given) {
      await pendingMigrations(given.store, more);
      assert.deepEqual(await tableNames(given), []);
    },
  },
  {
    name: 'a second run does nothing, a new migration is all that runs',
    async run({ store }) {
      await migrate(store, tables);
      assert.deepEqual(await migrate(store, tables), []);
      assert.deepEqual(await pendingMigrations(store, more), ['0002_more']);
      assert.deepEqual(await migrate(store, more), ['0002_more']);
      assert.deepEqual(await pendingMigrations(store, more), []);
    },
  },
  {
    name: 'a failed migration leaves the state before all of them, and names itself',
    async run(given) {
      const { store } = given;
      await migrate(store, tables);
      await store.db.insertInto('things').values({ id: 1 }).execute();
      const before = await columnsOfThings(given);
      await assert.rejects(migrate(store, failing), (error) => {
        assert.ok(error instanceof OperatorError);
        assert.match(error.message, /^migration 0003_fails failed: .*nowhere/);
        assert.ok(error.cause);
        return true;
      });
      assert.deepEqual(await columnsOfThings(given), before);
      assert.ok(!(await tableNames(given)).includes('half'));
      assert.deepEqual(await idsIn(store), [1]);
      assert.deepEqual(await migrate(store, more), ['0002_more']);
    },
  },
  {
    name: 'a database made by a newer version is refused before anything changes',
    async run(given) {
      const { store } = given;
      await migrate(store, more);
      const other: Migrations = { ...tables, '0009_ours': { up: (db) => db.schema.dropTable('things').execute() } };
      const refused = (error: unknown) =>
        error instanceof OperatorError && /made by a newer version of stayd \(it has 0002_more\)/.test(error.message);
      const before = await tableNames(given);
      await assert.rejects(migrate(store, other), refused);
      await assert.rejects(pendingMigrations(store, other), refused);
      assert.deepEqual(await tableNames(given), before);
    },
  },
  {
    name: 'a migration that would come before an applied one is refused',
    async run({ store }) {
      const { '0001_tables': first, '0002_more': second } = more;
      assert.ok(first && second);
      await migrate(store, { '0001_tables': first, '0003_more': second });
      const nothing = { async up() {} };
      await assert.rejects(
        migrate(store, { '0001_tables': first, '0002_late': nothing, '0003_more': second }),
        /0002_late would come after 0003_more/,
      );
    },
  },
  {
    name: 'two that migrate at once apply each migration once',
    async run({ store }) {
      const applied = await Promise.all([migrate(store, more), migrate(store, more)]);
      assert.deepEqual(applied.flat().toSorted(), ['0001_tables', '0002_more']);
    },
  },
  {
    name: 'a table can be rebuilt under the rows that refer to it, but not leave them dangling',
    async run({ store }) {
      await migrate(store, tables);
      await store.db.insertInto('things').values({ id: 1 }).execute();
      await store.db.insertInto('owners').values({ id: 5, thing_id: 1 }).execute();
      // What each database makes of it differs; that the reference holds afterwards does not.
      const emptying: Migration = {
        async up(db) {
          await sql`delete from things`.execute(db);
        },
      };
      const emptied: Migrations = { ...tables, '0002_empty': emptying };
      await migrate(store, emptied).catch(() => []);
      const dangling = await store.db
        .selectFrom('owners')
        .leftJoin('things', 'things.id', 'owners.thing_id')
        .where('things.id', 'is', null)
        .select('owners.id')
        .execute();
      assert.deepEqual(dangling, []);
      await assert.rejects(store.db.insertInto('owners').values({ id: 6, thing_id: 99 }).execute());
    },
  },
];
