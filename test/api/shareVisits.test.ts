import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { newServer } from '../../src/api/http/server.ts';
import { serveShare } from '../../src/api/share/serve.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { PUBLIC_URL, startCore, type TestCore } from '../support/core.ts';

const STRANGER = '127.0.0.7';
const MINUTE_MS = 60_000;

/** Over a real port; strangers are told apart by the loopback address that they come from. */
describe('visits of public calendars', () => {
  let core: TestCore;
  let app: ReturnType<typeof newServer>;
  let link: string;
  let other: string;
  let questions = 0;

  before(async () => {
    core = await startCore();
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        questions += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const { store } = core.core;
    const counted = { ...core.core, store: { ...store, db: store.db.withPlugin(counting) } };
    app = newServer({ trustedProxies: [], names: () => [], tls: null });
    serveShare(app, { core: counted, log: silentLogger, trustedProxies: [] });
    await app.listen({ host: '127.0.0.1', port: 0 });
    [link, other] = [await newLink('Beach house'), await newLink('Alm')];
  });
  after(async () => {
    await app.close();
    await core.close();
  });

  const newLink = async (title: string): Promise<string> => {
    const { property_id } = await core.call('createProperty', { title });
    const { url } = await core.call('createCalendarShareLink', { scope: 'partial', property_ids: [property_id] });
    return url.slice(PUBLIC_URL.length);
  };
  const visit = async (path: string, localAddress = STRANGER) => {
    questions = 0;
    const { port } = app.server.address() as AddressInfo;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, localAddress }, resolve).on('error', reject).end();
    });
    const body = Buffer.concat(await answer.toArray()).toString();
    return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], body };
  };
  let invented = 0;
  const guess = (from = STRANGER) => {
    invented += 1;
    return visit(`/share/${String(invented).padStart(32, 'x')}`, from);
  };

  it('an invented token is one look-up of its digest; what cannot be a token is none', async () => {
    assert.deepEqual([(await guess()).status, questions], [404, 1]);
    assert.deepEqual([(await visit('/share/short')).status, questions], [404, 0]);
    await core.clock.advance(MINUTE_MS);
  });

  it('invented tokens close no calendar, not even one that nobody has opened yet', async () => {
    for (let count = 0; count < 200; count += 1) assert.equal((await guess()).status, 404);
    assert.equal((await visit(other)).status, 200);
  });

  it('300 visits of one calendar in a minute, from one address; other calendars and other addresses go on', async () => {
    for (let count = 0; count < 300; count += 1) assert.equal((await visit(link)).status, 200);
    const refused = await visit(link);
    assert.deepEqual([refused.status, refused.retryAfter], [429, '60']);
    assert.match(refused.body, /Too many requests/);
    assert.doesNotMatch(refused.body, /Beach house/);
    assert.equal((await visit(other)).status, 200);
    assert.equal((await visit(link, '127.0.0.8')).status, 200);
  });

  it('a minute later the address may read it again', async () => {
    await core.clock.advance(MINUTE_MS - 1);
    assert.equal((await visit(link)).status, 429);
    await core.clock.advance(1);
    assert.equal((await visit(link)).status, 200);
  });

  it('an ended link is found by nobody', async () => {
    const [first] = (await core.call('listCalendarShareLinks', { limit: 100 })).calendar_share_links;
    await core.call('deleteCalendarShareLink', { id: first.id });
    assert.equal((await visit(first.url.slice(PUBLIC_URL.length))).status, 404);
  });
});
