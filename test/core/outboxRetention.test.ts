import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { outboxRetention } from '../../src/core/outbox/retention.ts';
import { turn } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { Worker } from '../../src/kernel/worker.ts';
import { SqliteLease } from '../../src/store/sqlite/sqlite.ts';
import { settle } from '../support/clock.ts';
import { startCore, type TestCore } from '../support/core.ts';

const DAYS = 30;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Kept {
  events: string[];
  deliveries: number;
}

describe('events that have grown old', () => {
  let core: TestCore;
  let retention: Worker;

  beforeEach(async () => {
    core = await startCore();
    retention = outboxRetention({ core: core.core, log: silentLogger, days: DAYS });
  });
  afterEach(async () => {
    await retention.stop();
    assert.equal(core.clock.waiting, 0);
    await core.close();
  });

  /** Queues an event now, with one delivery for each outcome. */
  async function queue(outcomes: readonly (string | null)[], account = core.own.account, fannedOut: 0 | 1 = 1) {
    const event_id = core.core.ids();
    const { account_id } = account;
    const queued_at = new Date(core.clock.now()).toISOString();
    const { db } = core.core.store;
    await db
      .insertInto('outbox')
      .values({ account_id, event_id, event: 'reservation_created', body: '{}', queued_at, fanned_out: fannedOut })
      .execute();
    for (const [webhook_id, outcome] of outcomes.entries()) {
      const rest = { outcome, http_status: null, leased_until: 0, finished_at: outcome && queued_at };
      await db
        .insertInto('deliveries')
        .values({ account_id, event_id, webhook_id, ...rest })
        .execute();
    }
    return event_id;
  }

  async function kept(): Promise<Kept> {
    const { db } = core.core.store;
    const events = await db.selectFrom('outbox').select('event_id').orderBy('event_id').execute();
    const deliveries = await db.selectFrom('deliveries').select('event_id').execute();
    return { events: events.map((row) => row.event_id), deliveries: deliveries.length };
  }

  const until = async (done: (now: Kept) => boolean) => {
    while (!done(await kept())) await turn();
  };

  it('are deleted with their deliveries once they are done with, in every account', async () => {
    const other = (await core.addAccount('other')).account;
    await queue(['delivered', 'refused']);
    await queue([], other);
    await core.clock.advance(DAYS * DAY_MS);
    const young = await queue(['delivered']);
    await retention.start();
    await settle();
    assert.equal((await kept()).events.length, 3, 'to the day, and not before');
    await core.clock.advance(HOUR_MS);
    await until((now) => now.events.length < 3);
    await settle();
    assert.deepEqual(await kept(), { events: [young], deliveries: 1 });
  });

  it('are kept, however old, while one of their deliveries has no outcome or they are not handed out', async () => {
    const waiting = await queue(['delivered', null]);
    const notHandedOut = await queue([], core.own.account, 0);
    await queue(['timeout']);
    await core.clock.advance(400 * DAY_MS);
    await retention.start();
    await until((now) => now.events.length < 3);
    await retention.stop();
    assert.deepEqual(await kept(), { events: [waiting, notHandedOut], deliveries: 2 });
  });

  it('go in transactions of 200 rows at the most, be it many events or many webhooks of one', async () => {
    const many = Array.from({ length: 450 }, () => 'delivered');
    for (let event = 0; event < 250; event += 1) await queue(['delivered', 'refused']);
    await queue(many);
    await queue(['delivered']);
    await core.clock.advance((DAYS + 1) * DAY_MS);
    const sizes: number[] = [];
    let open = 0;
    const { begin, commit, executeQuery } = SqliteLease.prototype;
    SqliteLease.prototype.begin = function () {
      open = 0;
      return begin.call(this);
    };
    SqliteLease.prototype.executeQuery = async function (this: SqliteLease, query) {
      const result = await executeQuery.call(this, query);
      open += Number(result.numAffectedRows ?? 0);
      return result;
    } as typeof executeQuery;
    SqliteLease.prototype.commit = function () {
      if (open > 0) sizes.push(open);
      commit.call(this);
    };
    try {
      await retention.start();
      await until((now) => now.events.length === 0);
      await retention.stop();
    } finally {
      Object.assign(SqliteLease.prototype, { begin, commit, executeQuery });
    }
    assert.deepEqual(await kept(), { events: [], deliveries: 0 });
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      250 * 3 + 451 + 2,
    );
    assert.ok(Math.max(...sizes) <= 200, `rows deleted at once: ${sizes.join()}`);
  });

  it('a stop comes between two transactions; the next start goes on', async () => {
    for (let event = 0; event < 300; event += 1) await queue(['delivered']);
    await core.clock.advance((DAYS + 1) * DAY_MS);
    await retention.start();
    await until((now) => now.events.length < 300);
    await retention.stop();
    const left = await kept();
    assert.ok(left.events.length > 0 && left.events.length === left.deliveries);
    retention = outboxRetention({ core: core.core, log: silentLogger, days: DAYS });
    await retention.start();
    await until((now) => now.events.length === 0);
    assert.equal((await kept()).deliveries, 0);
  });
});
