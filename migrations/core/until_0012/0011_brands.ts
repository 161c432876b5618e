import type { Kysely } from 'kysely';
import { createTable } from '../../tables.ts';

// Why: pages that strangers see carry the name, the colour and the logo of the account, once somebody sets them. The
// address of a logo has a secret of its own, so that nobody can ask which accounts have a known picture.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'brands',
    columns: {
      account_id: 'text! primary key',
      name: 'text',
      color: 'text',
      logo_key: 'text unique',
      logo_type: 'text',
      logo_digest: 'text',
      logo_width: 'integer',
      logo_height: 'integer',
      logo_base64: 'text',
      updated_at: 'text!',
    },
  });
}
