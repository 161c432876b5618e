import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { taskRetention } from '../../src/core/channels/tasks/retention.ts';
import type { Worker } from '../../src/kernel/worker.ts';
import { turn } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { settle } from '../support/clock.ts';
import { startCore, type TestCore } from '../support/core.ts';

const DAYS = 30;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('work on calendars that has grown old', () => {
  let core: TestCore;
  let retention: Worker;
  let next = 1;

  beforeEach(async () => {
    core = await startCore();
    retention = taskRetention({ core: core.core, log: silentLogger, days: DAYS });
  });
  afterEach(async () => {
    await retention.stop();
    assert.equal(core.clock.waiting, 0);
    await core.close();
  });

  /** Leaves a task that was made now, and done now unless it has no outcome. */
  async function leave(outcome: 'clean' | 'failed' | null, account = core.own.account): Promise<number> {
    const { account_id } = account;
    const id = (next += 1);
    const at = new Date(core.clock.now()).toISOString();
    const rest = { leased_until: 0, outcome, problem: null, finished_at: outcome && at };
    await core.core.store.db
      .insertInto('calendar_tasks')
      .values({ account_id, id, subject: 'listing', subject_id: 1, work: '{}', created_at: at, ...rest })
      .execute();
    return id;
  }

  async function kept(): Promise<number[]> {
    const rows = await core.core.store.db.selectFrom('calendar_tasks').select('id').orderBy('id').execute();
    return rows.map((row) => row.id);
  }

  const until = async (done: (now: number[]) => boolean) => {
    while (!done(await kept())) await turn();
  };

  it('is deleted once it has been done for so many days, in every account, and again each hour', async () => {
    const other = (await core.addAccount('other')).account;
    await leave('clean');
    await leave('failed', other);
    await core.clock.advance(DAYS * DAY_MS);
    const young = await leave('clean');
    await retention.start();
    await settle();
    assert.equal((await kept()).length, 3, 'to the day, and not before');
    await core.clock.advance(HOUR_MS);
    await until((now) => now.length < 3);
    await settle();
    assert.deepEqual(await kept(), [young]);
  });

  it('is kept, however old, while it is still to be done', async () => {
    const waiting = await leave(null);
    await leave('clean');
    await core.clock.advance(400 * DAY_MS);
    await retention.start();
    await until((now) => now.length < 2);
    assert.deepEqual(await kept(), [waiting]);
  });

  it('goes in small transactions, and a stop comes between two of them', async () => {
    for (let task = 0; task < 450; task += 1) await leave('clean');
    await core.clock.advance((DAYS + 1) * DAY_MS);
    await retention.start();
    await until((now) => now.length < 450);
    await retention.stop();
    assert.equal((await kept()).length, 250);
    retention = taskRetention({ core: core.core, log: silentLogger, days: DAYS });
    await retention.start();
    await until((now) => now.length === 0);
  });
});
