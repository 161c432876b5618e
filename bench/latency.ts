import { setTimeout as wait } from 'node:timers/promises';
import { addDays, instantOf } from '../src/kernel/dates.ts';
import { absolute } from './support/outcome.ts';
import { quietService } from './support/service.ts';

/**
 * P2: from a change committed in the core to its commit in the mirror, at 20 changes a second. A change counts
 * as committed in the core when its event was queued (the same transaction), in the mirror by the change feed.
 */
const PER_SECOND = 20;
const SECONDS = Number(process.argv[2] ?? 20);
const GOAL = { p50: 50, p99: 250 };

const service = await quietService();
const { property_id } = await service.v3('POST', '/properties', { name: 'Bench House' });
await service.portal('POST', '/portal/reconcile', {});
const today = instantOf(Date.now()).slice(0, 10);
const begun = performance.now();
const pending: Promise<unknown>[] = [];
for (let i = 0; i < PER_SECOND * SECONDS; i += 1) {
  const behind = begun + (i * 1_000) / PER_SECOND - performance.now();
  if (behind > 0) await wait(behind);
  pending.push(
    service.v3('POST', '/reservations', {
      property_id,
      check_in_date: addDays(today, i),
      check_out_date: addDays(today, i + 1),
      guest_name: 'Ada',
      rate_amount: 100,
      commission_amount: 0,
      received_amount: 0,
    }),
  );
}
await Promise.all(pending);
await service.settled();
const rows = await service.rows(`
  select o.queued_at as committed, c.at as applied
  from core.outbox o
  join mirror.inbox i on i.event_id = o.event_id
  join mirror.changes c on c.connection = i.connection and c.key = i.key and c.op = 'created'
  where o.event = 'reservation_created'`);
const delays = rows
  .map((row) => Date.parse(String(row['applied'])) - Date.parse(String(row['committed'])))
  .toSorted((a, b) => a - b);
const at = (share: number) => delays[Math.floor(delays.length * share)] ?? Number.NaN;
const [p50, p99, worst] = [at(0.5), at(0.99), delays.at(-1) ?? Number.NaN];
const changes = PER_SECOND * SECONDS;
process.stdout.write(
  `${absolute(
    `P2 core commit to mirror, ${PER_SECOND} changes/s`,
    {
      ours: `p50 ${p50} ms, p99 ${p99} ms, ${delays.length} of ${changes} seen`,
      goal: `p50 ${GOAL.p50} ms, p99 ${GOAL.p99} ms`,
      also: `, worst ${worst} ms`,
    },
    p50 < GOAL.p50 && p99 < GOAL.p99 && delays.length === changes,
  )}\n`,
);
await service.remove();
