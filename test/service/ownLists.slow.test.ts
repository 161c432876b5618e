import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Outcome } from '../cli/support/manyCommands.ts';
import { runMany } from '../cli/support/runMany.ts';
import { call, newToken, startTestService, type TestService, v3 } from '../support/service.ts';

const PAID = { rate_amount: 300, commission_amount: 0, received_amount: 300 };
const CLEAN = 'the command ends well';

/** What v3 only lists, or only shows of direct bookings. */
describe('dictionaries, custom channels and deposits of direct bookings', () => {
  let service: TestService;
  let property: number;
  let stay: string;
  const stayd = (...commands: string[][]): Promise<Outcome[]> =>
    runMany(commands, { STAYD_DATA_DIR: service.dataDir, STAYD_LOG_LEVEL: 'silent' });
  const refused = async (method: string, path: string, body?: object) => {
    const { http, json } = await call(service, method, path, body === undefined ? {} : { body });
    return [http, json.error?.field, json.error?.message];
  };
  const deposit = (body: object, of = stay) => service.portal('POST', `/portal/stays/${of}/deposit`, body);
  const shown = async () => {
    const { reservations } = await service.v3('GET', `/reservations?reservation_code=${stay}`);
    return reservations[0].check_in_details;
  };

  before(async () => {
    service = await startTestService({
      STAYD_EXPORTS_BOOKS: JSON.stringify({ local: { channels: { direct: { deposits: 'charge' } } } }),
    });
    ({ property_id: property } = await service.v3('POST', '/properties', { name: 'House' }));
    const booked = await service.v3('POST', '/reservations', {
      property_id: property,
      check_in_date: '2027-03-05',
      check_out_date: '2027-03-08',
      guest_name: 'Ann',
      ...PAID,
    });
    stay = booked.reservation_code;
    await service.settled();
  });
  after(() => service.remove());

  it('entries are made and renamed, shown by v3, and mirrored', async () => {
    const made = await service.portal('POST', '/portal/dictionaries/income_items', { name: ' Boat hire ' });
    assert.equal(made.name, 'Boat hire');
    const { income_items } = await service.v3('GET', '/income_items');
    assert.deepEqual(income_items.at(-1), made);
    const { transaction_id: entry } = await service.v3('POST', '/transactions', {
      property_id: property,
      direction: 'income',
      item_id: made.id,
      payment_method_id: (await service.v3('GET', '/income_methods')).income_methods[0].id,
      amount: 60,
      currency: 'EUR',
    });
    await service.portal('PATCH', `/portal/dictionaries/income_items/${made.id}`, { name: 'Canoe hire' });
    const { transactions } = await service.v3('GET', `/transactions?id=${entry}`);
    assert.deepEqual(
      transactions.map((one: { id: number; item_name: string }) => [one.id, one.item_name]),
      [[entry, 'Canoe hire']],
    );
    await service.settled();
    await service.portal('POST', '/portal/reconcile', {});
    assert.deepEqual(await service.rows(`select dictionary, name from mirror.dictionary_items where id = ${made.id}`), [
      { dictionary: 'income_items', name: 'Canoe hire' },
    ]);
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
  });

  it('a name that is taken is 409, one that is none 422, and an entry that is not there 404', async () => {
    const path = '/portal/dictionaries/expense_methods';
    const { id } = await service.portal('POST', path, { name: 'Card Nº 7' });
    const { id: other } = await service.portal('POST', path, { name: 'Petty cash' });
    const [http, field, message] = await refused('POST', path, { name: 'CARD Nº 7' });
    assert.deepEqual([http, field], [409, 'name']);
    assert.match(message, new RegExp(`expense_methods has "Card Nº 7" already \\(${id}\\)`));
    assert.deepEqual((await refused('PATCH', `${path}/${other}`, { name: 'card nº 7' })).slice(0, 2), [409, 'name']);
    // Its own in other letters, and one of another dictionary, are free.
    await service.portal('PATCH', `${path}/${id}`, { name: 'CARD Nº 7' });
    await service.portal('POST', '/portal/dictionaries/income_methods', { name: 'Petty cash' });
    for (const name of ['', '  ', 'x'.repeat(101), 'two\nlines']) {
      assert.deepEqual((await refused('POST', path, { name })).slice(0, 2), [422, 'name'], JSON.stringify(name));
    }
    assert.deepEqual((await refused('POST', path, {})).slice(0, 2), [422, 'name']);
    assert.deepEqual((await refused('POST', path, { name: 'x', refund: true })).slice(0, 2), [422, 'refund']);
    assert.deepEqual((await refused('POST', '/portal/dictionaries/taxes', { name: 'x' })).slice(0, 2), [
      422,
      'dictionary',
    ]);
    assert.deepEqual((await refused('PATCH', `${path}/999999`, { name: 'x' })).slice(0, 2), [404, 'id']);
    // One of another dictionary is none of this one.
    assert.deepEqual((await refused('PATCH', `/portal/dictionaries/income_items/${id}`, { name: 'x' })).slice(0, 2), [
      404,
      'id',
    ]);
  });

  it('an expense item of refunds lessens what a booking has received', async () => {
    const { id } = await service.portal('POST', '/portal/dictionaries/expense_items', {
      name: 'Voucher',
      refund: true,
    });
    const rows = await service.rows(`select refund from core.dictionary_items where id = ${id}`);
    assert.deepEqual(rows, [{ refund: 1 }]);
  });

  it('custom channels likewise, and bookings can come by them', async () => {
    const { id } = await service.portal('POST', '/portal/custom_channels', { name: 'Friends' });
    assert.deepEqual((await refused('POST', '/portal/custom_channels', { name: 'friends' })).slice(0, 2), [
      409,
      'name',
    ]);
    await service.v3('POST', '/reservations', {
      property_id: property,
      check_in_date: '2027-04-05',
      check_out_date: '2027-04-08',
      guest_name: 'Bea',
      ...PAID,
      custom_channel_id: id,
    });
    await service.portal('PATCH', `/portal/custom_channels/${id}`, { name: 'Old friends' });
    assert.deepEqual((await service.v3('GET', '/custom_channels')).custom_channels.at(-1), { id, name: 'Old friends' });
    await service.settled();
    await service.portal('POST', '/portal/reconcile', {});
    assert.deepEqual(await service.rows(`select name from mirror.custom_channels where id = ${id}`), [
      { name: 'Old friends' },
    ]);
    assert.deepEqual((await refused('PATCH', '/portal/custom_channels/7777777', { name: 'x' })).slice(0, 2), [
      404,
      'id',
    ]);
  });

  it('a deposit is asked for, paid, kept in part and given back: shown, mirrored, and booked', async () => {
    assert.equal((await shown()).deposit_details, null);
    await deposit({ event: 'required', amount: 200 });
    assert.deepEqual([(await shown()).deposit, (await shown()).deposit_details.status], [200, 'unpaid']);
    const paid = { event: 'paid', amount: 200, reference: 'receipt 7' };
    assert.equal((await deposit(paid)).is_new, true);
    const again = await deposit(paid);
    assert.deepEqual([again.is_new, again.deposit_details.paid_amount], [false, 200]);
    // No event tells it; the mirror reads the stay again all the same.
    await service.settled();
    const { deposit_details } = await deposit({ event: 'deducted', amount: 49.5 });
    await service.settled();
    assert.deepEqual(deposit_details, {
      amount: 200,
      paid_amount: 200,
      deducted_amount: 49.5,
      pending_refund_amount: 150.5,
      refunded_amount: 0,
      currency: 'EUR',
      status: 'paid',
    });
    assert.deepEqual((await shown()).deposit_details, deposit_details);
    await deposit({ event: 'refunded', amount: 100 });
    await service.settled();
    await deposit({ event: 'returned' });
    await service.settled();
    assert.equal((await shown()).deposit_details.status, 'refunded');
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
    await service.portal('POST', '/portal/exports/book', {});
    const booked = await service.rows(
      `select p.entry_id, p.account, p.amount_minor from mirror.book_postings p
        where p.source_kind = 'deposit' order by p.entry_id, p.posting`,
    );
    assert.deepEqual(
      booked.map((row) => Object.values(row).join(' ').replace(stay, 'STAY')),
      [
        'dSTAY-deducted-4950-1 Liabilities:Security-Deposits 4950',
        'dSTAY-deducted-4950-1 Income:Damage-Recovery -4950',
        'dSTAY-paid-20000-1 Assets:Clearing:Direct 20000',
        'dSTAY-paid-20000-1 Liabilities:Security-Deposits -20000',
        'dSTAY-returned-10000-1 Liabilities:Security-Deposits 10000',
        'dSTAY-returned-10000-1 Assets:Clearing:Direct -10000',
        'dSTAY-returned-15050-1 Liabilities:Security-Deposits 5050',
        'dSTAY-returned-15050-1 Assets:Clearing:Direct -5050',
      ],
    );
  });

  it('every step of a deposit is on record: when, by whom, and with which reference', async () => {
    const { events, is_own, deposit_details } = await service.portal('GET', `/portal/stays/${stay}/deposit`);
    const steps: Record<string, unknown>[] = events;
    for (const { at } of steps) assert.match(String(at), /^20\d\d-/);
    assert.deepEqual(
      steps.map(({ kind, amount, pending_refund_amount: owed, reference }) => [kind, amount, owed, reference]),
      [
        ['required', 200, 0, null],
        ['paid', 200, 200, 'receipt 7'],
        ['deducted', 49.5, 150.5, null],
        ['refunded', 100, 50.5, null],
        ['returned', 50.5, 0, null],
      ],
    );
    assert.deepEqual([is_own, deposit_details.status], [true, 'refunded']);
    assert.equal((await refused('GET', '/portal/stays/5-NOBODY/deposit'))[0], 404);
  });

  it('what cannot happen to a deposit is refused, and changes nothing', async () => {
    const path = `/portal/stays/${stay}/deposit`;
    const before = (await shown()).deposit_details;
    assert.equal((await refused('POST', path, { event: 'deducted', amount: 1 }))[0], 400);
    assert.deepEqual((await refused('POST', path, { event: 'paid' })).slice(0, 2), [422, 'amount']);
    assert.deepEqual((await refused('POST', path, { event: 'paid', amount: 0.001 })).slice(0, 2), [422, 'amount']);
    assert.deepEqual((await refused('POST', path, { event: 'returned', amount: 1 })).slice(0, 2), [422, 'amount']);
    assert.deepEqual((await refused('POST', path, { event: 'lost', amount: 1 })).slice(0, 2), [422, 'event']);
    assert.equal((await refused('POST', '/portal/stays/5-NOBODY/deposit', { event: 'paid', amount: 1 }))[0], 404);
    assert.deepEqual((await shown()).deposit_details, before);
    const cancelled = await service.v3('POST', '/reservations', {
      property_id: property,
      check_in_date: '2027-05-05',
      check_out_date: '2027-05-08',
      guest_name: 'Cleo',
      ...PAID,
    });
    await deposit({ event: 'paid', amount: 20 }, cancelled.reservation_code);
    await service.v3('DELETE', `/reservations/${cancelled.reservation_code}`);
    const ended = `/portal/stays/${cancelled.reservation_code}/deposit`;
    assert.equal((await refused('POST', ended, { event: 'paid', amount: 1 }))[0], 400);
    await deposit({ event: 'returned' }, cancelled.reservation_code);
  });

  it('not by who only reads, nor by a sub-account', async () => {
    const reading = await newToken(service, 'read');
    const { id } = await service.portal('POST', '/portal/sub_accounts', { name: 'Cleaner', property_ids: [property] });
    const { token: sub } = await service.portal('POST', '/portal/tokens', {
      name: 'c',
      scope: 'write',
      operator_id: id,
    });
    assert.ok((await v3(service, sub, 'GET', '/income_items')).income_items.length > 0);
    for (const [method, path, body] of [
      ['POST', '/portal/dictionaries/income_items', { name: 'Mine' }],
      ['PATCH', '/portal/dictionaries/income_items/101', { name: 'Mine' }],
      ['POST', '/portal/custom_channels', { name: 'Mine' }],
      ['PATCH', '/portal/custom_channels/35', { name: 'Mine' }],
      ['POST', `/portal/stays/${stay}/deposit`, { event: 'paid', amount: 1 }],
    ] as const) {
      for (const token of [reading, sub]) {
        assert.ok([401, 403].includes((await call(service, method, path, { token, body })).http), path);
      }
    }
  });

  it('the commands do the same', async () => {
    const [made, taken, channel] = await stayd(
      ['dictionary', 'create', 'expense_items', 'Linen'],
      ['dictionary', 'create', 'expense_items', 'linen'],
      ['custom-channel', 'create', 'Fair'],
    );
    assert.equal(made?.code, 0, made?.stderr);
    assert.equal(taken?.code, 2);
    assert.match(taken?.stderr ?? '', /expense_items has "Linen" already/);
    const [renamed, moved, listed, sources, noted, wrong] = await stayd(
      ['dictionary', 'rename', 'expense_items', made?.stdout.trim() ?? '', 'Laundry'],
      ['custom-channel', 'rename', channel?.stdout.trim() ?? '', 'Fair of 2027'],
      ['dictionary', 'list'],
      ['custom-channel', 'list', '--json'],
      ['deposit', stay, 'required', '80'],
      ['deposit', stay, 'returned', '80'],
    );
    for (const one of [renamed, moved, listed, sources, noted]) assert.equal(one?.code, 0, one?.stderr ?? CLEAN);
    assert.match(renamed?.stdout ?? '', /expense_items \d+ is Laundry/);
    assert.match(listed?.stdout ?? '', /expense_items +\d+ +Laundry/);
    assert.match(sources?.stdout ?? '', /Fair of 2027/);
    assert.match(noted?.stdout ?? '', /deposit of \S+: refunded; of 80 EUR asked for, 200 paid, 49\.5 kept, 0 owed/);
    assert.notEqual(wrong?.code, 0);
    assert.match(wrong?.stderr ?? '', /amount: does not go with returned/);
  });
});
