import { coreMigrations } from '../../../migrations/core/index.ts';
import { migrateMirror } from '../analytics/migrateMirror.ts';
import { doubtRefunds } from '../../channels/direct/payments/table.ts';
import type { Config } from '../../config.ts';
import type { CoreDatabase } from '../../core/database.ts';
import { holdAutomations, markRestored } from '../../core/accounts/table.ts';
import { LATEST_MS, MAY_BE_DONE } from '../../core/automation/rules.ts';
import { doubtPlans } from '../../core/automation/table.ts';
import { endSetupJobs } from '../../core/setup/jobTable.ts';
import { forgetOpen } from '../../core/channels/posts/table.ts';
import type { Clock } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { UsageError } from '../../kernel/errors.ts';
import { lockDataDir } from '../../store/lock.ts';
import { migrate } from '../../store/migrate.ts';
import type { Store } from '../../store/store.ts';
import { disarmAutomations } from '../../sync/tables/connection/facts.ts';
import { forgetCleanStops } from '../../sync/tables/connection/state.ts';
import type { Mirror } from '../../sync/tables/database.ts';
import { openStores } from '../stores/stores.ts';

interface Restored {
  /** The reason that people read. */
  why: string;
  clock: Clock;
}

/** Migrates a restored core and holds its automatic actions until a person decides. */
export async function settleCore(core: Store<CoreDatabase>, { why, clock }: Restored): Promise<void> {
  await migrate(core, coreMigrations);
  await holdCore(core, { why, now: clock.now() });
}

/**
 * Keeps a restored core from repeating actions, because sends after the backup are unknown. Planned actions wait until
 * a person arms them. Actions that guests may already have received are left to a person even after that, and are given
 * up after a day.
 * @param why the reason that people read
 */
export async function holdCore(core: Store<CoreDatabase>, { why, now }: { why: string; now: number }): Promise<void> {
  const at = instantOf(now);
  await core.transaction(async (trx) => {
    await holdAutomations(trx, why);
    await markRestored(trx, at);
    await doubtPlans(trx, { before: at, why: MAY_BE_DONE, until: instantOf(now + LATEST_MS) });
    await forgetOpen(trx, at);
    await doubtRefunds(trx, { at, why });
    await endSetupJobs(trx, why);
  });
}

/** Migrates a restored mirror and disarms its rules until a person arms them. */
export async function settleMirror(mirror: Store<Mirror>, { why, clock }: Restored): Promise<void> {
  await migrateMirror(mirror);
  const rows = await mirror.db.selectFrom('connections').select('connection').execute();
  const names = rows.map((row) => row.connection);
  await disarmAutomations(mirror, names, why, instantOf(clock.now()));
  await forgetCleanStops(mirror.db, names);
}

/** Does for databases that pg_restore loaded what `restore` does for files. */
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
