import assert from 'node:assert/strict';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { coreBridge } from '../../../migrations/bridge/core/index.ts';
import { mirrorBridge } from '../../../migrations/bridge/mirror/index.ts';
import { coreMigrations } from '../../../migrations/core/index.ts';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import { insertMany } from '../../../src/store/queries/insertMany.ts';
import { kindOf } from '../../../src/store/kind.ts';
import { migrate, type Migrations, type Steps } from '../../../src/store/migrate.ts';
import { openStore, type Store, type StoreLocation } from '../../../src/store/store.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { dataDirectory, type Row, startTestService, type TestService } from '../../support/service.ts';
import { ORDER } from '../../service/support/simulation.ts';
import { landed } from '../landed.ts';
import { noPast, type PastWords, pastWords } from './pastWords.ts';
import { formOf } from './schema.ts';

export type Half = 'core' | 'mirror';
type AnyStore = Store<Record<string, Row>>;
type Tables = Map<string, Row[]>;

export const HALVES: readonly Half[] = ['core', 'mirror'];
export const all: Record<Half, Migrations> = { core: coreMigrations, mirror: mirrorMigrations };
export const bridges: Record<Half, Steps> = { core: coreBridge, mirror: mirrorBridge };

/** What both halves had applied after each landing that a database can have begun at. */
const states = landed
  .map((landing, index) => ({ landing, core: appliedBy('core', index), mirror: appliedBy('mirror', index) }))
  .filter(({ core, mirror }) => core.length > 0 && mirror.length > 0);

function appliedBy(half: Half, index: number): string[] {
  const added = landed.slice(0, index + 1).flatMap((landing) => landing[half]?.adds ?? []);
  const own = added.filter((name) => Object.hasOwn(all[half].steps, name));
  return own.length > 0 ? own : added;
}

/** Returns the named migrations of a half, those of the bridge included, as the program had them that was of then. */
export function only(half: Half, names: readonly string[]): Migrations {
  const known = Object.entries({ ...bridges[half], ...all[half].steps });
  return { ...all[half], steps: Object.fromEntries(known.filter(([name]) => names.includes(name))) };
}

/** Databases that most people have. */
const RECENT = 8;
/** Among the older ones that are tried, after every so many a service is started: they come to today by the same steps. */
const EACH_SERVED = 3;

/**
 * Declares tests of states on both databases. On a third of them, and on all recent ones, the service is started.
 * @param each of the older states every so many are tried
 */
