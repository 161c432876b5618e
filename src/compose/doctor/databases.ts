import { existsSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { coreMigrations } from '../../../migrations/core/index.ts';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import type { Config } from '../../config.ts';
import type { CoreDb } from '../../core/database.ts';
import { messageOf } from '../../kernel/errors.ts';
import { distanceOf, migrate } from '../../store/migrate.ts';
import { checkIntegrity } from '../../store/sqlite/integrity.ts';
import { readRows } from '../../store/queries/readRows.ts';
import { openStore } from '../../store/store.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import { knownKeyId } from '../privacy/privateFiles.ts';
import { locationOf } from '../stores/stores.ts';
import { type Finding, note, ok, problem } from './finding.ts';
import { lookAtWal } from './machine.ts';

/** A part that is lost closes the file for nobody: what asks for other parts is looked at. */
const SCHEMA = 'schema';
const VERSION = 'version';

type Half = 'core' | 'mirror';
const migrations = { core: coreMigrations, mirror: mirrorMigrations };

/** What the checks of the database files have found. */
interface LookedAt {
  findings: Finding[];
  /** The halves that can be queried. */
  readable: Set<Half>;
  /** The halves that have the tables of this version. */
  current: Set<Half>;
}

/** Checks the database files on the disk. */
export async function lookAtDatabases(config: Config): Promise<LookedAt> {
  const findings: Finding[] = [];
  const readable = new Set<Half>();
  const current = new Set<Half>();
  for (const half of ['core', 'mirror'] as const) {
    const found = await lookAt(config, half);
    findings.push(...found);
    const isClosed = found.some(
      ({ state, check }) => check === 'database' || (state === 'problem' && check !== SCHEMA),
    );
    if (!isClosed) readable.add(half);
    if (!isClosed && found.some(({ check, state }) => check === VERSION && state === 'ok')) current.add(half);
  }
  if (readable.size === 2) findings.push(await secretKey(config));
  return { findings, readable, current };
}

async function lookAt(config: Config, half: Half): Promise<Finding[]> {
  const location = locationOf(config, half);
  if (location.kind === 'sqlite') {
    const { file } = location;
    if (!existsSync(file)) return [note('database', `${file} is not there yet`, './stayd start makes it')];
    const [damage] = checkIntegrity(file);
    if (damage !== undefined) return [problem('integrity', `${file} is damaged: ${damage}`, afterDamage(half))];
    const found = await version(config, half);
    const parts = found.state === 'ok' ? [await whole(config, half, file)] : [];
    return [ok('integrity', `${file} is sound`), lookAtWal(file), found, ...parts];
  }
  return [await version(config, half)];
}

function afterDamage(half: Half): string {
  return half === 'mirror'
    ? 'start stayd: it moves the file away and reads everything again'
    : 'move the data directory away and bring back the last backup: ./stayd restore FILE';
}

async function version(config: Config, half: Half): Promise<Finding> {
  try {
    const names = (await readRows(locationOf(config, half), applied)).map(({ name }) => name);
    const { missing, unknown } = await distanceOf(names, migrations[half]);
    if (unknown.length > 0) {
      const remedy = 'start that newer version, or restore the backup from before its first start';
      return problem(VERSION, `the ${half} was made by a newer version of stayd (${unknown.join(', ')})`, remedy);
    }
    return missing.length > 0
      ? note(VERSION, `the ${half} is ${missing.length} migrations behind`, './stayd start brings it to this version')
      : ok(VERSION, `the ${half} is of this version`);
  } catch (error) {
    return problem(VERSION, `the ${half} cannot be read: ${messageOf(error)}`, 'check database_url, or ./stayd start');
  }
}

/** Compares what the file has with what the migrations make: a sound file of this version may have been changed by hand. */
async function whole(config: Config, half: Half, file: string): Promise<Finding> {
  const fresh = await openStore<unknown>({ kind: 'sqlite', file: ':memory:' });
  try {
    await migrate(fresh, migrations[half]);
    const there = new Set((await readRows(locationOf(config, half), schemaParts)).map(({ part }) => part));
    const lost = (await schemaParts(fresh.db)).map(({ part }) => part).filter((part) => !there.has(part));
    if (lost.length === 0) return ok(SCHEMA, `${file} has every table, index and view of this version`);
    return problem(
      SCHEMA,
      `${file} lacks what something else must have removed: ${lost.join(', ')}`,
      'bring back the last backup: ./stayd restore FILE',
    );
  } finally {
    await fresh.close();
  }
}

/** Kinds and names of what a database consists of, such as `view v1_house`. */
async function schemaParts(db: Kysely<unknown>): Promise<{ part: string }[]> {
  const { rows } = await sql<{ part: string }>`
    select type || ' ' || name as part from sqlite_schema where name not like 'sqlite\\_%' escape '\\' order by 1`.execute(
    db,
  );
  return rows;
}

function applied(db: Kysely<{ kysely_migration: { name: string } }>): Promise<{ name: string }[]> {
  return db.selectFrom('kysely_migration').select('name').execute();
}

function ofWebhooks(db: CoreDb): Promise<{ text: string | null }[]> {
  return db.selectFrom('webhooks').select('secret as text').execute();
}

function ofConnections(db: MirrorDb): Promise<{ text: string | null }[]> {
  return db.selectFrom('connections').select('webhook_secret as text').execute();
}

/** Sealed texts begin with the id of their key. */
const SEALED_BY = /^v1\.([0-9a-f]{8})\./;

async function secretKey(config: Config): Promise<Finding> {
  const check = 'secret key';
  const sealed = [
    ...(await readRows(locationOf(config, 'core'), ofWebhooks)),
    ...(await readRows(locationOf(config, 'mirror'), ofConnections)),
  ];
  const ids = new Set(sealed.flatMap(({ text }) => SEALED_BY.exec(text ?? '')?.[1] ?? []));
  const known = knownKeyId(config.data_dir, config.secret_key);
  const other = [...ids].filter((id) => id !== known);
  if (other.length === 0) return ok(check, 'the stored secrets open with the key that is here');
  return problem(
    check,
    `stored secrets were sealed with the key ${other.join(', ')}; here is ${known ?? 'none'}`,
    'bring that key back as secret.key in the data directory, or as STAYD_SECRET_KEY',
  );
}
