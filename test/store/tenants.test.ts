import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import pg from 'pg';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

/** The column of the tenant in each half. */
const TENANT = { core: 'account_id', mirror: 'connection' } as const;

/** Tables that belong to no tenant: small, the same on every shard, or about callers who are nobody yet. */
const WITHOUT_TENANT = new Set([
  'core.kysely_migration',
  'core.kysely_migration_lock',
  'core.oauth_failures',
  'core.sealings',
  'core.sign_in_tries',
  'mirror.dates',
  'mirror.kysely_migration',
  'mirror.kysely_migration_lock',
]);

/**
 * Unique keys without the tenant. `number`: a sequence gives it, so that it is unique without the key. `secret`: something by
 * which a caller is found before the tenant is known. `name`: what a person chooses for the whole installation.
 */
const ACROSS_TENANTS: Readonly<Record<string, 'number' | 'secret' | 'name'>> = {
  'core.account_connections(connection)': 'name',
  'core.accounts(name)': 'name',
  'core.attachments(token)': 'secret',
  'core.automation_plans(plan_id)': 'number',
  'core.automation_rules(id)': 'number',
  'core.booking_pages(token_hash)': 'secret',
  'core.brands(logo_key)': 'secret',
  'core.calendar_share_links(id)': 'number',
  'core.calendar_share_links(token_hash)': 'secret',
  'core.channel_posts(id)': 'number',
  'core.conversations(conversation_id)': 'number',
  'core.direct_bookings(token_hash)': 'secret',
  'core.direct_payments(idempotency_key)': 'secret',
  'core.direct_refunds(idempotency_key)': 'secret',
  'core.feeds(token_hash)': 'secret',
  'core.guest_pages(token_hash)': 'secret',
  'core.invites(hash)': 'secret',
  'core.knowledge_bases(id)': 'number',
  'core.knowledge_chunks(id)': 'number',
  'core.logins(login)': 'name',
  'core.mail_threads(token)': 'secret',
  'core.oauth_clients(client_id)': 'secret',
  'core.oauth_codes(hash)': 'secret',
  'core.oauth_tokens(hash)': 'secret',
  'core.properties(id)': 'number',
  'core.property_groups(id)': 'number',
  'core.property_tags(id)': 'number',
  'core.reservation_tags(id)': 'number',
  'core.room_types(id)': 'number',
  'core.second_factors(credential_id)': 'secret',
  'core.sessions(hash)': 'secret',
  'core.sign_in_steps(hash)': 'secret',
  'core.special_offers(special_offer_id)': 'number',
  'core.staff_links(token_hash)': 'secret',
  'core.staffs(id)': 'number',
  'core.task_photos(photo)': 'secret',
  'core.tasks(id)': 'number',
  'core.tokens(hash)': 'secret',
  'core.transactions(id)': 'number',
  'core.webhooks(id)': 'number',
};

/** What a database that spreads tenants over machines forbids; docs/scale.md says what becomes of the rest. */
describeOnPostgres('the schema, for a database that spreads tenants', () => {
  let server: TestPostgres;
  let client: pg.Client;
  before(async () => {
    server = await startPostgres();
    client = new pg.Client({ connectionString: await server.freshDatabase() });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await server.stop();
  });
  const rows = async (text: string): Promise<Record<string, any>[]> => (await client.query(text)).rows;

  it('has the tenant in every table, but for those that belong to none', async () => {
    const found = await rows(`
      select n.nspname || '.' || t.relname as name
      from pg_class t join pg_namespace n on n.oid = t.relnamespace
      where t.relkind = 'r' and n.nspname in ('core', 'mirror') and not exists (
        select 1 from pg_attribute a where a.attrelid = t.oid and a.attnum > 0
          and a.attname = case n.nspname when 'core' then '${TENANT.core}' else '${TENANT.mirror}' end)`);
    assert.deepEqual(new Set(found.map(({ name }) => name)), WITHOUT_TENANT);
  });

  it('has the tenant first in every unique key, but for those that are known', async () => {
    const keys = await rows(`
      select n.nspname as half, n.nspname || '.' || t.relname as name, array(
        select a.attname::text from unnest(x.indkey) with ordinality k(number, place)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number order by k.place) as columns
      from pg_index x join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
      where x.indisunique and n.nspname in ('core', 'mirror')`);
    const across = keys
      .filter(({ half, columns }) => columns[0] !== TENANT[half as keyof typeof TENANT])
      .filter(({ name }) => !WITHOUT_TENANT.has(name))
      .map(({ name, columns }) => `${name}(${columns.join(', ')})`);
    assert.deepEqual(new Set(across), new Set(Object.keys(ACROSS_TENANTS)));
  });

  it('refers from one table to another inside a tenant only', async () => {
    const references = await rows(`
      select conrelid::regclass::text as name, pg_get_constraintdef(oid) as says
      from pg_constraint where contype = 'f'`);
    for (const { name, says } of references) {
      const half = String(name).split('.')[0] as keyof typeof TENANT;
      assert.match(says, new RegExp(`^FOREIGN KEY \\(${TENANT[half]}, .* REFERENCES \\S+\\(${TENANT[half]}, `), name);
    }
  });

  it('has a sequence for each kind of number, and none that a key across tenants depends on alone', async () => {
    const columns = await rows(`
      select table_schema || '.' || table_name as name, column_name
      from information_schema.columns where table_schema in ('core', 'mirror') and column_default like 'nextval%'`);
    // Numbers are taken in blocks and given by the program, so that a sequence can be replaced by ranges.
    assert.deepEqual(columns, []);
  });
});
