import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Pool } from 'undici';
import { mirrorMigrations } from '../../migrations/mirror/index.ts';
import { migrate } from '../../src/store/migrate.ts';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { openStore } from '../../src/store/store.ts';
import type { Mirror } from '../../src/sync/tables/database.ts';
import type { Course } from './scenario.ts';

const SCRIPT = new URL('../../scripts/buildTests.mjs', import.meta.url).href;
const PROGRAM = join('test', 'chaos', 'ingestProcess.ts');
const READY_MS = 30_000;

/** A process that only receives, and has not been told yet for which database. */
export interface Receiving {
  child: ChildProcess;
  /** Begins to receive. @returns the port; undefined: it ended before it could */
  open(file: string): Promise<number | undefined>;
  ended: Promise<unknown>;
}

/** @param under what runs it, such as strace with its arguments */
export async function preload(course: Course, under: readonly string[] = []): Promise<Receiving> {
  const { buildTests } = (await import(SCRIPT)) as { buildTests: () => Promise<(file: string) => string> };
  const compiled = await buildTests();
  const [command = '', ...args]: string[] = [...under, process.execPath, compiled(PROGRAM)];
  const child = spawn(command, args, { cwd: packageRoot(), stdio: ['pipe', 'pipe', 'ignore'] });
  course.atEnd(() => child.kill('SIGKILL'));
  // The other side may be killed while it is told something.
  child.stdin.on('error', () => {});
  const ended = once(child, 'close');
  const said = new Promise<number | undefined>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('port ')) resolve(Number(line.slice(5)));
    });
    void ended.then(() => resolve(undefined));
  });
  return {
    child,
    ended,
    open(file) {
      child.stdin.write(`${file}\n`);
      return Promise.race([said, wait(READY_MS, undefined, { ref: false })]);
    },
  };
}

/** A new mirror that can receive. */
export async function emptyInbox(course: Course): Promise<string> {
  const file = join(course.folder(), 'mirror.db');
  const store = await openStore<Mirror>({ kind: 'sqlite', file });
  await migrate(store, mirrorMigrations);
  await store.close();
  return file;
}

let sent = 0;

/** Sends events on so many connections until `isOver`; the ids of those answered 200 are added to `accepted`. */
export async function flood(
  port: number,
  accepted: Set<string>,
  isOver: () => boolean,
  { connections = 16, padding = '' } = {},
): Promise<{ refused: number }> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  let refused = 0;
  const client = async () => {
    while (!isOver()) {
      sent += 1;
      const id = `CHAOS${String(sent).padStart(12, '0')}`;
      const event = { event: 'reservation_updated', event_id: id, reservation_code: `5-${sent % 500}`, padding };
      const status = await post(pool, JSON.stringify(event));
      if (status === 200) accepted.add(id);
      else if (status !== undefined) refused += 1;
      else return;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  await pool.destroy();
  return { refused };
}

async function post(pool: Pool, body: string): Promise<number | undefined> {
  try {
    const headers = { 'content-type': 'application/json' };
    const answer = await pool.request({ method: 'POST', path: '/hooks/upstream', headers, body });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return undefined;
  }
}

/** What is wrong with a mirror after what was done to it: whether it is sound, and what was accepted and is not there. */
export function judge(file: string, accepted: Iterable<string>): { sound: boolean; lost: string[] } {
  const database = new Database(file);
  try {
    const sound = database.pragma('integrity_check', { simple: true }) === 'ok';
    const stored = new Set(database.prepare('select event_id from inbox').pluck().all());
    return { sound, lost: [...accepted].filter((id) => !stored.has(id)) };
  } finally {
    database.close();
  }
}
