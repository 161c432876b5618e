import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../config.ts';
import type { CoreDatabase } from '../../core/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf, OperatorError, UsageError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { checkIntegrity } from '../../store/sqlite/integrity.ts';
import { lockDataDir } from '../../store/lock.ts';
import { OWNER_ONLY_FILE } from '../../store/sealing/privateFile.ts';
import { openStore } from '../../store/store.ts';
import type { Mirror } from '../../sync/tables/database.ts';
import { erasuresBeside } from '../../sync/privacy/erasure/erasureTable.ts';
import { ERASURES_FILE, type ErasureRecord, parseErasures, writeErasures } from '../privacy/erasureLog.ts';
import { knownKeyId } from '../privacy/privateFiles.ts';
import { flush } from './backup.ts';
import { erasuresIn, laterErasures } from './laterErasures.ts';
import { type Half, halves, MANIFEST, type Manifest, readManifest } from './manifest.ts';
import { filesOf } from './openArchive.ts';
import { pgRestore } from './postgres.ts';
import { settleCore, settleMirror } from './settleRestored.ts';

/** Whether the key that the backup's secrets are sealed with is in place. */
export type KeyState = 'present' | 'missing' | 'other' | 'not needed';

export interface RestoreReport {
  data_dir: string;
  manifest: Manifest;
  secret_key: KeyState;
  /** Where the record of erasures after the backup was found, and how many there were; they are done at the next start. */
  erasures: { from: string | null; again: number };
}

export interface RestoreOptions {
  clock: Clock;
  /** A record of erasures after the backup: an erasures.log, a data directory or a later backup. */
  erasures?: string | undefined;
}

/**
 * Brings a backup into a data directory that holds no databases. They take their places only when all of them was
 * found right, so that a restore that is stopped leaves nothing that could be started. Automations of the mirror do
 * not act afterwards until a person arms them: what was sent after the backup is not known any more.
 */
export async function restore(
  config: Config,
  file: string,
  { clock, erasures: given }: RestoreOptions,
): Promise<RestoreReport> {
  if (config.database_url !== null) throw pgRestore(config.database_url, file);
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  const { data_dir: dir } = config;
  requireEmpty(dir);
  const named = given === undefined ? undefined : { path: given, record: await erasuresIn(given) };
  const lock = lockDataDir(dir);
  try {
    requireEmpty(dir);
    const { manifest, inBackup } = await unpack(file, dir);
    for (const half of halves) requireSound(dir, half);
    const { record, from } = laterErasures({ dir, manifest, inBackup, named });
    const again = await settle(dir, { manifest, record, clock });
    if (record.erasures.length > 0) writeErasures(dir, record);
    for (const half of halves) renameSync(waiting(dir, half), join(dir, `${half}.db`));
    await flush(dir);
    return { data_dir: dir, manifest, secret_key: keyState(config, manifest), erasures: { from, again } };
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

async function unpack(file: string, dir: string): Promise<{ manifest: Manifest; inBackup: ErasureRecord | undefined }> {
  const found = new Map<string, { bytes: number; sha256: string }>();
  let manifest: Manifest | undefined;
  let inBackup: ErasureRecord | undefined;
  try {
    for await (const { header, body } of filesOf(file)) {
      const { name, size: bytes } = header;
      const half = halves.find((one) => name === `${one}.db`);
      if (half) found.set(name, { bytes, sha256: await write(body, waiting(dir, half)) });
      else if (name === MANIFEST) manifest = readManifest(await text(body));
      else if (name === ERASURES_FILE) {
        const erasures = await text(body);
        found.set(name, { bytes, sha256: sha256Hex(erasures) });
        inBackup = parseErasures(erasures, file);
      } else throw new Error(`it holds ${name}, which is not of ours`);
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} is no whole backup: ${messageOf(error)}`, 'take another one', error);
  }
  if (!manifest) throw new OperatorError(`${file} is no whole backup: its end is missing`, 'take another one');
  for (const [name, wanted] of Object.entries(manifest.files)) {
    const got = found.get(name);
    if (wanted && wanted.bytes === got?.bytes && wanted.sha256 === got.sha256) continue;
    throw new OperatorError(`${file} is no whole backup: ${name} is not what was written`, 'take another one');
  }
  return { manifest, inBackup };
}

/** @returns the checksum of what was written */
async function write(body: AsyncIterable<Uint8Array>, target: string): Promise<string> {
  remove(target);
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const chunk of body) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(Readable.from(hashed()), createWriteStream(target, { mode: OWNER_ONLY_FILE, flush: true }));
  return hash.digest('hex');
}

function requireSound(dir: string, half: Half): void {
  const [problem] = checkIntegrity(waiting(dir, half));
  if (problem !== undefined)
    throw new OperatorError(`the backup's ${half}.db is damaged: ${problem}`, 'take another one');
}

interface Restoring {
  manifest: Manifest;
  record: ErasureRecord;
  clock: Clock;
}

/**
 * Refuses what a newer stayd has made; brings both to this version, where nothing acts by itself until a person has
 * looked. @returns how many erasures of the record the backup does not know of
 */
async function settle(dir: string, { manifest, record, clock }: Restoring): Promise<number> {
  const why = `restored from the backup of ${manifest.made_at}`;
  const core = await openStore<CoreDatabase>({ kind: 'sqlite', file: waiting(dir, 'core') });
  try {
    await settleCore(core, { why, clock });
  } finally {
    await core.close();
  }
  const mirror = await openStore<Mirror>({ kind: 'sqlite', file: waiting(dir, 'mirror') });
  try {
    await settleMirror(mirror, { why, clock });
    const known = new Set((await erasuresBeside(mirror.db, [])).map((one) => one.erasure_id));
    return new Set(record.erasures.map((one) => one.erasure_id).filter((id) => !known.has(id))).size;
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
