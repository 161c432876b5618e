import type { Migrations } from '../../src/store/migrate.ts';
import * as baseline from './0001_baseline/index.ts';
import * as undelivered from './until_0012/0002_undelivered.ts';
import * as reviewsById from './until_0012/0003_reviews_by_id.ts';
import * as denseEvents from './until_0012/0004_dense_events.ts';
import * as roles from './until_0012/0005_roles.ts';
import * as blockReasons from './until_0012/0006_block_reasons.ts';
import * as depositEvents from './until_0012/0007_deposit_events.ts';
import * as staffLinks from './until_0012/0008_staff_links.ts';
import * as secondFactors from './until_0012/0009_second_factors.ts';
import * as propertyTimes from './until_0012/0010_property_times.ts';
import * as brands from './until_0012/0011_brands.ts';
import * as mirroredProperties from './until_0012/0012_mirrored_properties.ts';
import * as feeds from './0013_feeds.ts';
import * as mail from './0014_mail.ts';
import * as ratePlans from './0015_rate_plans.ts';
import * as directBookings from './0016_direct_bookings.ts';
import * as guestPages from './0017_guest_pages.ts';
import * as usualFetches from './0018_usual_fetches.ts';
import * as feedOverlaps from './0019_feed_overlaps.ts';
import * as guestsCancel from './0020_guests_cancel.ts';
import * as mailClaims from './0021_mail_claims.ts';
import * as accountConnections from './0022_account_connections.ts';
import * as daemonTokens from './0023_daemon_tokens.ts';
import * as setupJobs from './0024_setup_jobs.ts';

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
    '0013_feeds': { up: feeds.up },
    '0014_mail': { up: mail.up },
    '0015_rate_plans': { up: ratePlans.up },
    '0016_direct_bookings': { up: directBookings.up },
    '0017_guest_pages': { up: guestPages.up },
    '0018_usual_fetches': { up: usualFetches.up },
    '0019_feed_overlaps': { up: feedOverlaps.up },
    '0020_guests_cancel': { up: guestsCancel.up },
    '0021_mail_claims': { up: mailClaims.up },
    '0022_account_connections': { up: accountConnections.up },
    '0023_daemon_tokens': { up: daemonTokens.up },
    '0024_setup_jobs': { up: setupJobs.up },
  },
  bridge: async () => (await import('../bridge/core/index.ts')).coreBridge,
  // Every query of the core names the account, and nobody else queries its tables.
  statistics: { skipScan: false },
};
