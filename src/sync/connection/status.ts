import type { Tally } from '../../client/tally.ts';
import { purposes } from '../../client/gate.ts';
import type { ConnectionStatus } from '../../client/status.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Instant, instantOf, msOf } from '../../kernel/dates.ts';
import type { Budget } from '../budget/gate.ts';
import type { Hold } from '../budget/holds.ts';
import { readCounters } from '../tables/connection/counters.ts';
import { readFact } from '../tables/connection/facts.ts';
import { readConnection } from '../tables/connection/state.ts';
import type { MirrorDb } from '../tables/database.ts';
import { countDirty } from '../queue/dirtyKeys.ts';
import { countPending } from '../queue/inbox.ts';
import { lastDay } from '../trust/measures/figures.ts';
import { ageOf, freshnessOf } from '../scans/reconcile/due.ts';
import { readWithOthers } from '../scans/all.ts';
import { readTiers } from '../scans/reconcile/freshness.ts';
import { refusedDeliveries } from '../ingest/refusals/refusedRows.ts';
import { troublesOf } from './troubles/all.ts';
import { holdTroubles } from './troubles/holds.ts';
import { countUnread } from '../scans/unread.ts';

interface Asked {
  db: MirrorDb;
  connection: string;
  clock: Clock;
  tally: Tally;
  gate: Budget;
}

/** Returns the status of one connection, for people and for metrics. Ages are seconds. */
export async function statusOf({
  db,
  connection,
  clock,
  tally,
  gate,
}: Asked): Promise<Omit<ConnectionStatus, 'schedules'>> {
  const now = clock.now();
  const [ledger, holds] = [gate.ledger(), gate.holds()];
  const age = (instant: Instant | null) =>
    instant === null ? null : Math.max(0, Math.round((now - msOf(instant)) / 1_000));
  const { state, reason, state_at, probe_at, base_url, caught_up_at, catch_up_due } = await readConnection(
    db,
    connection,
  );
  const disarmed = await readFact(db, connection, 'automations_disarmed');
  const counters = await readCounters(db, connection);
  const dirty = await countDirty(db, connection);
  const waiting = dirty.filter((row) => row.state === 'waiting');
  const head = await db.selectFrom('feed_heads').select('seq').where('connection', '=', connection).executeTakeFirst();
  const pending = await countPending(db, connection);
  const ignored = (counters['ignored'] ?? 0) + (counters['unknown_kind'] ?? 0);
  const unreadable = counters['unreadable'] ?? 0;
  return {
    connection,
    account: await accountOf(db, connection),
    base_url,
    state,
    reason,
    state_age: age(state_at),
    paused: pausedOf({ state, reason, state_at, probe_at }, now),
    automations: disarmed
      ? { armed: false, since: disarmed.changed_at, because: disarmed.value }
      : { armed: true, since: null, because: null },
    caught_up_age: age(caught_up_at),
    catch_up_due,
    feed_head: head?.seq ?? 0,
    dirty: Object.fromEntries(waiting.map((row) => [row.resource, { keys: row.keys, oldest_age: age(row.oldest) }])),
    dead: Object.fromEntries(dirty.filter((row) => row.state === 'dead').map((row) => [row.resource, row.keys])),
    unread: await countUnread(db, connection),
    oldest_dirty_age: waiting.reduce((oldest, row) => Math.max(oldest, age(row.oldest) ?? 0), 0),
    inbox: {
      pending,
      ignored,
      unreadable,
      done: Math.max(0, (counters['events'] ?? 0) - pending - ignored - unreadable),
    },
    refused: Object.fromEntries(
      (await refusedDeliveries(db, connection)).map((row) => [row.reason, { times: row.times, age: age(row.last_at) }]),
    ),
    troubles: [...(await troublesOf(db, connection, now)), ...holdTroubles(holds)],
    holds: holdsOf(holds),
    scans: await lastScans(db, connection, age),
    fresh: await freshness(db, connection, now),
    ...(await lastDay(db, connection, now, ledger)),
    requests: Object.fromEntries(purposes.map((purpose) => [purpose, tally.total(purpose)])),
    counters: withoutFields(counters),
  };
}

function pausedOf(
  {
    state,
    reason,
    state_at,
    probe_at,
  }: Pick<Awaited<ReturnType<typeof readConnection>>, 'state' | 'reason' | 'state_at' | 'probe_at'>,
  now: number,
): ConnectionStatus['paused'] {
  if (state === 'active') return null;
  const nextTry = probe_at === null ? null : Math.max(0, Math.round((msOf(probe_at) - now) / 1_000));
  return { since: state_at, because: reason, next_try_in: nextTry };
}

function holdsOf(holds: readonly Hold[]): ConnectionStatus['holds'] {
  return Object.fromEntries(
    holds.map(({ of, since, until, askedUntil }) => [
      of,
      { since: instantOf(since), until: instantOf(until), asked_until: instantOf(askedUntil) },
    ]),
  );
}

/** Returns the age of each part of the mirror, its maximum, in seconds, and the outcome of its last reconciliation. */
async function freshness(db: MirrorDb, connection: string, nowMs: number) {
  const rows = await readTiers(db, connection);
  const seconds = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms / 1_000));
  return Object.fromEntries(
    rows.map((row) => [
      row.tier,
      {
        freshness: freshnessOf(row, nowMs),
        age: seconds(ageOf(row, nowMs)),
        max_age: row.max_age_s,
        state: row.state,
        scanned_age: row.finished_at === null ? null : seconds(Math.max(0, nowMs - msOf(row.finished_at))),
        requests: row.requests,
        rows: row.rows,
        problem: row.problem,
      },
    ]),
  );
}

/** Returns the account that the connection mirrors; null before it was read for the first time. */
async function accountOf(db: MirrorDb, connection: string) {
  const row = await db
    .selectFrom('accounts')
    .select(['account_id', 'name'])
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

async function lastScans(db: MirrorDb, connection: string, age: (instant: Instant | null) => number | null) {
  const rows = await db
    .selectFrom('scans')
    .select(['resource', 'purpose', 'state', 'started_at', 'finished_at', 'requests', 'rows', 'problem'])
    .where('connection', '=', connection)
    // An earlier release has read these by themselves.
    .where('resource', 'not in', readWithOthers)
    .where('scan_id', 'in', (eb) =>
      eb
        .selectFrom('scans')
        .select((of) => of.fn.max('scan_id').as('scan_id'))
        .where('connection', '=', connection)
        .groupBy('resource'),
    )
    .execute();
  return Object.fromEntries(
    rows.map(({ resource, started_at, finished_at, ...row }) => [
      resource,
      { ...row, started_age: age(started_at), age: age(finished_at) },
    ]),
  );
}

/** Leaves out counters by field, which the troubles report with the names of the fields. */
function withoutFields(counters: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counters).filter(([name]) => !/^(?:rows_read|fields_)/.test(name)));
}
