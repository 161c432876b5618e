import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openWorld, type World } from '../support/mirror.ts';
import { Truth } from '../support/truth.ts';

const OURS = 'http://127.0.0.1:8484/hooks/local';

async function registeredBeside(
  t: TestContext,
  urls: readonly string[],
  ours = OURS,
): Promise<{ w: World; left: string[] }> {
  const truth = new Truth();
  for (const url of urls) {
    const id = truth.newId();
    truth.webhooks.set(id, { id, url, secret: 'whsec_b2xk' });
  }
  const w = await openWorld({ truth, settings: { webhook: { proof: 'token', url: ours } } });
  t.after(() => w.close());
  return { w, left: [...truth.webhooks.values()].map((one) => one.url) };
}

test('a registration that a lost mirror has left at another port of this machine is replaced', async (t) => {
  const { left } = await registeredBeside(t, [
    'http://127.0.0.1:8600/hooks/local',
    'http://localhost:8700/hooks/local',
    OURS,
  ]);
  assert.deepEqual(left, [OURS]);
});

test('registrations of others are left alone', async (t) => {
  const others = [
    'http://127.0.0.1:8600/hooks/other',
    'http://127.0.0.1:8600/',
    'http://10.0.0.7:8484/hooks/local',
    'https://127.example.com/hooks/local',
    'https://mirror.example.com/hooks/local',
    'nonsense',
  ];
  const { left } = await registeredBeside(t, others);
  assert.deepEqual(left, [...others, OURS]);
});

test('who is reached from elsewhere replaces nothing on this machine', async (t) => {
  const ours = 'https://mirror.example.com/hooks/local';
  const { left } = await registeredBeside(t, ['http://127.0.0.1:8600/hooks/local'], ours);
  assert.deepEqual(left, ['http://127.0.0.1:8600/hooks/local', ours]);
});

test('a registration whose secret is held is kept, also at the next start', async (t) => {
  const { w } = await registeredBeside(t, []);
  const [before] = w.truth.webhooks.values();
  await w.restart();
  assert.deepEqual([...w.truth.webhooks.values()], [before]);
});
