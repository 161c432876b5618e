import { sql } from 'kysely';
import type { Clock } from '../../../kernel/clock.ts';
import { type Instant, instantOf, msOf } from '../../../kernel/dates.ts';
import type { Logger } from '../../../kernel/log.ts';
import { next } from '../../../kernel/transitions.ts';
import { Worker } from '../../../kernel/worker.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import { count } from '../../tables/connection/counters.ts';
import type { MirrorDb, MirrorStore } from '../../tables/database.ts';
import { bucketOf, type Meter } from '../measures/meter.ts';
import { GRACE_MS } from './eventsCame.ts';
import { rewrite } from './lossTable.ts';
import { thinTimes } from './readTimes.ts';
import { lossLife } from './states.ts';

const LOOK_MS = 15_000;
const THIN_MS = 60 * 60_000;
const BATCH = 200;

/** Events that may not have been due, so that their loss cannot be proven. */
const unproven: ReadonlySet<string> = new Set(['listing_calendar_updated']);

interface Keeping {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  meter: Meter;
  log: Logger;
}

/**
 * Counts missed events as lost that have not come in time. An event that has come and waits for its read is not lost,
 * however long that takes.
 */
async function settleWaiting({ store, connection, clock, meter }: Omit<Keeping, 'log'>): Promise<void> {
  const before = instantOf(clock.now() - GRACE_MS);
  if ((await overdue(store.db, { connection, before })).length === 0) return;
  await store.transaction(async (trx) => {
    const counted = new Set<string>();
    for (const loss of await overdue(trx, { connection, before })) {
      const { seq, event, sub_event } = loss;
      const state = next(lossLife, loss.state, unproven.has(event) ? 'doubt' : 'lose');
      await rewrite(trx, loss, { state });
      // Days of one change are one loss, however many rows they take.
      const change = `${seq} ${event} ${sub_event}`;
      if (counted.has(change)) continue;
      counted.add(change);
      await count(trx, connection, { [`${state}/${event}`]: 1 });
      const took = msOf(loss.seen_at) - msOf(loss.since);
      if (state === 'lost')
        meter.add('found', loss.resource, { count: 1, total: took, most: took, bucket: bucketOf(took) });
    }
  });
}

/** Prepared once, since it runs every few seconds. */
const overdue = prepared((db: MirrorDb, arg: { connection: string; before: Instant }) =>
  db
    .selectFrom('lost_events')
    .selectAll()
    .where('state', '=', sql.lit('waiting' as const))
    .where('connection', '=', arg.connection)
    .where('seen_at', '<', arg.before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('inbox')
            .select('inbox.event_id')
            .where('inbox.state', '=', sql.lit('pending' as const))
            .whereRef('inbox.connection', '=', 'lost_events.connection')
            .whereRef('inbox.resource', '=', 'lost_events.resource')
            .whereRef('inbox.key', '=', 'lost_events.key'),
        ),
      ),
    )
    .limit(BATCH),
);

/** Decides at intervals which of the missed events count as lost. */
export function lossWorker(options: Keeping): Worker {
  const { store, connection, clock, log } = options;
  let thinnedAt = clock.monotonic();
  return new Worker({
    clock,
    log,
    name: 'counting lost events',
    fields: { connection },
    everyMs: LOOK_MS,
    firstMs: LOOK_MS,
    async round() {
      await settleWaiting(options);
      if (clock.monotonic() - thinnedAt < THIN_MS) return;
      thinnedAt = clock.monotonic();
      await thinTimes(store.db, connection, clock.now());
    },
  });
}
