import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { CoreDatabase } from '../../core/database.ts';
import { type Checkpoints, checkpointInBackground } from '../../store/sqlite/checkpoints.ts';
import { openStore, type Store, type StoreLocation } from '../../store/store.ts';
import { isDamage } from '../../store/sqlite/integrity.ts';
import type { Mirror } from '../../sync/tables/database.ts';
import type { DamageWatch } from '../health/damageWatch.ts';
import type { Refusals } from '../health/refusals.ts';

export interface Stores {
  core: Store<CoreDatabase>;
  mirror: Store<Mirror>;
  close(): Promise<void>;
}

/** Observers of the state of the files. */
interface Watches {
  damage: DamageWatch;
  refusals: Refusals;
}

/** The settings that place the databases. */
export type Placing = Pick<Config, 'database_url' | 'data_dir'>;

/** Returns the location of a half's database. */
export function locationOf(config: Placing, half: 'core' | 'mirror', watches?: Watches): StoreLocation {
  if (config.database_url !== null) return { kind: 'postgres', url: config.database_url, schema: half };
  const file = { kind: 'sqlite', file: join(config.data_dir, `${half}.db`), checkpointed: true } as const;
  if (!watches) return file;
  return {
    ...file,
    onTrouble: (error) =>
      watches.damage.found({ half, kind: isDamage(error) ? 'damaged' : 'disk', problem: error.message }),
    onRefusal: (problem) => watches.refusals.changed(half, problem),
  };
}

/** Returns the location of the mirror on the replica, for reads that may be late; undefined if none is set. */
export function replicaOf({
  database_url,
  database_replica_url: url,
}: Pick<Config, 'database_url' | 'database_replica_url'>): StoreLocation | undefined {
  return database_url === null || url === null ? undefined : { kind: 'postgres', url, schema: 'mirror' };
}

export async function openStores(config: Config, watches?: Watches): Promise<Stores> {
  const core = await openStore<CoreDatabase>(locationOf(config, 'core', watches));
  try {
    const mirror = await openStore<Mirror>(locationOf(config, 'mirror', watches));
    const checkpoints = checkpointsOf(config);
    return {
      core,
      mirror,
      async close() {
        await checkpoints?.stop();
        await mirror.close();
        await core.close();
      },
    };
  } catch (error) {
    await core.close();
    throw error;
  }
}

function checkpointsOf(config: Config): Checkpoints | undefined {
  const files = (['core', 'mirror'] as const)
    .map((half) => locationOf(config, half))
    .flatMap((location) => (location.kind === 'sqlite' ? [location.file] : []));
  return files.length > 0 ? checkpointInBackground(files) : undefined;
}
