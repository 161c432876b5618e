import assert from 'node:assert/strict';
import { type Migration, sql } from 'kysely';
import { OperatorError } from '../../../src/kernel/errors.ts';
import { migrate, type Migrations, type Steps } from '../../../src/store/migrate.ts';
import { andThen, type ContractCase, type Given, idsIn, tables } from './given.ts';

const moreSteps: Steps = {
  ...tables.steps,
  '0002_more': {
    async up(db) {
      await db.schema.alterTable('things').addColumn('extra', 'text').execute();
    },
  },
};

const more: Migrations = { steps: moreSteps };

const failing: Migrations = {
  steps: {
    ...moreSteps,
    '0003_fails': {
      async up(db) {
        await db.schema.createTable('half').addColumn('id', 'bigint').execute();
        await db.deleteFrom('things').execute();
        await sql`select * from nowhere`.execute(db);
      },
    },
  },
};

const adding = moreSteps['0002_more'] ?? assert.fail();

/** What databases went through before `0001_start` was written. */
const old: Steps = { '0001_old': tables.steps['0001_tables'], '0002_old': adding };

const onward: Migrations = {
  steps: {
    '0001_start': {
      async up(db) {
        await tables.steps['0001_tables'].up(db);
        await adding.up(db);
      },
    },
    '0002_next': {
      async up(db) {
        await sql`update things set extra = 'next'`.execute(db);
      },
    },
  },
  bridge: async () => old,
};

async function namesApplied({ db }: Given['store']): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

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
      const reversed = { steps: Object.fromEntries(Object.entries(moreSteps).toReversed()) };
      assert.deepEqual(await migrate(store, reversed), ['0001_tables', '0002_more']);
      await store.db.insertInto('things').values({ id: 1 }).execute();
      assert.deepEqual(await idsIn(store), [1]);
    },
  },
  {
    name: 'a second run does nothing, a new migration is all that runs',
    async run({ store }) {
      await migrate(store, tables);
      assert.deepEqual(await migrate(store, tables), []);
      assert.deepEqual(await migrate(store, more), ['0002_more']);
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
      const other = andThen({ '0009_ours': { up: (db) => db.schema.dropTable('things').execute() } });
      const refused = (error: unknown) =>
        error instanceof OperatorError && /made by a newer version of stayd \(it has 0002_more\)/.test(error.message);
      const before = await tableNames(given);
      await assert.rejects(migrate(store, other), refused);
      assert.deepEqual(await tableNames(given), before);
    },
  },
  {
    name: 'migrations that landed late, below applied ones, are applied, in the order of their names',
    async run({ store }) {
      const { '0001_tables': first, '0002_more': second } = moreSteps;
      assert.ok(first && second);
      await migrate(store, { steps: { '0001_tables': first, '0005_more': second } });
      await store.db.insertInto('things').values({ id: 1 }).execute();
      const ran: string[] = [];
      const noting = (name: string): Steps => ({ [name]: { up: async () => void ran.push(name) } });
      const late = { ...noting('0006_next'), ...noting('0004_late'), ...noting('0002_late') };
      const all: Migrations = { steps: { '0001_tables': first, ...late, '0005_more': second } };
      const missing = ['0002_late', '0004_late', '0006_next'];
      assert.deepEqual(await migrate(store, all), missing);
      assert.deepEqual(ran, missing);
      assert.deepEqual(await idsIn(store), [1]);
      assert.deepEqual(await migrate(store, all), []);
    },
  },
  {
    name: 'one that landed late and fails leaves the state before it, and runs when it is mended',
    async run(given) {
      const { store } = given;
      const { '0001_tables': first, '0002_more': second } = moreSteps;
      assert.ok(first && second);
      const before: Steps = { '0001_tables': first, '0003_more': second };
      await migrate(store, { steps: before });
      const columns = await columnsOfThings(given);
      const late = (up: Migration['up']): Migrations => ({ steps: { ...before, '0002_late': { up } } });
      await assert.rejects(
        migrate(
          store,
          late(async (db) => {
            await db.schema.alterTable('things').dropColumn('extra').execute();
            throw new Error('halfway');
          }),
        ),
        /migration 0002_late failed: halfway/,
      );
      assert.deepEqual(await columnsOfThings(given), columns);
      assert.deepEqual(
        await migrate(
          store,
          late(async () => {}),
        ),
        ['0002_late'],
      );
    },
  },
  {
    name: 'a database from before the first step goes through what it lacks of the bridge, and has that step from then on',
    async run({ store }) {
      await migrate(store, { steps: { '0001_old': tables.steps['0001_tables'] } });
      await store.db.insertInto('things').values({ id: 1 }).execute();
      assert.deepEqual(await migrate(store, onward), ['0001_start', '0002_next']);
      assert.deepEqual(await namesApplied(store), ['0001_start', '0002_next']);
      assert.deepEqual(await idsIn(store), [1]);
      assert.deepEqual(await migrate(store, onward), []);
    },
  },
  {
    name: 'an empty database begins with the first step, and never loads the bridge',
    async run({ store }) {
      const bridge = (): never => assert.fail('loaded');
      assert.deepEqual(await migrate(store, { ...onward, bridge }), ['0001_start', '0002_next']);
      assert.deepEqual(await migrate(store, { ...onward, bridge }), []);
    },
  },
  {
    name: 'a bridge that breaks leaves the database where it was, and names what broke',
    async run(given) {
      const { store } = given;
      await migrate(store, { steps: { '0001_old': tables.steps['0001_tables'] } });
      const before = await columnsOfThings(given);
      const broken: Migration = { up: async (db) => void (await sql`select * from nowhere`.execute(db)) };
      const bridge = async (): Promise<Steps> => ({ ...old, '0003_broken': broken });
      await assert.rejects(
        migrate(store, { ...onward, bridge }),
        /migration 0001_start failed: 0003_broken: .*nowhere/,
      );
      assert.deepEqual(await columnsOfThings(given), before);
      assert.deepEqual(await namesApplied(store), ['0001_old']);
      await migrate(store, onward);
    },
  },
  {
    name: 'two that cross the bridge at once cross it once',
    async run({ store }) {
      await migrate(store, { steps: { '0001_old': tables.steps['0001_tables'] } });
      const applied = await Promise.all([migrate(store, onward), migrate(store, onward)]);
      assert.deepEqual(applied.flat().toSorted(), ['0001_start', '0002_next']);
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
      await migrate(store, andThen({ '0002_empty': emptying })).catch(() => []);
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
