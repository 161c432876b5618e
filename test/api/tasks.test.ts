import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { StoreLocation } from '../../src/store/store.ts';
import { startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

function tasks(place: () => Promise<StoreLocation | undefined>): void {
  let core: TestCore;
  let other: TestAccount;
  let mill: number;
  let barn: number;
  let theirs: number;
  let code: string;
  before(async () => {
    core = await startCore(await place());
    other = await core.addAccount('other');
    mill = (await core.call('createProperty', { title: 'Mill' })).property_id;
    barn = (await core.call('createProperty', { title: 'Barn' })).property_id;
    theirs = (await core.call('createProperty', { title: 'Theirs' }, other.token)).property_id;
    code = await book(mill, '2027-03-05');
  });
  after(() => core.close());

  async function book(property_id: number, check_in_date: string, token?: string): Promise<string> {
    const booking = { property_id, check_in_date, check_out_date: check_in_date.replace(/\d\d$/, '28') };
    const money = { rate_amount: 300, commission_amount: 0, received_amount: 0 };
    return (await core.call('createReservation', { ...booking, guest_name: 'A. Guest', ...money }, token))
      .reservation_code;
  }

  const DUE = { type: 'cleaning', expected_date: '2026-12-01', currency: 'EUR' };
  const add = async (more: object = {}): Promise<number> =>
    (await core.call('createTask', { ...DUE, ...more })).task_id;
  const read = async (id: number) => (await core.call('listTasks', { id })).tasks[0];
  const change = (id: number, body: object, token?: string) =>
    core.request('PATCH', `/tasks/${id}`, { body, ...(token !== undefined && { token }) });
  const refused = async (body: object, token?: string) => {
    const answer = await core.request('POST', '/tasks', { body: { ...DUE, ...body }, ...(token && { token }) });
    return [answer.error_code, answer.error_msg.split(':')[0]];
  };
  const employ = async (more: object = {}, token?: string): Promise<number> =>
    (await core.call('createStaff', { name: 'Ada', mobile: '+49 1701234567', ...more }, token)).staff_id;

  it('a task with all its fields reads back as it was made', async () => {
    const staff_id = await employ();
    const id = await add({
      stay_code: code,
      staff_id: String(staff_id),
      expected_time: '14:30',
      level: 'advanced',
      fee: 45.5,
      note: 'linen',
    });
    assert.deepEqual(await read(id), {
      id,
      type: 'cleaning',
      status: 'pending',
      property_id: mill,
      property_title: 'Mill',
      stay_code: code,
      staff_id,
      staff_name: 'Ada',
      expected_date: '2026-12-01',
      expected_time: '14:30:00',
      expected: '2026-12-01T14:30:00+01:00',
      level: 'advanced',
      currency: 'EUR',
      fee: 45.5,
      note: 'linen',
      create_time: '2026-11-20T13:00:00+01:00',
      update_time: '2026-11-20T13:00:00+01:00',
    });
  });

  it('with the least it is nobody’s, nowhere, without a time', async () => {
    const task = await read(await add());
    const { property_id, property_title, stay_code, staff_id, staff_name, expected_time, level, fee, note } = task;
    assert.deepEqual(
      [property_id, property_title, stay_code, staff_id, staff_name, expected_time, level, fee, note],
      [null, null, null, null, null, null, null, null, ''],
    );
    assert.equal(task.expected, '2026-12-01T00:00:00+01:00');
  });

  it('with a stay and no property the property is inherited', async () => {
    assert.equal((await read(await add({ stay_code: code }))).property_id, mill);
    assert.equal((await read(await add({ stay_code: code, property_id: 0 }))).property_id, mill);
    const id = await add({ property_id: barn });
    assert.equal((await change(id, { stay_code: code })).error_code, 200);
    assert.deepEqual([(await read(id)).property_id, (await read(id)).stay_code], [mill, code]);
  });

  it('stay and property must point to the same property: 422', async () => {
    assert.deepEqual(await refused({ stay_code: code, property_id: barn }), [422, 'property_id']);
    const id = await add({ stay_code: code, property_id: mill });
    for (const body of [{ property_id: barn }, { stay_code: code, property_id: 0 }]) {
      const answer = await change(id, body);
      assert.deepEqual([answer.error_code, answer.error_msg.split(':')[0]], [422, 'property_id']);
    }
    assert.equal((await change(id, { property_id: mill })).error_code, 200);
  });

  it('property_id 0 takes a task off its property and its stay; staff_id 0 off whoever has it', async () => {
    const id = await add({ stay_code: code, staff_id: await employ() });
    assert.equal((await change(id, { staff_id: 0 })).error_code, 200);
    assert.equal((await change(id, { property_id: 0 })).error_code, 200);
    const { property_id, stay_code, staff_id } = await read(id);
    assert.deepEqual([property_id, stay_code, staff_id], [null, null, null]);
  });

  it('a stay that is taken off leaves the property', async () => {
    const id = await add({ stay_code: code });
    assert.equal((await change(id, { stay_code: null })).error_code, 200);
    assert.deepEqual([(await read(id)).stay_code, (await read(id)).property_id], [null, mill]);
  });

  it('every field can be changed, and one that is left out stays', async () => {
    const id = await add({ expected_time: '10:00:00', level: 'simple', fee: 10 });
    core.clock.jump(60_000);
    const answer = await change(id, {
      status: 'in_progress',
      type: 'other',
      note: 'x',
      expected_time: null,
      level: null,
    });
    assert.deepEqual([answer.error_code, 'data' in answer], [200, false]);
    const task = await read(id);
    assert.deepEqual(
      [task.status, task.type, task.note, task.expected_time, task.level, task.fee, task.expected_date],
      ['in_progress', 'other', 'x', null, null, 10, '2026-12-01'],
    );
    assert.notEqual(task.update_time, task.create_time);
    for (const status of ['completed', 'pending', 'cancelled']) {
      await change(id, { status });
      assert.equal((await read(id)).status, status);
    }
  });

  it('a fee has no more decimals than its currency, also when only the currency changes', async () => {
    assert.deepEqual(await refused({ fee: 1.005 }), [422, 'fee']);
    assert.deepEqual(await refused({ fee: 1.5, currency: 'JPY' }), [422, 'fee']);
    const id = await add({ fee: 12.5 });
    assert.equal((await change(id, { currency: 'JPY' })).error_code, 422);
    await change(id, { currency: 'KWD' });
    assert.deepEqual([(await read(id)).fee, (await read(id)).currency], [12.5, 'KWD']);
  });

  it('what does not fit is named', async () => {
    for (const [body, field] of [
      [{ type: 'party' }, 'type'],
      [{ expected_date: '2026-02-30' }, 'expected_date'],
      [{ expected_time: '24:00:00' }, 'expected_time'],
      [{ level: 'none' }, 'level'],
      [{ currency: 'XXQ' }, 'currency'],
      [{ fee: -1 }, 'fee'],
      [{ note: 'x'.repeat(501) }, 'note'],
      [{ type: undefined }, 'type'],
      [{ expected_date: undefined }, 'expected_date'],
      [{ currency: undefined }, 'currency'],
    ] as const) {
      assert.deepEqual(await refused(body), [422, field]);
    }
    assert.equal((await change(await add(), { status: 'done' })).error_code, 422);
  });

  it('ids of others: 403; of nobody: 404; codes of others: 404', async () => {
    const theirStaff = await employ({}, other.token);
    const theirCode = await book(theirs, '2027-03-05', other.token);
    const theirTask = (await core.call('createTask', DUE, other.token)).task_id;
    assert.equal((await refused({ property_id: theirs }))[0], 403);
    assert.equal((await refused({ staff_id: theirStaff }))[0], 403);
    assert.equal((await refused({ property_id: 999_999 }))[0], 404);
    assert.equal((await refused({ staff_id: 999_999 }))[0], 404);
    assert.deepEqual(await refused({ stay_code: theirCode }), [404, 'This resource is no longer available.']);
    assert.equal((await change(theirTask, { note: 'x' })).error_code, 403);
    assert.equal((await core.request('DELETE', `/tasks/${theirTask}`)).error_code, 403);
    assert.equal((await core.request('DELETE', '/tasks/999999')).error_code, 404);
    assert.equal((await change(999_999, {})).error_code, 404);
    assert.deepEqual((await core.call('listTasks', { id: theirTask })).tasks, []);
    assert.equal((await core.request('PATCH', `/staffs/${theirStaff}`, { body: {} })).error_code, 403);
    assert.equal((await core.request('DELETE', `/staffs/${theirStaff}`)).error_code, 403);
  });

  it('filters: each alone narrows; dates go together and include both ends; pages are newest first', async () => {
    const staff_id = await employ();
    const day = (n: number) => `2028-01-0${n}`;
    const ids: number[] = [];
    for (const n of [1, 2, 3]) ids.push(await add({ expected_date: day(n), property_id: barn, staff_id }));
    await change(ids[1] ?? 0, { status: 'completed', type: 'reception' });
    const found = async (query: Record<string, unknown>) =>
      (await core.call('listTasks', query)).tasks.map((one: any) => one.id);
    assert.deepEqual(await found({ start_date: day(1), end_date: day(2) }), [ids[1], ids[0]]);
    assert.deepEqual(await found({ staff_id }), ids.toReversed());
    assert.deepEqual(await found({ staff_id, property_id: mill }), []);
    assert.deepEqual(await found({ staff_id, status: 'completed' }), [ids[1]]);
    assert.deepEqual(await found({ staff_id, type: 'reception' }), [ids[1]]);
    assert.deepEqual(await found({ property_id: barn, limit: 1, offset: 1 }), [ids[1]]);
    assert.equal((await core.call('listTasks', { property_id: barn, limit: 1 })).total, 3);
    assert.deepEqual(await found({ offset: 1_000 }), []);
    const alone = await core.request('GET', '/tasks?start_date=2028-01-01');
    assert.deepEqual([alone.error_code, alone.error_msg.split(':')[0]], [400, 'start_date']);
    assert.equal((await core.request('GET', '/tasks?end_date=2028-01-01')).error_code, 400);
    assert.equal((await core.request('GET', '/tasks?start_date=2028-01-02&end_date=2028-01-01')).error_code, 422);
  });

  it('a deleted task is gone', async () => {
    const id = await add();
    await core.call('deleteTask', { id });
    assert.equal(await read(id), undefined);
    assert.equal((await core.request('DELETE', `/tasks/${id}`)).error_code, 404);
  });

  it('no task and no member of staff sends an event', async () => {
    const before = (await core.events()).length;
    const id = await add({ staff_id: await employ() });
    await change(id, { status: 'completed' });
    await core.call('deleteTask', { id });
    assert.equal((await core.events()).length, before);
  });

  it('a sub-account has the tasks of its properties alone, and makes none that belong nowhere', async () => {
    const sub = await core.addSubAccount(core.own.account, [barn]);
    const seen = await add({ property_id: barn });
    const hidden = await add({ property_id: mill });
    const tasks: { property_id: number }[] = (await core.call('listTasks', { limit: 100 }, sub)).tasks;
    assert.ok(tasks.length > 0 && tasks.every((task) => task.property_id === barn));
    assert.equal((await change(hidden, { note: 'x' }, sub)).error_code, 404);
    assert.equal((await change(seen, { note: 'x' }, sub)).error_code, 200);
    assert.equal((await refused({ property_id: mill }, sub))[0], 404);
    assert.equal((await refused({ stay_code: code }, sub))[0], 404);
    assert.deepEqual(await refused({}, sub), [401, 'Not authorized for this action']);
    assert.equal((await change(seen, { property_id: 0 }, sub)).error_code, 401);
  });

  it('staff: made, listed, changed; is_active filters', async () => {
    const id = await employ({ email: 'ada@example.org', note: 'keys' });
    const find = async (query: object) => (await core.call('listStaffs', { id, ...query })).staffs;
    assert.deepEqual(await find({}), [
      { id, name: 'Ada', mobile: '+49 1701234567', email: 'ada@example.org', note: 'keys', is_active: true },
    ]);
    const body = { name: 'Grace', mobile: '+1 555 0100', email: '', is_active: 0 };
    assert.equal((await core.request('PATCH', `/staffs/${id}`, { body })).error_code, 200);
    assert.deepEqual(await find({ is_active: 0 }), [
      { id, name: 'Grace', mobile: '+1 555 0100', email: null, note: 'keys', is_active: false },
    ]);
    assert.deepEqual(await find({ is_active: 1 }), []);
    await core.call('updateStaff', { id, is_active: true });
    assert.equal((await find({ is_active: 1 })).length, 1);
  });

  it('a mobile is written +<country code> <number>; a name has 128 characters at most', async () => {
    const refuse = async (body: object) => {
      const { error_code, error_msg } = await core.request('POST', '/staffs', {
        body: { name: 'Ada', mobile: '+49 1701234567', ...body },
      });
      return [error_code, error_msg.split(':')[0]];
    };
    for (const mobile of ['1701234567', '+491701234567', '49 1701234567', '+49', '+49 abc', '+1234 5551234', '']) {
      assert.deepEqual(await refuse({ mobile }), [422, 'mobile'], mobile);
    }
    assert.deepEqual(await refuse({ mobile: undefined }), [422, 'mobile']);
    assert.deepEqual(await refuse({ name: 'x'.repeat(129) }), [422, 'name']);
    assert.deepEqual(await refuse({ name: ' ' }), [422, 'name']);
    assert.deepEqual(await refuse({ email: 'nobody' }), [422, 'email']);
    assert.equal((await refuse({ property_ids: [theirs] }))[0], 403);
    assert.equal((await refuse({ property_ids: [999_999] }))[0], 404);
    await employ({ name: 'x'.repeat(128) });
  });

  it('who leaves gives back what is open and keeps the name of what is done', async () => {
    const staff_id = await employ({ name: 'Lin' });
    const [open, done] = [await add({ staff_id }), await add({ staff_id })];
    await change(done, { status: 'completed' });
    await core.call('deleteStaff', { id: staff_id });
    assert.deepEqual([(await read(open)).staff_id, (await read(open)).staff_name], [null, null]);
    assert.deepEqual([(await read(done)).staff_id, (await read(done)).staff_name], [staff_id, 'Lin']);
    assert.deepEqual((await core.call('listStaffs', { id: staff_id })).staffs, []);
    assert.equal((await refused({ staff_id }))[0], 404);
    assert.equal((await core.request('DELETE', `/staffs/${staff_id}`)).error_code, 404);
  });

  it('a sub-account sees who works in its properties and changes only who works nowhere else', async () => {
    const sub = await core.addSubAccount(core.own.account, [barn]);
    const everywhere = await employ();
    const here = await employ({ property_ids: [barn] });
    const both = await employ({ property_ids: [barn, mill] });
    const there = await employ({ property_ids: [mill] });
    const own = (await core.call('createStaff', { name: 'Own', mobile: '+1 5551234' }, sub)).staff_id;
    const seen = (await core.call('listStaffs', { limit: 100 }, sub)).staffs.map((one: { id: number }) => one.id);
    for (const id of [everywhere, here, both, own]) assert.ok(seen.includes(id));
    assert.ok(!seen.includes(there));
    const rename = async (id: number) =>
      (await core.request('PATCH', `/staffs/${id}`, { body: { name: 'New' }, token: sub })).error_code;
    assert.deepEqual(await Promise.all([here, own, both, everywhere, there].map(rename)), [200, 200, 401, 401, 404]);
  });

  it('the tasks of a stay follow it to another property', async () => {
    const moving = await book(mill, '2027-05-05');
    const id = await add({ stay_code: moving });
    await core.change(core.own.account, async (change) => {
      const stay = { reservation_code: moving, stay_code: moving, property_id: barn };
      await change.trx
        .updateTable('stays')
        .set({ property_id: barn })
        .where('stay_code', '=', moving as never)
        .execute();
      change.emit({ event: 'reservation_updated', ...stay });
    });
    assert.equal((await read(id)).property_id, barn);
  });
}

describe('tasks and staff over v3', () => tasks(async () => undefined));

describeOnPostgres('tasks and staff over v3, on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  tasks(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});
