import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer, type Sealer } from '../../src/kernel/seal.ts';

/** Seals and opens with the key of a data directory. */
export function sealerIn(dataDir: string): Sealer {
  return sealer(Buffer.from(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim(), 'hex'), systemRandom);
}
