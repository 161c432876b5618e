import type { Kysely } from 'kysely';

// Why: applications are let in by OAuth: who they are, what a person allowed them, and what they hold. A webhook that
// an application registered is its own, and is told when it is disconnected.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await clients(db);
  await grants(db);
  await db.schema
    .createTable('oauth_failures')
    .addColumn('client_id', 'text', (column) => column.primaryKey())
    .addColumn('window_start', 'bigint', (column) => column.notNull())
    .addColumn('failures', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.alterTable('webhooks').addColumn('client_id', 'text').execute();
  await db.schema.alterTable('webhooks').addColumn('farewell_event_id', 'text').execute();
  await db.schema
    .createIndex('webhooks_farewell')
    .on('webhooks')
    .columns(['account_id', 'farewell_event_id'])
    .where('farewell_event_id', 'is not', null)
    .execute();
}

async function clients(db: Db): Promise<void> {
  await db.schema
    .createTable('oauth_clients')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text')
    .addColumn('secret_hint', 'text')
    .addColumn('redirect_uris', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('stale_at', 'text')
    .addPrimaryKeyConstraint('oauth_clients_key', ['account_id', 'client_id'])
    .execute();
}

async function grants(db: Db): Promise<void> {
  await db.schema
    .createTable('oauth_grants')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('operator_id', 'bigint', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('audience', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('revoked_at', 'text')
    .addColumn('revoked_why', 'text')
    .addPrimaryKeyConstraint('oauth_grants_key', ['account_id', 'id'])
    .execute();
  await db.schema.createIndex('oauth_grants_client').on('oauth_grants').columns(['account_id', 'client_id']).execute();
  await db.schema.createIndex('oauth_grants_everywhere').on('oauth_grants').column('client_id').execute();
  await db.schema
    .createTable('oauth_codes')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('grant_id', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text')
    .addColumn('code_challenge', 'text')
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('used_at', 'text')
    .addPrimaryKeyConstraint('oauth_codes_key', ['account_id', 'hash'])
    .execute();
  await db.schema
    .createTable('oauth_tokens')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('grant_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('audience', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('used_at', 'text')
    .addColumn('revoked_at', 'text')
    .addPrimaryKeyConstraint('oauth_tokens_key', ['account_id', 'hash'])
    .execute();
  await db.schema.createIndex('oauth_tokens_grant').on('oauth_tokens').columns(['account_id', 'grant_id']).execute();
}
