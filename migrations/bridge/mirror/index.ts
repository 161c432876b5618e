import type { Steps } from '../../../src/store/migrate.ts';
import * as mirror from './0001_mirror.ts';
import * as portfolio from './0002_portfolio.ts';
import * as conversations from './0005_conversations.ts';
import * as listings from './0003_listings.ts';
import * as work from './0006_work.ts';
import * as connectionFacts from './0007_connection_facts.ts';
import * as sweeps from './0008_sweeps.ts';
import * as history from './0009_history.ts';
import * as reports from './0010_reports.ts';
import * as exports from './0017_exports.ts';
import * as payouts from './0020_payouts.ts';
import * as books from './0019_books.ts';
import * as bookReports from './0023_book_reports.ts';
import * as exportJobs from './0024_export_jobs.ts';
import * as completeReads from './0025_complete_reads.ts';
import * as syncViews from './0027_sync_views.ts';
import * as automations from './0014_automations.ts';
import * as aiDrafts from './0016_ai_drafts.ts';
import * as endpoints from './0022_endpoints.ts';
import * as upstreamTokens from './0021_upstream_tokens.ts';
import * as lostEvents from './0011_lost_events.ts';
import * as measures from './0012_measures.ts';
import * as roomTaxes from './0026_room_taxes.ts';
import * as exportSettings from './0028_export_settings.ts';
import * as years from './0029_years.ts';
import * as grossBalances from './0030_gross_balances.ts';
import * as sealings from './0031_sealings.ts';
import * as unknownValues from './0032_unknown_values.ts';
import * as refusedDeliveries from './0034_refused_deliveries.ts';
import * as sendMarks from './0036_send_marks.ts';
import * as reviewKeys from './0037_review_keys.ts';
import * as words from './0038_words.ts';
import * as retention from './0013_retention.ts';
import * as lastWords from './0039_last_words.ts';

/** What databases of the mirror went through that were made before the baseline; in the order in which they landed. Never edited. */
export const mirrorBridge: Steps = {
  '0001_mirror': { up: mirror.up },
  '0002_portfolio': { up: portfolio.up },
  '0005_conversations': { up: conversations.up },
  '0003_listings': { up: listings.up },
  '0006_work': { up: work.up },
  '0007_connection_facts': { up: connectionFacts.up },
  '0008_sweeps': { up: sweeps.up },
  '0009_history': { up: history.up },
  '0010_reports': { up: reports.up },
  '0017_exports': { up: exports.up },
  '0020_payouts': { up: payouts.up },
  '0024_export_jobs': { up: exportJobs.up },
  '0025_complete_reads': { up: completeReads.up },
  '0027_sync_views': { up: syncViews.up },
  '0014_automations': { up: automations.up },
  '0022_endpoints': { up: endpoints.up },
  '0021_upstream_tokens': { up: upstreamTokens.up },
  '0011_lost_events': { up: lostEvents.up },
  '0012_measures': { up: measures.up },
  '0013_retention': { up: retention.up },
  '0016_ai_drafts': { up: aiDrafts.up },
  '0019_books': { up: books.up },
  '0023_book_reports': { up: bookReports.up },
  '0026_room_taxes': { up: roomTaxes.up },
  '0028_export_settings': { up: exportSettings.up },
  '0029_years': { up: years.up },
  '0030_gross_balances': { up: grossBalances.up },
  '0031_sealings': { up: sealings.up },
  '0032_unknown_values': { up: unknownValues.up },
  '0034_refused_deliveries': { up: refusedDeliveries.up },
  '0036_send_marks': { up: sendMarks.up },
  '0037_review_keys': { up: reviewKeys.up },
  '0038_words': { up: words.up },
  '0039_last_words': { up: lastWords.up },
};
