import { existsSync } from 'node:fs';
import type { Kysely } from 'kysely';
import { coreMigrations } from '../../../migrations/core/index.ts';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import type { Config } from '../../config.ts';
import type { CoreDb } from '../../core/database.ts';
import { messageOf } from '../../kernel/errors.ts';
import { distanceOf } from '../../store/migrate.ts';
import { checkIntegrity } from '../../store/sqlite/integrity.ts';
import { readRows } from '../../store/queries/readRows.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import { knownKeyId } from '../privacy/privateFiles.ts';
import { locationOf } from '../stores/stores.ts';
import { type Finding, note, ok, problem } from './finding.ts';
import { lookAtWal } from './machine.ts';

type Half = 'core' | 'mirror';
const migrations = { core: coreMigrations, mirror: mirrorMigrations };

/** Checks the database files on the disk. @returns the findings, and the halves that can be queried */
export async function lookAtDatabases(config: Config): Promise<{ findings: Finding[]; readable: Set<Half> }> {
  const findings: Finding[] = [];
  const readable = new Set<Half>();
  for (const half of ['core', 'mirror'] as const) {
    const found = await lookAt(config, half);
    findings.push(...found);
    if (!found.some((one) => one.state === 'problem' || one.check === 'database')) readable.add(half);
  }
  if (readable.size === 2) findings.push(await secretKey(config));
  return { findings, readable };
}

async function lookAt(config: Config, half: Half): Promise<Finding[]> {
  const location = locationOf(config, half);
  if (location.kind === 'sqlite') {
    const { file } = location;
    if (!existsSync(file)) return [note('database', `${file} is not there yet`, './stayd start makes it')];
    const [damage] = checkIntegrity(file);
    if (damage !== undefined) return [problem('integrity', `${file} is damaged: ${damage}`, afterDamage(half))];
    return [ok('integrity', `${file} is sound`), lookAtWal(file), await version(config, half)];
  }
  return [await version(config, half)];
}

function afterDamage(half: Half): string {
  return half === 'mirror'
    ? 'start stayd: it moves the file away and reads everything again'
    : 'move the data directory away and bring back the last backup: ./stayd restore FILE';
}

async function version(config: Config, half: Half): Promise<Finding> {
  const check = 'version';
  try {
    const names = (await readRows(locationOf(config, half), applied)).map(({ name }) => name);
    const { missing, unknown } = await distanceOf(names, migrations[half]);
    if (unknown.length > 0) {
      const remedy = 'start that newer version, or restore the backup from before its first start';
      return problem(check, `the ${half} was made by a newer version of stayd (${unknown.join(', ')})`, remedy);
    }
    return missing.length > 0
      ? note(check, `the ${half} is ${missing.length} migrations behind`, './stayd start brings it to this version')
      : ok(check, `the ${half} is of this version`);
  } catch (error) {
    return problem(check, `the ${half} cannot be read: ${messageOf(error)}`, 'check database_url, or ./stayd start');
  }
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
