import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Given, inTurn } from '../../src/automations/actions/turns.ts';
import { cancel } from '../../src/sandbox/change.ts';
import { type House, openHouse } from './support/house.ts';
import { recipe } from './support/recipes.ts';

const at = (turn: number) => new Date(Date.UTC(2026, 0, 1, 0, turn)).toISOString();
const people = fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 });

describe('people who take turns', () => {
  it('nobody is given two more than anybody else, whoever is first', () => {
    fc.assert(
      fc.property(people, fc.integer({ min: 0, max: 40 }), (staff, tasks) => {
        const given: Given[] = [];
        for (let turn = 0; turn < tasks; turn += 1) {
          const [staff_id = 0] = inTurn(staff, given, '');
          given.push({ staff_id, given_at: at(turn) });
        }
        const counts = staff.map((id) => given.filter((one) => one.staff_id === id).length);
        assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join());
      }),
    );
  });

  it('the order follows from what was given, in whatever order that is read', () => {
    const given = fc.array(
      fc.record({ staff_id: fc.integer({ min: 1, max: 50 }), given_at: fc.integer({ min: 0, max: 999 }).map(at) }),
    );
    fc.assert(
      fc.property(people, given, (staff, tasks) => {
        const order = inTurn(staff, tasks, at(500));
        assert.deepEqual(order, inTurn(staff, tasks.toReversed(), at(500)));
        assert.deepEqual(new Set(order), new Set(staff));
      }),
    );
  });

  it('whoever was away for long does not have to make up for it', () => {
    const given = [1, 1, 1, 2].map((staff_id, turn) => ({ staff_id, given_at: at(turn) }));
    assert.deepEqual(inTurn([1, 2], given, ''), [2, 1]);
    assert.deepEqual(inTurn([1, 2], given, at(3)), [1, 2], 'only the last counts');
  });
});

describe('tasks that are given in turn', () => {
  let house: House;
  before(async () => {
    house = await openHouse({ rules: '' });
  });
  after(() => house.close());
  let days = 0;
  const staffOf = async (code: string): Promise<number | null> => {
    const { tasks } = (await house.host('GET', '/tasks?limit=100')).data;
    return tasks.find((one: any) => one.stay_code === code && one.status !== 'cancelled')?.staff_id;
  };
  const next = async (): Promise<[staff: number | null, channel_id: string]> => {
    const { reservation_code, channel_id } = await house.book({ inDays: (days += 4), nights: 2 });
    await house.reaches('turnover-in-turns', 'sent', reservation_code);
    return [await staffOf(reservation_code), channel_id];
  };

  it('go on in turn after the process has ended, pass over who is away, and count nothing that was called off', async () => {
    const staff: number[] = [];
    for (const name of ['Ann', 'Ben', 'Cid']) {
      staff.push((await house.host('POST', '/staffs', { name, mobile: '+49 1701234567' })).data.staff_id);
    }
    const [ann = 0, ben = 0, cid = 0] = staff;
    const rule = recipe('turnover-in-turns')
      .replace('10 minutes', '1 minute')
      .replace('[1, 2, 3]', `[${staff.join()}]`);
    await house.use(rule);
    const [first] = await next();
    const [second, called] = await next();
    house.crashIn = 2;
    const [third] = await next();
    house.crashIn = 0;
    assert.deepEqual([first, second, third], [ann, ben, cid]);
    await house.host('PATCH', `/staffs/${ann}`, { is_active: 0 });
    assert.equal((await next())[0], ben, 'Ann is away');
    await house.host('PATCH', `/staffs/${ann}`, { is_active: 1 });
    assert.equal((await next())[0], ann);
    assert.equal((await next())[0], cid);
    await house.change((change) => cancel(change, { channel_type: house.listing.channel_type, channel_id: called }));
    await house.reaches('turnover-in-turns', 'cancelled');
    assert.equal((await next())[0], ben, 'one of his was called off');
    for (const id of staff) await house.host('PATCH', `/staffs/${id}`, { is_active: 0 });
    assert.equal((await next())[0], null, 'nobody is at work');
  });

  it('an answer that is cut is looked for, and whoever has the task has had a turn', async () => {
    const staff: number[] = [];
    for (const name of ['Dan', 'Eve']) {
      staff.push((await house.host('POST', '/staffs', { name, mobile: '+49 1701234567' })).data.staff_id);
    }
    await house.use(
      recipe('turnover-in-turns')
        .replace('name: turnover-in-turns', 'name: by-two')
        .replace('10 minutes', '1 minute')
        .replace('[1, 2, 3]', `[${staff.join()}]`),
    );
    house.spoils = (method, path) => (method === 'POST' && path === '/v3/tasks' ? { cut: 100 } : undefined);
    const one = await house.book({ inDays: (days += 4), nights: 2 });
    await house.reaches('by-two', 'sent', one.reservation_code);
    house.spoils = undefined;
    const other = await house.book({ inDays: (days += 4), nights: 2 });
    await house.reaches('by-two', 'sent', other.reservation_code);
    assert.deepEqual([await staffOf(one.reservation_code), await staffOf(other.reservation_code)], staff);
    const { tasks } = (await house.host('GET', '/tasks?limit=100')).data;
    assert.equal(tasks.filter((task: any) => task.stay_code === one.reservation_code).length, 1);
  });
});
