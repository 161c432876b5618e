import type { Migrations } from '../../src/store/migrate.ts';
import * as baseline from './0001_baseline/index.ts';
import * as indexes from './0002_indexes.ts';

/** Forward only; a released one is never edited. Each that lands gets its line in test/migrations/landed.ts. */
export const coreMigrations: Migrations = {
  steps: {
    '0001_baseline': { up: baseline.up },
    '0002_indexes': { up: indexes.up },
  },
  bridge: async () => (await import('../bridge/core/index.ts')).coreBridge,
  // Every query of the core names the account, and nobody else queries its tables.
  statistics: { skipScan: false },
};
