import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { ANSWER_LIMIT_MS } from '../../src/endpoints/context.ts';
import { EndpointService } from '../../src/endpoints/manage.ts';
import { Endpoints } from '../../src/endpoints/start.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import type { Random } from '../../src/kernel/random.ts';
import { webhookSender } from '../../src/outbound/deliver.ts';
import { armAutomations, disarmAutomations } from '../../src/sync/tables/connection/facts.ts';
import { eventId, messageEvent } from '../support/events.ts';
import { CONNECTION, evenRandom, openWorld, plainSealer, type World } from '../support/mirror.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { makeStay } from '../support/rows.ts';
import { makeMessage, makeConversation } from '../support/wireConversations.ts';

const HOUR = 3_600_000;

interface Stage {
  world: World;
  receiver: TestReceiver;
  service: EndpointService;
  add(kinds: string[], more?: object): Promise<{ endpoint_id: string; secret: string }>;
  list(): Promise<any[]>;
  log(id: string, state?: string): Promise<any[]>;
  /** The process ends in the middle of whatever it does, and another begins. */
  again(): Promise<void>;
  bodies(): any[];
}

/** No two secrets alike. */
function countingRandom(): Random {
  let count = 0;
  return { bytes: (length) => Buffer.alloc(length, (count += 1)), fraction: () => 0.5 };
}

async function stage(t: TestContext, allow: string[] = []): Promise<Stage> {
  const world = await openWorld();
  const receiver = await startReceiver();
  const policy = { allow: [receiver.host, ...allow] };
  const { clock, store, daemon } = world;
  const sender = webhookSender({ clock, userAgent: 'stayd/test', policy, limitMs: ANSWER_LIMIT_MS });
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const ids = ulidMaker(clock, evenRandom);
  const telling = {
    store,
    connection: CONNECTION,
    feed: daemon.feed(CONNECTION),
    clock,
    ids,
    random: countingRandom(),
    sealer: plainSealer,
    log,
    sender,
  };
  let running = await Endpoints.start(telling);
  const service = new EndpointService({ ...telling, policy, onChange: () => running.wake() });
  t.after(async () => {
    await receiver.close();
    await running.stop();
    await sender.close();
    await world.close();
  });
  return {
    world,
    receiver,
    service,
    add: (kinds, more = {}) => service.add({ url: receiver.url, kinds, ...more }) as Promise<any>,
    list: () => service.list() as Promise<any[]>,
    log: (id, state) => service.log(id, { state, limit: 100 }) as Promise<any[]>,
    async again() {
      await running.stop();
      running = await Endpoints.start(telling);
    },
    bodies: () => receiver.received.map((one) => JSON.parse(one.body)),
  };
}

async function book(world: World, id: number, fields: object = {}): Promise<string> {
  const stay = makeStay(id, fields);
  world.truth.put(stay);
  const { reservation_code, stay_code, property_id } = stay;
  const event = id < 0 ? 'reservation_created' : 'reservation_updated';
  await world.send({ event, event_id: eventId(), reservation_code, stay_code, property_id });
  await world.quiet();
  return stay_code;
}

const arrived = ({ world, receiver }: Stage, count: number) =>
  world.clock.until(() => receiver.received.length >= count, `${count} webhooks`);

test('a change is told with the whole resource before and after it, signed as the standard says', async (t) => {
  const s = await stage(t);
  const { secret } = await s.add(['reservation.*']);
  await book(s.world, 1, { status: 'accepted', number_of_adults: 2 });
  await book(s.world, 1, { status: 'accepted', number_of_adults: 3 });
  await arrived(s, 2);
  const [created, updated] = s.bodies();
  assert.deepEqual(
    [created.type, created.data.before, created.data.after.number_of_adults],
    ['reservation.created', null, 2],
  );
  assert.deepEqual(
    [updated.type, updated.data.before.number_of_adults, updated.data.after.number_of_adults],
    ['reservation.updated', 2, 3],
  );
  assert.deepEqual(
    updated.data.diff.map((one: any) => one.path),
    ['number_of_adults'],
  );
  assert.deepEqual(created.data.after.guest_name, { $guest: `${created.data.after.stay_code}/booker` });
  for (const { headers, body } of s.receiver.received) {
    const text = (name: string) => String(headers[name]);
    const at = new Date(Number(text('webhook-timestamp')) * 1_000);
    assert.equal(text('webhook-signature'), new Webhook(secret).sign(text('webhook-id'), at, body));
    assert.equal(headers['service-webhook-secret-token'], undefined);
  }
});

