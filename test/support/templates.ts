import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreMigrations } from '../../migrations/core/index.ts';
import { mirrorMigrations } from '../../migrations/mirror/index.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openStore, type StoreLocation } from '../../src/store/store.ts';
import { BUILT, isCompiled } from './program.ts';

const HALVES = ['core', 'mirror'] as const;
type Half = (typeof HALVES)[number];

const migrations = {
  core: coreMigrations,
  mirror: mirrorMigrations,
};

const made = new Map<Half, Promise<string>>();
let own: string | undefined;

/** Puts a database there as a first start leaves it before it writes anything: migrating takes far longer than a copy. */
export async function putEmpty(half: Half, file: string): Promise<void> {
  const template = made.get(half) ?? templateOf(half);
  made.set(half, template);
  copyFileSync(await template, file);
}

/** Migrates both halves in a database of PostgreSQL, as a first start does. */
export async function migrateBoth(url: string): Promise<void> {
  for (const half of HALVES) await migrateEmpty(half, { kind: 'postgres', url, schema: half });
}

/** Compiled tests share one, which is as old as they are; others make one for each process. */
async function templateOf(half: Half): Promise<string> {
  const file = join(isCompiled ? BUILT : ownFolder(), `empty-${half}.db`);
  if (existsSync(file)) return file;
  const growing = `${file}.${process.pid}`;
  await migrateEmpty(half, { kind: 'sqlite', file: growing });
  if (existsSync(`${growing}-wal`)) throw new Error(`${growing} is not all there is`);
  renameSync(growing, file);
  return file;
}

/** Migrates a database that is empty. */
export async function migrateEmpty(half: Half, location: StoreLocation): Promise<void> {
  const store = await openStore(location);
  await migrate(store, migrations[half]);
  await store.close();
}

function ownFolder(): string {
  if (own !== undefined) return own;
  const folder = mkdtempSync(join(tmpdir(), 'stayd-empty-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  own = folder;
  return folder;
}
