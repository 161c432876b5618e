import type { Kysely } from 'kysely';
import { createSequences } from '../../src/store/leases/sequences.ts';
import { createTable } from '../tables.ts';

// Why: bookings without a channel need a price that the host has set. A property has one plan, which others may share.
// Every version of a plan is kept, so that a quote can name the one that it was made with.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createSequences(db, ['rate_plans']);
  await createTable(db, {
    name: 'rate_plans',
    columns: {
      account_id: 'text!',
      id: 'bigint!',
      version: 'integer!',
      plan: 'text!',
      made_at: 'text!',
    },
    key: ['account_id', 'id', 'version'],
  });
  await createTable(db, {
    name: 'rate_plan_properties',
    columns: { account_id: 'text!', property_id: 'bigint!', plan_id: 'bigint!', version: 'integer!' },
    key: ['account_id', 'property_id'],
    indexes: [{ name: 'rate_plan_properties_by_plan', columns: ['account_id', 'plan_id'] }],
  });
}
