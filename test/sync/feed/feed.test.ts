import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { type TestContext, test } from 'node:test';
import { types } from 'node:util';
import type { Change } from '../../../src/sync/feed/feed.ts';
import { reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';

async function world(t: TestContext): Promise<World> {
  const opened = await openWorld();
  t.after(() => opened.close());
  return opened;
}

test('a reader with a cursor gets each change once, in order, whatever the page', async (t) => {
  const w = await world(t);
  for (let id = 1; id <= 30; id += 1) w.truth.put(makeStay(id));
  await Promise.all(Array.from({ length: 30 }, (_, index) => w.send(reservationEvent(makeStay(index + 1)))));
  await w.quiet();
  const feed = w.daemon.feed(CONNECTION);
  const seen: number[] = [];
  for (let cursor = 0; ;) {
    const page = await feed.read(cursor, 7);
    if (page.length === 0) break;
    seen.push(...page.map((change) => change.seq));
    cursor = page.at(-1)?.seq ?? cursor;
  }
  assert.deepEqual(
    seen,
    Array.from({ length: await feed.head() }, (_, index) => index + 1),
  );
});

test('who waits hears of a change when it is committed, and of none when the time is over', async (t) => {
  const w = await world(t);
  const feed = w.daemon.feed(CONNECTION);
  const head = await feed.head();
  const heard: Change[][] = [];
  void feed.wait(head, 10, 5_000).then((changes) => heard.push(changes));
  await w.clock.run(3_000);
  assert.equal(heard.length, 0);
  w.truth.put(makeStay(1));
  await w.send(reservationEvent(makeStay(1)));
  await w.clock.until(() => heard.length === 1);
  assert.deepEqual(
    heard[0]?.map((change) => change.key),
    ['5-R000001'],
  );
  let empty: Change[] | undefined;
  void feed.wait(head + 1, 10, 2_000).then((changes) => (empty = changes));
  await w.clock.run(1_900);
  assert.equal(empty, undefined);
  await w.clock.until(() => empty !== undefined);
  assert.deepEqual(empty, []);
});

test('waiting leaves nothing behind on a signal that goes on, also where none has come', async (t) => {
  const w = await world(t);
  const feed = w.daemon.feed(CONNECTION);
  const going = new AbortController();
  let waited = false;
  void feed.wait(await feed.head(), 10, 3_000, going.signal).then(() => (waited = true));
  await w.clock.until(() => waited);
  // Both what listens to it and what it was joined with.
  assert.deepEqual(getEventListeners(going.signal, 'abort'), []);
  const joined = Reflect.ownKeys(going.signal).map((key): unknown => Reflect.get(going.signal, key));
  for (const one of joined) if (types.isSet(one)) assert.equal(Reflect.get(one, 'size'), 0);
});

test('a follower sees everything as it comes, until it goes', async (t) => {
  const w = await world(t);
  const feed = w.daemon.feed(CONNECTION);
  const gone = new AbortController();
  const keys: string[] = [];
  let ended = false;
  const follow = async () => {
    for await (const change of feed.follow(await feed.head(), gone.signal)) keys.push(change.key);
    ended = true;
  };
  void follow();
  for (let id = 1; id <= 3; id += 1) {
    w.truth.put(makeStay(id));
    await w.send(reservationEvent(makeStay(id)));
    await w.clock.until(() => keys.length === id);
  }
  assert.deepEqual(keys, ['5-R000001', '5-R000002', '5-R000003']);
  gone.abort();
  await w.clock.until(() => ended);
});
