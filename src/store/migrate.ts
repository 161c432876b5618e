import {
  CompiledQuery,
  type Kysely,
  type Migration,
  type MigrationResultSet,
  Migrator,
  type RawBuilder,
  sql,
} from 'kysely';
import { messageOf, OperatorError } from '../kernel/errors.ts';
import type { StoreKind } from './kind.ts';
import { hasPlannerStatistics, seedPlannerStatistics, type StatisticsOptions } from './sqlite/plannerStatistics.ts';
import type { Store } from './store.ts';

/** Migrations by name. Missing ones are applied in the order of their names. Forward only: `down` is never called. */
export type Steps = Readonly<Record<string, Migration>>;

/** The migrations of one half. */
export interface Migrations {
  /** The first makes an empty database; each later one changes it. */
  readonly steps: Steps;
  /**
   * What databases went through before the first step was written. Such a database goes through those of them that it
   * lacks, which leads to what the first step makes, and has applied that step from then on. Loaded when it is needed.
   */
  readonly bridge?: () => Promise<Steps>;
  /** How SQLite is to plan queries of this half. */
  readonly statistics?: StatisticsOptions;
}

/** Views that stand on tables of a half and follow each change of its schema, in the same transaction. */
export interface Dependents {
  /** Runs before the first missing step, so that no view holds a table or a column back. */
  detach(db: Kysely<unknown>): Promise<void>;
  /** Runs after the last one. */
  attach(db: Kysely<unknown>): Promise<void>;
}

/** kysely's own name for it. */
const APPLIED_TABLE = 'kysely_migration';

/** Settings that obstruct a migration, and their restoration. */
const limits: Record<StoreKind, { lift: string; restore: string }> = {
  // Rebuilding a table (create, copy, drop, rename) would cascade its deletion to the rows that refer to it. The switch
  // is impossible inside a transaction. `checked` verifies the result of a migration.
  sqlite: { lift: 'pragma foreign_keys = off', restore: 'pragma foreign_keys = on' },
  // An index on a large table takes its time, and so may another process that is migrating.
  postgres: { lift: 'set statement_timeout = 0', restore: 'reset statement_timeout' },
};

/**
 * Migrates the database to this version and returns the applied names. All are one transaction: if one fails, none is
 * applied. Throws OperatorError if one fails, and, before any change, if a newer version of this program made the
 * database. Concurrent calls in several processes wait for each other.
 */
export async function migrate<DB>(store: Store<DB>, migrations: Migrations, views?: Dependents): Promise<string[]> {
  const applied = await appliedMigrations(store.kind, store.db);
  const distance = await distanceOf(applied, migrations);
  assertKnown(distance);
  // Most starts find nothing to do, and kysely reads the list of tables several times before it knows that.
  const isPlanned = store.kind !== 'sqlite' || (await hasPlannerStatistics(store.db));
  if (distance.missing.length === 0 && isPlanned) return [];
  const steps = enclosed(bridged(migrations.steps, distance.bridge, applied), distance.missing, views);
  const added = await applyMissing(store, migrations, steps);
  // The names are read without the lock, so another process may have crossed the bridge since.
  return added ?? (await migrate(store, migrations, views));
}

/** Detaches the views before the first missing step and attaches them after the last. */
function enclosed(steps: Steps, missing: readonly string[], views: Dependents | undefined): Steps {
  const [first] = missing;
  const last = missing.at(-1);
  if (!views || first === undefined || last === undefined) return steps;
  const within = (name: string): Migration => ({
    async up(db) {
      if (name === first) await views.detach(db);
      await steps[name]?.up(db);
      if (name === last) await views.attach(db);
    },
  });
  return { ...steps, [first]: within(first), [last]: within(last) };
}

/** Returns undefined, having changed nothing, if another process has crossed the bridge meanwhile. */
async function applyMissing<DB>(
  store: Store<DB>,
  { statistics = { skipScan: true } }: Migrations,
  steps: Steps,
): Promise<string[] | undefined> {
  return await store.db.connection().execute(async (db) => {
    await db.executeQuery(CompiledQuery.raw(limits[store.kind].lift));
    try {
      const migrator = await migratorOf(store.kind, db, steps);
      const result = await migrator.migrateToLatest();
      if (result.error instanceof BridgeCrossed) return undefined;
      const added = appliedBy(result);
      if (store.kind === 'sqlite' && (added.length > 0 || !(await hasPlannerStatistics(db)))) {
        await seedPlannerStatistics(db, statistics);
      }
      return added;
    } finally {
      const restore = CompiledQuery.raw(limits[store.kind].restore);
      // A migration that awaited something foreign has lost its connection by now, but not the setting.
      await db.executeQuery(restore).catch(() => store.db.executeQuery(restore));
    }
  });
}

