import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readSync,
  openSync,
  closeSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { coreMigrations } from '../../../migrations/core/index.ts';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import type { Config } from '../../config.ts';
import { holdAutomations } from '../../core/accounts/table.ts';
import type { CoreDatabase } from '../../core/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { messageOf, OperatorError, UsageError } from '../../kernel/errors.ts';
import { checkIntegrity } from '../../store/integrity.ts';
import { lockDataDir } from '../../store/lock.ts';
import { migrate } from '../../store/migrate.ts';
import { OWNER_ONLY_FILE } from '../../store/privateFile.ts';
import { openStore } from '../../store/store.ts';
import { disarmAutomations } from '../../sync/connectionFacts.ts';
import type { Mirror } from '../../sync/database.ts';
import { knownKeyId } from '../privateFiles.ts';
import { flush } from './backup.ts';
import { type Half, halves, MANIFEST, type Manifest, readManifest } from './manifest.ts';
import { pgRestore } from './postgres.ts';
import { readTar, type TarFile } from './tar.ts';

/** Whether the key that the backup's secrets are sealed with is in place. */
export type KeyState = 'present' | 'missing' | 'other' | 'not needed';

export interface RestoreReport {
  data_dir: string;
  manifest: Manifest;
  secret_key: KeyState;
}

/**
 * Brings a backup into a data directory that holds no databases. They take their places only when all of them was
 * found right, so that a restore that is stopped leaves nothing that could be started. Automations of the mirror do
 * not act afterwards until a person arms them: what was sent after the backup is not known any more.
 */
export async function restore(config: Config, file: string, { clock }: { clock: Clock }): Promise<RestoreReport> {
  if (config.database_url !== null) throw pgRestore(config.database_url, file);
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  const { data_dir: dir } = config;
  requireEmpty(dir);
  const lock = lockDataDir(dir);
  try {
    requireEmpty(dir);
    const manifest = await unpack(file, dir);
    for (const half of halves) requireSound(dir, half);
    await settle(dir, manifest, clock);
    for (const half of halves) renameSync(waiting(dir, half), join(dir, `${half}.db`));
    await flush(dir);
    return { data_dir: dir, manifest, secret_key: keyState(config, manifest) };
  } finally {
    for (const half of halves) remove(waiting(dir, half));
    lock.release();
  }
}

function requireEmpty(dir: string): void {
  const found = halves.map((half) => join(dir, `${half}.db`)).find((one) => existsSync(one));
  if (found === undefined) return;
  throw new UsageError(
    `${found} is there already`,
    'a backup is restored into an empty data directory: move the old one away, or name another by STAYD_DATA_DIR',
  );
}

/** Where a half stands until all is well; no start looks there. */
function waiting(dir: string, half: Half): string {
  return join(dir, `restoring-${half}.db`);
}

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

async function unpack(file: string, dir: string): Promise<Manifest> {
  const found = new Map<string, { bytes: number; sha256: string }>();
  let manifest: Manifest | undefined;
  try {
    for await (const entry of readTar(plain(file))) {
      const half = halves.find((one) => entry.name === `${one}.db`);
      if (half) found.set(entry.name, await write(entry, waiting(dir, half)));
      else if (entry.name === MANIFEST) manifest = readManifest(await textOf(entry));
      else throw new Error(`it holds ${entry.name}, which is not of ours`);
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} is no whole backup: ${messageOf(error)}`, 'take another one', error);
  }
  for (const half of halves) {
    const name = `${half}.db` as const;
    const [wanted, got] = [manifest?.files[name], found.get(name)];
    if (!wanted || wanted.bytes !== got?.bytes || wanted.sha256 !== got.sha256) {
      throw new OperatorError(`${file} is no whole backup: ${name} is not what was written`, 'take another one');
    }
  }
  if (!manifest) throw new OperatorError(`${file} is no whole backup: its end is missing`, 'take another one');
  return manifest;
}

const GZIP = 0x1f8b;

function plain(file: string): AsyncIterable<Buffer> {
  const start = Buffer.alloc(2);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, start);
  closeSync(descriptor);
  const stream = createReadStream(file);
  return start.readUInt16BE() === GZIP ? stream.pipe(createGunzip()) : stream;
}

async function write(entry: TarFile, target: string): Promise<{ bytes: number; sha256: string }> {
  remove(target);
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const chunk of entry.content) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(Readable.from(hashed()), createWriteStream(target, { mode: OWNER_ONLY_FILE, flush: true }));
  return { bytes: entry.bytes, sha256: hash.digest('hex') };
}

async function textOf({ content }: TarFile): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of content) parts.push(chunk);
  return Buffer.concat(parts).toString('utf8');
}

function requireSound(dir: string, half: Half): void {
  const [problem] = checkIntegrity(waiting(dir, half));
  if (problem !== undefined)
    throw new OperatorError(`the backup's ${half}.db is damaged: ${problem}`, 'take another one');
}

/** Refuses what a newer stayd has made; brings both to this version, where nothing acts by itself until a person has looked. */
async function settle(dir: string, manifest: Manifest, clock: Clock): Promise<void> {
  const why = `restored from the backup of ${manifest.made_at}`;
  const core = await openStore<CoreDatabase>({ kind: 'sqlite', file: waiting(dir, 'core') });
  try {
    await migrate(core, coreMigrations);
    await holdAutomations(core.db, why);
  } finally {
    await core.close();
  }
  const mirror = await openStore<Mirror>({ kind: 'sqlite', file: waiting(dir, 'mirror') });
  try {
    await migrate(mirror, mirrorMigrations);
    const rows = await mirror.db.selectFrom('connections').select('connection').execute();
    const names = rows.map((row) => row.connection);
    await disarmAutomations(mirror, names, why, instantOf(clock.now()));
  } finally {
    await mirror.close();
  }
}

function keyState(config: Config, manifest: Manifest): KeyState {
  if (manifest.key_id === null) return 'not needed';
  const known = knownKeyId(config.data_dir, config.secret_key);
  if (known === undefined) return 'missing';
  return known === manifest.key_id ? 'present' : 'other';
}
