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

/**
 * Migrations by name. Missing ones are applied in the order of their names, even if later numbers ran before. Forward
 * only: `down` is never called.
 */
export type Migrations = Readonly<Record<string, Migration>>;

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
export async function migrate<DB>(
  store: Store<DB>,
  migrations: Migrations,
  statistics: StatisticsOptions = { skipScan: true },
): Promise<string[]> {
  return await store.db.connection().execute(async (db) => {
    const before = await appliedMigrations(store.kind, db);
    assertKnown(before, migrations);
    // Most starts find nothing to do, and kysely reads the list of tables several times before it knows that.
    if (before.length === namesOf(migrations).length && (store.kind !== 'sqlite' || (await hasPlannerStatistics(db)))) {
      return [];
    }
    await db.executeQuery(CompiledQuery.raw(limits[store.kind].lift));
    try {
      const migrator = await migratorOf(store.kind, db, migrations);
      const applied = appliedBy(await migrator.migrateToLatest());
      if (store.kind === 'sqlite' && (applied.length > 0 || !(await hasPlannerStatistics(db)))) {
        await seedPlannerStatistics(db, statistics);
      }
      return applied;
    } finally {
      const restore = CompiledQuery.raw(limits[store.kind].restore);
      // A migration that awaited something foreign has lost its connection by now, but not the setting.
      await db.executeQuery(restore).catch(() => store.db.executeQuery(restore));
    }
  });
}

/** Returns the names that {@link migrate} would apply; changes nothing. Throws for a newer database as it does. */
export async function pendingMigrations<DB>(store: Store<DB>, migrations: Migrations): Promise<string[]> {
  return await store.db.connection().execute(async (db) => {
    const applied = await appliedMigrations(store.kind, db);
    assertKnown(applied, migrations);
    return namesOf(migrations).filter((name) => !applied.includes(name));
  });
}

function namesOf(migrations: Migrations): string[] {
  return Object.keys(migrations).toSorted();
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

function assertKnown(applied: readonly string[], migrations: Migrations): void {
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length === 0) return;
  throw new OperatorError(
    `the database was made by a newer version of stayd (it has ${unknown.join(', ')})`,
    'Start that newer version, or restore the backup from before its first start.',
  );
}

async function migratorOf<DB>(kind: StoreKind, db: Kysely<DB>, migrations: Migrations): Promise<Migrator> {
  const schema = await schemaOf(kind, db);
  const entries = Object.entries(migrations).map(([name, migration]) => [name, checked(kind, migration)] as const);
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
