import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkJobs } from '../../src/exports/jobs/schedule.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import { armAutomations, disarmAutomations } from '../../src/sync/tables/connection/facts.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { job } from './support/job.ts';
import { bookWith, CONNECTION, type LedgerWorld, openLedger } from './support/ledger.ts';

const MINUTE = 60_000;
const URL = 'https://books.example/in';
const to = { url: URL, secret: 'whsec_c2VjcmV0' };
const settings = bookWith();

/** The zone of the account is Berlin. */
const jobs = {
  nightly: job({ schedule: '30 2 * * *', ...to }),
  monthly: job({ schedule: '0 6 3 * *', period: 'last_month' as const, ...to }),
};

/** Moves the clock to a moment and lets the scheduler look, and what it began come to its end. */
async function goTo(world: LedgerWorld, at: string): Promise<void> {
  world.clock.jump(Date.parse(at) - world.clock.now() - MINUTE);
  await world.clock.advance(MINUTE + 1);
  await world.idle();
}

/** Runs of a job: state, first and last day. */
async function runsOf(world: LedgerWorld, name: string): Promise<string[]> {
  const rows = await world.store.db
    .selectFrom('export_runs')
    .select(['state', 'from_date', 'to_date', 'started_at'])
    .where('job', '=', name)
    .orderBy('run_id')
    .execute();
  return rows.map((row) => `${row.started_at.slice(0, 16)} ${row.state} ${row.from_date} ${row.to_date}`);
}

async function plannedFor(world: LedgerWorld, name: string) {
  const { jobs: listed } = await world.exports.list(undefined);
  const one = listed.find(({ job: own }) => own === name);
  return { next_at: one?.next_at, problem: one?.problem };
}

describe('a schedule', () => {
  it('that cannot be kept is told by its key, with what is right', () => {
    const check = (schedule: string) => checkJobs({ jobs: { nightly: job({ schedule }) } });
    check('0 6 3 * *');
    assert.throws(() => check('0 25 * * *'), /exports\.jobs\.nightly\.schedule: "0 25 \* \* \*" hour: /);
    assert.throws(() => check('daily'), /"daily" has 1 of the 5 fields/);
    assert.throws(() => check('0 6 L * *'), /L: only numbers/);
  });
});

