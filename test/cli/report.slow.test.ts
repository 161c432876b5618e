import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { reports } from '../../src/reports/catalog.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { call, dataDirectory, startTestService, type TestService } from '../support/service.ts';
import { runEach, runMany } from './support/runMany.ts';

type Environment = Record<string, string>;

function ownersFile(): string {
  const file = join(dataDirectory(), 'owners.yaml');
  writeFileSync(file, OWNERS);
  return file;
}

/** Two properties, one with a name that a spreadsheet would run; 100.00 and 30.00 EUR, and 4000 JPY. */
async function book(service: TestService): Promise<void> {
  const property = async (name: string) => (await service.v3('POST', '/properties', { name })).property_id as number;
  const house = await property('=1+1');
  const hut = await property('Hut');
  const stay = (property_id: number, from: string, to: string, rate_amount: number, currency = 'EUR') =>
    service.v3('POST', '/reservations', {
      property_id,
      check_in_date: from,
      check_out_date: to,
      guest_name: 'A. Guest',
      rate_amount,
      commission_amount: 0,
      received_amount: 20,
      currency,
    });
  await stay(house, '2027-03-05', '2027-03-08', 100);
  await stay(house, '2027-03-30', '2027-04-01', 30);
  await stay(hut, '2027-03-10', '2027-03-12', 4000, 'JPY');
  await service.v3('POST', '/transactions', {
    direction: 'expense',
    property_id: hut,
    item_id: 107,
    payment_method_id: 115,
    amount: 12.5,
    currency: 'EUR',
  });
  await service.settled();
  await service.portal('POST', '/portal/exports/book', {});
}

/** The hut is somebody's, who bears what it costs. */
const OWNERS = `exports:
  books:
    local:
      items: { expense: { 107: owner_expense } }
      properties: { 2: { owner: smith, contract: full } }
      owners: { smith: { name: "A. <Smith>" } }
      contracts: { full: { mode: agent, percent: 20 } }
`;
const MONTH = new Date().toISOString().slice(0, 7);

interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

/** What the command says to each of these, by the words after `report`: all are run in one process. */
async function saidTo(
  environment: Environment,
  questions: readonly (readonly string[])[],
): Promise<(words: string) => Said> {
  const outcomes = await runMany(
    questions.map((words) => ['report', ...words]),
    environment,
  );
  const byWords = new Map(questions.map((words, index) => [words.join(' '), outcomes[index]]));
  return (words) => {
    const outcome = byWords.get(words);
    assert.ok(outcome, `nobody asked ${words}`);
    return outcome as Said;
  };
}

const TABLE = 'revenue-by-stay-date --from 2027-03 --to 2027-03';
const JSON_OF = 'balances --to 2027-03 --json';

const STATEMENT = `owner-statement --owner smith --month ${MONTH}`;
const PROOF = 'sync --proof --json';

const WRONG: readonly (readonly [words: string, says: RegExp])[] = [
  ['ocupancy', /there is no report "ocupancy"\n.*reports are occupancy, /],
  ['occupancy --proof', /--proof: the report occupancy has none/],
  ['occupancy --from 2027-02-30', /from: "2027-02-30" is no date, month or year such as/],
  ['occupancy --as-of 2027-02-01', /as_of: the report occupancy does not take it\n.*takes --from, --to, --by/],
  ['occupancy --by week', /"week" is none of month, year, all/],
  ['occupancy --property 1,x', /Write all, or numbers and commas/],
  ['occupancy --property 99', /there is no property 99 in the mirror/],
  ['gaps --nights 0', /whole number above zero/],
  ['balances --connection north', /there is none named "north"; there are local/],
  ['balances --csv x --json', /do not go together/],
  ['--from 2027', /--from needs the name of a report/],
];

const WRONG_OF_OWNERS: typeof WRONG = [
  ['balances --html x', /--html: the report balances has none\n.*owner-statement has/],
  ['balances --owner smith', /owner: the report balances does not take it/],
  ['owner-statement --html x --owner smith', /--month is missing/],
  ['owner-statement --html x --month 2026-11', /--owner is missing/],
  ['owner-statement --html x --owner smith --month 2026-11 --json', /--json does not go together with --html/],
  ['owner-statement --owner smyth', /there is no owner "smyth" in the books\n.*there are smith/],
  ['owner-statement --month 2026-13', /month: "2026-13" is no month/],
  ['owner-statement --month 2026-11 --from 2026', /--month does not go together with --from/],
];

