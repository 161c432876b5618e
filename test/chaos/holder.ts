import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Course } from './scenario.ts';

const DRIVER = createRequire(import.meta.url).resolve('better-sqlite3');
const HOLD = `
  const [driver, file, sql] = process.argv.slice(1);
  const database = new (require(driver))(file);
  database.exec(sql);
  console.log('held');
  process.stdin.once('data', () => process.exit(0));`;

/**
 * Another process that opens a database, runs the SQL and holds what that has given it: a lock, or a view of the
 * past. Resolves when it does.
 */
export async function holdElsewhere(course: Course, file: string, sql: string): Promise<{ release(): Promise<void> }> {
  const child = spawn(process.execPath, ['--eval', HOLD, DRIVER, file, sql], { stdio: ['pipe', 'pipe', 'inherit'] });
  course.atEnd(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error(`nobody holds ${file}: ${sql}`))),
  ]);
  return {
    async release() {
      child.stdin.write('go\n');
      await ended;
    },
  };
}
