import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { KyselyPlugin } from 'kysely';
import { clientAddressOf } from '../../src/api/http/plainHttp.ts';
import { pageHeaders } from '../../src/api/http/pageHeaders.ts';
import { newServer } from '../../src/api/http/server.ts';
import { workServices } from '../../src/compose/console/work.ts';
import { Answers } from '../../src/console/answer.ts';
import { serveWork } from '../../src/console/work/serve.ts';
import { endStaffLink, makeStaffLink } from '../../src/core/staffLinks/links.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { PUBLIC_URL, startCore, TRUSTED_PROXY, type TestCore } from '../support/core.ts';

/** What the daemon beside would do; these pages change nothing. */
const noMirror = { connectionsOf: async () => [] } as unknown as Parameters<typeof workServices>[1];
const STRANGER = '203.0.113.7';
const MINUTE_MS = 60_000;

describe('visits of the pages of those who do tasks', () => {
  let core: TestCore;
  let app: FastifyInstance;
  let mia: number;
  let link: string;
  let questions = 0;

  before(async () => {
    core = await startCore();
    ({ staff_id: mia } = await core.call('createStaff', { name: 'Mia Clean', mobile: '+49 1701234567' }));
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        questions += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const { store } = core.core;
    const counted = { ...core.core, store: { ...store, db: store.db.withPlugin(counting) } };
    app = newServer({ trustedProxies: [TRUSTED_PROXY], names: () => ['rooms.example'], tls: null });
    const assets = { style: '/style.css', scripts: [], modules: [] };
    const answers = new Answers({ assets, random: core.core.random, logOf: () => silentLogger, headers: pageHeaders });
    const addressOf = clientAddressOf([TRUSTED_PROXY]);
    serveWork(app, { work: workServices(counted, noMirror), answers, addressOf });
    link = await newLink();
  });
  after(async () => {
    await app.close();
    await core.close();
  });

  const owner = () => ({ account: core.own.account, operator: null, visible: null });
  const newLink = async () => (await makeStaffLink(core.core, owner(), mia)).url.slice(PUBLIC_URL.length);
  const visit = async (url: string, from = STRANGER) => {
    questions = 0;
    const proxied = { 'x-forwarded-for': from, 'x-forwarded-proto': 'https', host: 'rooms.example' };
    return app.inject({ url, headers: proxied, remoteAddress: TRUSTED_PROXY });
  };
  let invented = 0;
  const guess = (from = STRANGER) => {
    invented += 1;
    return visit(`/work/${String(invented).padStart(32, 'x')}`, from);
  };
  const nextMinute = () => core.clock.advance(MINUTE_MS);

  it('answers a link 120 times a minute, from wherever, and then says when to come back', async () => {
    for (let count = 1; count <= 120; count += 1)
      assert.equal((await visit(link, `198.51.100.${count}`)).statusCode, 200);
    const refused = await visit(link);
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '60']);
    assert.match(refused.body, /Too many requests/);
    assert.doesNotMatch(refused.body, /Mia/);
    await nextMinute();
    assert.equal((await visit(link)).statusCode, 200);
  });

  it('an invented token gets the page of an ended link, for one look-up of its digest', async () => {
    const other = await newLink();
    const ended = await visit(link);
    const answer = await guess();
    assert.equal(questions, 1, 'the digest');
    assert.deepEqual([answer.statusCode, ended.statusCode], [404, 404]);
    const withoutNonce = (body: string) => body.replaceAll(/nonce="[^"]*"/g, '');
    assert.equal(withoutNonce(answer.body), withoutNonce(ended.body));
    assert.deepEqual(Object.keys(answer.headers), Object.keys(ended.headers));
    const unlike = await visit('/work/short');
    assert.deepEqual([unlike.statusCode, questions], [404, 0], 'what cannot be a token is not looked up');
    link = other;
  });

  it('who has guessed 30 times in a minute waits, and the database is asked nothing', async () => {
    await nextMinute();
    assert.equal((await visit(link)).statusCode, 200);
    for (let count = 1; count <= 30; count += 1) assert.equal((await guess()).statusCode, 404);
    const refused = await guess();
    assert.deepEqual([refused.statusCode, refused.headers['retry-after'], questions], [429, '60', 0]);
  });

  it('a link that was opened before is served to the same address, and every link to others', async () => {
    assert.equal((await visit(link)).statusCode, 200);
    const fresh = await newLink();
    assert.equal((await visit(fresh)).statusCode, 429, 'a link that nobody has opened yet');
    assert.equal((await visit(fresh, '198.51.100.9')).statusCode, 200);
    assert.equal((await visit(fresh)).statusCode, 200);
    assert.equal((await guess('198.51.100.9')).statusCode, 404);
    link = fresh;
  });

  it('an ended link is a guess like any other', async () => {
    await endStaffLink(core.core, owner(), mia);
    assert.equal((await visit(link)).statusCode, 404);
    assert.deepEqual([(await visit(link)).statusCode, questions], [429, 0]);
    await nextMinute();
    assert.equal((await visit(link)).statusCode, 404);
  });
});
