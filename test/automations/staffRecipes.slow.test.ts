import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { momentOf } from '../../src/kernel/quietHours.ts';
import { review } from '../../src/sandbox/write.ts';
import { addDays } from '../../src/kernel/dates.ts';
import { CONNECTION } from '../sim/daemon.ts';
import { type Booked, type House, openHouse, START } from './support/house.ts';
import { recipe } from './support/recipes.ts';

const MINUTE = 60_000;

describe('recipes for the staff', () => {
  let house: House;
  const posted: { text: string; task: string }[] = [];
  before(async () => {
    house = await openHouse({
      rules: '',
      settings: { hooks: { team: { url: 'https://team.example/', secret: 'whsec_dGVhbQ==' } } },
      post: (_hook, _id, body) => {
        posted.push(JSON.parse(body).data);
        return Promise.resolve({ outcome: 'delivered', detail: 'delivered (200)' });
      },
    });
  });
  after(() => house.close());
  const named = ({ channel_id }: Booked) => ({ channel_type: house.listing.channel_type, channel_id });
  const tasks = async () => (await house.host('GET', '/tasks?limit=100')).data.tasks as any[];
  const tasksOf = async ({ reservation_code }: Booked) =>
    (await tasks()).filter((one) => one.stay_code === reservation_code);
  const ended = async (rule: string) =>
    (await house.plans())
      .filter((one) => one.rule === rule)
      .map(({ state, reason }) => [state, reason].filter(Boolean).join(' '));
  const today = () => new Date(START + house.time.elapsed()).toISOString().slice(0, 10);

  describe('low-score', () => {
    const reviewed = async (made: Booked, told: object) => {
      await house.change((change) => review(change, named(made), told as never));
      await house.ends(house.daemon.daemon.reconcile(CONNECTION, 'review'));
      await house.pass(5_000);
    };
    let old: Booked;
    before(async () => {
      old = await house.book({ inDays: -30, nights: 2 });
      await house.pass(5_000);
      await reviewed(old, { score: 1, content: 'Long ago.' });
      await house.pass(MINUTE);
      await house.use(recipe('low-score'));
    });

    it('is named as not tried where rules are tried over the past', async () => {
      const { rows, untried } = await house.automations.test({ since: '2026-11-01T00:00:00.000Z', limit: 9 });
      assert.deepEqual([rows, untried], [[], [{ rule: 'low-score', because: 'acts on changes as they come' }]]);
    });

    it('makes a task for tomorrow, once, whatever else changes about the review', async () => {
      const made = await house.book({ inDays: -4, nights: 2, guest: 'Grace Hopper' });
      await house.pass(5_000);
      await reviewed(made, { score: 2, content: 'Cold.' });
      await house.reaches('low-score', 'sent', made.reservation_code);
      const [task, ...others] = await tasksOf(made);
      assert.deepEqual(
        [task.type, task.expected_date, task.note, others.length],
        ['maintenance', addDays(today(), 1), 'Grace Hopper gave 2: see what was wrong', 0],
      );
      await house.host('POST', `/reviews/${made.reservation_code}`, { host_reply_content: 'We are sorry.' });
      await house.ends(house.daemon.daemon.reconcile(CONNECTION, 'review'));
      await house.pass(MINUTE);
      assert.equal((await tasksOf(made)).length, 1);
    });

    it('waits for the score of a review that is only announced, and lets a good one be', async () => {
      const [bad, good] = [await house.book({ inDays: -8, nights: 2 }), await house.book({ inDays: -12, nights: 2 })];
      await house.pass(5_000);
      for (const one of [bad, good]) await reviewed(one, {});
      await reviewed(bad, { score: 3, content: 'So so.' });
      await reviewed(good, { score: 5, content: 'Lovely.' });
      await house.reaches('low-score', 'sent', bad.reservation_code);
      await house.reaches('low-score', 'skipped', good.reservation_code);
      assert.deepEqual([(await tasksOf(bad)).length, (await tasksOf(good)).length], [1, 0]);
    });

    it('says why where a stay has no property, and finds a task whose answer was cut off', async () => {
      const first = await house.book({ inDays: -16, nights: 2 });
      const boxed = await house.book({ inDays: -16, nights: 2 });
      await house.pass(5_000);
      await reviewed(boxed, { score: 1, content: 'Cold.' });
      const why = async () =>
        (await house.plans()).filter((one) => one.stay_code === boxed.reservation_code).map(({ reason }) => reason);
      await house.until(async () => (await why()).join() === 'no_property', 'a reason');
      let asked = 0;
      house.spoils = (method, path) =>
        method === 'POST' && path === '/v3/tasks' && (asked += 1) > 0 ? { cut: 100 } : undefined;
      await reviewed(first, { score: 1, content: 'Dark.' });
      await house.reaches('low-score', 'sent', first.reservation_code);
      assert.deepEqual([asked, (await tasksOf(first)).length], [1, 1]);
      house.spoils = undefined;
    });

    it('has nothing to do with a review that was written before the rule was armed', async () => {
      await house.host('POST', `/reviews/${old.reservation_code}`, { host_reply_content: 'We know.' });
      await house.ends(house.daemon.daemon.reconcile(CONNECTION, 'review'));
      await house.pass(MINUTE);
      assert.deepEqual(await tasksOf(old), []);
    });
  });

  it('a task by a change whose answer was cut off is found by the dates of its stay', async () => {
    await house.use(
      'name: cleaned\nstate: live\nwhen: { change: reservation, op: created }\ndo: { task: { type: cleaning } }\n',
    );
    let asked = 0;
    house.spoils = (method, path) =>
      method === 'POST' && path === '/v3/tasks' && (asked += 1) > 0 ? { cut: 100 } : undefined;
    const made = await house.book({ inDays: 20, nights: 2 });
    await house.reaches('cleaned', 'sent', made.reservation_code);
    house.spoils = undefined;
    assert.deepEqual([asked, (await tasksOf(made)).length], [1, 1]);
  });

  describe('overdue-task', () => {
    /** Sleeps until shortly before nine where the house is, and lets it come. */
    const nine = async (date: string) => {
      house.time.skipTo(Date.parse(momentOf(date, '09:00', 'Europe/Berlin')) - START - 5_000);
      await house.pass(MINUTE);
    };
    const task = async (expected_date: string, more: object = {}) => {
      const body = { type: 'cleaning', expected_date, currency: 'EUR', property_id: house.property_id, ...more };
      return (await house.host('POST', '/tasks', body)).data.task_id as number;
    };
    const read = () => house.ends(house.daemon.daemon.reconcile(CONNECTION, 'task'));
    const toldOf = (id: number) => posted.filter((one) => one.task === String(id)).map(({ text }) => text);

    it('tells of each task whose day has passed, once, and not of those that are done or moved', async () => {
      const day = today();
      const past = await task(addDays(day, -1));
      await house.use(recipe('overdue-task'));
      const [left, begun, done, moved, late, homeless] = [
        await task(day),
        await task(day),
        await task(day),
        await task(day),
        await task(day),
        await task(day, { property_id: undefined, type: 'other' }),
      ];
      await house.host('PATCH', `/tasks/${begun}`, { status: 'in_progress' });
      await house.host('PATCH', `/tasks/${done}`, { status: 'completed' });
      await read();
      house.core.spoilDeliveries({ drop: 1, double: 0, reorder: 0, delay_ms: 0 });
      await house.host('PATCH', `/tasks/${late}`, { status: 'completed' });
      await house.host('PATCH', `/tasks/${moved}`, { expected_date: addDays(day, 1) });
      assert.deepEqual(toldOf(left), []);
      await nine(addDays(day, 1));
      house.core.spoilDeliveries({ drop: 0, double: 0, reorder: 0, delay_ms: 0 });
      assert.deepEqual(toldOf(left), [`Sea View: cleaning of ${day} is still pending`]);
      assert.deepEqual(toldOf(begun), [`Sea View: cleaning of ${day} is still in_progress`]);
      assert.deepEqual(toldOf(homeless), [`other of ${day} is still pending`]);
      assert.deepEqual([toldOf(done), toldOf(late), toldOf(moved), toldOf(past)], [[], [], [], []]);
      assert.deepEqual((await ended('overdue-task')).toSorted(), [
        'sent',
        'sent',
        'sent',
        'skipped task_done',
        'skipped task_moved',
      ]);
      await read();
      await nine(addDays(day, 2));
      assert.deepEqual(toldOf(moved), [`Sea View: cleaning of ${addDays(day, 1)} is still pending`]);
      assert.equal(toldOf(left).length, 1, 'not again');
    });

    it('counts days before and after as well, may ask for the type, and makes a task of another one', async () => {
      const day = today();
      await house.use(
        [
          'name: tomorrow\nstate: live\nwhen: 1 day before task at 18:00\nif: { task_type: cleaning }\ndo:\n  http: { to: team, body: { text: "{{ task.type }} tomorrow", task: "{{ task.id }}" } }\n',
          'name: look-after\nstate: live\nwhen: 1 day after task at 18:00\nif: { task_type: cleaning }\ndo:\n  - note: { add: "{{ task.type }} is late" }\n  - task: { type: other }\n',
        ].join('---\n'),
      );
      const made = await house.book({ inDays: 1, nights: 3 });
      const [mine, other] = [
        await task(addDays(day, 1), { stay_code: made.reservation_code }),
        await task(addDays(day, 1), { type: 'maintenance' }),
      ];
      await read();
      house.time.skipTo(Date.parse(momentOf(day, '18:00', 'Europe/Berlin')) - START - 5_000);
      await house.pass(MINUTE);
      assert.deepEqual([toldOf(mine), toldOf(other)], [['cleaning tomorrow'], []]);
      house.time.skipTo(Date.parse(momentOf(addDays(day, 2), '18:00', 'Europe/Berlin')) - START - 5_000);
      await house.pass(MINUTE);
      assert.equal((await house.host('GET', `/conversations/${made.conversation_id}`)).data.note, 'cleaning is late');
      assert.deepEqual(
        (await tasksOf(made)).filter(({ type }) => type === 'other').map(({ expected_date }) => expected_date),
        [addDays(day, 2)],
      );
    });
  });
});
