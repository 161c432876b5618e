import type { CoreDatabase } from '../src/core/database.ts';
import { RequestCounters, type Requester } from '../src/core/limits/counters.ts';
import { silentLogger } from '../src/kernel/log.ts';
import { limitPolicy } from '../src/core/limits/policy.ts';
import type { AccountId } from '../src/kernel/ids.ts';
import { systemClock } from '../src/kernel/clock.ts';
import type { Store } from '../src/store/store.ts';
import { absolute } from './support/outcome.ts';
import { median } from './support/measure.ts';

/** What the limits cost each request: the decision over all windows and the counting, for a token with a cap. */
const ROUNDS = 7;
const REQUESTS = 1_000_000;
const GOAL_NS = 2_000;

const counters = new RequestCounters(
  {} as Store<CoreDatabase>,
  systemClock,
  limitPolicy({ multiply: 1e9 }),
  silentLogger,
);
const token = { id: 1, per_minute: 1e9, per_hour: 1e9, unlimited: false };
const askers: Requester[] = Array.from({ length: 100 }, (_, i) => ({
  account: { account_id: `account ${i}` as AccountId },
  token,
}));
const buckets = Array.from({ length: 87 }, (_, i) => `GET /resource_${i}`);

const rounds: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const begun = performance.now();
  for (let i = 0; i < REQUESTS; i += 1) {
    const asker = askers[i % askers.length];
    if (asker) counters.admit(asker, buckets[i % buckets.length] ?? '', 'default');
  }
  rounds.push(((performance.now() - begun) * 1e6) / REQUESTS);
}
const cost = median(rounds);
process.stdout.write(
  `${absolute('limits, one request', { ours: `${Math.round(cost)} ns`, goal: `${GOAL_NS} ns`, also: `, best ${Math.round(Math.min(...rounds))} ns` }, cost < GOAL_NS)}\n`,
);
