import type { Migrations } from '../../src/store/migrate.ts';
import * as baseline from './0001_baseline/index.ts';
import * as keptBooks from './0002_kept_books.ts';
import * as waitingStays from './0003_waiting_stays.ts';
import * as conversationStates from './0004_conversation_states.ts';
import * as searchWords from './0005_search_words.ts';
import * as waitingGuests from './0006_waiting_guests.ts';
import * as ledgerUses from './0007_ledger_uses.ts';
import * as reportsOfDays from './0008_reports_of_days.ts';
import * as occupancyOfMonths from './0009_occupancy_of_months.ts';
import * as taxOfMonths from './0010_tax_of_months.ts';
import * as notices from './0011_notices.ts';
import * as comparisons from './0012_comparisons.ts';
import * as noticeReports from './0013_notice_reports.ts';
import * as brokerFeeds from './0014_broker_feeds.ts';

/** Forward only; a released one is never edited. Each that lands gets its line in test/migrations/landed.ts. */
export const mirrorMigrations: Migrations = {
  steps: {
    '0001_baseline': { up: baseline.up },
    '0002_kept_books': keptBooks,
    '0003_waiting_stays': waitingStays,
    '0004_conversation_states': conversationStates,
    '0005_search_words': searchWords,
    '0006_waiting_guests': waitingGuests,
    '0007_ledger_uses': ledgerUses,
    '0008_reports_of_days': reportsOfDays,
    '0009_occupancy_of_months': occupancyOfMonths,
    '0010_tax_of_months': taxOfMonths,
    '0011_notices': notices,
    '0012_comparisons': comparisons,
    '0013_notice_reports': noticeReports,
    '0014_broker_feeds': brokerFeeds,
  },
  bridge: async () => (await import('../bridge/mirror/index.ts')).mirrorBridge,
};