test('personal values are sent where they are asked for, and only there', async (t) => {
  const s = await stage(t);
  await s.add(['reservation.created', 'guest_message'], { persons: true });
  await book(s.world, 1, { guest_name: 'Ann Lee', guest_email: 'ann@guest.example' });
  s.world.truth.conversations.set(
    'c',
    makeConversation('c', [makeMessage('m', { sender_role: 'guest', content: 'Is there a cot?' })]),
  );
  await s.world.send(messageEvent('c', 'm'));
  await arrived(s, 2);
  const [stay, message] = s.bodies();
  assert.deepEqual([stay.data.after.guest_name, stay.data.after.guest_email], ['Ann Lee', 'ann@guest.example']);
  assert.deepEqual([message.type, message.data.after.content], ['guest_message', 'Is there a cot?']);
});

test('R30: an endpoint that is down is asked twelve times over three days, by one id and a new time of its own', async (t) => {
  const s = await stage(t);
  s.receiver.answer = () => 503;
  const { endpoint_id } = await s.add(['reservation.created']);
  await book(s.world, 1);
  const times: number[] = [];
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    await arrived(s, attempt);
    times.push(s.world.clock.now());
    await s.world.clock.until(async () => (await s.log(endpoint_id))[0].attempts === attempt, 'the outcome');
    if (attempt < 12) s.world.clock.jump(Date.parse((await s.log(endpoint_id))[0].next_at) - s.world.clock.now());
  }
  const expected = [
    5_000,
    30_000,
    120_000,
    300_000,
    HOUR / 2,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ];
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  for (const [index, pause] of pauses.entries()) {
    assert.ok(Math.abs(pause - (expected[index] ?? 0)) < 0.2 * (expected[index] ?? 0) + 10_000, `${index}: ${pause}`);
  }
  const headers = s.receiver.received.map((one) => one.headers);
  assert.equal(new Set(headers.map((one) => one['webhook-id'])).size, 1);
  assert.equal(new Set(headers.map((one) => one['webhook-timestamp'])).size, 12);
  const [message] = await s.log(endpoint_id, 'dead');
  assert.deepEqual([message.log.length, message.outcome, message.http_status], [12, 'refused', 503]);

  s.receiver.answer = () => 200;
  await s.service.replay(endpoint_id, { message_id: message.message_id });
  await arrived(s, 13);
  assert.equal(s.receiver.received.at(-1)?.headers['webhook-id'], message.message_id);
});

test('R31: 410 switches an endpoint off, 3xx is a failure, Retry-After is kept', async (t) => {
  const s = await stage(t);
  const { endpoint_id } = await s.add(['reservation.created']);
  s.receiver.answer = () => 302;
  await book(s.world, 1);
  await s.world.clock.until(async () => (await s.log(endpoint_id))[0]?.outcome === 'redirect', 'the redirect');
  s.receiver.answer = () => 410;
  await book(s.world, 2);
  await s.world.clock.until(async () => (await s.list())[0].state === 'disabled', 'the end');
  assert.match((await s.list())[0].reason, /410/);
  const count = s.receiver.received.length;
  await book(s.world, 3);
  await s.world.clock.run(10_000);
  assert.equal(s.receiver.received.length, count);

  s.receiver.answer = () => 200;
  await s.service.change(endpoint_id, { state: 'active' });
  await arrived(s, count + 2);
  await s.service.replay(endpoint_id, { since: '1' });
  await s.world.clock.until(async () => (await s.log(endpoint_id, 'delivered')).length === 3, 'all three');
});

test('R31: one slow endpoint among many holds up nobody else', async (t) => {
  const s = await stage(t);
  s.receiver.answer = ({ path }) => (path === '/slow' ? 'hang' : 200);
  await s.add(['reservation.created'], { url: s.receiver.url.replace('/hook', '/slow') });
  for (let index = 0; index < 20; index += 1) {
    await s.add(['reservation.created'], { url: s.receiver.url.replace('/hook', `/${index}`) });
  }
  for (let id = 1; id <= 10; id += 1) await book(s.world, id);
  const begun = s.world.clock.monotonic();
  const others = () => s.receiver.received.filter((one) => one.path !== '/slow').length;
  await s.world.clock.until(() => others() === 200, 'all others');
  assert.ok(s.world.clock.monotonic() - begun < 5_000);
});

