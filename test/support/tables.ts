import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';

const HALVES = ['core', 'mirror'];

export type Row = Record<string, unknown>;

/** Where the tables of a service are: in PostgreSQL, or else in files of its data directory. */
export interface Place {
  dataDir: string;
  databaseUrl: string | null;
}

interface Opened {
  database: Database.Database;
  /** Which files those were; a service may have put others in their place since. */
  files: string;
}

/** Data directories whose files stay open between two questions, with those that are open. */
const kept = new Map<string, Opened | undefined>();

/**
 * Keeps the files of a place open from one question to the next: opening them costs a hundred times what most
 * questions do. @returns lets go of them, which must happen before anything else is done to the files
 */
export function keepOpen({ dataDir }: Place): () => void {
  if (kept.has(dataDir)) return () => {};
  kept.set(dataDir, undefined);
  return () => {
    kept.get(dataDir)?.database.close();
    kept.delete(dataDir);
  };
}

/** The rows of a question to both databases at once, whichever kind they are. */
export async function rowsOf({ dataDir, databaseUrl }: Place, sql: string): Promise<Row[]> {
  if (databaseUrl !== null) return postgresRows(databaseUrl, sql);
  return withBoth(dataDir, (database) => database.prepare<[], Row>(sql).all());
}

export async function runSql({ dataDir, databaseUrl }: Place, sql: string): Promise<void> {
  if (databaseUrl !== null) return void (await postgresRows(databaseUrl, sql));
  withBoth(dataDir, (database) => database.exec(sql));
}

function withBoth<T>(dataDir: string, work: (database: Database.Database) => T): T {
  if (kept.has(dataDir)) return work(stillOpen(dataDir));
  const database = openBoth(dataDir);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function stillOpen(dataDir: string): Database.Database {
  const files = HALVES.map((half) => statSync(join(dataDir, `${half}.db`), { throwIfNoEntry: false })?.ino).join();
  const before = kept.get(dataDir);
  if (before?.files === files) return before.database;
  before?.database.close();
  kept.set(dataDir, undefined);
  const database = openBoth(dataDir);
  kept.set(dataDir, { database, files });
  return database;
}

function openBoth(dataDir: string): Database.Database {
  const database = new Database(':memory:');
  for (const half of HALVES) {
    database.prepare('attach ? as ?').run(join(dataDir, `${half}.db`), half);
  }
  return database;
}

async function postgresRows(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: url,
    // Counts and 64-bit integers, which would be texts.
    types: { getTypeParser: (id) => ([20, 21, 23, 1700].includes(Number(id)) ? Number : String) },
  });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
