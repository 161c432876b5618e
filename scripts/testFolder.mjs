import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const TMPFS = 0x0102_1994;
/** What a whole run may need at once, with room to spare. */
const ROOM_BYTES = 4 * 1_024 ** 3;
const NAME = /^stayd-test-(\d+)-/;

/**
 * Where tests put their files: in memory where there is room for them, because the disk is most of what they wait for.
 * They prove nothing by a disk: a killed process loses nothing that the kernel has, and what a loss of power does is
 * played from logs. Whoever has set TMPDIR has chosen. What was made is removed when this process ends.
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} memory
 * @returns {NodeJS.ProcessEnv} for the tests
 */
export function withTestFolder(environment = process.env, memory = IN_MEMORY) {
  if (environment.TMPDIR !== undefined || !hasRoom(memory)) return environment;
  removeForgotten(memory);
  const folder = mkdtempSync(join(memory, `stayd-test-${process.pid}-`));
  // Servers of tests can run as users of their own.
  chmodSync(folder, 0o711);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { ...environment, TMPDIR: folder };
}

function hasRoom(folder) {
  if (!existsSync(folder)) return false;
  const { type, bavail, bsize } = statfsSync(folder);
  return type === TMPFS && bavail * bsize >= ROOM_BYTES;
}

/** Folders of runs that were killed outright. */
function removeForgotten(memory) {
  for (const name of readdirSync(memory)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(memory, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
