import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CompiledQuery } from 'kysely';
import type { OperationId } from '../../src/contract/index.ts';
import { reservationOrders } from '../../src/contract/reservations.ts';
import { duePlans, planPage } from '../../src/core/automation/table.ts';
import { entryPage } from '../../src/core/knowledgeBases/table.ts';
import { taskPage } from '../../src/core/tasks/table.ts';
import { propertiesAmong, takenNights } from '../../src/core/availabilities/table.ts';
import { tokenHolder } from '../../src/core/accounts/table.ts';
import { waitingEvents } from '../../src/core/outbox/table.ts';
import { propertyPage } from '../../src/core/properties/table.ts';
import { findReservationByAnyCode, findStay } from '../../src/core/reservations/lookup.ts';
import { reservationPage, type ReservationQuestion } from '../../src/core/reservations/page.ts';
import { transactionPage, type TransactionQuestion } from '../../src/core/transactions/table.ts';
import { SqliteLease } from '../../src/store/sqlite/sqlite.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { timeoutWorker } from '../../src/core/reservations/times/timeouts.ts';
import { channelRoom, deliver } from '../support/channel.ts';
import { Planner, type Step, scansIn } from '../support/plans.ts';

describe('query plans', () => {
  let core: TestCore;
  let planner: Planner;
  let db: Planner['db'];
  let property: number;
  let code: string;

  before(async () => {
    core = await startCore();
    planner = new Planner(join(core.folder, 'core.db'));
    db = planner.db;
    property = (await core.call('createProperty', { title: 'Mill' })).property_id;
    const booked = await core.call('createReservation', {
      property_id: property,
      check_in_date: '2027-03-05',
      check_out_date: '2027-03-08',
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 10,
    });
    code = booked.reservation_code;
  });
  after(async () => {
    await planner.close();
    await core.close();
  });

  const plansOf = (work: () => Promise<unknown>) => planner.plansOf(work);

  function assertNoScan(plans: readonly Step[][]): void {
    assert.deepEqual(scansIn(plans), [], plans.map((plan) => plan.join('\n')).join('\n\n'));
  }

  const assertStep = (plan: Step[] | undefined, step: RegExp) =>
    assert.ok(
      plan?.some((one) => step.test(one)),
      `no step ${String(step)} in\n${plan?.join('\n')}`,
    );

  const reservations = (filters: ReservationQuestion['filters'], more: Partial<ReservationQuestion> = {}) =>
    plansOf(() =>
      reservationPage(db, {
        accountId: core.own.account.account_id,
        visible: null,
        filters,
        order: 'booked_at',
        offset: 0,
        limit: 1,
        ...more,
      }),
    );

  for (const order of reservationOrders) {
    it(`reservations by ${order}: the page comes from its index, unsorted and without a look at the rows`, async () => {
      const plans = await reservations({}, { order });
      assertNoScan(plans);
      assertStep(plans[0], new RegExp(`^SEARCH stays USING COVERING INDEX stays_by_${order} \\(account_id=\\?\\)$`));
      assert.deepEqual(
        plans[0]?.filter((step) => step.includes('TEMP B-TREE')),
        [],
      );
    });

    it(`reservations by ${order} among the next check-outs: the window is found by its index`, async () => {
      const plans = await reservations(
        { start_check_out_date: '2026-11-20', end_check_out_date: '2027-05-19' },
        { order },
      );
      assertNoScan(plans);
      const [first, second] = plans;
      const [page, count] = order === 'check_out_date' ? [first, second] : [second, first];
      assertStep(
        page,
        /^SEARCH stays USING (COVERING )?INDEX stays_by_check_out_date \(account_id=\? AND check_out_date>\? AND check_out_date<\?\)$/,
      );
      assertStep(count, /^SEARCH stays USING COVERING INDEX stays_by_check_out_date/);
    });
  }

  it('reservations of a status: along the index of the asked order, and counted along one', async () => {
    for (const order of reservationOrders) {
      const [page, count] = await reservations({ status: 'accepted' }, { order });
      assert.deepEqual(page, [`SEARCH stays USING COVERING INDEX stays_by_${order} (account_id=?)`]);
      assert.match(count?.join('\n') ?? '', /^SEARCH stays USING COVERING INDEX \w+ \(account_id=\?\)$/);
    }
  });

  const found: [what: string, filters: () => ReservationQuestion['filters'], step: RegExp][] = [
    [
      'a code',
      () => ({ reservation_code: code }),
      /^SEARCH stays USING INDEX stays_of_reservation \(account_id=\? AND reservation_code=\?\)$/,
    ],
    [
      'a channel_id',
      () => ({ channel_id: code }),
      /^SEARCH reservations USING INDEX .*\(account_id=\? AND channel_id=\?\)$/,
    ],
    ['a number', () => ({ id: 1 }), /^SEARCH stays USING INDEX sqlite_autoindex_stays_\d \(account_id=\? AND id=\?\)$/],
    [
      'a property',
      () => ({ property_id: property }),
      /^SEARCH stays USING INDEX stays_of_property \(account_id=\? AND property_id=\?\)$/,
    ],
    [
      'check-ins',
      () => ({ start_check_in_date: '2027-03-01', end_check_in_date: '2027-03-31' }),
      /^SEARCH stays USING (COVERING )?INDEX stays_by_check_in_date \(account_id=\? AND check_in_date>\? AND check_in_date<\?\)$/,
    ],
  ];
  for (const [what, filters, step] of found) {
    it(`reservations by ${what}: by its index, never along all stays`, async () => {
      for (const order of reservationOrders) {
        const plans = await reservations(filters(), { order });
        assertNoScan(plans);
        assertStep(plans[0], step);
      }
    });
  }

  it('what belongs to the stays of a page is found by their numbers', async () => {
    const plans = await reservations({ reservation_code: code }, { visible: [property] });
    assertNoScan(plans);
    const steps = plans.slice(1).flat().join('\n');
    for (const table of ['stay', 'reservation', 'guests', 'entry'])
      assert.match(steps, new RegExp(`^SEARCH ${table} USING`, 'm'));
  });

  const transactions = (filters: Partial<TransactionQuestion>) =>
    plansOf(() =>
      transactionPage(db, { accountId: core.own.account.account_id, visible: null, offset: 0, limit: 20, ...filters }),
    );
  const window = { from: '2026-01-01T00:00:00.000Z', until: '2027-01-01T00:00:00.000Z' };
  const BY_ACTION =
    /^SEARCH entry USING (COVERING )?INDEX transactions_by_action \(account_id=\? AND action_at>\? AND action_at<\?\)$/;

  const ledgers: [what: string, filters: () => Partial<TransactionQuestion>, step: RegExp][] = [
    ['a window', () => window, BY_ACTION],
    ['a window and a keyword', () => ({ ...window, keyword: 'x' }), BY_ACTION],
    ['a window and a property', () => ({ ...window, propertyId: property }), BY_ACTION],
    ['a window of a sub-account', () => ({ ...window, visible: [property] }), BY_ACTION],
    [
      'a window and a direction',
      () => ({ ...window, direction: 'income', itemId: 1, methodId: 1, currency: 'EUR' }),
      BY_ACTION,
    ],
    ['a window and an item', () => ({ ...window, itemId: 1 }), BY_ACTION],
    [
      'a number',
      () => ({ id: 1 }),
      /^SEARCH entry USING (INTEGER PRIMARY KEY|(COVERING )?INDEX sqlite_autoindex_transactions_\d) \(.*id=\?/,
    ],
    [
      'a reservation',
      () => ({ ...window, reservationCode: code }),
      /^SEARCH entry USING (COVERING )?INDEX transactions_of_reservation \(account_id=\? AND reservation_code=\?\)$/,
    ],
  ];
  for (const [what, filters, step] of ledgers) {
    it(`transactions by ${what}: the total and the page by the index that says most`, async () => {
      const plans = await transactions(filters());
      assertNoScan(plans);
      assertStep(plans[0], step);
      assertStep(plans[1], step);
    });
  }

  it('names of the entries of a page are found by number', async () => {
    const plans = await transactions(window);
    assert.equal(plans.length, 3);
    for (const table of ['entry', 'item', 'method', 'operator', 'properties', 'stays'])
      assertStep(plans[2], new RegExp(`^SEARCH ${table} USING`));
  });

  it('what every request asks: its token, its stay, its code, taken nights, properties, waiting events', async () => {
    const { account_id: accountId } = core.own.account;
    const range = { accountId, start: '2027-01-01', end: '2027-12-31' };
    const plans = await plansOf(async () => {
      await tokenHolder(db, { hash: 'x' });
      await findStay(db, accountId, code);
      await findReservationByAnyCode(db, accountId, code);
      await takenNights(db, range, [property]);
      await propertiesAmong(db, accountId, [property], null);
      await propertyPage(db, { accountId, visible: [property], offset: 0, limit: 1 });
    });
    assert.equal(plans.length, 7);
    assertNoScan(plans);
    const [outbox] = await plansOf(() => waitingEvents(db, { limit: 100 }));
    assert.deepEqual(outbox, ['SCAN outbox USING INDEX outbox_waiting'], 'an index that holds nothing but what waits');
  });

  it('no query of any operation scans a table', async () => {
    const queries = new Map<string, CompiledQuery>();
    const { executeQuery } = SqliteLease.prototype;
    SqliteLease.prototype.executeQuery = function (this: SqliteLease, query: CompiledQuery) {
      queries.set(query.sql, query);
      return executeQuery.call(this, query);
    } as typeof executeQuery;
    try {
      await everyOperation();
    } finally {
      SqliteLease.prototype.executeQuery = executeQuery;
    }
    const reads = [...queries.values()].filter(({ sql }) => /^(select|with|update|delete)\b/.test(sql));
    assert.ok(reads.length > 40, `only ${reads.length} queries`);
    const plans: Step[][] = [];
    for (const read of reads) plans.push(await planner.planOf(read));
    assertNoScan(plans);
  });

  /** Each operation by each of its ways to the tables, as the main account and as a sub-account. */
  async function everyOperation(): Promise<void> {
    const call = (id: OperationId, input: Record<string, unknown> = {}) => core.call(id, input);
    const booking = {
      property_id: property,
      check_in_date: '2027-06-05',
      check_out_date: '2027-06-08',
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
      channel_id: 'ONCE',
      custom_channel_id: 35,
    };
    const { reservation_code } = await call('createReservation', booking);
    await call('createReservation', booking);
    const changes = [
      { check_out_date: '2027-06-09' },
      { note: 'x' },
      { guest_name: 'B' },
      { rate_amount: 1 },
      { currency: 'USD' },
      { received_amount: 5 },
      { received_amount: 6 },
    ];
    for (const change of changes) await call('updateReservation', { stay_code: reservation_code, ...change });
    await call('updateCheckInDetails', { stay_code: reservation_code, deposit: 5 });
    const lists = { property_ids: [property] };
    const { room_type_id } = await call('createRoomType', { name: 'Doubles', ...lists });
    const group = await call('createPropertyGroup', { name: 'North', ...lists });
    const carriers = { ...lists, room_type_ids: [room_type_id] };
    const tag = await call('createPropertyTag', { name: 'Sea view', ...carriers });
    const band = await call('createReservationTag', { tag_name: 'Band' });
    await call('addReservationTag', { stay_code: reservation_code, tag_name: 'Band' });
    await call('addReservationTag', { stay_code: reservation_code, tag_name: 'VIP' });
    const link = await call('createCalendarShareLink', { scope: 'entire' });
    await call('createCalendarShareLink', { scope: 'partial', ...lists });
    await call('getCustomFields', { stay_code: reservation_code });
    await call('updateCustomFields', { stay_code: reservation_code, custom_fields: { a: 'b' } });
    await call('updateStayStatus', { stay_code: reservation_code, stay_status: 'in_house' });
    await call('moveReservationToBox', { stay_code: reservation_code });
    await call('allocateReservation', { stay_code: reservation_code, property_id: property });
    const month = { check_in_date: '2027-07-05', check_out_date: '2027-07-08' };
    for (const answer of ['approveReservation', 'declineReservation'] as const)
      await call(answer, { ...(await deliver(core, [channelRoom(property, month)], { kind: 'request' })) });
    await deliver(core, [channelRoom(property, month)], { kind: 'request', booked_at: '2026-11-18T12:00:00.000Z' });
    const timeouts = timeoutWorker(core.core, silentLogger);
    await timeouts.start();
    await timeouts.settled();
    await timeouts.stop();
    const [item] = (await call('listIncomeItems')).income_items;
    const [method] = (await call('listIncomeMethods')).income_methods;
    const entry = { direction: 'income', amount: 1, item_id: item.id, payment_method_id: method.id };
    const { transaction_id: id } = await call('createTransaction', { ...entry, reservation_code });
    await call('createTransaction', { ...entry, property_id: property, currency: 'EUR' });
    await call('updateTransaction', { id, amount: 2 });
    const webhook = await call('createWebhook', { url: 'https://hooks.example' });
    await call('updateWebhook', { id: webhook.id, events: [] });
    const sub = await core.addSubAccount(core.own.account, [property]);
    for (const token of [core.own.token, sub]) {
      const window = { start_date: '2026-12-01', end_date: '2026-12-31' };
      for (const one of [
        'getAccount',
        'listProperties',
        'listCustomChannels',
        'listWebhooks',
        'listReservations',
        'listRoomTypes',
        'listPropertyGroups',
        'listPropertyTags',
        'listReservationTags',
        'listCalendarShareLinks',
      ] as const)
        await core.call(one, {}, token);
      await core.call('listProperties', { group_id: group.id, tag_id: tag.id }, token);
      await core.call('listRoomTypes', { tag_id: tag.id }, token);
      await core.call('listReservationTags', { id: band.id, keyword: 'x' }, token);
      await core.call('updatePropertyGroup', { id: group.id, name: 'South', ...lists }, token);
      await core.call('updatePropertyTag', { id: tag.id, name: 'Lake view', ...carriers }, token);
      await core.call('listTransactions', { ...window, property_id: property, keyword: 'x' }, token);
      await core.call('listAvailabilities', { ...window, property_ids: String(property) }, token);
    }
    const { pathname } = new URL(link.url);
    assert.equal((await core.app.inject({ method: 'GET', url: pathname })).statusCode, 200);
    await call('removeReservationTag', { stay_code: reservation_code, tag_name: 'VIP' });
    await call('deleteReservationTag', { id: band.id });
    await call('deletePropertyTag', { id: tag.id });
    await call('deletePropertyGroup', { id: group.id });
    await call('deleteCalendarShareLink', { id: link.id });
    await call('deleteTransaction', { id });
    await call('deleteWebhook', { id: webhook.id });
    await call('cancelReservation', { reservation_code });
  }

  it('tasks: every filter and the page itself are found by an index', async () => {
    const accountId = core.own.account.account_id;
    // Beyond the end, so that what there is must be counted as well.
    const page = { accountId, visible: null, offset: 1, limit: 20 };
    for (const filters of [
      {},
      { id: 1 },
      { from: '2026-11-01', to: '2026-11-30' },
      { propertyId: property },
      { staffId: 1 },
      { status: 'pending' as const },
      { visible: [property] },
    ]) {
      assertNoScan(await plansOf(() => taskPage(db, { ...page, ...filters })));
    }
    const [plain] = await plansOf(() => taskPage(db, page));
    assert.deepEqual(
      plain?.filter((step) => step.includes('TEMP B-TREE')),
      [],
    );
  });

  it('automation actions: the page comes from its index in order; what is due from one of its own', async () => {
    const accountId = core.own.account.account_id;
    const plans = await plansOf(() =>
      planPage(db, { accountId, until: '2026-12-20T00:00:00.000Z', propertyIds: [property], offset: 0, limit: 20 }),
    );
    assertNoScan(plans);
    assertStep(plans[1], /^SEARCH automation_plans USING COVERING INDEX automation_plans_by_schedule/);
    assert.deepEqual(
      plans[1]?.filter((step) => step.includes('TEMP B-TREE')),
      [],
    );
    const due = await plansOf(() => duePlans(db, '2026-12-20T00:00:00.000Z', 50));
    assertNoScan(due);
    assertStep(due[0], /automation_plans_due/);
  });

  it('knowledge bases: found by account, their scopes by entry', async () => {
    const places = { properties: [property], groups: [], roomTypes: [] };
    const question = { accountId: core.own.account.account_id, visible: places, places, offset: 0, limit: 10 };
    assertNoScan(await plansOf(() => entryPage(db, { ...question, channelTypes: ['direct'] })));
  });
});
