import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../kernel/errors.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const MB = 1024 * 1024;
/** A migration or a backup may not fit with less free space than this, or than the size of the databases. */
const LEAST_FREE_BYTES = 256 * MB;
/** A reader that stays open keeps a larger file from shrinking. */
const LARGEST_WAL_BYTES = 256 * MB;
const OTHERS = 0o077;

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / MB).toLocaleString('en-US')} MB`;
}

/** Checks permissions, space and leftovers of the data directory. */
export function lookAtFolder(dir: string): Finding[] {
  if (!existsSync(dir)) return [note('data directory', `${dir} is not there yet`, './stayd start makes it')];
  return [permissions(dir), lookAtSpace(dir), ...leftovers(dir)];
}

function permissions(dir: string): Finding {
  const check = 'permissions';
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const name of ownFiles(dir)) accessSync(join(dir, name), constants.R_OK | constants.W_OK);
  } catch (error) {
    return problem(check, messageOf(error), `run stayd as the owner of ${dir}, or give it to this user: chown -R`);
  }
  const open = ownFiles(dir).filter((name) => (statSync(join(dir, name)).mode & OTHERS) !== 0);
  if (open.length > 0) {
    return problem(
      check,
      `others can read ${open.join(', ')}`,
      `chmod 600 ${open.map((name) => join(dir, name)).join(' ')}`,
    );
  }
  return ok(check, `${dir} is readable by its owner only`);
}

/** Returns databases, keys and related files; rejected rows of imports are not secret by themselves. */
function ownFiles(dir: string): string[] {
  return readdirSync(dir).filter((name) =>
    /\.(db(-wal|-shm)?|key|token|lock|id)$|^(control\.json|stayd\.yaml)$/.test(name),
  );
}

/** Checks the free space on the disk of the data directory. */
export function lookAtSpace(dir: string): Finding {
  const { bavail, bsize } = statfsSync(dir);
  const free = bavail * bsize;
  const taken = ownFiles(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
  const says = `${inMegabytes(free)} are free, the databases take ${inMegabytes(taken)}`;
  return free < Math.max(LEAST_FREE_BYTES, taken)
    ? problem('disk space', says, 'make room on this disk, or move the data directory to a larger one')
    : ok('disk space', says);
}

function leftovers(dir: string): Finding[] {
  const damaged = readdirSync(dir).filter((name) => /^mirror\.db\.damaged-.*Z$/.test(name));
  if (damaged.length === 0) return [];
  const remedy = 'delete them when you do not want to look into them: rm mirror.db.damaged-*';
  return [note('damaged files', `a damaged mirror was moved away: ${damaged.join(', ')}`, remedy)];
}

/** Checks the size of a database's -wal file. */
export function lookAtWal(file: string): Finding {
  const check = 'write-ahead log';
  const bytes = existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0;
  const says = `${file}-wal has ${inMegabytes(bytes)}`;
  return bytes > LARGEST_WAL_BYTES
    ? problem(check, says, `close other programs that read ${file}; it shrinks within a minute`)
    : ok(check, says);
}
