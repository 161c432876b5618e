import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { momentOf } from '../../src/kernel/quietHours.ts';
import { CONNECTION } from '../sim/daemon.ts';
import { type Booked, type House, openHouse, START } from './support/house.ts';
import { recipe, soon } from './support/recipes.ts';

const MINUTE = 60_000;
/** From a Friday. */
const TO_SATURDAY = 8;
const TO_MONDAY = 10;

describe('recipes about some guests only', () => {
  let house: House;
  before(async () => {
    house = await openHouse({ rules: '' });
  });
  after(() => house.close());
  let weeks = 0;
  /** In a week of its own. */
  const book = (stay: Parameters<House['book']>[0] & object): Promise<Booked> =>
    house.book({ ...stay, inDays: (stay.inDays ?? TO_MONDAY) + 7 * (weeks += 2) });
  const endOf = async (name: string, { reservation_code }: Booked) =>
    house.daemon.store.db
      .selectFrom('automation_plans')
      .select(['state', 'reason', 'detail', 'result'])
      .where('rule', '=', name)
      .where('stay_code', '=', reservation_code)
      .execute();
  const ended = async (name: string, made: Booked) =>
    (await endOf(name, made)).map(({ state, detail }) => [state, detail].filter(Boolean).join(' '));
  const tasksOf = async ({ reservation_code }: Booked) => {
    const { tasks } = (await house.host('GET', '/tasks?limit=100')).data;
    return tasks.filter((one: any) => one.stay_code === reservation_code);
  };
  const noteOf = async ({ conversation_id }: Booked) =>
    (await house.host('GET', `/conversations/${conversation_id}`)).data.note;

  it('weekend-arrival writes to who comes on a Saturday, not to who comes on a Monday', async () => {
    await house.use(soon(recipe('weekend-arrival')));
    const saturday = await book({ inDays: TO_SATURDAY });
    const monday = await book({ inDays: TO_MONDAY });
    await house.reaches('weekend-arrival', 'sent', saturday.reservation_code);
    assert.match((await house.said(saturday.conversation_id)).join(), /^Hello Ada, our office is closed/);
    assert.deepEqual(await ended('weekend-arrival', monday), [], 'it is not even planned');
    const { rows } = await house.automations.test({ since: '2026-11-20T00:00:00.000Z', limit: 100 });
    const why = rows.find(({ about }) => about === monday.reservation_code);
    assert.match(why?.because ?? '', /condition of the rule does not hold: check_in_weekday/);
  });

  it('fresh-towels cleans for long stays and for large parties, not for who wants none', async () => {
    await house.use(soon(recipe('fresh-towels')));
    const long = await book({ nights: 7 });
    const large = await book({ nights: 4, guests: 6 });
    const small = await book({ nights: 4 });
    const unwilling = await book({ nights: 8 });
    await house.host('POST', `/reservations/${unwilling.reservation_code}/tags`, { tag_name: 'no cleaning' });
    for (const one of [long, large]) await house.reaches('fresh-towels', 'sent', one.reservation_code);
    await house.reaches('fresh-towels', 'skipped', unwilling.reservation_code);
    assert.deepEqual(
      [await tasksOf(long), await tasksOf(large), await tasksOf(small), await tasksOf(unwilling)].map(
        (one) => one.length,
      ),
      [1, 1, 0, 0],
    );
    assert.deepEqual(await ended('fresh-towels', unwilling), ['skipped none (tag)']);
    const { rows } = await house.automations.test({ since: '2026-11-20T00:00:00.000Z', limit: 100 });
    const because = (made: Booked) => rows.find(({ about }) => about === made.reservation_code)?.because ?? '';
    assert.match(because(small), /any \(nights or nights, guests\)/);
    assert.match(because(unwilling), /none \(tag\)/);
    assert.equal(because(long), 'task');
  });

  it('weekday-arrivals writes it down on working days alone', async () => {
    await house.use(recipe('weekday-arrivals'));
    const [saturday, monday] = [await house.book({ inDays: TO_SATURDAY }), await house.book({ inDays: TO_MONDAY })];
    for (const one of [saturday, monday]) await house.reaches('weekday-arrivals', 'planned', one.reservation_code);
    for (const [one, date, state] of [
      [saturday, '2026-11-28', 'skipped'],
      [monday, '2026-11-30', 'sent'],
    ] as const) {
      house.time.skipTo(Date.parse(momentOf(date, '08:00', 'Europe/Berlin')) - START - 5_000);
      await house.reaches('weekday-arrivals', state, one.reservation_code);
    }
    assert.deepEqual(await ended('weekday-arrivals', saturday), ['skipped weekday']);
    assert.match(await noteOf(monday), /^Arrives on 2026-11-30, 2 guests$/);
  });

  it('french-guests notes who is called in French, and nobody of whom nothing is known', async () => {
    await house.use(soon(recipe('french-guests')));
    const french = await book({ phone: '+33 1 23 45 67 89' });
    const silent = await book({ phone: null });
    await house.reaches('french-guests', 'sent', french.reservation_code);
    await house.reaches('french-guests', 'skipped', silent.reservation_code);
    assert.equal(await noteOf(french), 'Speaks French.');
    assert.deepEqual(await ended('french-guests', silent), ['skipped language']);
  });

  it('pick-up follows a field of the operator’s own', async () => {
    await house.use(soon(recipe('pick-up')));
    const fetched = await book({});
    const plain = await book({});
    await house.host('PATCH', `/reservations/${fetched.reservation_code}/custom_fields`, {
      custom_fields: { pickup: 'airport' },
    });
    await house.reaches('pick-up', 'sent', fetched.reservation_code);
    await house.reaches('pick-up', 'skipped', plain.reservation_code);
    assert.equal((await tasksOf(fetched))[0].note, 'Fetch Ada Guest: airport');
    assert.deepEqual(await ended('pick-up', plain), ['skipped custom_field']);
  });

  it('welcome-back knows guests again by their address or telephone, never by their name', async () => {
    await house.use(soon(recipe('welcome-back')));
    await house.book({
      inDays: -9,
      nights: 2,
      guest: 'Grace Hopper',
      email: 'grace@guest.example',
      phone: '+1 212 555 0100',
    });
    await book({ guest: 'Joan Clarke', email: 'joan@guest.example', phone: '+44 1908 640 404' });
    const byMail = await book({ guest: 'G. Murray', email: ' Grace@Guest.example', phone: null });
    const byPhone = await book({ guest: 'Vincent Hopper', email: 'v@guest.example', phone: '001 (212) 555-0100' });
    const byName = await book({ guest: 'Grace Hopper', email: 'other@guest.example', phone: '+1 212 555 0199' });
    const yetToCome = await book({ guest: 'Joan Clarke', email: 'joan@guest.example', phone: null });
    const nothing = await book({ guest: 'Grace Hopper', email: null, phone: null });
    for (const one of [byMail, byPhone]) await house.reaches('welcome-back', 'sent', one.reservation_code);
    for (const one of [byName, yetToCome, nothing]) {
      await house.reaches('welcome-back', 'skipped', one.reservation_code);
      assert.deepEqual(await ended('welcome-back', one), ['skipped returning']);
    }
    assert.match((await house.said(byMail.conversation_id)).join(), /you come again/);
    const { rows } = await house.automations.test({ since: '2026-11-20T00:00:00.000Z', limit: 100 });
    const would = (made: Booked) => rows.find(({ about }) => about === made.reservation_code)?.would;
    assert.deepEqual([would(byPhone), would(byName)], ['act', 'not act']);
    await house.use(soon(recipe('welcome-back')).replace('returning: true', 'returning: false'));
    const stranger = await book({ guest: 'Alan T', email: 'alan@guest.example', phone: null });
    const unknown = await book({ guest: 'Alan T', email: null, phone: null });
    await house.reaches('welcome-back', 'sent', stranger.reservation_code);
    await house.reaches('welcome-back', 'skipped', unknown.reservation_code);
  });

  it('coast-heating acts in the properties of a group', async () => {
    await house.use(soon(recipe('coast-heating')));
    const outside = await book({});
    await house.reaches('coast-heating', 'skipped', outside.reservation_code);
    assert.deepEqual(await ended('coast-heating', outside), ['skipped property_group']);
    await house.host('POST', '/groups', { name: 'North coast', property_ids: [house.property_id] });
    await house.ends(house.daemon.daemon.reconcile(CONNECTION, 'property_group'));
    const inside = await book({});
    await house.reaches('coast-heating', 'sent', inside.reservation_code);
    assert.equal((await tasksOf(inside))[0].note, 'Sea View: heating on');
    await house.pass(MINUTE);
  });
});
