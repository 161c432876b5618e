import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Logger, silentLogger } from '../../../src/kernel/log.ts';
import { signingKey, signWebhook } from '../../../src/kernel/signature.ts';
import { reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';

const HEADER = 'service-webhook-secret-token';
const MINUTE_MS = 60_000;

interface Told {
  w: World;
  warnings: { fields: { reason?: string; refused?: number }; message: string }[];
}

async function world(t: TestContext): Promise<Told> {
  const warnings: Told['warnings'] = [];
  const log: Logger = { ...silentLogger, warn: (fields, message) => warnings.push({ fields, message }) };
  const w = await openWorld({ log, settings: { webhook: { proof: 'both', url: 'http://127.0.0.1:1/hooks/local' } } });
  t.after(() => w.close());
  return { w, warnings };
}

const body = Buffer.from(JSON.stringify(reservationEvent(makeStay(1))));

function signed(w: World): Record<string, string> {
  const timestamp = Math.floor(w.clock.now() / 1_000);
  const signature = signWebhook(signingKey(w.truth.secret()), 'A1', timestamp, body);
  return { 'webhook-id': 'A1', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
}

async function deliver(w: World, headers: Record<string, string>, text = body): Promise<number> {
  let status = 0;
  void w.daemon.accept(CONNECTION, text, headers)?.then((answer) => (status = answer.status));
  await w.clock.until(() => status !== 0, 'an answer');
  return status;
}

async function statusOf(w: World) {
  // What is counted is written beside the answer.
  await w.clock.run(50);
  return w.daemon.status(CONNECTION);
}

test('a deployment that signs nothing is told by its first delivery, and so is what to set', async (t) => {
  const { w } = await world(t);
  assert.equal(await deliver(w, { [HEADER]: w.truth.secret() }), 401);
  const { refused, troubles } = await statusOf(w);
  assert.deepEqual(refused, { unsigned: { times: 1, age: 0 } });
  assert.equal(troubles.length, 1);
  assert.equal(troubles[0]?.level, 'alarm');
  assert.match(troubles[0]?.says ?? '', /^1 deliveries of events were refused .*none was ever taken in.*signs nothing/);
  assert.match(troubles[0]?.remedy ?? '', /webhook_authentication: token/);
});

test('one that only signs is told, too', async (t) => {
  const { w } = await world(t);
  assert.equal(await deliver(w, signed(w)), 401);
  const { refused, troubles } = await statusOf(w);
  assert.deepEqual(Object.keys(refused), ['without_token']);
  assert.match(troubles[0]?.remedy ?? '', /webhook_authentication: signature/);
});

test('what is refused is counted over restarts, and told and written once a minute at most', async (t) => {
  const { w, warnings } = await world(t);
  const token = { [HEADER]: w.truth.secret() };
  for (let sent = 0; sent < 20; sent += 1) assert.equal(await deliver(w, token), 401);
  assert.deepEqual((await statusOf(w)).refused['unsigned']?.times, 1, 'nineteen wait');
  await w.clock.run(MINUTE_MS);
  assert.deepEqual((await statusOf(w)).refused['unsigned']?.times, 20);
  await deliver(w, token);
  await w.restart();
  assert.deepEqual((await statusOf(w)).refused['unsigned']?.times, 21);
  const told = warnings.filter(({ fields }) => fields.reason === 'unsigned');
  assert.deepEqual(
    told.map(({ fields }) => fields.refused),
    [1, 19],
  );
});

test('an event that is taken in ends it; what proves nothing at all is no trouble', async (t) => {
  const { w } = await world(t);
  const token = { [HEADER]: w.truth.secret() };
  assert.equal(await deliver(w, {}), 401);
  assert.deepEqual((await statusOf(w)).troubles, []);
  await deliver(w, token);
  assert.equal((await statusOf(w)).troubles.length, 1);
  await w.clock.run(MINUTE_MS);
  assert.equal(await deliver(w, { ...token, ...signed(w) }), 200);
  const { refused, troubles } = await statusOf(w);
  assert.deepEqual(troubles, []);
  assert.deepEqual(Object.keys(refused).toSorted(), ['unproven', 'unsigned']);
});

test('a proven delivery that is no event is counted', async (t) => {
  const { w } = await world(t);
  const text = Buffer.from('{"hello":1}');
  const timestamp = Math.floor(w.clock.now() / 1_000);
  const signature = signWebhook(signingKey(w.truth.secret()), 'A1', timestamp, text);
  const headers = { ...signed(w), 'webhook-signature': signature, [HEADER]: w.truth.secret() };
  assert.equal(await deliver(w, headers, text), 400);
  assert.deepEqual(Object.keys((await statusOf(w)).refused), ['unreadable']);
});