function scheduled(open: (now: string) => Promise<LedgerWorld>): void {
  let world: LedgerWorld;
  let next = 1;
  const entry = () => world.entry({ id: next, amount: next++ * 100, item: 3, date: '2026-12-10' });
  before(async () => {
    world = await open('2026-12-30T10:00:00.000Z');
    await entry();
    world.exports.start();
    await goTo(world, '2026-12-30T10:01:00.000Z');
  });
  after(() => world.close());

  it('runs a job at its time in the zone of the account, once, and says when next', async () => {
    assert.deepEqual(await plannedFor(world, 'nightly'), { next_at: '2026-12-31T01:30:00.000Z', problem: null });
    await goTo(world, '2026-12-31T01:29:00.000Z');
    assert.deepEqual(await runsOf(world, 'nightly'), []);
    await goTo(world, '2026-12-31T01:30:00.000Z');
    await goTo(world, '2026-12-31T01:31:00.000Z');
    assert.deepEqual(await runsOf(world, 'nightly'), ['2026-12-31T01:30 acknowledged 1970-01-01 2026-12-31']);
    assert.equal((await plannedFor(world, 'nightly')).next_at, '2027-01-01T01:30:00.000Z');
    assert.deepEqual(await runsOf(world, 'monthly'), []);
  });

  it('makes up for what was missed while nothing ran: once, for the days that were meant', async () => {
    const sent = world.sent.length;
    await world.reopen();
    world.clock.jump(Date.parse('2027-02-02T10:00:00.000Z') - world.clock.now());
    // The mirror reads first what it has missed too.
    const { db } = world.store;
    await db.updateTable('connections').set({ catch_up_due: 'start' }).execute();
    world.exports.start();
    await goTo(world, '2027-02-02T10:05:00.000Z');
    assert.equal(world.sent.length, sent);
    await entry();
    await db.updateTable('connections').set({ catch_up_due: null }).execute();
    await goTo(world, '2027-02-02T10:06:00.000Z');
    await goTo(world, '2027-02-02T10:07:00.000Z');
    // The third of January was missed: the month before it is December.
    assert.deepEqual(await runsOf(world, 'monthly'), ['2027-02-02T10:05 acknowledged 2026-12-01 2026-12-31']);
    assert.equal((await runsOf(world, 'nightly')).length, 2);
    assert.equal((await plannedFor(world, 'monthly')).next_at, '2027-02-03T05:00:00.000Z');
    assert.equal((await plannedFor(world, 'nightly')).next_at, '2027-02-03T01:30:00.000Z');
  });

  it('in the night in which clocks go forward once, and in the one in which they go back once', async () => {
    for (const [date, at] of [
      ['2027-03-28', '01:30'],
      ['2027-10-31', '00:30'],
    ] as const) {
      await entry();
      // What was missed before.
      await goTo(world, `${date}T00:00:00.000Z`);
      await entry();
      const before = (await runsOf(world, 'nightly')).length;
      for (let minutes = 0; minutes < 180; minutes += 30) {
        await goTo(world, instantOf(Date.parse(`${date}T00:00:00.000Z`) + minutes * MINUTE));
      }
      const made = (await runsOf(world, 'nightly')).slice(before);
      assert.deepEqual(
        made.map((one) => one.slice(0, 29)),
        [`${date}T${at} acknowledged`],
      );
    }
  });

  it('tries again, later each time, what did not arrive, under the same ids; then waits for its next time', async () => {
    await goTo(world, '2027-11-02T01:00:00.000Z');
    await entry();
    const sent = world.sent.length;
    world.answerSent({ state: 'unknown', detail: 'timeout' });
    for (const at of ['01:30', '01:32', '01:38', '01:54', '02:55', '05:56', '06:00', '12:00', '23:00']) {
      await goTo(world, `2027-11-02T${at}:00.000Z`);
    }
    assert.equal(world.sent.length, sent + 6);
    assert.equal(new Set(world.sent.slice(sent).map(({ id }) => id)).size, 1);
    const { next_at, problem } = await plannedFor(world, 'nightly');
    assert.equal(next_at, '2027-11-03T01:30:00.000Z');
    assert.match(problem ?? '', /may have arrived in part: .*timeout/);
    world.answerSent({ state: 'delivered', detail: '' });
    await goTo(world, '2027-11-03T01:30:00.000Z');
    assert.equal((await plannedFor(world, 'nightly')).problem, null);
    // What was left of the batch before, and that of the day.
    assert.equal(world.sent.length, sent + 10);
  });

  it('a kill at any place makes no second one of it', async () => {
    const { db } = world.store;
    const nightly = { connection: 'local', job: 'nightly' };
    for (const [day, state] of [
      ['04', 'running'],
      ['05', 'prepared'],
      ['06', 'acknowledged'],
    ] as const) {
      await entry();
      const due = `2027-11-${day}T01:30:00.000Z`;
      await goTo(world, due);
      const before = world.sent.length;
      const [last] = await db
        .selectFrom('export_runs')
        .selectAll()
        .where('job', '=', 'nightly')
        .orderBy('run_id', 'desc')
        .limit(1)
        .execute();
      assert.ok(last);
      // As if the process had ended there.
      const manifest = JSON.stringify({ ...JSON.parse(last.manifest ?? '{}'), sent: state === 'prepared' ? 1 : 2 });
      await db.updateTable('export_runs').set({ state, manifest }).where('run_id', '=', last.run_id).execute();
      await db
        .updateTable('export_jobs')
        .set({ due_at: due, run_id: last.run_id })
        .where('job', '=', nightly.job)
        .execute();
      await world.reopen();
      world.exports.start();
      await goTo(world, `2027-11-${day}T01:40:00.000Z`);
      const ids = world.sent.slice(before).map(({ id }) => id.slice(-2));
      assert.deepEqual(ids, { running: ['-1', '-2'], prepared: ['-2'], acknowledged: [] }[state], state);
      assert.ok(((await plannedFor(world, 'nightly')).next_at ?? '') > due);
    }
  });
}

