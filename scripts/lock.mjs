import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 50;

/**
 * Does `work` while no other process holds the lock at `folder`.
 *
 * The lock is a folder with one file, named after its owner. It is made beside its place and renamed into
 * it, which fails while somebody's file is there and succeeds on an empty folder: so a lock is never seen
 * without its owner. The lock of a dead owner is emptied by removing that very file, which cannot hurt
 * whoever came next.
 * @param {string} folder
 * @param {{ onWait: (owner: number) => void }} options called once with the process that is waited for
 * @param {(hold: (pid: number) => void) => Promise<void>} work may hand over the pid of a child: the lock
 *   is then held until both are gone
 */
export async function locked(folder, { onWait }, work) {
  const file = await take(folder, onWait);
  try {
    await work((pid) => writeFileSync(file, identityOf(pid) ?? ''));
  } finally {
    ignoring('ENOENT', () => unlinkSync(file));
    removeIfEmpty(folder);
  }
}

async function take(folder, onWait) {
  const name = `${identityOf(process.pid)}.${randomBytes(4).toString('hex')}`;
  const mine = `${folder}.${name}`;
  mkdirSync(mine);
  writeFileSync(join(mine, name), '');
  for (let told = false; !renamed(mine, folder);) {
    const owner = livingOwner(folder);
    if (owner === undefined) continue;
    if (!told) onWait(owner);
    told = true;
    await delay(RETRY_MS);
  }
  removeAbandoned(folder);
  return join(folder, name);
}

function renamed(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The pid of who holds the lock; a dead owner is removed from it. */
function livingOwner(folder) {
  for (const name of namesIn(folder)) {
    const owner = name.split('.', 1)[0];
    if (isAlive(owner) || isAlive(childOf(join(folder, name)))) return Number(owner.split('-', 1)[0]);
    ignoring('ENOENT', () => unlinkSync(join(folder, name)));
  }
  return undefined;
}

/** Folders of processes that died while they waited. */
function removeAbandoned(folder) {
  const prefix = `${basename(folder)}.`;
  for (const name of namesIn(dirname(folder))) {
    if (!name.startsWith(prefix) || isAlive(name.slice(prefix.length).split('.', 1)[0])) continue;
    rmSync(join(dirname(folder), name), { recursive: true, force: true });
  }
}

function namesIn(folder) {
  return ignoring('ENOENT', () => readdirSync(folder)) ?? [];
}

function childOf(file) {
  return ignoring('ENOENT', () => readFileSync(file, 'utf8')) ?? '';
}

function removeIfEmpty(folder) {
  ignoring('ENOENT', () => ignoring('ENOTEMPTY', () => rmdirSync(folder)));
}

function ignoring(code, action) {
  try {
    return action();
  } catch (error) {
    if (error.code !== code) throw error;
    return undefined;
  }
}

function isAlive(identity) {
  return identity !== '' && identityOf(Number(identity.split('-', 1)[0])) === identity;
}

/**
 * A process as `pid-start`, because pids are used again; without `/proc` the start is 0.
 * @returns undefined when there is no such process, or only its exit code is left
 */
function identityOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : `${pid}-${fields[18]}`;
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return undefined;
  }
  return `${pid}-0`;
}
