import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { performAs } from '../../src/api/http/pipeline.ts';
import { authenticate } from '../../src/core/accounts/authenticate.ts';
import { endToken } from '../../src/core/accounts/endToken.ts';
import { Delivery } from '../../src/core/outbox/delivery.ts';
import { handlers } from '../../src/core/handlers.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { openHandlers } from '../../src/oauth/handlers.ts';
import { disconnect } from '../../src/oauth/revoke.ts';
import { type Sender, webhookSender } from '../../src/outbound/deliver.ts';
import { up } from '../../migrations/bridge/core/0019_webhook_creators.ts';
import { oauthOf, startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { Browser, connect, register, type Registered, signedIn } from './support/flow.ts';

const OWN = 'https://hooks.example/own';
const THEIRS = 'https://thief.example/in';

const CREATION = {
  params: {},
  query: {},
  body: Buffer.from(JSON.stringify({ url: THEIRS })),
  contentType: 'application/json',
};

describe('whose webhook it is', () => suite(() => startCore()));

describeOnPostgres('whose webhook it is, on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  suite(async () => startCore({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});

function suite(start: () => Promise<TestCore>): void {
  let core: TestCore;
  let client: Registered;
  /** Who may ask, each with a writable token: the main account, two sub-accounts, two applications of it, one of a sub-account. */
  let who: Record<'main' | 'sub' | 'otherSub' | 'app' | 'otherApp' | 'appOfSub', string>;
  beforeEach(async () => {
    core = await start();
    client = await register(oauthOf(core.core));
    const other = await register(oauthOf(core.core), { name: 'Other' });
    const browser = new Browser(core, await signedIn(core, core.own.account, 'ann'));
    const sub = await core.addSubAccount(core.own.account, []);
    const { operator } = await authenticate(core.core.store.db, sub, core.clock.now());
    const subBrowser = new Browser(core, await signedIn(core, core.own.account, 'sue', operator.id));
    who = {
      main: core.own.token,
      sub,
      otherSub: await core.addSubAccount(core.own.account, []),
      app: (await connect(core, browser, client)).access_token,
      otherApp: (await connect(core, browser, other)).access_token,
      appOfSub: (await connect(core, subBrowser, client)).access_token,
    };
  });
  afterEach(() => core.close());

  const disconnectIt = () =>
    disconnect(oauthOf(core.core), { account: core.own.account, operator: null }, client.client_id);

  const MAY: Record<string, readonly string[]> = {
    main: ['main'],
    sub: ['main', 'sub'],
    app: ['main', 'app'],
    // The application acts for both; the main account’s hand in it reaches what it does for a sub-account.
    appOfSub: ['main', 'app', 'appOfSub'],
  };
  for (const [creator, may] of Object.entries(MAY)) {
    it(`one that ${creator} registered is changed and ended by ${may.join(', ')} alone: 403 for all others`, async () => {
      const { id } = await core.call('createWebhook', { url: OWN }, who[creator as 'main']);
      for (const [name, token] of Object.entries(who)) {
        const { data } = await core.request('GET', '/webhooks', { token });
        assert.equal(data.webhooks[0].manageable, may.includes(name), name);
        if (may.includes(name)) continue;
        const before = await shown();
        const moved = await core.request('PATCH', `/webhooks/${id}`, { token, body: { url: THEIRS } });
        const deafened = await core.request('PATCH', `/webhooks/${id}`, { token, body: { events: [] } });
        const ended = await core.request('DELETE', `/webhooks/${id}`, { token });
        assert.deepEqual(
          [moved, deafened, ended].map((one) => one.error_code),
          [403, 403, 403],
          name,
        );
        assert.deepEqual(await shown(), before);
      }
      for (const name of may) {
        const token = who[name as 'main'];
        const { text, error_code } = await core.request('PATCH', `/webhooks/${id}`, {
          token,
          body: { url: `${OWN}/2` },
        });
        assert.equal(error_code, 200, text);
        assert.ok(!text.includes('whsec_') && !text.includes('secret'));
        const { id: another } = await core.call('createWebhook', { url: OWN }, who[creator as 'main']);
        assert.equal((await core.request('DELETE', `/webhooks/${another}`, { token })).error_code, 200, name);
      }
    });
  }

  async function shown(): Promise<unknown> {
    const rows = await core.core.store.db
      .selectFrom('webhooks')
      .select(['id', 'url', 'events', 'deleted_at'])
      .execute();
    return rows.toSorted((a, b) => a.id - b.id);
  }

  it('what an application registers with its last breath ends with it, or was never let in', async () => {
    const { db } = core.core.store;
    const late = await authenticate(db, who.app, core.clock.now());
    const service = { core: core.core, handlers, open: openHandlers(oauthOf(core.core)), counters: core.counters };
    await disconnectIt();
    await assert.rejects(performAs(service, 'createWebhook', late, CREATION), { code: 401 });
    assert.deepEqual(await shown(), []);
  });

  it('a token of a sub-account takes along what it registered; one of the main account leaves all standing', async () => {
    const { account } = core.own;
    const { db } = core.core.store;
    const subs = await core.call('createWebhook', { url: OWN }, who.sub);
    const own = await core.call('createWebhook', { url: OWN });
    const late = await authenticate(db, who.sub, core.clock.now());
    for (const token of [who.sub, who.main]) {
      const { token: known } = await authenticate(db, token, core.clock.now());
      assert.equal(await endToken(core.core, { account, operator: null }, { id: known?.id ?? 0 }), true);
    }
    const { webhooks } = await core.call('listWebhooks', {}, core.own.readToken);
    assert.deepEqual(
      webhooks.map((one: { id: number }) => one.id),
      [own.id],
    );
    assert.notEqual(subs.id, own.id);
    const service = { core: core.core, handlers, open: openHandlers(oauthOf(core.core)), counters: core.counters };
    await assert.rejects(performAs(service, 'createWebhook', late, CREATION), { code: 401 });
  });

  it('of those that stand already the audit says whose they are; else they are the main account’s', async () => {
    const { db } = core.core.store;
    const known = await core.call('createWebhook', { url: OWN }, who.sub);
    const unknown = await core.call('createWebhook', { url: OWN }, who.sub);
    await db.deleteFrom('audit').where('subject', '=', String(unknown.id)).execute();
    await sql`alter table webhooks drop column operator_id`.execute(db);
    await sql`alter table webhooks drop column token_id`.execute(db);
    await up(db as unknown as Parameters<typeof up>[0]);
    const patch = ({ id }: { id: number }, token: string) =>
      core.request('PATCH', `/webhooks/${id}`, { token, body: { url: `${OWN}/3` } });
    assert.equal((await patch(known, who.sub)).error_code, 200);
    assert.equal((await patch(known, who.otherSub)).error_code, 403);
    assert.equal((await patch(unknown, who.sub)).error_code, 403);
    assert.equal((await patch(unknown, who.main)).error_code, 200);
  });

  describe('and what is sent', () => {
    let receiver: TestReceiver;
    let sender: Sender;
    beforeEach(async () => {
      receiver = await startReceiver();
      sender = webhookSender({ clock: core.clock, userAgent: 'test', policy: { allow: [receiver.host] } });
    });
    afterEach(async () => {
      await sender.close();
      await receiver.close();
    });

    it('an application that tried to take over a webhook is told of its end at its own alone, signed with its own secret', async () => {
      const mains = await core.call('createWebhook', { url: `${receiver.url}/main` });
      const apps = await core.call('createWebhook', { url: `${receiver.url}/app` }, who.app);
      await core.request('PATCH', `/webhooks/${mains.id}`, { token: who.app, body: { url: `${receiver.url}/stolen` } });
      await core.call('updateWebhook', { id: apps.id, url: `${receiver.url}/moved` }, who.app);
      await disconnectIt();
      const delivery = new Delivery({ core: core.core, log: silentLogger, alone: true });
      await delivery.start(sender);
      while (delivery.busy) await new Promise((turn) => setImmediate(turn));
      await delivery.stop();
      const [told, ...more] = receiver.received;
      assert.ok(told);
      assert.deepEqual([told.path, more], ['/hook/moved', []]);
      assert.equal(JSON.parse(told.body).event, 'authorization_revoked');
      assert.equal(told.headers['service-webhook-secret-token'], apps.secret_token);
    });
  });
}
