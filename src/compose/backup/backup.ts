import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { packTar } from 'modern-tar/fs';
import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { messageOf, OperatorError, UsageError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { checkInBackground } from '../../store/sqlite/integrity.ts';
import { makeFolder } from '../../store/sealing/makeFolder.ts';
import { OWNER_ONLY_FILE } from '../../store/sealing/privateFile.ts';
import { holdSnapshot, type Snapshot } from '../../store/snapshot.ts';
import { ERASURES_FILE, erasuresText, readErasures } from '../privacy/erasureLog.ts';
import { requireDataDir } from '../stores/requireDataDir.ts';
import { knownInstanceId, knownKeyId } from '../privacy/privateFiles.ts';
import { version } from '../version.ts';
import { FORMAT, type Half, halves, MANIFEST, type Manifest } from './manifest.ts';
import { pgDump } from './postgres.ts';

interface BackupReport extends Manifest {
  file: string;
  bytes: number;
}

type OnBackupProgress = (progress: { half: Half; copied: number; total: number }) => void;

/**
 * Writes both databases, each as of one moment, into one tar archive, gzipped if the name says so. A service may run on
 * them. The file appears complete or not at all, whenever this is stopped.
 */
export async function backup(
  config: Config,
  target: string,
  { clock, onProgress }: { clock: Clock; onProgress: OnBackupProgress },
): Promise<BackupReport> {
  if (config.database_url !== null) throw pgDump(config.database_url, target);
  requireDataDir(config);
  requireTarget(target);
  const partial = `${target}.partial`;
  // Remains of a backup that was killed.
  rmSync(partial, { recursive: true, force: true });
  makePartial(partial, target);
  try {
    const made_at = instantOf(clock.now());
    await copyBoth(config, partial, onProgress);
    const erasures = erasuresText(readErasures(config.data_dir) ?? { key: undefined, erasures: [] });
    const files = {
      'core.db': await factsOf(partial, 'core'),
      'mirror.db': await factsOf(partial, 'mirror'),
      [ERASURES_FILE]: { bytes: Buffer.byteLength(erasures), sha256: sha256Hex(erasures) },
    };
    const key_id = knownKeyId(config.data_dir, config.secret_key) ?? null;
    const origin = { data_dir: resolve(config.data_dir), instance: knownInstanceId(config.data_dir) ?? null };
    const manifest: Manifest = { format: FORMAT, stayd: version(), made_at, key_id, ...origin, files };
    const texts = { [ERASURES_FILE]: erasures, [MANIFEST]: `${JSON.stringify(manifest, null, 2)}\n` };
    const file = join(partial, 'archive');
    await writeArchive(partial, texts, { file, gzip: /\.t?gz$/.test(target), mtime: new Date(clock.now()) });
    const bytes = statSync(file).size;
    renameSync(file, target);
    await flush(dirname(target));
    return { file: target, bytes, ...manifest };
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function makePartial(partial: string, target: string): void {
  try {
    makeFolder(partial);
  } catch (error) {
    throw new UsageError(`cannot write ${target}: ${messageOf(error)}`, 'name a file where stayd may write', error);
  }
}

function requireTarget(target: string): void {
  if (existsSync(target)) throw new UsageError(`${target} is there already`, 'a backup is a new file: choose a name');
  if (!existsSync(dirname(target))) throw new UsageError(`there is no folder ${dirname(target)}`);
}

/** Copies the mirror first: the scan after a restore finds the changes of the core in between. */
async function copyBoth(config: Config, folder: string, onProgress: OnBackupProgress): Promise<void> {
  const held = new Map<Half, Snapshot>();
  try {
    for (const half of halves.toReversed()) held.set(half, hold(join(config.data_dir, `${half}.db`)));
    for (const [half, snapshot] of held) {
      await snapshot.copyTo(join(folder, `${half}.db`), (copied, total) => onProgress({ half, copied, total }));
      snapshot.release();
    }
  } finally {
    for (const snapshot of held.values()) snapshot.release();
  }
}

function hold(file: string): Snapshot {
  try {
    return holdSnapshot(file);
  } catch (error) {
    throw existsSync(file)
      ? new OperatorError(`cannot read ${file}: ${messageOf(error)}`, './stayd doctor says more', error)
      : new OperatorError(`there is no ${file}, so there is nothing to back up`, 'check STAYD_DATA_DIR');
  }
}

/** Refuses a damaged copy, because it is no backup. */
async function factsOf(folder: string, half: Half): Promise<{ bytes: number; sha256: string }> {
  const file = join(folder, `${half}.db`);
  const [problem] = await checkInBackground(file, { isAwaited: true });
  if (problem !== undefined) {
    throw new OperatorError(`${half}.db is damaged, so nothing was backed up: ${problem}`, './stayd doctor says more');
  }
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Writes the manifest last, so that a truncated archive has none. */
async function writeArchive(
  folder: string,
  texts: Readonly<Record<string, string>>,
  { file, gzip, mtime }: { file: string; gzip: boolean; mtime: Date },
): Promise<void> {
  const owner = { mode: OWNER_ONLY_FILE, uid: 0, gid: 0, mtime };
  const archive = packTar([
    ...halves.map((half) => ({
      type: 'file' as const,
      source: join(folder, `${half}.db`),
      target: `${half}.db`,
      ...owner,
    })),
    ...Object.entries(texts).map(([name, content]) => ({ type: 'content' as const, content, target: name, ...owner })),
  ]);
  const out = createWriteStream(file, { mode: OWNER_ONLY_FILE, flush: true });
  await (gzip ? pipeline(archive, createGzip(), out) : pipeline(archive, out));
}

/** Syncs a folder, so that a rename in it survives a loss of power. */
export async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