test('what concerns one key is told in order, whatever fails, and other keys do not wait', async (t) => {
  const s = await stage(t);
  await s.add(['reservation.*']);
  let failures = 2;
  const codes: [string, number][] = [];
  s.receiver.answer = ({ body }) => {
    const { key, seq } = JSON.parse(body).data;
    if (key === makeStay(1).reservation_code && failures > 0) return ((failures -= 1), 500);
    codes.push([key, seq]);
    return 200;
  };
  await book(s.world, 1, { number_of_adults: 1 });
  await book(s.world, 1, { number_of_adults: 2 });
  await book(s.world, 2);
  await s.world.clock.until(() => codes.length === 1, 'the other key');
  assert.equal(codes[0]?.[0], makeStay(2).reservation_code);
  s.world.clock.jump(10 * 60_000);
  await s.world.clock.until(() => failures === 0, 'the second failure');
  s.world.clock.jump(10 * 60_000);
  await s.world.clock.until(() => codes.length === 3, 'all');
  const own = codes.slice(1).map(([, seq]) => seq);
  assert.deepEqual(
    own,
    own.toSorted((a, b) => a - b),
  );
});

test('each change makes one message, also when the process ends in between', async (t) => {
  const s = await stage(t);
  const { endpoint_id } = await s.add(['reservation.*']);
  for (let id = 1; id <= 5; id += 1) {
    await book(s.world, id);
    await s.again();
  }
  await s.world.clock.until(async () => (await s.log(endpoint_id, 'delivered')).length === 5, 'five');
  assert.equal(new Set(s.receiver.received.map((one) => one.headers['webhook-id'])).size, 5);
});

test('of other properties, and of what belongs to none, an endpoint of one hears nothing', async (t) => {
  const s = await stage(t);
  const { endpoint_id } = await s.add(['reservation.created', 'message.created'], { property_ids: [8] });
  await book(s.world, 1, { property_id: 7 });
  await book(s.world, 2, { property_id: 8 });
  s.world.truth.conversations.set('c', makeConversation('c', [makeMessage('m')]));
  await s.world.send(messageEvent('c', 'm'));
  await s.world.clock.until(
    async () => (await s.log(endpoint_id, 'skipped')).length === 2,
    'what is none of its business',
  );
  assert.deepEqual(
    s.bodies().map((body) => body.data.key),
    [makeStay(2).reservation_code],
  );
});

test('after a restore nothing is told until a person lets it', async (t) => {
  const s = await stage(t);
  await s.add(['reservation.created']);
  await disarmAutomations(s.world.store, [CONNECTION], 'restored', new Date(s.world.clock.now()).toISOString());
  await book(s.world, 1);
  await s.world.clock.run(20_000);
  assert.equal(s.receiver.received.length, 0);
  await armAutomations(s.world.store.db, CONNECTION);
  await arrived(s, 1);
});

test('an address inside the network, a kind that is none, an endpoint that is none: named, and nothing is stored', async (t) => {
  const s = await stage(t);
  const refused = async (work: Promise<unknown>, field: RegExp) => assert.rejects(work, field);
  for (const url of ['https://10.0.0.1/x', 'https://[::1]/x', 'http://example.com/x', 'ftp://example.com', 'no']) {
    await refused(s.service.add({ url, kinds: ['*'] }), /url/);
  }
  await refused(s.service.add({ url: s.receiver.url, kinds: ['bananas'] }), /bananas/);
  await refused(s.service.add({ url: s.receiver.url, kinds: [] }), /kinds/);
  await refused(s.service.ping('ep_none'), /ep_none/);
  assert.deepEqual(await s.list(), []);
  const { endpoint_id, secret } = await s.add(['*']);
  await refused(s.service.replay(endpoint_id, {}), /since/);
  await refused(s.service.replay(endpoint_id, { since: 'yesterday' }), /since/);
  await s.service.ping(endpoint_id);
  await arrived(s, 1);
  const rotated = (await s.service.rotate(endpoint_id)) as { secret: string };
  assert.notEqual(rotated.secret, secret);
  await s.service.ping(endpoint_id);
  await arrived(s, 2);
  assert.equal(String(s.receiver.received[1]?.headers['webhook-signature']).split(' ').length, 2);
  assert.doesNotMatch(JSON.stringify(await s.list()), /whsec|secret/);
  await s.service.remove(endpoint_id);
  assert.deepEqual(await s.list(), []);
});
