import { coreMigrations, coreStatistics } from '../../../migrations/core/index.ts';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import type { Config } from '../../config.ts';
import type { CoreDatabase } from '../../core/database.ts';
import { settleRestored } from '../../core/restored.ts';
import type { Clock } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { UsageError } from '../../kernel/errors.ts';
import { lockDataDir } from '../../store/lock.ts';
import { migrate } from '../../store/migrate.ts';
import type { Store } from '../../store/store.ts';
import { disarmAutomations } from '../../sync/connectionFacts.ts';
import type { Mirror } from '../../sync/database.ts';
import { openStores } from '../stores.ts';

interface Restored {
  /** What people are told. */
  why: string;
  clock: Clock;
}

/** Brings a restored core to this version, where nothing acts by itself until a person has looked. */
export async function settleCore(core: Store<CoreDatabase>, { why, clock }: Restored): Promise<void> {
  await migrate(core, coreMigrations, coreStatistics);
  await settleRestored(core, { why, now: clock.now() });
}

/** Brings a restored mirror to this version; no rule acts until a person has looked. */
export async function settleMirror(mirror: Store<Mirror>, { why, clock }: Restored): Promise<void> {
  await migrate(mirror, mirrorMigrations);
  const rows = await mirror.db.selectFrom('connections').select('connection').execute();
  const names = rows.map((row) => row.connection);
  await disarmAutomations(mirror, names, why, instantOf(clock.now()));
}

/** What `restore` does with files, on databases that pg_restore has brought back. */
export async function settleLoaded(config: Config, { file, clock }: { file: string; clock: Clock }): Promise<void> {
  if (config.database_url === null) {
    throw new UsageError(
      '--loaded is for PostgreSQL',
      `without it, ./stayd restore ${file} brings back the file itself`,
    );
  }
  const lock = lockDataDir(config.data_dir);
  try {
    const stores = await openStores(config);
    try {
      const restored = { why: `restored from ${file}`, clock };
      await settleCore(stores.core, restored);
      await settleMirror(stores.mirror, restored);
    } finally {
      await stores.close();
    }
  } finally {
    lock.release();
  }
}
