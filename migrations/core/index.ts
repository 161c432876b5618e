import type { Migrations } from '../../src/store/migrate.ts';
import * as baseline from './0001_baseline/index.ts';
import * as undelivered from './0002_undelivered.ts';
import * as reviewsById from './0003_reviews_by_id.ts';
import * as denseEvents from './0004_dense_events.ts';
import * as roles from './0005_roles.ts';
import * as blockReasons from './0006_block_reasons.ts';
import * as depositEvents from './0007_deposit_events.ts';
import * as staffLinks from './0008_staff_links.ts';
import * as secondFactors from './0009_second_factors.ts';
import * as propertyTimes from './0010_property_times.ts';
import * as brands from './0011_brands.ts';
import * as mirroredProperties from './0012_mirrored_properties.ts';

/** Forward only; a released one is never edited. Each that lands gets its line in test/migrations/landed.ts. */
export const coreMigrations: Migrations = {
  steps: {
    '0001_baseline': { up: baseline.up },
    '0002_undelivered': { up: undelivered.up },
    '0003_reviews_by_id': { up: reviewsById.up },
    '0004_dense_events': { up: denseEvents.up },
    '0005_roles': { up: roles.up },
    '0006_block_reasons': { up: blockReasons.up },
    '0007_deposit_events': { up: depositEvents.up },
    '0008_staff_links': { up: staffLinks.up },
    '0009_second_factors': { up: secondFactors.up },
    '0010_property_times': { up: propertyTimes.up },
    '0011_brands': { up: brands.up },
    '0012_mirrored_properties': { up: mirroredProperties.up },
  },
  bridge: async () => (await import('../bridge/core/index.ts')).coreBridge,
  // Every query of the core names the account, and nobody else queries its tables.
  statistics: { skipScan: false },
};
