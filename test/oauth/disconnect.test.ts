import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Delivery } from '../../src/core/outbox/delivery.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { signingKey, verifyWebhook } from '../../src/kernel/signature.ts';
import { disconnect, removeClient } from '../../src/oauth/revoke.ts';
import { type Sender, webhookSender } from '../../src/outbound/deliver.ts';
import { oauthOf, PUBLIC_URL, startCore, type TestCore } from '../support/core.ts';
import { modernRequest } from '../support/mcp.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import {
  Browser,
  connect,
  type Given,
  opens,
  pkcePair,
  post,
  REDIRECT,
  refresh,
  register,
  type Registered,
  signedIn,
} from './support/flow.ts';

describe('disconnecting an application', () => {
  let core: TestCore;
  let receiver: TestReceiver;
  let sender: Sender;
  let browser: Browser;
  let client: Registered;
  beforeEach(async () => {
    core = await startCore();
    receiver = await startReceiver();
    sender = webhookSender({ clock: core.clock, userAgent: 'test', policy: { allow: [receiver.host] } });
    browser = new Browser(core, await signedIn(core, core.own.account, 'ann'));
    client = await register(oauthOf(core.core));
  });
  afterEach(async () => {
    await sender.close();
    await receiver.close();
    await core.close();
  });

  async function webhook(token: string, name: string, events?: string[]): Promise<string> {
    const body = { url: `${receiver.url}/${name}`, ...(events && { events }) };
    const { error_code, data, text } = await core.request('POST', '/webhooks', { token, body });
    assert.equal(error_code, 200, text);
    return data.secret_token;
  }

  /** Sends all that waits. @returns what came of the kind, by the webhook it came to */
  async function told(): Promise<string[]> {
    const delivery = new Delivery({ core: core.core, log: silentLogger, alone: true });
    await delivery.start(sender);
    while (delivery.busy) await new Promise((turn) => setImmediate(turn));
    await delivery.stop();
    return receiver.received
      .filter(({ body }) => JSON.parse(body).event === 'authorization_revoked')
      .map(({ path }) => path.slice('/hook/'.length))
      .toSorted();
  }

  const operator = { id: 1, name: 'own', kind: 'master' } as const;
  const disconnectIt = () => disconnect(oauthOf(core.core), { account: core.own.account, operator }, client.client_id);

  it('tells its own webhooks once, whatever they selected, signed with their own secrets, when all else is gone', async () => {
    const given = await connect(core, browser, client);
    const secrets = new Map([
      ['all', await webhook(given.access_token, 'all')],
      ['some', await webhook(given.access_token, 'some', ['message_created'])],
      ['none', await webhook(given.access_token, 'none', [])],
    ]);
    await webhook(core.own.token, 'by a person');
    const other = await register(oauthOf(core.core), { name: 'Other' });
    const theirs = await connect(core, browser, other);
    await webhook(theirs.access_token, 'of another application');
    receiver.answer = () => 200;
    assert.equal(await disconnectIt(), true);
    assert.equal(await opens(core, given.access_token), false);
    assert.equal((await refresh(core, client, given.refresh_token)).statusCode, 400);
    const { data } = await core.request('GET', '/webhooks');
    assert.deepEqual(data.webhooks.length, 2, 'what it registered is gone before it is told');
    assert.deepEqual(await told(), ['all', 'none', 'some']);
    for (const { path, headers, body } of receiver.received) {
      const secret = secrets.get(path.slice('/hook/'.length)) ?? '';
      assert.equal(headers['service-webhook-secret-token'], secret);
      const signed = {
        id: String(headers['webhook-id']),
        timestamp: String(headers['webhook-timestamp']),
        signature: String(headers['webhook-signature']),
        body: Buffer.from(body),
      };
      assert.ok(verifyWebhook(signingKey(secret), signed, core.clock.now()), path);
      const { event_id, timestamp, ...fields } = JSON.parse(body);
      assert.ok(event_id && timestamp);
      const { account_id } = core.own.account;
      assert.deepEqual(fields, { event: 'authorization_revoked', account_id, client_id: client.client_id });
    }
    assert.equal(await disconnectIt(), false);
    assert.equal((await told()).length, 3, 'once');
    assert.ok(await opens(core, theirs.access_token), 'other applications stay');
  });

  it('S18: what an application came with goes nowhere: not by the events of what it did, neither by tools nor by v3', async () => {
    const given = await connect(core, browser, client);
    const resource = `${PUBLIC_URL}/mcp`;
    const assistant = await connect(core, browser, client, { resource });
    await webhook(given.access_token, 'all');
    const { property_id } = await core.call('createProperty', { name: 'Mill' });
    const stay = { check_in_date: '2027-03-01', check_out_date: '2027-03-02', guest_name: 'A' };
    const booking = { property_id, ...stay, rate_amount: 1, commission_amount: 0, received_amount: 0 };
    const headers = { authorization: `Bearer ${given.access_token}` };
    await core.request('POST', '/reservations', { token: null, headers, body: booking });
    const url = await core.app.listen({ port: 0, host: '127.0.0.1' });
    const again = { ...booking, check_in_date: '2027-04-01', check_out_date: '2027-04-02' };
    const call = { name: 'create_reservation', arguments: again };
    const { body } = await modernRequest(url, 'tools/call', call, { token: assistant.access_token });
    assert.equal(body.result.structuredContent.error_code, 200);
    await told();
    const kinds = receiver.received.map((one) => JSON.parse(one.body).event);
    assert.equal(kinds.filter((kind) => kind === 'reservation_created').length, 2);
    const sent = JSON.stringify(receiver.received);
    for (const { access_token, refresh_token } of [given, assistant]) {
      assert.ok(!sent.includes(access_token) && !sent.includes(refresh_token));
    }
  });

  it('nothing else goes to a webhook that has ended so', async () => {
    const { access_token } = await connect(core, browser, client);
    await webhook(access_token, 'all');
    const { property_id } = await core.call('createProperty', { name: 'Mill' });
    const booking = { property_id, check_in_date: '2027-03-01', check_out_date: '2027-03-02', guest_name: 'A' };
    await core.call('createReservation', { ...booking, rate_amount: 1, commission_amount: 0, received_amount: 0 });
    await disconnectIt();
    await told();
    assert.deepEqual(
      receiver.received.map(({ body }) => JSON.parse(body).event),
      ['authorization_revoked'],
    );
  });

  it('is best effort: a refused one is not sent again', async () => {
    const { access_token } = await connect(core, browser, client);
    await webhook(access_token, 'all');
    receiver.answer = () => 500;
    await disconnectIt();
    assert.deepEqual(await told(), ['all']);
    assert.deepEqual(await told(), ['all']);
  });

  it('with several devices: only with the last token, access and refresh tokens each by itself', async () => {
    const [phone, tablet] = [await connect(core, browser, client), await connect(core, browser, client)];
    await webhook(phone.access_token, 'all');
    const revoke = (token: string) =>
      core.request('POST', '/oauth/revoke', { token: null, body: { ...client, token } });
    for (const token of [phone.access_token, tablet.refresh_token, phone.refresh_token]) {
      assert.equal((await revoke(token)).error_code, 200);
      assert.deepEqual(await told(), []);
    }
    assert.ok(await opens(core, tablet.access_token));
    await revoke(tablet.access_token);
    assert.deepEqual(await told(), ['all']);
    await revoke(tablet.access_token);
    assert.deepEqual(await told(), ['all'], 'once');
  });

  it('giving back a refresh token at /oauth/revoke, and reuse of one, disconnect with the last of the tokens', async () => {
    const first = await connect(core, browser, client);
    await webhook(first.access_token, 'all');
    await post(core, '/oauth/revoke', { ...client, token: first.refresh_token });
    assert.deepEqual(await told(), ['all']);
    const second = await connect(core, browser, client);
    await webhook(second.access_token, 'again');
    await refresh(core, client, second.refresh_token);
    await core.clock.advance(10_001);
    await refresh(core, client, second.refresh_token);
    assert.deepEqual(await told(), ['again', 'all'], 'a webhook of before is not told again');
  });

  it('removing an application disconnects it from every account, each told by its own', async () => {
    const north = await core.addAccount('north');
    const there = new Browser(core, await signedIn(core, north.account, 'bob'));
    const own = await connect(core, browser, client);
    const theirs = await connect(core, there, client);
    await webhook(own.access_token, 'own');
    await webhook(theirs.access_token, 'north');
    assert.equal(await removeClient(oauthOf(core.core), null, client.client_id), 2);
    assert.deepEqual(await told(), ['north', 'own']);
    for (const { access_token } of [own, theirs]) assert.equal(await opens(core, access_token), false);
    assert.equal((await refresh(core, client, own.refresh_token)).statusCode, 401);
    const page = await browser.get(`/oauth/authorize?client_id=${client.client_id}&response_type=code`);
    assert.equal(page.statusCode, 400);
  });

  it('a code that was not exchanged yet ends with it', async () => {
    const { verifier, challenge } = pkcePair();
    const S256 = { code_challenge: challenge, code_challenge_method: 'S256' };
    const asked = { client_id: client.client_id, redirect_uri: REDIRECT, response_type: 'code', ...S256 };
    const code = (await browser.consent(asked)).get('code') ?? '';
    await disconnectIt();
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT };
    const answer = await post(core, '/oauth/token', { ...client, ...fields });
    assert.deepEqual([answer.statusCode, answer.json().error], [400, 'invalid_grant']);
    assert.deepEqual(await told(), [], 'it had nothing yet');
  });

  it('a disconnected application can be let in again, and begins from scratch', async () => {
    await connect(core, browser, client);
    await disconnectIt();
    const again: Given = await connect(core, browser, client);
    assert.ok(await opens(core, again.access_token));
    await webhook(again.access_token, 'new');
    assert.deepEqual(await told(), []);
  });
});
