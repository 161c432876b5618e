import type { Steps } from '../../../src/store/migrate.ts';
import * as bookings from './0001_bookings.ts';
import * as portfolio from './0002_portfolio.ts';
import * as people from './0007_people.ts';
import * as conversations from './0005_conversations.ts';
import * as listings from './0003_listings.ts';
import * as channelBookings from './0004_channel_bookings.ts';
import * as work from './0006_work.ts';
import * as sandboxRequests from './0008_sandbox_requests.ts';
import * as unlistedNights from './0011_unlisted_nights.ts';
import * as listsOfAnyLength from './0009_lists_of_any_length.ts';
import * as signInTries from './0012_sign_in_tries.ts';
import * as heldPlans from './0013_held_plans.ts';
import * as confirmationUses from './0017_confirmation_uses.ts';
import * as oauth from './0014_oauth.ts';
import * as oauthRetention from './0018_oauth_retention.ts';
import * as doubtedPlans from './0015_doubted_plans.ts';
import * as doubtedPlansFound from './0016_doubted_plans_found.ts';
import * as idempotencyKeys from './0022_idempotency_keys.ts';
import * as searchKeys from './0021_search_keys.ts';
import * as webhookCreators from './0019_webhook_creators.ts';
import * as tokenTerms from './0020_token_terms.ts';
import * as auditValues from './0023_audit_values.ts';
import * as awaitedIncomes from './0024_awaited_incomes.ts';
import * as sealings from './0025_sealings.ts';
import * as channelReservations from './0026_channel_reservations.ts';

/** What databases of the core went through that were made before the baseline; in the order in which they landed. Never edited. */
export const coreBridge: Steps = {
  '0001_bookings': { up: bookings.up },
  '0002_portfolio': { up: portfolio.up },
  '0007_people': { up: people.up },
  '0005_conversations': { up: conversations.up },
  '0003_listings': { up: listings.up },
  '0004_channel_bookings': { up: channelBookings.up },
  '0006_work': { up: work.up },
  '0008_sandbox_requests': { up: sandboxRequests.up },
  '0011_unlisted_nights': { up: unlistedNights.up },
  '0009_lists_of_any_length': { up: listsOfAnyLength.up },
  '0012_sign_in_tries': { up: signInTries.up },
  '0013_held_plans': { up: heldPlans.up },
  '0017_confirmation_uses': { up: confirmationUses.up },
  '0014_oauth': { up: oauth.up },
  '0018_oauth_retention': { up: oauthRetention.up },
  '0015_doubted_plans': { up: doubtedPlans.up },
  '0016_doubted_plans_found': { up: doubtedPlansFound.up },
  '0019_webhook_creators': { up: webhookCreators.up },
  '0020_token_terms': { up: tokenTerms.up },
  '0021_search_keys': { up: searchKeys.up },
  '0022_idempotency_keys': { up: idempotencyKeys.up },
  '0023_audit_values': { up: auditValues.up },
  '0024_awaited_incomes': { up: awaitedIncomes.up },
  '0025_sealings': { up: sealings.up },
  '0026_channel_reservations': { up: channelReservations.up },
};
