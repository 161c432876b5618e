import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { CoreDatabase } from '../../src/core/database.ts';
import { resealCore } from '../../src/core/reseal.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { type Reseal, sealer, type Sealer } from '../../src/kernel/seal.ts';
import { openStore, type StoreLocation } from '../../src/store/store.ts';
import type { Mirror } from '../../src/sync/tables/database.ts';
import { sealedPlaces } from '../../src/endpoints/reseal.ts';
import { resealMirror } from '../../src/sync/privacy/sealMirror.ts';

/** Seals and opens with the key of a data directory. */
export function sealerIn(dataDir: string): Sealer {
  return sealer(Buffer.from(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim(), 'hex'), systemRandom);
}

/** What was kept in clear once: all but secrets and tokens. */
const ONCE_IN_CLEAR = /^(lock code|webhook_url:|address of)/;

/** Brings databases of a service that does not run into the state that a version of before has left. */
export async function unseal(
  dataDir: string,
  locate: (half: 'core' | 'mirror') => StoreLocation = (half) => ({
    kind: 'sqlite',
    file: join(dataDir, `${half}.db`),
  }),
): Promise<void> {
  const { open } = sealerIn(dataDir);
  const opened: Reseal = (sealed, context) => (ONCE_IN_CLEAR.test(context) ? open(sealed, context) : sealed);
  const core = await openStore<CoreDatabase>(locate('core'));
  await resealCore(core, opened, []);
  await sql`delete from sealings`.execute(core.db);
  await core.close();
  const mirror = await openStore<Mirror>(locate('mirror'));
  await resealMirror(mirror, opened, sealedPlaces);
  await sql`delete from sealings`.execute(mirror.db);
  await mirror.close();
}
