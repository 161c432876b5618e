import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addDays } from '../../src/kernel/dates.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { call, dataDirectory, startTestService, type TestService, until } from '../support/service.ts';
import { type ServiceProcess, startProcess } from './support/process.ts';

const PASSWORD = 'correct horse battery';
const KEY = '34'.repeat(32);
const LIMIT_MS = 90_000;
const LONG_AGO = '2026-01-01T00:00:00.000Z';

const HOUSES = 12;

/** An export of so many stays of a night. */
function exportOf(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const night = addDays('2027-01-01', Math.floor(index / HOUSES));
    return `${night},${addDays(night, 1)},Guest ${index},${100 + (index % 50)},House ${(index % HOUSES) + 1}`;
  });
  return ['Arrival,Departure,Guest,Price,Unit', ...lines, ''].join('\n');
}

/** Signs the owner in. @returns the cookie, which opens every process */
async function signIn(service: TestService): Promise<string> {
  const secret = await service.service.firstSecret();
  const body = { secret, login: 'ada', password: PASSWORD };
  const { headers, http, text } = await call(service, 'POST', '/portal/invites/accept', { token: null, body });
  assert.equal(http, 200, text);
  return (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

type At = Pick<TestService, 'url'>;

async function post(at: At, cookie: string, path: string, form: FormData | URLSearchParams): Promise<string> {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(`${at.url}/console/${path}`, { method: 'POST', headers, body: form, redirect: 'manual' });
  const text = await answer.text();
  assert.ok(answer.status < 400, text);
  return text;
}

async function page(at: At, cookie: string, path: string): Promise<string> {
  return (await fetch(`${at.url}/console/${path}`, { headers: { cookie } })).text();
}

/** Gives a file to one process. @returns what its form would send next */
async function give(at: At, cookie: string, csv: string): Promise<URLSearchParams> {
  const form = new FormData();
  form.set('file', new Blob([csv], { type: 'text/csv' }), 'export.csv');
  const shown = await post(at, cookie, 'import/file', form);
  const [, upload = ''] = /name="upload" value="([^"]+)"/.exec(shown) ?? [];
  const [, mapping = ''] = /<textarea[^>]*>([^]*?)<\/textarea>/.exec(shown) ?? [];
  const plain = mapping
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
  return new URLSearchParams({ upload, mapping: plain });
}

const state = async (at: TestService) => (await at.rows('select state, done, text from core.setup_jobs'))[0];
const stored = async (at: TestService) =>
  Number((await at.rows('select count(*) as n from core.import_rows'))[0]?.['n']);

async function ended(at: TestService): Promise<void> {
  await until(async () => (await state(at))?.['state'] !== 'running', 'the import to end', LIMIT_MS);
  assert.equal((await state(at))?.['state'], 'done', String((await state(at))?.['text']));
}

describe('an import that a restart cuts off', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await service.settled();
  });
  after(() => service.remove());

  it('goes on by itself, and stores each row once', async () => {
    const cookie = await signIn(service);
    await post(service, cookie, 'import/run', await give(service, cookie, exportOf(3_000)));
    await until(async () => (await stored(service)) > 0, 'the first rows', LIMIT_MS);
    await service.restart();
    const before = await stored(service);
    assert.ok(before < 3_000, 'it was cut off');
    assert.match(await page(service, cookie, 'setup'), /Importing|is imported/);
    await ended(service);
    assert.equal(await stored(service), 3_000);
    assert.match(await page(service, cookie, 'setup'), /is imported/);
    assert.deepEqual(await service.rows('select upload from core.uploads'), [], 'the file is not kept');
    assert.deepEqual(await service.rows('select upload from core.upload_pieces'), []);
  });
});

describeOnPostgres('Setup, whose pages come from several processes', () => {
  let server: TestPostgres;
  let shared: Record<string, string>;
  let one: TestService;
  let other: TestService;
  let third: ServiceProcess | undefined;
  let cookie: string;
  before(async () => {
    server = await startPostgres();
    shared = { STAYD_DATABASE_URL: await server.freshDatabase(), STAYD_SECRET_KEY: KEY };
    one = await startTestService(shared);
    other = await startTestService(shared);
    cookie = await signIn(one);
    await one.settled();
  });
  after(async () => {
    await third?.kill('SIGKILL');
    await other.remove();
    await one.remove();
    await server.stop();
  });

  it('takes a file by one, imports it by another, and both tell how it stands', async () => {
    const given = await give(one, cookie, exportOf(30));
    await post(other, cookie, 'import/run', given);
    await ended(one);
    for (const at of [one, other]) assert.match(await page(at, cookie, 'setup'), /is imported[^]*export\.csv/);
    assert.equal(await stored(one), 30);
  });

  it('keeps the rows that were refused, for whoever is asked', async () => {
    const csv = `${exportOf(3)}not a date,2027-09-03,Ada,1,House 1\n`;
    await post(one, cookie, 'import/run', await give(one, cookie, csv));
    await ended(one);
    assert.match(await page(other, cookie, 'setup'), /Rows refused[^]*href="\/console\/import\/refused/);
    const rows = await page(other, cookie, 'import/refused');
    assert.match(rows, /not a date/);
    assert.equal(rows.trim().split('\n').length, 2);
  });

  it('begins no second work while the first goes on, whoever is asked', async () => {
    const given = await give(one, cookie, exportOf(30));
    await one.run(`update core.setup_jobs set state = 'running', claimed_until = '2999-01-01T00:00:00.000Z'`);
    const shown = await post(other, cookie, 'import/run', given);
    assert.match(shown, /Earlier work is still going on/);
    await one.run(`update core.setup_jobs set state = 'done'`);
  });

  it('goes on with what a process has left that was killed', async () => {
    third = await startProcess(dataDirectory(), shared);
    const given = await give(third, cookie, exportOf(1_200));
    const before = await stored(one);
    await post(third, cookie, 'import/run', given);
    await until(async () => (await stored(one)) > before, 'the first rows', LIMIT_MS);
    await third.kill('SIGKILL');
    assert.ok((await stored(one)) < 1_200, 'it was cut off');
    // As if its time had passed.
    await one.run(`update core.setup_jobs set claimed_until = '${LONG_AGO}'`);
    await ended(one);
    assert.equal(await stored(one), 1_200);
    const stays = await one.rows('select count(*) as n, count(distinct stay_code) as codes from core.stays');
    assert.deepEqual(
      stays.map(({ n, codes }) => [Number(n), Number(codes)]),
      [[1_200, 1_200]],
    );
  });
});
