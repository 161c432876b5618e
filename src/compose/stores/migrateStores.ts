import { coreMigrations } from '../../../migrations/core/index.ts';
import type { Config } from '../../config.ts';
import { lockDataDir } from '../../store/lock.ts';
import { migrate } from '../../store/migrate.ts';
import { migrateMirror } from '../analytics/migrateMirror.ts';
import { openStores } from './stores.ts';

/** Migrates both halves under the lock. @returns the applied names, with their half */
export async function migrateStores(config: Config): Promise<string[]> {
  const lock = lockDataDir(config.data_dir);
  try {
    const stores = await openStores(config);
    try {
      const core = await migrate(stores.core, coreMigrations);
      const mirror = await migrateMirror(stores.mirror);
      return [...core.map((name) => `core ${name}`), ...mirror.map((name) => `mirror ${name}`)];
    } finally {
      await stores.close();
    }
  } finally {
    lock.release();
  }
}
