import { after, before, describe } from 'node:test';
import { mirrorMigrations } from '../../migrations/mirror/index.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/store.ts';
import type { Mirror, MirrorStore } from '../../src/sync/tables/database.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from './postgres.ts';

/**
 * Opens an empty mirror: in memory, or in the PostgreSQL database at an address.
 * @param until name of the first migration that is left out, for a database of before; by default none is
 */
export async function openEmptyMirror(url?: string, until?: string): Promise<MirrorStore> {
  const store = await openStore<Mirror>(
    url === undefined ? { kind: 'sqlite', file: ':memory:' } : { kind: 'postgres', url, schema: 'mirror' },
  );
  const steps = Object.entries(mirrorMigrations.steps).filter(([name]) => until === undefined || name < until);
  await migrate(store, { ...mirrorMigrations, steps: Object.fromEntries(steps) });
  return store;
}

/**
 * Runs the same cases on an empty mirror of either database.
 * @param sqliteAlone further cases, on SQLite
 */
export function onBothMirrors(
  name: string,
  cases: (open: () => MirrorStore) => void,
  sqliteAlone: (open: () => MirrorStore) => void = () => {},
): void {
  describe(name, () => {
    let store: MirrorStore;
    before(async () => {
      store = await openEmptyMirror();
    });
    after(() => store.close());
    cases(() => store);
    sqliteAlone(() => store);
  });
  describeOnPostgres(`${name} on PostgreSQL`, () => {
    let server: TestPostgres;
    let store: MirrorStore;
    before(async () => {
      server = await startPostgres();
      store = await openEmptyMirror(await server.freshDatabase());
    });
    after(async () => {
      await store.close();
      await server.stop();
    });
    cases(() => store);
  });
}
