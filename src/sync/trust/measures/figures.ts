import { instantOf } from '../../../kernel/dates.ts';
import type { Ledger } from '../../budget/ledger.ts';
import type { MirrorDb } from '../../tables/database.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Returns the propagation and freshness of the mirror within the last 24 hours, as far as they are stored. */
export async function lastDay(db: MirrorDb, connection: string, nowMs: number, ledger: Ledger) {
  const since = instantOf(nowMs - DAY_MS);
  const rows = await db
    .selectFrom('sync_hours')
    .select(['measure', 'subject', 'bucket'])
    .select((eb) => [
      eb.fn.sum<number>('count').as('count'),
      eb.fn.sum<number>('total').as('total'),
      eb.fn.max<number>('most').as('most'),
    ])
    .where('connection', '=', connection)
    .where('hour', '>', since)
    .where('measure', 'in', ['events', 'reads', 'propagated'])
    .groupBy(['measure', 'subject', 'bucket'])
    .orderBy('bucket')
    .execute();
  const of = (measure: string) => rows.filter((row) => row.measure === measure);
  return {
    loss: await losses(db, connection, since, new Map(of('events').map((row) => [row.subject, Number(row.count)]))),
    propagation: propagation(of('propagated')),
    coalescing: Object.fromEntries(
      of('reads').map(({ subject, count, total }) => [
        subject,
        { events: Number(total), reads: Number(count), events_per_read: hundredths(Number(total) / Number(count)) },
      ]),
    ),
    budget: budgetOf(ledger, nowMs),
  };
}

async function losses(db: MirrorDb, connection: string, since: string, received: ReadonlyMap<string, number>) {
  const rows = await db
    .selectFrom((of) =>
      of
        .selectFrom('lost_events')
        .select(['event', 'sub_event', 'seq', 'state'])
        .distinct()
        .where('connection', '=', connection)
        .where('seen_at', '>', since)
        .as('missed'),
    )
    .select(['event', 'state', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy(['event', 'state'])
    .execute();
  const kinds = new Set([...received.keys(), ...rows.map((row) => row.event)]);
  return Object.fromEntries(
    [...kinds].toSorted().map((event) => {
      const count = (state: string) =>
        Number(rows.find((row) => row.event === event && row.state === state)?.count ?? 0);
      const lost = count('lost');
      const sent = lost + (received.get(event) ?? 0);
      const one = { received: received.get(event) ?? 0, lost, late: count('late'), unproven: count('unproven') };
      return [event, { ...one, lost_percent: sent === 0 ? null : hundredths((100 * lost) / sent) }];
    }),
  );
}

interface Bucket {
  subject: string;
  bucket: number;
  count: number;
  most: number;
}

/** Returns the seconds within which half, and 99 %, of the changes that events announced had been applied. */
export function propagation(rows: readonly Bucket[]) {
  const resources = new Set(rows.map((row) => row.subject));
  return Object.fromEntries(
    [...resources].toSorted().map((resource) => {
      const own = rows.filter((row) => row.subject === resource);
      const changes = own.reduce((sum, row) => sum + Number(row.count), 0);
      const worst = Math.max(...own.map((row) => Number(row.most))) / 1_000;
      // A bucket ends beyond what is in it, and nothing took longer than the slowest.
      const within = (percent: number) => Math.min(percentile(own, percent), worst);
      return [resource, { changes, p50: within(50), p99: within(99), worst }];
    }),
  );
}

/** Returns the upper bound, in seconds, of the bucket in which a percentage is reached. Buckets must be in order. */
export function percentile(buckets: readonly Pick<Bucket, 'bucket' | 'count'>[], percent: number): number {
  const all = buckets.reduce((sum, { count }) => sum + Number(count), 0);
  let upTo = 0;
  for (const { bucket, count } of buckets) {
    upTo += Number(count);
    if (100 * upTo >= percent * all) return Number(bucket) / 1_000;
  }
  return 0;
}

/** Returns the use of each open window, by route and seconds; routes without limits are left out. */
function budgetOf(ledger: Ledger, nowMs: number) {
  const routes: Record<string, Record<string, { used: number; max: number }>> = {};
  for (const { of, seconds, used, max } of ledger.usage(nowMs)) {
    routes[of] = { ...routes[of], [String(seconds)]: { used, max } };
  }
  return routes;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
