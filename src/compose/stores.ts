import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { CoreDatabase } from '../core/database.ts';
import { type Checkpoints, checkpointInBackground } from '../store/checkpoints.ts';
import { openStore, type Store, type StoreLocation } from '../store/store.ts';
import type { Mirror } from '../sync/database.ts';
import type { DamageWatch } from './damageWatch.ts';

export interface Stores {
  core: Store<CoreDatabase>;
  mirror: Store<Mirror>;
  close(): Promise<void>;
}

/** Where a half keeps what it knows. */
export function locationOf(config: Config, half: 'core' | 'mirror', watch?: DamageWatch): StoreLocation {
  const onDamage = (error: Error) => watch?.found({ half, problem: error.message });
  return config.database_url === null
    ? { kind: 'sqlite', file: join(config.data_dir, `${half}.db`), checkpointed: true, onDamage }
    : { kind: 'postgres', url: config.database_url, schema: half };
}

export async function openStores(config: Config, watch?: DamageWatch): Promise<Stores> {
  const core = await openStore<CoreDatabase>(locationOf(config, 'core', watch));
  try {
    const mirror = await openStore<Mirror>(locationOf(config, 'mirror', watch));
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
