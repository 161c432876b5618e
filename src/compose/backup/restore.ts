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
import { checkInBackground } from '../../store/sqlite/integrity.ts';
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

/** The presence of the key that seals the secrets of the backup. */
export type KeyState = 'present' | 'missing' | 'other' | 'not needed';

interface RestoreReport {
  data_dir: string;
  manifest: Manifest;
  secret_key: KeyState;
  /** The place of the record of later erasures, and their number; the next start repeats them. */
  erasures: { from: string | null; again: number };
}

interface RestoreOptions {
  clock: Clock;
  /** A record of later erasures: an erasures.log, a data directory or a later backup. */
  erasures?: string | undefined;
}

/**
 * Restores a backup into a data directory without databases. The files get their names only after all are verified, so
 * that an interrupted restore leaves nothing to start. Afterwards the rules of the mirror are disarmed until a person
 * arms them, because sends after the backup are unknown.
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
    for (const half of halves) await requireSound(dir, half);
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

/** Returns the place of a half until everything is verified; no start looks there. */
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

/** @returns the checksum of the written bytes */
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

async function requireSound(dir: string, half: Half): Promise<void> {
  const [problem] = await checkInBackground(waiting(dir, half), { isAwaited: true });
  if (problem !== undefined)
    throw new OperatorError(`the backup's ${half}.db is damaged: ${problem}`, 'take another one');
}

interface Restoring {
  manifest: Manifest;
  record: ErasureRecord;
  clock: Clock;
}

/**
 * Refuses a backup of a newer stayd. Migrates both halves and holds all automatic actions until a person decides.
 * @returns the number of recorded erasures that the backup lacks
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