export function describeUpgrades(each: number): void {
  const filled: Record<Half, Tables> = { core: new Map(), mirror: new Map() };
  const dir = dataDirectory();
  let listed: unknown;

  before(async () => {
    const service = await startTestService({}, { dataDir: dir });
    await service.portal('POST', '/portal/sandbox/simulations', ORDER);
    await service.settled();
    await service.portal('POST', '/portal/reconcile', {});
    listed = await listedBy(service);
    await service.stop();
    for (const half of HALVES) {
      await withStore({ kind: 'sqlite', file: join(dir, `${half}.db`) }, async ({ db }) => {
        for (const { table } of await tablesOf(db)) {
          filled[half].set(table, (await sql<Row>`select * from ${sql.table(table)}`.execute(db)).rows);
        }
      });
    }
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  describe('on SQLite', () => {
    upgrades(async (dataDir, served) => ({
      at: (half) => ({ kind: 'sqlite', file: served ? join(dataDir, `${half}.db`) : ':memory:' }),
      environment: {},
    }));
  });

  describeOnPostgres('on PostgreSQL', () => {
    let server: TestPostgres;
    before(async () => {
      server = await startPostgres();
    });
    after(() => server.stop());

    upgrades(async () => {
      const url = await server.emptyDatabase();
      return {
        at: (half) => ({ kind: 'postgres', url, schema: half }),
        environment: { STAYD_DATABASE_URL: url },
      };
    });
  });

  interface Home {
    at(half: Half): StoreLocation;
    environment: Record<string, string>;
  }

  function upgrades(open: (dataDir: string, served: boolean) => Promise<Home>): void {
    /** Of databases that began today. */
    const today = new Map<Half, string[]>();
    before(async () => {
      await inDirectory(async (dataDir) => {
        const home = await open(dataDir, false);
        for (const half of HALVES) {
          await withStore(home.at(half), async (store) => {
            await migrate(store, all[half]);
            today.set(half, await formOf(store));
          });
        }
      });
    });

    states.forEach((state, index) => {
      const last = HALVES.map((half) => `${half} ${state[half].at(-1)}`).join(', ');
      // A start takes its time, and a comparison of everything more.
      const thorough = [0, states.length - 2].includes(index);
      const isRecent = index >= states.length - RECENT;
      if (!thorough && !isRecent && index % each !== 0) return;
      const served = thorough || isRecent || index % (each * EACH_SERVED) === 0;
      test(`state ${index + 1} (${last}) comes to today's with all it holds${served ? ', and is served' : ''}`, async () => {
        await inDirectory(async (dataDir) => {
          const home = await open(dataDir, served);
          for (const half of HALVES) {
            // A half that did not change was tried with the state before, if all are tried.
            if (!served && each === 1 && state.landing[half] === undefined) continue;
            await withStore(home.at(half), async (store) => {
              await comesToToday(store, half, state[half]);
              assert.deepEqual(await formOf(store), today.get(half));
            });
          }
          if (served) await isServed(dataDir, home.environment, thorough);
        });
      });
    });
  }

  async function comesToToday(store: AnyStore, half: Half, names: readonly string[]): Promise<void> {
    await migrate(store, only(half, names));
    const past = wordsAt(half, names);
    await fill(store, filled[half], past);
    const before = await contentOf(store);
    const missing = Object.keys(all[half].steps).filter((name) => !names.includes(name));
    assert.deepEqual(await migrate(store, all[half]), missing.toSorted());
    for (const [table, { columns, rows }] of before) {
      const columnsToday = columns.map((column) => past.columnToday(table, column));
      const rowsToday = rows.map((row) => JSON.stringify(past.rowToday(table, JSON.parse(row) as Row))).toSorted();
      assert.deepEqual(await rowsIn(store, past.tableToday(table), columnsToday), rowsToday, `${half} ${table}`);
    }
  }

  async function isServed(dataDir: string, environment: Record<string, string>, compared: boolean): Promise<void> {
    for (const name of readdirSync(dir)) {
      if (!/\.(db|lock)/.test(name)) cpSync(join(dir, name), join(dataDir, name), { recursive: true });
    }
    const service = await startTestService(environment, { dataDir });
    try {
      await service.settled();
      assert.deepEqual(await listedBy(service), listed);
      if (!compared) return;
      await service.portal('POST', '/portal/reconcile', {});
      const report = await service.portal('POST', '/portal/verify', {});
      assert.equal(report.clean, true, JSON.stringify(report.resources));
    } finally {
      await service.stop();
    }
  }
}

/** Codes of bookings, as v3 and the mirror know them. */
async function listedBy(service: TestService): Promise<unknown> {
  const { reservations, total } = await service.v3('GET', '/reservations?limit=100');
  assert.ok(total > 0);
  const mirrored = await service.rows('select reservation_code from mirror.reservations order by 1');
  return { listed: reservations.map((one: Row) => one['reservation_code']), mirrored };
}

/** Returns the words of a half that has applied these names. */
function wordsAt(half: Half, names: readonly string[]): PastWords {
  const past = pastWords[half];
  const isPast = names.every((name) => Object.hasOwn(bridges[half], name)) && !names.includes(past.until);
  return isPast ? past : noPast;
}

/** Puts rows of today into tables of the past, as far as those have tables and columns for them. */
async function fill(store: AnyStore, rowsOfToday: Tables, past: PastWords): Promise<void> {
  await store.transaction(async (trx) => {
    // Tables come in the order of their names.
    const inAnyOrder = {
      sqlite: 'pragma defer_foreign_keys = on',
      postgres: 'set local session_replication_role = replica',
    };
    await sql.raw(inAnyOrder[kindOf(trx)]).execute(trx);
    for (const { table, columns } of await tablesOf(trx)) {
      const rows = (rowsOfToday.get(past.tableToday(table)) ?? []).map((row) => past.rowOfThen(table, row, columns));
      await sql`delete from ${sql.table(table)}`.execute(trx);
      await insertMany(trx, table, rows);
    }
    if (kindOf(trx) === 'sqlite') return;
    for (const { name, value } of rowsOfToday.get('sequences') ?? []) {
      const sequence = `${String(name)}_sequence`;
      await sql`select setval(oid::regclass, ${Math.max(1, Number(value))}) from pg_class
        where relname = ${sequence} and relnamespace = current_schema()::regnamespace`.execute(trx);
    }
  });
}

type Content = Map<string, { columns: string[]; rows: string[] }>;

async function contentOf(store: AnyStore): Promise<Content> {
  const content: Content = new Map();
  for (const { table, columns } of await tablesOf(store.db)) {
    content.set(table, { columns, rows: await rowsIn(store, table, columns) });
  }
  return content;
}

async function rowsIn({ db }: AnyStore, table: string, columns: readonly string[]): Promise<string[]> {
  const { rows } =
    await sql<Row>`select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}`.execute(db);
  // A migration makes raw rows look unlike what is read next, so that they are written again.
  return rows
    .map((row) => JSON.stringify({ ...row, ...('raw' in row && { raw: String(row['raw']).trimEnd() }) }))
    .toSorted();
}

/** A calendar, whose rows a migration writes. */
const WRITTEN = 'dates';

/** Tables that we fill: neither views nor what a database keeps for itself. */
async function tablesOf(db: AnyStore['db']): Promise<{ table: string; columns: string[] }[]> {
  const found = await db.introspection.getTables();
  const own = await currentSchema(db);
  return found
    .filter(({ name, schema, isView }) => schema === own && !isView && name !== WRITTEN && !/_words($|_)/.test(name))
    .map(({ name, columns }) => ({ table: name, columns: columns.map((column) => column.name) }));
}

async function currentSchema(db: AnyStore['db']): Promise<string | undefined> {
  if (kindOf(db) === 'sqlite') return undefined;
  return (await sql<{ name: string }>`select current_schema() as name`.execute(db)).rows[0]?.name;
}

export async function withStore(location: StoreLocation, work: (store: AnyStore) => Promise<void>): Promise<void> {
  const store: AnyStore = await openStore(location);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

async function inDirectory(work: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = dataDirectory();
  try {
    await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