describe('scheduled exports of what is new', () => {
  it('wait while automations are disarmed: a restored mirror does not know what was delivered', async () => {
    const nightly = job({ mode: 'incremental', schedule: '30 2 * * *', ...to });
    const world = await openLedger({ settings, jobs: { nightly }, now: '2026-12-30T10:00:00.000Z' });
    try {
      const { store } = world;
      await world.entry({ id: 1, amount: 100, item: 3, date: '2026-12-10' });
      world.exports.start();
      await goTo(world, '2026-12-30T10:01:00.000Z');
      await disarmAutomations(store, [CONNECTION], 'restored from a backup', '2026-12-30T10:01:00.000Z');
      await goTo(world, '2026-12-31T01:30:00.000Z');
      assert.equal(world.sent.length, 0);
      assert.equal(
        (await plannedFor(world, 'nightly')).problem,
        'waits until automations are armed: restored from a backup',
      );
      await armAutomations(store.db, CONNECTION);
      await goTo(world, '2026-12-31T07:00:00.000Z');
      assert.equal((await runsOf(world, 'nightly')).length, 1);
      assert.equal((await plannedFor(world, 'nightly')).problem, null);
    } finally {
      await world.close();
    }
  });
});

describe('scheduled exports', () => scheduled((now) => openLedger({ settings, jobs, now })));

describeOnPostgres('scheduled exports on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  it('are made by one of two processes, whichever is first', async () => {
    const world = await openLedger({
      settings,
      jobs,
      now: '2026-12-30T10:00:00.000Z',
      database: await server.freshDatabase(),
    });
    try {
      const other = await world.another();
      for (const one of [world.exports, other]) one.start();
      await goTo(world, '2026-12-30T10:01:00.000Z');
      for (let day = 1; day <= 9; day += 1) {
        await world.entry({ id: day, amount: day * 100, item: 3, date: '2026-12-10' });
        await goTo(world, `2027-01-0${day}T01:30:00.000Z`);
        await goTo(world, `2027-01-0${day}T05:00:00.000Z`);
      }
      assert.equal((await runsOf(world, 'nightly')).length, 9);
      assert.deepEqual(await runsOf(world, 'monthly'), ['2027-01-03T05:00 acknowledged 2026-12-01 2026-12-31']);
      const ids = world.sent.map(({ id }) => id);
      assert.equal(ids.length, 20);
      assert.equal(new Set(ids).size, 20);
    } finally {
      await world.close();
    }
  });

  it('and a job that one process is at work on is refused to another, until that one says nothing any more', async () => {
    const world = await openLedger({ settings, jobs, database: await server.freshDatabase() });
    try {
      const other = await world.another();
      await world.entry({ id: 1, amount: 100, item: 3, date: '2027-03-01' });
      const held = world.hold();
      const first = world.exports.run({ job: 'nightly' }, () => {});
      await held.reached;
      await assert.rejects(
        other.run({ job: 'nightly' }, () => {}),
        /nightly is being run already, by another process/,
      );
      // Its timers stand still, as those of a process that is stopped.
      world.clock.jump(2 * MINUTE);
      const second = other.run({ job: 'nightly' }, () => {});
      await held.reachedAgain;
      held.go();
      await assert.rejects(first, /another process has taken over nightly/);
      held.goAgain();
      assert.equal((await second).state, 'acknowledged');
    } finally {
      await world.close();
    }
  });
});
