import type { Kysely } from 'kysely';

// Why: what applications hold no longer, and applications that nobody let in, are looked for every hour and deleted.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('oauth_tokens_over').on('oauth_tokens').columns(['account_id', 'expires_at']).execute();
  await db.schema.createIndex('oauth_clients_made').on('oauth_clients').columns(['origin', 'created_at']).execute();
}
