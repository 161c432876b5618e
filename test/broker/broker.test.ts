import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
import type { BrokerContext } from '../../src/broker/context.ts';
import { brokerFigures, brokerTroubles } from '../../src/broker/health.ts';
import { subjectsOf } from '../../src/broker/message.ts';
import { brokerWorker } from '../../src/broker/publish.ts';
import { brokerFeed } from '../../src/broker/table.ts';
import type { Instant } from '../../src/kernel/dates.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { Worker } from '../../src/kernel/worker.ts';
import { NatsBroker, type NatsSettings } from '../../src/outbound/natsBroker.ts';
import { disarmAutomations, armAutomations } from '../../src/sync/tables/connection/facts.ts';
import type { Change } from '../../src/sync/feed/feed.ts';
import { CONNECTION, evenRandom, openWorld, type World } from '../support/mirror.ts';
import { makeStay } from '../support/rows.ts';
import { makeStream, readStream } from './support/natsReader.ts';
import { describeWithNats, type NatsServer, startNats } from './support/natsServer.ts';

const SUBJECT = 'stayd.{connection}.{resource}.{op}';
const MINUTE = 60_000;

describeWithNats('the change feed in a broker', () => {
  let world: World;
  let nats: NatsServer | undefined;
  const running: { worker: Worker; broker: NatsBroker }[] = [];
  let bookings = 0;
  beforeEach(async () => {
    bookings = 0;
    world = await openWorld();
  });
  afterEach(async () => {
    for (let one = running[0]; one; one = running[0]) await ended(one);
    await nats?.remove();
    nats = undefined;
    await world.close();
  });

  function settings(port: number, more: Partial<NatsSettings> = {}): NatsSettings {
    const none = { user: null, password: null, token: null, nkey: null, creds: null };
    const servers = [`nats://127.0.0.1:${port}`];
    const create = subjectsOf(SUBJECT);
    return { servers, stream: 'stayd', create, ...none, tls: { ca: null, cert: null, key: null }, ...more };
  }

  async function publish(to: NatsSettings, more: Partial<BrokerContext> = {}): Promise<(typeof running)[number]> {
    const { store, clock, daemon } = world;
    const broker = new NatsBroker(to);
    const feed = daemon.feed(CONNECTION);
    const surroundings = { store, feed, clock, broker, connection: CONNECTION, random: evenRandom, log: silentLogger };
    const worker = brokerWorker({ ...surroundings, subject: SUBJECT, by: 'one', ...more });
    await worker.start();
    const one = { worker, broker };
    running.push(one);
    return one;
  }

  async function ended(one: (typeof running)[number]): Promise<void> {
    running.splice(running.indexOf(one), 1);
    const { worker, broker } = one;
    let isOver = false;
    void worker.stop().then(() => (isOver = true));
    await world.clock.until(() => isOver, 'the end of the worker');
    await broker.close();
  }

  async function book(count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      const id = (bookings += 1);
      const { reservation_code, stay_code } = makeStay(id);
      world.truth.put(makeStay(id));
      const event = { event: 'reservation_created', event_id: `01TESTBOOKING${id}` };
      await world.send({ ...event, reservation_code, stay_code, property_id: 7 });
    }
    await world.quiet();
  }

  const changes = (): Promise<Change[]> => world.daemon.feed(CONNECTION).read(0, 10_000);
  const state = () => brokerFeed(world.store.db, CONNECTION);
  const taken = () =>
    world.clock.until(
      async () => (await state())?.cursor === (await world.daemon.feed(CONNECTION).head()),
      'the broker to take all changes',
    );
  const alarms = async () =>
    (await brokerTroubles(world.store.db, CONNECTION, world.clock.now())).map(({ says }) => says);
  async function problem(pattern: RegExp): Promise<void> {
    await world.clock.until(async () => (await state())?.problem !== null, 'a problem');
    assert.match((await state())?.problem ?? '', pattern);
  }

  it('is there as a whole, each change once, in its order, and with the words of the feed', async () => {
    nats = await startNats();
    await book(3);
    await publish(settings(nats.port));
    await taken();
    await book(2);
    await taken();
    const stored = await readStream(nats.port, 'stayd');
    const feed = await changes();
    assert.ok(feed.length >= 5);
    assert.deepEqual(
      stored.map(({ body }) => body),
      feed,
    );
    assert.deepEqual(
      stored.map(({ subject }) => subject),
      feed.map(({ resource, op }) => `stayd.local.${resource}.${op}`),
    );
    assert.deepEqual(
      stored.map(({ headers }) => headers['Nats-Msg-Id']),
      feed.map(({ seq, at }) => `local:${seq}:${at}`),
    );
    assert.equal(JSON.stringify(stored).includes('Ann'), false);
    const figures = await brokerFigures(world.store.db, CONNECTION, world.clock.now());
    assert.deepEqual(figures, { published: feed.length, failures: 0, lag: 0, failingSeconds: 0 });
  });

  it('waits while the broker is away, tells a person, and arrives once when it is back', async () => {
    nats = await startNats();
    await publish(settings(nats.port));
    await book(2);
    await taken();
    await nats.stop('SIGKILL');
    await book(3);
    await problem(/^nats:\/\/127\.0\.0\.1:\d+ (?:cannot be reached: |does not answer in time)/);
    assert.deepEqual(await alarms(), [], 'a restart of the broker is no alarm');
    await world.clock.until(async () => (await alarms()).length > 0, 'an alarm');
    assert.match((await alarms())[0] ?? '', /^the broker has taken nothing since 20.*Z, and \d+ changes wait: nats:/);
    await nats.start();
    await taken();
    assert.deepEqual(await alarms(), []);
    assert.deepEqual(
      (await readStream(nats.port, 'stayd')).map(({ body }) => body),
      await changes(),
    );
    assert.ok(((await state())?.failures ?? 0) > 0);
  });

  it('is recognised by the broker where it was published before a record of the cursor', async () => {
    nats = await startNats();
    const one = await publish(settings(nats.port));
    await book(4);
    await taken();
    await ended(one);
    await world.store.db.updateTable('broker_feeds').set({ cursor: 1 }).execute();
    await book(1);
    await publish(settings(nats.port));
    await taken();
    assert.deepEqual(
      (await readStream(nats.port, 'stayd')).map(({ body }) => body),
      await changes(),
    );
  });

  it('is published by one process at a time, and by another when that one has ended', async () => {
    nats = await startNats();
    await ended(await publish(settings(nats.port)));
    await book(1);
    const claimed_until = new Date(world.clock.now() + 10 * MINUTE).toISOString() as Instant;
    await publish(settings(nats.port), { by: 'two' });
    await taken();
    await world.store.db.updateTable('broker_feeds').set({ claimed_by: 'one', claimed_until }).execute();
    await book(1);
    const before = (await state())?.published;
    await world.clock.run(5 * MINUTE);
    assert.equal((await state())?.published, before, 'the other process may be at work');
    await world.clock.run(10 * MINUTE);
    await taken();
    assert.equal((await state())?.claimed_by, 'two');
  });

  it('is held after a restore, until a person arms the connection', async () => {
    nats = await startNats();
    await disarmAutomations(world.store, [CONNECTION], 'restored', '2026-11-20T12:00:00.000Z');
    await book(1);
    await publish(settings(nats.port));
    await world.clock.run(MINUTE);
    assert.equal((await state())?.published, 0);
    await armAutomations(world.store.db, CONNECTION);
    await taken();
    assert.equal((await readStream(nats.port, 'stayd')).length, (await changes()).length);
  });

  it('leaves out a diff that the broker finds too long, and says so', async () => {
    nats = await startNats('max_payload: 2000');
    await book(1);
    const [first] = await changes();
    const diff = JSON.stringify({ notes: [null, 'x'.repeat(1_500)] });
    await world.store.db
      .updateTable('changes')
      .set({ diff })
      .where('seq', '=', first?.seq ?? 0)
      .execute();
    await publish(settings(nats.port));
    await taken();
    const [message, ...others] = await readStream(nats.port, 'stayd');
    assert.deepEqual(message?.body, { ...first, diff: null, diff_left_out: true });
    assert.deepEqual(
      others.map(({ body }) => body),
      (await changes()).slice(1),
    );
  });

  it('is refused with words: a wrong password, no stream, another stream', async () => {
    nats = await startNats('authorization { user: stayd, password: "right one" }');
    const login = { user: 'stayd', pass: 'right one' };
    await book(1);
    const wrong = await publish(settings(nats.port, { user: 'stayd', password: 'wrong one' }));
    await problem(/refuses what stayd signs in with \(.*Authorization Violation.*\): see nats\.user/i);
    await world.clock.until(async () => (await alarms()).length > 0, 'an alarm');
    assert.doesNotMatch((await alarms()).join(), /wrong one/);
    await ended(wrong);
    const right = { user: 'stayd', password: 'right one', create: undefined };
    const none = await publish(settings(nats.port, right));
    await world.clock.until(async () => ((await state())?.problem ?? '').startsWith('no stream'), 'no stream');
    assert.match((await state())?.problem ?? '', /no stream at .* takes stayd\.local\..*nats\.create_stream: true/);
    await makeStream(nats.port, { name: 'elsewhere', subjects: ['stayd.>'] }, login);
    await world.clock.until(async () => ((await state())?.problem ?? '').startsWith('the stream'), 'another stream');
    assert.match((await state())?.problem ?? '', /the stream stayd at .* refuses stayd\.local\..*: .*stream/);
    await ended(none);
    await publish(settings(nats.port, { ...right, stream: 'elsewhere' }));
    await taken();
    assert.equal((await readStream(nats.port, 'elsewhere', login)).length, (await changes()).length);
  });
});
