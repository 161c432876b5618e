import type { Kysely } from 'kysely';
import { createTable } from '../../tables.ts';

// Why: who does tasks sees them on a phone by a secret link, of which only the digest is kept, and reports damage with a
// photo, which belongs to the task that is made of it.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'staff_links',
    columns: { account_id: 'text!', staff_id: 'bigint!', token_hash: 'text! unique', created_at: 'text!' },
    key: ['account_id', 'staff_id'],
  });
  await createTable(db, {
    name: 'task_photos',
    columns: {
      account_id: 'text!',
      photo: 'text! unique',
      task_id: 'bigint!',
      staff_id: 'bigint!',
      content_type: 'text!',
      created_at: 'text!',
      base64: 'text!',
    },
    key: ['account_id', 'task_id', 'photo'],
    indexes: [{ name: 'task_photos_of_staff', columns: ['account_id', 'staff_id', 'created_at'] }],
  });
}
