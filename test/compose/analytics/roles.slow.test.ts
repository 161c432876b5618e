import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import pg from 'pg';
import { scramVerifier } from '../../../src/compose/analytics/scram.ts';
import { runEach, runMany } from '../../cli/support/runMany.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { dataDirectory } from '../../support/service.ts';
import { ask, type Cells } from './support/world.ts';

const PASSWORD = 'correct horse battery';
const DENIED = '42501';

describeOnPostgres('roles that read the views', () => {
  let server: TestPostgres;
  let url: string;
  let dir: string;
  let environment: Record<string, string>;
  const run = (...list: string[][]) => runMany(list, environment);

  before(async () => {
    server = await startPostgres();
    url = await server.emptyDatabase();
    dir = dataDirectory();
    writeFileSync(join(dir, 'password'), `${PASSWORD}\n`);
    environment = { STAYD_DATA_DIR: dir, STAYD_DATABASE_URL: url };
    const password = ['--password-file', join(dir, 'password')];
    const outcomes = await run(
      ['migrate'],
      ['analysts', 'grant', 'bi', ...password],
      ['analysts', 'grant', 'bi'],
      ['analysts', 'grant', 'bi_all', '--persons', ...password],
    );
    assert.deepEqual(
      outcomes.map(({ code, stderr }) => [code, stderr]),
      outcomes.map(() => [0, '']),
    );
    assert.match(outcomes[1]?.stdout ?? '', /^bi is there, and reads the views, without personal data\n/);
    assert.match(outcomes[2]?.stdout ?? '', /^bi reads the views, without personal data\n/);
  });
  after(async () => {
    for (const client of open.values()) await client.end();
    rmSync(dir, { recursive: true });
    await server.stop();
  });

  const open = new Map<string, pg.Client>();
  const queryAs = async (name: string, text: string): Promise<void> => {
    let client = open.get(name);
    if (!client) {
      const place = Object.assign(new URL(url), { username: name, password: PASSWORD });
      client = new pg.Client({ connectionString: place.href });
      await client.connect();
      open.set(name, client);
    }
    await client.query(text);
  };
  const refusal = (name: string, text: string): Promise<string> =>
    queryAs(name, text).then(
      () => `${name} may ${text}`,
      (error: { code?: string; message?: string }) => error.code ?? String(error.message),
    );
  const views = () =>
    ask(
      url,
      `select schemaname || '."' || viewname || '"' as view, schemaname as schema from pg_views where schemaname like 'analytics%'`,
    );

  it('without personal data can read every view of analytics, whole, and no personal column by any name', async () => {
    for (const { view, schema } of await views()) {
      const text = `select * from ${view} limit 0`;
      if (schema === 'analytics') await queryAs('bi', text);
      else assert.equal(await refusal('bi', text), DENIED, text);
    }
    const personal = await ask(
      url,
      `select p.table_name as view, p.column_name as "column" from information_schema.columns p
       where p.table_schema = 'analytics_persons' and not exists (
         select from information_schema.columns o where o.table_schema = 'analytics'
           and o.table_name = p.table_name and o.column_name = p.column_name)`,
    );
    assert.ok(personal.length > 60, `${personal.length} personal columns`);
    for (const { view, column } of personal) {
      for (const place of [`analytics_persons."${view}"`, `mirror."${view}"`]) {
        assert.equal(await refusal('bi', `select "${column}" from ${place}`), DENIED, `${place}.${column}`);
      }
    }
  });

  it('sees no column that the operator or the contract calls personal, and nothing sealed', async () => {
    const columns = await ask(
      url,
      `select table_name || '.' || column_name as "column" from information_schema.columns where table_schema = 'analytics'`,
    );
    const names = columns.map((row) => String(row['column']));
    const telling =
      /\.(?:raw|diff|note|notes|remarks|phone|mobile|email|guest|guest_name|id_number|operator_name|staff_name|person|text|json|content|url_sealed|webhook_secret|webhook_url|before|after|owner_name|username)$/;
    assert.deepEqual(
      names.filter((name) => telling.test(name)),
      [],
    );
    assert.deepEqual(
      names.filter((name) => /^(?:guests|personal_values|upstream_tokens|webhooks|inbox)\./.test(name)),
      [],
    );
  });

  it('with personal data reads both, and finds the complete view first', async () => {
    for (const { view } of await views()) await queryAs('bi_all', `select * from ${view} limit 0`);
    await queryAs('bi_all', 'select name from guests limit 0');
    await queryAs('bi_all', 'select raw from stays limit 0');
    assert.equal(await refusal('bi', 'select name from guests'), '42P01');
  });

  it('never write, whatever they set, and read neither the mirror nor the core', async () => {
    for (const name of ['bi', 'bi_all']) {
      for (const text of [
        `insert into analytics.dates (date) values ('2001-01-01')`,
        `update analytics.properties set name = 'x'`,
        'delete from analytics.stay_nights',
        'update mirror.properties set name = null',
        'delete from core.stays',
        'select * from core.stays',
        'select * from mirror.guests',
        'select * from mirror.connections',
        'create table analytics.own (a int)',
        'create schema own',
        'drop view analytics.stays',
        'alter view analytics.stays rename to x',
        'create view analytics.own as select 1',
      ]) {
        assert.match(await refusal(name, text), /^(?:42501|25006|0A000)$/, text);
        assert.match(await refusal(name, `set transaction_read_only = off; ${text}`), /^(?:42501|0A000)$/, text);
      }
    }
  });

  it('the views made after a grant are granted too', async () => {
    await ask(url, 'drop view analytics.reviews cascade');
    assert.equal(await refusal('bi', 'select * from analytics.reviews'), '42P01');
    const [made] = await run(['migrate']);
    assert.equal(made?.code, 0, made?.stderr);
    await queryAs('bi', 'select * from analytics.reviews');
  });

  it('are listed, lose personal data by a grant without it, and everything by revoke', async () => {
    const [list, less, listed, revoked, after] = await run(
      ['analysts', 'list', '--json'],
      ['analysts', 'grant', 'bi_all'],
      ['analysts', 'list', '--json'],
      ['analysts', 'revoke', 'bi_all'],
      ['analysts', 'list'],
    );
    assert.deepEqual(JSON.parse(list?.stdout ?? ''), [
      { role: 'bi', persons: false },
      { role: 'bi_all', persons: true },
    ]);
    assert.equal(less?.code, 0, less?.stderr);
    assert.deepEqual(JSON.parse(listed?.stdout ?? '').at(-1), { role: 'bi_all', persons: false });
    assert.equal(revoked?.code, 0, revoked?.stderr);
    assert.doesNotMatch(after?.stdout ?? '', /bi_all/);
    await open.get('bi_all')?.end();
    open.delete('bi_all');
    assert.match(await refusal('bi_all', 'select 1'), /^28000$/);
  });

  it('are refused where they could do more, have no proper name, or nobody can be asked for a password', async () => {
    await server.query(`create role grouped login in role ${'pg_write_all_data'}`);
    await server.query('create role owned login');
    const outcomes = await run(
      ['analysts', 'grant', 'postgres'],
      ['analysts', 'grant', 'grouped'],
      ['analysts', 'grant', 'bi"; drop schema core'],
      ['analysts', 'grant', 'pg_new'],
      ['analysts', 'grant', 'new_one'],
      ['analysts', 'grant', 'owned', '--password-file', join(dir, 'password')],
      ['analysts', 'revoke', 'nobody'],
    );
    const says = [
      /may do more than read/,
      /by a right from elsewhere/,
      /is no name/,
      /is no name/,
      /password: is missing/,
      /made by somebody else/,
      /there is no role/,
    ];
    for (const [index, { code, stderr }] of outcomes.entries()) {
      assert.equal(code, 2, stderr);
      assert.match(stderr, says[index] ?? /$^/);
    }
    const left = await server.query(`select rolname from pg_roles where rolname in ('new_one', 'pg_new')`);
    assert.deepEqual(left.rows, []);
    assert.deepEqual(await ask(url, `select nspname from pg_namespace where nspacl::text like '%grouped%'`), []);
  });

  it('are made by an administrator with the printed SQL where the role of stayd may not, and the password is not in it', async () => {
    await server.query('create role plain login');
    const name = new URL(url).pathname.slice(1);
    const own = new URL(await server.emptyDatabase());
    await server.query(`grant create on database ${own.pathname.slice(1)} to plain`);
    own.username = 'plain';
    const plain = { STAYD_DATA_DIR: dir, STAYD_DATABASE_URL: own.href };
    const password = ['--password-file', join(dir, 'password')];
    const [migrated, refused, printed] = await runEach(
      [
        ['migrate'],
        ['analysts', 'grant', 'metabase', ...password],
        ['analysts', 'grant', 'metabase', '--sql', ...password],
      ].map((args) => ({ args, environment: plain })),
    );
    assert.equal(migrated?.code, 0, migrated?.stderr);
    assert.notEqual(refused?.code, 0);
    assert.match(refused?.stderr ?? '', /the database refuses: .*\n.*--sql/);
    assert.equal(printed?.code, 0, printed?.stderr);
    assert.ok(!printed?.stdout.includes(PASSWORD));
    own.username = 'postgres';
    const admin = new pg.Client({ connectionString: own.href });
    await admin.connect();
    for (let times = 0; times < 2; times += 1) await admin.query(printed?.stdout ?? '');
    await admin.end();
    const rows: Cells[] = await ask(own.href, 'select count(*) as n from stays', {
      name: 'metabase',
      password: PASSWORD,
    });
    assert.deepEqual(rows, [{ n: '0' }], name);
  });

  it('get a verifier that is PostgreSQL’s own for the same password and salt', async () => {
    await server.query(`set password_encryption = 'scram-sha-256'; create role sample password '${PASSWORD}'`);
    const { rows } = await server.query(`select rolpassword from pg_authid where rolname = 'sample'`);
    const [, salt = ''] = /:([^$]+)\$/.exec(rows[0].rolpassword) ?? [];
    assert.equal(scramVerifier(PASSWORD, Buffer.from(salt, 'base64')), rows[0].rolpassword);
    assert.throws(() => scramVerifier('kurz', Buffer.alloc(16)), /8 to 200 characters/);
  });
});

it('on SQLite there are no roles, which the command says', async () => {
  const dir = dataDirectory();
  const [, listed] = await runMany([['migrate'], ['analysts', 'list']], { STAYD_DATA_DIR: dir });
  rmSync(dir, { recursive: true });
  assert.equal(listed?.code, 2);
  assert.match(listed?.stderr ?? '', /files know no roles/);
});
