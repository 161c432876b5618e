import type { Kysely } from 'kysely';
import { createTable } from '../../tables.ts';

// Why: where no core runs, a person can be limited to some properties of each deployment that is mirrored. Two
// deployments give the same numbers to different properties, so each number stands with its connection.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'operator_mirrored_properties',
    columns: { account_id: 'text!', operator_id: 'bigint!', connection: 'text!', property_id: 'bigint!' },
    key: ['account_id', 'operator_id', 'connection', 'property_id'],
  });
}
