import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { describedLimitsGate, describedLimits, openGate } from '../../../src/sync/budget/gate.ts';
import type { Recurring } from '../../../src/sync/scans/reconcile/guarantee.ts';
import type { Limits } from '../../../src/sync/budget/ledger.ts';
import { paces } from '../../../src/sync/scans/reconcile/pace.ts';
import { tiers } from '../../../src/sync/scans/reconcile/tiers.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeListing, makeStay, makeTransaction } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function recurring(requests: number, maxAgeMs: number, over: Partial<Recurring> = {}): Recurring {
  const work = [{ operation: 'listTasks' as const, requests }];
  return { name: 'task', lane: 0, purpose: 'reconcile', maxAgeMs, work, ...over };
}

function limitsOf(perHour: number): Limits {
  return { account: [{ seconds: 3_600, max: perHour }], windowsOf: () => [], failed: [] };
}

test('what costs little is read five times as often as it must, and not more often than every two minutes', () => {
  assert.equal(paces([recurring(1, HOUR_MS)], describedLimits, 50).get('task'), 12 * MINUTE_MS);
  assert.equal(paces([recurring(1, 5 * MINUTE_MS)], describedLimits, 50).get('task'), 2 * MINUTE_MS);
});

test('all together stay within four fifths of what reconciliations may use', () => {
  for (const perHour of [200, 400, 1_000, 5_000]) {
    const all = [recurring(20, HOUR_MS), recurring(30, 2 * HOUR_MS, { name: 'other', lane: 1 })];
    const found = paces(all, limitsOf(perHour), 50);
    const perHourUsed = all.reduce((sum, one) => {
      const requests = one.work[0]?.requests ?? 0;
      return sum + (requests * HOUR_MS) / (found.get(one.name) ?? one.maxAgeMs * 0.75);
    }, 0);
    assert.ok(perHourUsed <= Math.max(0.3 * 0.8 * perHour, 46.7) + 1e-6, `${perHour}: ${perHourUsed}`);
  }
});

test('where there is no room to spare, or nothing is limited, ages are as they are stated', () => {
  assert.equal(paces([recurring(100, HOUR_MS)], limitsOf(300), 50).size, 0);
  assert.equal(paces([recurring(1, HOUR_MS)], openGate({} as never).limits, 50).size, 0);
});

test('a lane is at work for half of its time at most', () => {
  // Each reading takes ten minutes; by its age alone it could come round every twelve.
  const every = paces([recurring(12_000, HOUR_MS)], limitsOf(1_000_000), 50).get('task') ?? 0;
  assert.ok(every >= 20 * MINUTE_MS && every < 30 * MINUTE_MS, String(every));
});

test('with thousands of requests free, 75 minutes show ages far below the stated ones, within the part for reconciliations', async (t: TestContext) => {
  const truth = new Truth();
  truth.put(makeStay(1));
  truth.listings.set(1, makeListing(1, { listing_id: 'L/1' }));
  truth.transactions.set(1, makeTransaction(1));
  const w = await openWorld({ truth, gate: describedLimitsGate, settings: { tiers } });
  t.after(() => w.close());
  const asked = truth.count();
  const oldest = new Map<string, number>();
  for (let minute = 0; minute < 75; minute += 1) {
    await minutePasses(w);
    if (minute < 20) continue;
    for (const [tier, { age, max_age }] of Object.entries((await w.daemon.status(CONNECTION)).fresh)) {
      const part = (age ?? Number.POSITIVE_INFINITY) / max_age;
      oldest.set(tier, Math.max(oldest.get(tier) ?? 0, part));
    }
  }
  const requests = truth.count() - asked;
  t.diagnostic(`${requests} requests in 75 minutes`);
  for (const tier of ['calendar.near', 'reservation.near', 'message.newest', 'property', 'tag']) {
    const part = oldest.get(tier);
    if (part !== undefined) assert.ok(part <= 0.5, `${tier}: ${part}`);
  }
  assert.ok(requests > 150 && requests < 75 * 60, String(requests));
});

async function minutePasses(w: World): Promise<void> {
  await w.clock.advance(MINUTE_MS - 100);
  await w.clock.run(100);
  await w.clock.until(async () => {
    const rows = await w.store.db.selectFrom('reconciliations').select('tier').where('state', '=', 'running').execute();
    return rows.length === 0;
  }, 'the reconciliations');
}