/** What holds wherever the mirror is, beside a running service and without one. */
function shared(environment: () => Environment, dir: () => string, names: readonly string[] = []): void {
  const wrong = names.length === 0 ? WRONG : [...WRONG, ...WRONG_OF_OWNERS];
  let said: (words: string) => Said;
  let files: string[][];

  before(async () => {
    // What was there is replaced; a folder of that name cannot be.
    writeFileSync(join(dir(), 'balances.csv'), 'from before');
    mkdirSync(join(dir(), 'taken'), { recursive: true });
    const questions = [TABLE, JSON_OF, PROOF, ...names, ...wrong.map(([words]) => words)].map((words) =>
      words.split(' '),
    );
    const toFile = ['balances.csv', 'taken', 'none/x.csv'].map((name) => ['balances', '--csv', join(dir(), name)]);
    const toPage = [...STATEMENT.split(' '), '--html', join(dir(), 'smith.html')];
    writeFileSync(join(dir(), 'smith.html'), 'from before');
    const left = () => readdirSync(dir()).toSorted();
    files = [left()];
    said = await saidTo(environment(), [...questions, ...toFile, toPage]);
    files.push(left());
  });

  it('prints a table of decimals, a line of sums for each currency, and what it was narrowed to', () => {
    const { code, stdout, stderr } = said(TABLE);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' ')),
      [
        'revenue by item, in the month of the nights, by month, from 2027-03-01, to 2027-03-31',
        'period item currency stays amount',
        '2027-03 ACCOMMODATION EUR 2 130.00',
        '2027-03 ACCOMMODATION JPY 1 4000',
        '------- ------------- -------- ----- ------',
        'total EUR 130.00',
        'total JPY 4000',
        '',
      ],
    );
  });

  it('--json prints what was asked, everything decided, and rows in minor units', () => {
    const { code, stdout } = said(JSON_OF);
    assert.equal(code, 0);
    const { rows, ...asked } = JSON.parse(stdout) as { rows: Record<string, unknown>[] };
    assert.deepEqual(asked, { report: 'balances', connection: 'local', to: '2027-03-31' });
    assert.deepEqual(
      rows.map((row) => [row['check_in_date'], row['property'], row['currency'], row['balance_minor']]),
      [
        ['2027-03-05', '=1+1', 'EUR', 8000],
        ['2027-03-10', 'Hut', 'JPY', 3980],
        ['2027-03-30', '=1+1', 'EUR', 1000],
      ],
    );
  });

  it('--proof lists what proves the figures of a report', () => {
    const { code, stdout, stderr } = said(PROOF);
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { report: 'sync-proof', connection: 'local', rows: [] });
  });

  it('--csv writes all columns to a file of the owner’s, whole or not at all, and runs no formula', () => {
    const file = join(dir(), 'balances.csv');
    const { code, stdout, stderr } = said(`balances --csv ${file}`);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /3 rows written to .*balances\.csv/);
    const [head = [], ...rows] = parse(readFileSync(file)) as string[][];
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    assert.deepEqual(column('property'), ["'=1+1", 'Hut', "'=1+1"]);
    assert.deepEqual(column('balance'), ['80.00', '3980', '10.00']);
    assert.equal(head.includes('check_out_date'), true);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    for (const name of ['taken', 'none/x.csv']) {
      const outcome = said(`balances --csv ${join(dir(), name)}`);
      assert.equal(outcome.code, 2);
      assert.match(outcome.stderr, /cannot write/);
    }
  });

  it('owner-statement --html writes the statement of a month, to be printed', () => {
    const file = join(dir(), 'smith.html');
    const { code, stderr } = said(`${STATEMENT} --html ${file}`);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /statement of smith for .* written to .*smith\.html/);
    const html = readFileSync(file, 'utf8');
    assert.match(html, /<p>A\. &lt;Smith&gt;<\/p>/);
    assert.match(html, /<p>Fee of 20 % of what is earned; without a fee: damage<\/p>/);
    assert.match(html, /<th scope="row">Closing balance<\/th>\s*<td class="n">−12\.50<\/td>/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('a wrong name, date, option or property is wrong use, and says what is right', () => {
    for (const [words, expected] of wrong) {
      const { code, stdout, stderr } = said(words);
      assert.match(stderr, expected, words);
      assert.equal(code, 2, `${words}: ${stderr}`);
      assert.equal(stdout, '');
      assert.doesNotMatch(stderr, /\n\s+at /);
    }
  });

  it('every report answers, and nothing is left but what SQLite keeps beside a file that is read', () => {
    for (const name of names) assert.equal(said(name).code, 0, `${name}: ${said(name).stderr}`);
    const [first = [], last = []] = files;
    const added = last.filter((name) => !first.includes(name));
    assert.ok(
      added.every((name) => /^mirror\.db-(wal|shm)$/.test(name)),
      added.join(', '),
    );
    // Nothing was written.
    if (added.includes('mirror.db-wal')) assert.equal(statSync(join(dir(), 'mirror.db-wal')).size, 0);
  });
}

describe('reports on SQLite', () => {
  let service: TestService;
  let environment: Environment;
  before(async () => {
    const config = { STAYD_CONFIG: ownersFile() };
    service = await startTestService(config);
    environment = { STAYD_PORT: '0', STAYD_DATA_DIR: service.dataDir, ...config };
    await book(service);
  });
  after(() => service.remove());

  describe('beside a running service', () => {
    shared(
      () => environment,
      () => service.dataDir,
      reports.map((report) => report.name),
    );
  });

  describe('over HTTP', () => overHttp(() => service));

  describe('without a service', () => {
    before(() => service.stop());
    shared(
      () => environment,
      () => service.dataDir,
    );
  });

  it('a mirror of an earlier version, or none: what to do, and nothing is made', async () => {
    await service.run('drop view mirror.v1_balances');
    const dir = dataDirectory();
    try {
      const [earlier, none] = await runEach(
        [service.dataDir, dir].map((one) => ({ args: ['report', 'balances'], environment: { STAYD_DATA_DIR: one } })),
      );
      assert.equal(earlier?.code, 1);
      assert.match(earlier?.stderr ?? '', /made by an earlier version of stayd\n.*migrate/);
      assert.equal(none?.code, 2);
      assert.match(none?.stderr ?? '', new RegExp(`there is no stayd in ${dir}`));
      assert.deepEqual(readdirSync(dir), []);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

function overHttp(service: () => TestService): void {
  const get = (path: string, token = service().token) => call(service(), 'GET', path, { token });

  it('answers rows as the view has them, at most as many as asked for, and says that there are more', async () => {
    const { reports } = (await get('/mirror/reports')).json as { reports: { name: string }[] };
    assert.ok(reports.some(({ name }) => name === 'balances'));
    const { http, json } = await get('/mirror/reports/balances?from=2027-03-06&limit=1&property=1,2');
    assert.equal(http, 200);
    const { rows, ...asked } = json as { rows: Record<string, unknown>[] };
    assert.deepEqual(asked, {
      report: 'balances',
      connection: 'local',
      from: '2027-03-06',
      property: [1, 2],
      limit: 1,
      more: true,
    });
    assert.deepEqual(
      rows.map((row) => [row['property'], row['balance_minor']]),
      [['Hut', 3980]],
    );
    const all = (await get('/mirror/reports/balances')).json as { rows: object[]; more: boolean };
    assert.deepEqual([all.rows.length, all.more], [3, false]);
  });

  it('answers the statement of an owner as a page that may only be shown', async () => {
    const { http, headers, text } = await get(`/mirror/statements/smith/${MONTH}`);
    assert.equal(http, 200, text);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/);
    assert.match(text, /^<!doctype html>[^]*−12\.50/);
    assert.equal((await get('/mirror/statements/nobody/2026-11')).http, 422);
    assert.equal((await get('/mirror/statements/smith/2026-13')).json?.error.field, 'month');
    const { json } = await get('/mirror/reports/owner-statement?owner=smith');
    assert.deepEqual(
      [json.owner, json.books.behind, json.rows.map((row: any) => row.closing_minor)],
      ['smith', 0, [-1_250]],
    );
  });

  it('says which report or field is wrong', async () => {
    const none = await get('/mirror/reports/none');
    assert.deepEqual([none.http, none.json?.error.field], [404, 'name']);
    const wrong = await get('/mirror/reports/balances?from=soon');
    assert.equal(wrong.http, 422);
    assert.match(wrong.json?.error.message, /from: "soon" is no date/);
    assert.equal((await get('/mirror/reports/balances?property=1;2')).http, 422);
  });

  it('a read token may; strangers and sub-accounts may not', async () => {
    const { token: reading } = await service().portal('POST', '/portal/tokens', { name: 'r', scope: 'read' });
    assert.equal((await get('/mirror/reports/house', reading)).http, 200);
    assert.equal((await get('/mirror/reports/house', 'stayd_pat_none')).http, 401);
    const { id } = await service().portal('POST', '/portal/sub_accounts', { name: 'Cleaner', property_ids: [1] });
    const { token: sub } = await service().portal('POST', '/portal/tokens', {
      name: 's',
      scope: 'read',
      operator_id: id,
    });
    for (const path of ['/mirror/reports', '/mirror/reports/house', `/mirror/statements/smith/${MONTH}`])
      assert.equal((await get(path, sub)).http, 401);
  });
}

describeOnPostgres('reports on PostgreSQL', () => {
  let server: TestPostgres;
  let service: TestService;
  let environment: Environment;
  before(async () => {
    server = await startPostgres();
    const url = await server.freshDatabase();
    const config = { STAYD_CONFIG: ownersFile() };
    service = await startTestService({ STAYD_DATABASE_URL: url, ...config });
    environment = { STAYD_PORT: '0', STAYD_DATA_DIR: service.dataDir, STAYD_DATABASE_URL: url, ...config };
    await book(service);
  });
  after(async () => {
    await service.remove();
    await server.stop();
  });
  shared(
    () => environment,
    () => service.dataDir,
  );

  it('over HTTP too', async () => {
    const { http, json } = await call(service, 'GET', '/mirror/reports/balances', { token: service.token });
    assert.equal(http, 200, JSON.stringify(json));
    assert.equal((json as { rows: object[] }).rows.length, 3);
  });
});
