import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { PAGES } from '../../src/console/pages.ts';
import type { Role } from '../../src/kernel/roles.ts';
import { describeInBrowser } from '../support/browser.ts';
import { accept } from '../support/consoleWorld.ts';
import { obstaclesOn } from '../support/pages.ts';
import { call, type Served } from '../support/service.ts';
import type { InboxWorld } from './support/inboxWorld.ts';
import { startRemoteWorld } from './support/remoteWorld.ts';

/** A word that nothing has but what belongs to Hill House. */
const CANARY = 'Quarrel';
const WIFI = `
name: wifi
about: Drafts an answer about the wifi.
state: live
when: message from guest
if: { says: [wifi] }
quiet: "off"
do:
  draft: { text: "The network is called Mill, {{ guest.first_name }}." }
`;
const ROLES: readonly Role[] = ['manager', 'staff', 'bookkeeper', 'cleaner', 'read_only'];

/**
 * Another deployment knows nothing of the people of this console, and its token sees everything: what a person may see
 * and do is decided here alone.
 */
describeInBrowser('people who see one of two properties of another deployment', () => {
  let world: InboxWorld<Served>;
  /** What belongs to Hill House. */
  let theirs: { code: string; conversation: string; plan: string; task: number; listing: string };
  /** What belongs to Sea House. */
  let own: { code: string; conversation: string; task: number };
  /** Codes of a reservation with a room in each house. */
  let shared: { reservation: string; conversation: string; ownRoom: string; theirRoom: string };
  let manager: Page;

  before(async () => {
    world = await startRemoteWorld(WIFI);
    const { service, sea, hill, day } = world;
    await service.portal('POST', '/portal/reconcile', { resource: 'property' });
    const task = async (property_id: number, note: string): Promise<number> => {
      const wanted = { type: 'cleaning', expected_date: world.today, currency: 'EUR', property_id, note };
      return (await service.v3('POST', '/tasks', wanted)).task_id;
    };
    const grace = await world.book(sea, 0, 3, { guest_name: 'Grace Hopper' });
    const hilda = await world.book(hill, 0, 3, {
      guest_name: `Hilda ${CANARY}`,
      email: `hilda@${CANARY.toLowerCase()}.example`,
      note: `Piano of ${CANARY}`,
    });
    await service.v3('PATCH', `/reservations/${hilda.reservation_code}/custom_fields`, {
      custom_fields: { Pillow: `${CANARY} feathers` },
    });
    const [ours, others] = [await world.guest('Ina Guest', sea), await world.guest(`Otto ${CANARY}`, hill)];
    await world.write(ours.conversation_id, 'Is there a cot?');
    await world.write(others.conversation_id, `Is there wifi in the ${CANARY} room?`);
    const nights = { check_in_date: day(50), check_out_date: day(52) };
    const rooms = await world.act('bookings', {
      channel_type: 'marketplace_a',
      listing_id: world.listings.get(sea),
      ...nights,
      guest: { name: 'Both Houses' },
      further_rooms: [{ listing_id: world.listings.get(hill), ...nights }],
    });
    // Its newest news is about the other house alone.
    await world.act('inquiries', {
      channel_type: 'marketplace_a',
      listing_id: world.listings.get(hill),
      check_in_date: day(80),
      check_out_date: day(82),
      guest: { name: 'Both Houses' },
      conversation: rooms.conversation_id,
      message: 'And later?',
    });
    await service.portal('POST', '/portal/blocks', {
      property_ids: [hill],
      start_date: day(9),
      end_date: day(10),
      reason: `${CANARY} plumber`,
    });
    own = { code: grace.reservation_code, conversation: ours.conversation_id, task: await task(sea, 'Windows') };
    theirs = {
      code: hilda.reservation_code,
      conversation: others.conversation_id,
      plan: await world.plan('wifi', others.conversation_id),
      task: await task(hill, `${CANARY} attic`),
      listing: `marketplace_a/${world.listings.get(hill)}`,
    };
    for (const resource of ['task', 'reservation', 'calendar', 'availability']) {
      await service.portal('POST', '/portal/reconcile', { resource });
    }
    await service.settled();
    const both = await service.rows(`select stay_code, property_id from mirror.stays
      where reservation_code = '${rooms.reservation_code}'`);
    const roomIn = (property: number) =>
      String(both.find(({ property_id }) => Number(property_id) === property)?.['stay_code']);
    shared = {
      reservation: rooms.reservation_code,
      conversation: rooms.conversation_id,
      ownRoom: roomIn(sea),
      theirRoom: roomIn(hill),
    };
    manager = await world.person('manager', { properties: [sea] });
  });
  after(() => world.remove());

  /** Addresses of every page, among them those that name what belongs to the other house. */
  const addresses = (): string[] => [
    ...PAGES.map(({ path }) => path),
    ...[`day=${world.day(1)}`, `property=${world.hill}`].map((asked) => `today?${asked}`),
    ...['requests', 'box', 'identity', 'deposits'].map((waiting) => `today?waiting=${waiting}`),
    'calendar?days=90&prices=1',
    `calendar?unit=${world.hill}`,
    `calendar?unit=${world.sea}&move=${theirs.code}`,
    'calendar?named=Hill',
    `book?property=${world.hill}`,
    `book?property=${world.sea}&from=${world.today}&to=${world.day(2)}`,
    ...['unanswered', 'drafts', 'all'].map((show) => `inbox?show=${show}`),
    'inbox?named=Otto',
    `inbox?property=${world.hill}`,
    `inbox?conversation=${theirs.conversation}`,
    `inbox?conversation=${own.conversation}`,
    `inbox?conversation=${shared.conversation}`,
    'tasks?days=7',
    `tasks?property=${world.hill}`,
    `tasks?task=${theirs.task}`,
    `stay?code=${theirs.code}`,
    `stay?code=${theirs.code}&lock=show`,
    `stay?code=${shared.theirRoom}`,
    `stay?code=${shared.ownRoom}`,
    `stay?code=${own.code}`,
    ...['Hilda', 'Otto', 'Hill', 'attic', 'wifi', 'plumber', theirs.code].map((q) => `search?q=${q}`),
    'reports?report=arrivals&persons=yes',
    'reports?report=occupancy',
    `money?month=${world.today.slice(0, 7)}`,
  ];

  /** Words of the other house in a text that did not come in by its address. */
  const leaksIn = (text: string, address: string): string[] =>
    [CANARY, CANARY.toLowerCase(), 'Hill House', theirs.code, theirs.conversation, shared.theirRoom].filter(
      (word) => text.includes(word) && !decodeURIComponent(address).includes(word),
    );

  for (const role of ROLES) {
    it(`${role}: no page has a word of the other house`, async () => {
      const page = await world.person(role, { properties: [world.sea] });
      const leaks: string[] = [];
      let shown = '';
      for (const address of addresses()) {
        const answer = await page.request.get(world.at(address));
        const text = await answer.text();
        shown += text;
        if (answer.status() >= 500) leaks.push(`${address}: ${answer.status()}`);
        leaks.push(...leaksIn(text, address).map((word) => `${address}: ${word}`));
      }
      assert.deepEqual(leaks, []);
      assert.match(shown, /Sea House/, 'their own house is shown');
    });
  }

  it('the owner finds all of it, so there is something to leak', async () => {
    const owner = await world.person();
    const texts = [];
    for (const address of addresses()) texts.push(await (await owner.request.get(world.at(address))).text());
    const all = texts.join();
    const words = ['Hilda', 'Otto', 'feathers', 'attic', 'plumber', 'Piano of'].filter((word) => !all.includes(word));
    assert.deepEqual(words, []);
  });

  it('a manager’s session opens neither the mirror nor what is managed', async () => {
    for (const path of [
      '/mirror/changes',
      '/mirror/changes/stream',
      '/mirror/stay',
      `/mirror/stay/${theirs.code}`,
      `/mirror/reservation/${own.code}`,
      '/mirror/reports',
      '/mirror/reports/arrivals',
      '/portal/status',
      '/portal/events',
      '/portal/sub_accounts',
      '/portal/automations/pending',
      '/portal/automations',
      '/portal/endpoints',
      '/portal/exports',
      '/portal/audit',
    ]) {
      const answer = await manager.request.get(`${world.service.url}${path}`);
      assert.equal(answer.status(), 401, path);
      assert.deepEqual(leaksIn(await answer.text(), ''), [], path);
    }
  });

  it('the stream of a page says that something changed, and not what', async () => {
    const told: string =
      await manager.evaluate(`fetch('/console/live?connection=upstream&after=1').then(async ({ body }) => {
      const reader = body.getReader();
      let text = '';
      while (!text.includes('event')) text += new TextDecoder().decode((await reader.read()).value);
      await reader.cancel();
      return text;
    })`);
    assert.match(told, /^:\n\nid: \d+\nevent: change\ndata:\n\n$/);
  });

  /** Everything of the other house that a form could change, as the deployment has it. */
  const state = async () => {
    const { service, hill, day, today } = world;
    const read = (path: string) => service.v3('GET', path);
    return JSON.stringify({
      reservations: (await read('/reservations?limit=100')).reservations.filter(
        (one: { property_id: number }) => one.property_id !== world.sea,
      ),
      shared: await read(`/reservations?reservation_code=${shared.reservation}`),
      nights: await read(`/availabilities?property_ids=${hill}&start_date=${today}&end_date=${day(60)}`),
      tasks: (await read('/tasks?limit=100')).tasks.filter((one: { id: number }) => one.id !== own.task),
      staffs: (await read('/staffs')).staffs,
      thread: await read(`/conversations/${encodeURIComponent(theirs.conversation)}`),
      money: (await read(`/transactions?start_date=${today}&end_date=${day(1)}&limit=100`)).transactions,
      plans: await service.rows(`select plan_id, state from mirror.automation_plans order by plan_id`),
    });
  };

  const send = (page: Page, path: string, form: Record<string, string | number>) =>
    page.request.post(world.at(path), { headers: { origin: world.service.url }, form, maxRedirects: 0 });

  it('no form changes anything of the other house, and none says that it did', async () => {
    const { sea, hill, day, today } = world;
    const there = `stay/%s?code=${theirs.code}`;
    const both = `stay/%s?code=${shared.ownRoom}`;
    const talk = `inbox/%s?conversation=${theirs.conversation}`;
    const at = (address: string, action: string) => address.replace('%s', action);
    const dates = { check_in_date: day(70), check_out_date: day(72) };
    const forms: [string, Record<string, string | number>][] = [
      ['calendar/block', { unit: hill, first: day(12), last: day(13) }],
      ['calendar/block', { unit: sea, more: hill, first: day(12), last: day(13) }],
      ['calendar/open', { unit: hill, first: day(9), last: day(10) }],
      ['calendar/price', { unit: hill, listing: theirs.listing, first: day(12), last: day(13), price: '1' }],
      ['calendar/price', { unit: sea, listing: theirs.listing, first: day(12), last: day(13), price: '1' }],
      ['calendar/move', { move: theirs.code, to: sea, arrive: day(14), leave: day(16) }],
      ['calendar/move', { move: own.code, to: hill, arrive: day(14), leave: day(16) }],
      ['book/create', { property: hill, from: day(14), to: day(16), guest_name: 'Intruder', rate_amount: '1' }],
      [
        at(there, 'change'),
        { ...dates, number_of_guests: 1, guest_name: 'Intruder', email: '', mobile: '', rate_amount: 1, note: '' },
      ],
      [at(there, 'check-in'), { arrival_at: '05:00', deposit: 1, id_required: 'required' }],
      [at(there, 'allocate'), { property_id: sea }],
      [`stay/allocate?code=${own.code}`, { property_id: hill }],
      [at(there, 'to-box'), {}],
      [at(there, 'cancel'), {}],
      [at(there, 'status'), { stay_status: 'checked_in' }],
      [at(there, 'tag'), { tag_name: 'intruder' }],
      [at(there, 'field'), { name: 'Pillow', text: 'none' }],
      [at(there, 'review'), { host_reply_content: 'Never' }],
      [at(there, 'pay'), { amount: 1, item_id: 1, payment_method_id: 1 }],
      [at(there, 'approve'), {}],
      [at(there, 'decline'), {}],
      // The room in their own house does not open the one in the other.
      [at(both, 'cancel'), {}],
      [at(talk, 'send'), { message: 'Intruder' }],
      [at(talk, 'note'), { note: 'Intruder' }],
      [at(talk, 'preapprove'), {}],
      [at(talk, 'approve'), { plan: theirs.plan, state: 'awaiting_approval' }],
      [`inbox/approve?conversation=${own.conversation}`, { plan: theirs.plan, state: 'awaiting_approval' }],
      [at(talk, 'discard'), { plan: theirs.plan, state: 'awaiting_approval' }],
      ['tasks/create', { type: 'cleaning', expected_date: today, property_id: hill }],
      ['tasks/create', { type: 'cleaning', expected_date: today, property_id: 0 }],
      // A task takes the property of its stay.
      ['tasks/create', { type: 'cleaning', expected_date: today, property_id: sea, stay_code: theirs.code }],
      ['tasks/change', { id: theirs.task, type: 'maintenance', status: 'cancelled', property_id: sea }],
      ['tasks/mark', { id: theirs.task, status: 'completed' }],
      ['tasks/remove', { id: theirs.task }],
      // The list of those who do tasks is one for all properties.
      ['tasks/add_person', { name: 'Intruder', mobile: '+49 30 1' }],
    ];
    const before = await state();
    const wrong: string[] = [];
    for (const [path, form] of forms) {
      const answer = await send(manager, path, { ...form, once: path });
      if (answer.status() < 400 || answer.status() >= 500) wrong.push(`${path}: ${answer.status()}`);
      wrong.push(...leaksIn(await answer.text(), `${path} ${JSON.stringify(form)}`).map((word) => `${path}: ${word}`));
    }
    assert.deepEqual(wrong, []);
    assert.equal(await state(), before);
  });

  it('what concerns all properties is not offered', async () => {
    await manager.goto(world.at('tasks'));
    assert.doesNotMatch(await manager.innerText('main'), /Add a person/);
    await manager.goto(world.at('tasks?days=7'));
    assert.match(await manager.innerText('main'), /Windows/);
  });

  it('in their own house they work as everybody does', async () => {
    const { sea, day, service } = world;
    assert.equal((await send(manager, 'calendar/block', { unit: sea, first: day(30), last: day(31) })).status(), 303);
    const path = `inbox/send?conversation=${own.conversation}`;
    assert.equal((await send(manager, path, { message: 'There is.', once: 'cot' })).status(), 303);
    assert.deepEqual(await world.said(own.conversation), ['There is.']);
    const mark = await send(manager, 'tasks/mark', { id: own.task, status: 'completed' });
    assert.equal(mark.status(), 303);
    const { tasks } = await service.v3('GET', '/tasks?limit=100');
    assert.equal(tasks.find(({ id }: { id: number }) => id === own.task).status, 'completed');
    const wanted = { property: sea, from: day(40), to: day(42), guest_name: 'Mary Jackson', rate_amount: '200' };
    assert.equal((await send(manager, 'book/create', wanted)).status(), 303);
  });

  it('the owner chooses the houses on People, and a change holds from the next page on', async () => {
    const owner = await world.person();
    await owner.goto(world.at('people'));
    await owner.fill('#name', 'Margaret Hamilton');
    await owner.selectOption('#role', 'staff');
    await owner.selectOption('#sees', 'some');
    await owner.check('text=Hill House');
    assert.deepEqual(await obstaclesOn(owner, 'remote-people'), []);
    await owner.click('text=Add, and make the link');
    const secret = (await owner.innerText('code.secret')).split('#')[1] ?? '';
    const margaret = await accept(await world.pages.person(), world.at, { secret, login: 'margaret' });
    const sees = async () => {
      await margaret.goto(world.at('calendar'));
      const text = await margaret.innerText('main');
      return ['Sea House', 'Hill House'].filter((house) => text.includes(house));
    };
    assert.deepEqual(await sees(), ['Hill House']);
    await owner.goto(world.at('people'));
    const row = owner.locator('tr', { hasText: 'Margaret Hamilton' });
    assert.match(await row.innerText(), /staff\s+Hill House\s+margaret/);
    await row.locator('text=Change').click();
    await owner.uncheck('text=Hill House');
    await owner.check('text=Sea House');
    await owner.click('main button[type=submit]');
    assert.deepEqual(await sees(), ['Sea House']);
  });

  it('a property that the deployment does not have is given to nobody', async () => {
    const body = { name: 'Nobody', all_properties: false, property_ids: [world.sea, 9_999] };
    const answer = await call(world.service, 'POST', '/portal/sub_accounts', { body });
    assert.deepEqual([answer.http, answer.json.error.message], [404, 'property_ids: not found at that deployment.']);
  });

  it('nothing on these pages broke their policy', () => {
    assert.deepEqual(world.pages.problems, []);
  });
});