class BridgeCrossed extends Error {}

/** How far a database is from this version. */
interface Distance {
  /** Names of steps that are not applied yet. */
  readonly missing: readonly string[];
  /** Names of applied migrations that this version does not know, since a newer one made the database. */
  readonly unknown: readonly string[];
  /** The way of a database that was made before the first step. */
  readonly bridge: Steps;
}

/** Returns how far a database that has applied these names is from this version. */
export async function distanceOf(applied: readonly string[], { steps, bridge }: Migrations): Promise<Distance> {
  const others = applied.filter((name) => !Object.hasOwn(steps, name));
  const before = others.length > 0 && bridge ? await bridge() : {};
  return {
    missing: namesOf(steps).filter((name) => !applied.includes(name)),
    unknown: others.filter((name) => !Object.hasOwn(before, name)),
    bridge: before,
  };
}

function namesOf(steps: Steps): string[] {
  return Object.keys(steps).toSorted();
}

/**
 * Returns true if any migration was ever applied. The other half of stayd may have its table in a neighbouring schema.
 */
const hasApplied: Record<StoreKind, RawBuilder<unknown>> = {
  sqlite: sql`select 1 from sqlite_schema where type = 'table' and name = ${APPLIED_TABLE}`,
  postgres: sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${APPLIED_TABLE}`,
};

async function appliedMigrations<DB>(kind: StoreKind, db: Kysely<DB>): Promise<string[]> {
  if ((await hasApplied[kind].execute(db)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(APPLIED_TABLE)}`.execute(db);
  return rows.map((row) => row.name).toSorted();
}

async function schemaOf<DB>(kind: StoreKind, db: Kysely<DB>): Promise<string | undefined> {
  if (kind === 'sqlite') return undefined;
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
  return rows[0]?.name;
}

function assertKnown({ unknown }: Distance): void {
  if (unknown.length === 0) return;
  throw new OperatorError(
    `the database was made by a newer version of stayd (it has ${unknown.join(', ')})`,
    'Start that newer version, or restore the backup from before its first start.',
  );
}

/** Returns the steps, the first of which crosses the bridge if the database has begun there. */
function bridged(steps: Steps, bridge: Steps, applied: readonly string[]): Steps {
  const crossed = namesOf(bridge).filter((name) => applied.includes(name));
  const [first] = namesOf(steps);
  if (crossed.length === 0 || first === undefined) return steps;
  const left = namesOf(bridge).filter((name) => !crossed.includes(name));
  const cross: Migration = {
    async up(db) {
      for (const name of left) {
        await bridge[name]?.up(db).catch((error: unknown) => {
          throw new Error(`${name}: ${messageOf(error)}`, { cause: error });
        });
      }
      await sql`delete from ${sql.table(APPLIED_TABLE)} where name in (${sql.join(namesOf(bridge))})`.execute(db);
    },
  };
  // kysely refuses applied names that it is not given. It runs them only if they are not there any more.
  const gone: Migration = {
    async up() {
      throw new BridgeCrossed();
    },
  };
  return { ...Object.fromEntries(crossed.map((name) => [name, gone])), ...steps, [first]: cross };
}

async function migratorOf<DB>(kind: StoreKind, db: Kysely<DB>, steps: Steps): Promise<Migrator> {
  const schema = await schemaOf(kind, db);
  const entries = Object.entries(steps).map(([name, step]) => [name, checked(kind, step)] as const);
  return new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(entries) },
    // Branches land in another order than their numbers, so a missing migration may have a lower number than an applied
    // one.
    allowUnorderedMigrations: true,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  });
}

function checked(kind: StoreKind, migration: Migration): Migration {
  if (kind !== 'sqlite') return migration;
  return {
    async up(db) {
      await migration.up(db);
      const { rows } = await sql<{ table: string }>`select "table" from pragma_foreign_key_check limit 1`.execute(db);
      if (rows[0]) throw new Error(`it leaves rows in ${rows[0].table} that refer to rows which are gone`);
    },
  };
}

function appliedBy({ error, results = [] }: MigrationResultSet): string[] {
  if (error === undefined) return results.map((result) => result.migrationName);
  const failed = results.find((result) => result.status === 'Error');
  throw new OperatorError(
    `migration ${failed?.migrationName ?? 'of the database'} failed: ${messageOf(error)}`,
    'Nothing was changed. Keep the earlier version of stayd running, and report this.',
    error,
  );
}
