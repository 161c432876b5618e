import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { INSTANCE, openWorld, type World } from '../../support/mirror.ts';
import { Truth } from '../../support/truth.ts';

const ADDRESS = 'http://127.0.0.1:8484/hooks/local';
const OURS = `${ADDRESS}?instance=${INSTANCE}`;
const OTHER = '01KOTHERONE';

async function registeredBeside(
  t: TestContext,
  urls: readonly string[],
  address = ADDRESS,
): Promise<{ w: World; left: string[] }> {
  const truth = new Truth();
  for (const url of urls) {
    const id = truth.newId();
    truth.webhooks.set(id, { id, url, secret: 'whsec_b2xk' });
  }
  const w = await openWorld({ truth, settings: { webhook: { proof: 'token', url: address } } });
  t.after(() => w.close());
  return { w, left: urlsOf(truth) };
}

function urlsOf(truth: Truth): string[] {
  return [...truth.webhooks.values()].map((one) => one.url);
}

test('what a lost mirror has left under our name is replaced, whatever the port or host was then', async (t) => {
  const { left } = await registeredBeside(t, [
    `http://127.0.0.1:8600/hooks/local?instance=${INSTANCE}`,
    `https://mirror.example.com/hooks/local?instance=${INSTANCE}`,
    OURS,
  ]);
  assert.deepEqual(left, [OURS]);
});

test('two daemons with one connection name on one machine leave each other alone', async (t) => {
  const other = `http://127.0.0.1:8600/hooks/local?instance=${OTHER}`;
  const { left } = await registeredBeside(t, [other]);
  assert.deepEqual(left, [other, OURS]);
});

test('another installation that has registered our very address is left alone, too', async (t) => {
  const { left } = await registeredBeside(t, [`${ADDRESS}?instance=${OTHER}`]);
  assert.deepEqual(left, [`${ADDRESS}?instance=${OTHER}`, OURS]);
});

test('a registration of our address without any name is ours from before there were names', async (t) => {
  const { left } = await registeredBeside(t, [ADDRESS]);
  assert.deepEqual(left, [OURS]);
});

test('registrations of others are left alone', async (t) => {
  const others = [
    'http://127.0.0.1:8600/hooks/local',
    'http://127.0.0.1:8484/hooks/other',
    'http://10.0.0.7:8484/hooks/local',
    'https://mirror.example.com/hooks/local',
    'nonsense',
  ];
  const { left } = await registeredBeside(t, others);
  assert.deepEqual(left, [...others, OURS]);
});

test('the query that an address has already is kept', async (t) => {
  const { left } = await registeredBeside(t, [], 'https://mirror.example.com/hooks/local?via=proxy');
  assert.deepEqual(left, [`https://mirror.example.com/hooks/local?via=proxy&instance=${INSTANCE}`]);
});

test('a registration whose secret is held is kept, also at the next start', async (t) => {
  const { w } = await registeredBeside(t, []);
  const [before] = w.truth.webhooks.values();
  await w.restart();
  assert.deepEqual([...w.truth.webhooks.values()], [before]);
});

test('a mirror goes by the name it has registered under, not by one that its folder was given since', async (t) => {
  const { w } = await registeredBeside(t, []);
  await sql`update connection_facts set value = 'FIRST' where name = 'instance'`.execute(w.store.db);
  await sql`update connections set webhook_id = null`.execute(w.store.db);
  w.truth.webhooks.set(77, { id: 77, url: `http://localhost:1/hooks/local?instance=FIRST`, secret: 'whsec_b2xk' });
  await w.restart();
  assert.deepEqual(urlsOf(w.truth), [OURS, `${ADDRESS}?instance=FIRST`]);
});
