import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { VerifyReport } from '../../../src/sync/scans/verify/verify.ts';
import type { ScanResult } from '../../../src/sync/scans/purpose.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeAction, makeKnowledgeBase, makeStaff, makeTask } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

async function world(t: TestContext, fill: (truth: Truth) => void): Promise<World> {
  const truth = new Truth();
  fill(truth);
  const opened = await openWorld({ truth });
  t.after(() => opened.close());
  return opened;
}

async function reconcile(w: World, resource: string): Promise<ScanResult> {
  let results: ScanResult[] | undefined;
  void w.daemon.reconcile(CONNECTION, resource).then((all) => (results = all));
  await w.clock.until(() => results !== undefined, `the scan of ${resource}`);
  await w.quiet();
  const [result] = results ?? [];
  assert.ok(result);
  return result;
}

async function verify(w: World): Promise<VerifyReport> {
  let report: VerifyReport | undefined;
  void w.daemon.verify(CONNECTION).then((done) => (report = done));
  await w.clock.until(() => report !== undefined, 'a report');
  assert.ok(report);
  return report;
}

const TABLES = ['tasks', 'staffs', 'automation_actions', 'knowledge_bases'] as const;
const live = ({ store }: World, table: (typeof TABLES)[number]) =>
  store.db.selectFrom(table).selectAll().where('deleted_at', 'is', null).execute();

function fill(truth: Truth): void {
  // More than a page of each.
  for (let id = 1; id <= 130; id += 1) {
    truth.tasks.set(id, makeTask(id));
    truth.staffs.set(id, makeStaff(id));
    truth.knowledgeBases.set(id, makeKnowledgeBase(id));
    truth.actions.set(`1-${id}`, makeAction(`1-${id}`, { scheduled_at: `2026-12-0${1 + (id % 5)}T15:00:00+01:00` }));
  }
}

test('tasks, staff, actions and knowledge are read whole and verify as equal', async (t) => {
  const w = await world(t, fill);
  for (const table of TABLES) assert.equal((await live(w, table)).length, 130, table);
  const [task] = await w.store.db.selectFrom('tasks').selectAll().where('id', '=', 1).execute();
  assert.deepEqual(
    [task?.fee_minor, task?.expected_time, task?.staff_name, task?.created_at, task?.deleted_at],
    [4_550, '11:00:00', 'Ada', '2026-11-20T12:00:00.000Z', null],
  );
  const [action] = await w.store.db.selectFrom('automation_actions').selectAll().where('plan_id', '=', '1-5').execute();
  assert.equal(action?.scheduled_at, '2026-12-01T14:00:00.000Z');
  const [entry] = await w.store.db.selectFrom('knowledge_bases').selectAll().where('id', '=', 1).execute();
  assert.deepEqual([entry?.scope_ids, entry?.scope_channels], ['[-1]', '["unlimited"]']);
  const report = await verify(w);
  assert.deepEqual([report.clean, report.resources.filter((one) => !one.clean)], [true, []]);
  for (const name of ['task', 'staff', 'automation_action', 'knowledge_base']) {
    assert.equal(report.resources.find((one) => one.resource === name)?.compared, 130, name);
  }
});

test('no event tells of them: a scan finds what was changed and what is gone', async (t) => {
  const w = await world(t, fill);
  const seq = await w.daemon.feed(CONNECTION).head();
  w.truth.tasks.set(7, makeTask(7, { status: 'completed' }));
  w.truth.tasks.delete(8);
  w.truth.staffs.set(7, makeStaff(7, { mobile: '+1 5551234' }));
  w.truth.knowledgeBases.set(7, makeKnowledgeBase(7, { process_status: 'failed' }));
  w.truth.knowledgeBases.delete(8);
  w.truth.actions.set('1-7', makeAction('1-7', { scheduled_at: '2026-12-09T15:00:00+01:00' }));
  for (const name of ['task', 'staff', 'automation_action', 'knowledge_base']) {
    assert.equal((await reconcile(w, name)).state, 'done', name);
  }
  const changes = (await w.daemon.feed(CONNECTION).read(seq, 100)).map((one) => `${one.resource} ${one.key} ${one.op}`);
  assert.deepEqual(changes.toSorted(), [
    'automation_action 1-7 updated',
    'knowledge_base 7 updated',
    'knowledge_base 8 deleted',
    'staff 7 updated',
    'task 7 updated',
    'task 8 deleted',
  ]);
  assert.equal((await verify(w)).clean, true);
});

test('actions that were carried out are gone, however many: that is no doubt about upstream', async (t) => {
  const w = await world(t, fill);
  w.truth.actions.clear();
  assert.equal((await reconcile(w, 'automation_action')).state, 'done');
  assert.equal((await live(w, 'automation_actions')).length, 0);
  w.truth.tasks.clear();
  assert.equal((await reconcile(w, 'task')).state, 'suspect', 'of tasks it is');
  assert.equal((await live(w, 'tasks')).length, 130);
});
