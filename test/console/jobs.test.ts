import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { holdCore } from '../../src/compose/backup/settleRestored.ts';
import { type Begun, Jobs, type JobWork } from '../../src/compose/console/jobs.ts';
import { masterOperator } from '../../src/core/accounts/table.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { startCore, type TestCore } from '../support/core.ts';

const DONE = { text: 'export.csv', facts: [['stored', '3']] as [string, string][] };

/** A process with its jobs, whose work ends when the test says so, or when it is stopped. */
interface Process {
  jobs: Jobs;
  begun: Begun[];
  finish(): void;
  fail(why: string): void;
}

describe('work that was begun at the console', () => {
  let test: TestCore;
  let one: Process;
  let other: Process;
  let operatorId: number;
  beforeEach(async () => {
    test = await startCore();
    operatorId = (await masterOperator(test.core.store.db, test.own.account.account_id)).id;
    one = await process();
    other = await process();
  });
  afterEach(async () => {
    await one.jobs.stop();
    await other.jobs.stop();
    await test.close();
  });

  async function process(): Promise<Process> {
    const begun: Begun[] = [];
    let settle: { resolve(outcome: typeof DONE | null): void; reject(error: Error): void } | undefined;
    const work: JobWork = (given) => {
      begun.push(given);
      return new Promise((resolve, reject) => {
        settle = { resolve, reject };
        given.signal.addEventListener('abort', () => resolve(null));
      });
    };
    const jobs = new Jobs({ core: test.core, log: silentLogger, kinds: { import: work, simulation: work } });
    await jobs.start();
    return {
      jobs,
      begun,
      finish: () => settle?.resolve(DONE),
      fail: (why) => settle?.reject(new Error(why)),
    };
  }
  const who = () => ({ account: test.own.account, operator: { id: operatorId, name: 'Ada', kind: 'master' } }) as const;
  const begin = ({ jobs }: Process) => jobs.begin(who(), { kind: 'import', task: { upload: 'A' } });
  const shown = async ({ jobs }: Process) => jobs.of(test.own.account.account_id);
  const becomes = (state: string) =>
    test.clock.until(async () => (await shown(other))?.state === state, `the work to be ${state}`);

  it('is told by every process, with how far it is', async () => {
    assert.equal(await shown(one), undefined);
    await begin(one);
    one.begun[0]?.progress({ done: 5, total: 9, text: 'storing: 4' });
    await test.clock.until(async () => (await shown(other))?.done === 5, 'the progress to be noted');
    assert.equal((await shown(other))?.total, 9);
    one.finish();
    await becomes('done');
    const { kind, text, facts } = (await shown(other)) ?? {};
    assert.deepEqual({ kind, text, facts }, { kind: 'import', ...DONE });
  });

  it('is one at a time, in whatever process', async () => {
    await begin(one);
    for (const process of [one, other]) await assert.rejects(begin(process), { code: 409 });
    one.fail('the file is no file');
    await becomes('failed');
    assert.equal((await shown(other))?.text, 'the file is no file');
    await begin(other);
    assert.equal(other.begun.length, 1);
  });

  it('is continued by another process when its own is stopped', async () => {
    await begin(one);
    await one.jobs.stop();
    await test.clock.until(() => other.begun.length === 1, 'the other process to go on');
    const { isContinued, task, operator } = other.begun[0] ?? {};
    assert.deepEqual([isContinued, task, operator?.id], [true, { upload: 'A' }, operatorId]);
    other.finish();
    await becomes('done');
  });

  it('is continued when its process gives no sign of life, and left by that one if it wakes', async () => {
    await begin(one);
    // As a process that is paused: nothing of it is noted, and its time runs out.
    const { db } = test.core.store;
    await db.updateTable('setup_jobs').set({ claimed_by: 'nobody' }).execute();
    await test.clock.until(() => one.begun[0]?.signal.aborted === true, 'the first to notice');
    assert.equal(other.begun.length, 0, 'not before its time has run out');
    await test.clock.until(() => one.begun.length + other.begun.length === 2, 'somebody to go on');
    assert.equal([...one.begun, ...other.begun].at(-1)?.isContinued, true);
  });

  it('ends with a restore: nothing goes on by itself on data of another time', async () => {
    await begin(one);
    await holdCore(test.core.store, { why: 'restored from a.db', now: test.clock.now() });
    await test.clock.until(() => one.begun[0]?.signal.aborted === true, 'the work to stop');
    const { state, text } = (await shown(other)) ?? {};
    assert.deepEqual([state, text, other.begun.length], ['failed', 'restored from a.db', 0]);
  });

  it('is not left while it goes on, however long that takes', async () => {
    await begin(one);
    await test.clock.run(300_000);
    assert.deepEqual([one.begun.length, other.begun.length], [1, 0]);
    assert.equal(one.begun[0]?.signal.aborted, false);
  });
});
