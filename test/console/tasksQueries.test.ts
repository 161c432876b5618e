import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { readTask, readTasks } from '../../src/console/tasks/query.ts';
import type { MirrorStore } from '../../src/sync/tables/database.ts';
import { onBothMirrors } from '../support/mirrorStores.ts';

const AT = '2027-03-01T00:00:00Z';
const TODAY = '2027-03-10';
const facts = { read_number: 1, first_seen_at: AT, changed_at: AT, raw: '{}' };

async function put({ db }: MirrorStore): Promise<void> {
  const key = { connection: 'local' };
  const insert = async (table: 'tasks' | 'stays' | 'stay_nights', rows: readonly object[]) => {
    for (const row of rows)
      await db
        .insertInto(table)
        .values({ ...key, ...row } as never)
        .execute();
  };
  const leaving = { reservation_code: 'R', status: 'accepted', check_in_date: '2027-03-08', check_out_date: TODAY };
  await insert('stays', [
    { ...facts, ...leaving, stay_code: 'out1', property_id: 1 },
    { ...facts, ...leaving, stay_code: 'out2', property_id: 2 },
    { ...facts, ...leaving, stay_code: 'gone', property_id: 3, deleted_at: AT },
  ]);
  const night = { night_number: 1, status: 'accepted' };
  await insert('stay_nights', [
    { ...night, stay_code: 'in1', property_id: 1, night: TODAY },
    { ...night, stay_code: 'in2', property_id: 2, night: '2027-03-14' },
  ]);
  const task = { ...facts, type: 'cleaning', status: 'pending', expected_date: TODAY };
  await insert('tasks', [
    { ...task, id: 1, property_id: 1, staff_id: 7, staff_name: 'Mia' },
    { ...task, id: 2, property_id: 2, type: 'maintenance' },
    { ...task, id: 3, property_id: 1, expected_date: '2027-03-11' },
    { ...task, id: 4, property_id: 1, deleted_at: AT },
    { ...task, id: 5, property_id: 1, connection: 'other' },
  ]);
}

function cases(open: () => MirrorStore): void {
  const asked = { connection: 'local', first: TODAY, end: '2027-03-11' };
  const read = (more: object = {}) => readTasks(open().db, { ...asked, ...more });
  const ids = async (more: object = {}) => (await read(more)).tasks.map(({ id }) => id).toSorted((a, b) => a - b);

  before(() => put(open()));

  it('has the tasks of the days, with their deadline and same-day turnovers', async () => {
    const { tasks } = await read();
    assert.deepEqual(
      tasks
        .map(({ id, nextArrival, isTurnover }) => [id, nextArrival, isTurnover])
        .toSorted(([a], [b]) => Number(a) - Number(b)),
      [
        [1, TODAY, true],
        [2, '2027-03-14', false],
      ],
    );
    assert.deepEqual(await ids({ end: '2027-03-12' }), [1, 2, 3]);
  });

  it('finds departures that nobody is to clean', async () => {
    const { uncleaned } = await read();
    assert.deepEqual(
      uncleaned.map(({ property_id, stay_code, nextArrival }) => [property_id, stay_code, nextArrival]),
      [[2, 'out2', '2027-03-14']],
    );
  });

  it('keeps to a kind, a state, a person, nobody, and the properties of who asks', async () => {
    assert.deepEqual(await ids({ type: 'maintenance' }), [2]);
    assert.deepEqual(await ids({ status: 'completed' }), []);
    assert.deepEqual([await ids({ staff: 7 }), await ids({ staff: 0 })], [[1], [2]]);
    assert.deepEqual(await ids({ properties: [2] }), [2]);
    assert.deepEqual((await read({ properties: [1] })).uncleaned, []);
    assert.equal(await readTask(open().db, { connection: 'local', id: 1, properties: [2] }), undefined);
    assert.equal((await readTask(open().db, { connection: 'local', id: 1 }))?.staff_name, 'Mia');
  });
}

onBothMirrors('what the page of tasks asks the mirror', cases);
