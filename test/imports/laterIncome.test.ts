import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { importReservations, type ImportReport } from '../../src/imports/importReservations.ts';
import { readMapping } from '../../src/imports/readMapping.ts';
import { addDays, dateIn } from '../../src/kernel/dates.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { fileOf, freePath } from './support/files.ts';

const DAY_MS = 86_400_000;
const mapping = `
source: ahead
identity: { column: Code }
booking:
  property: { value: House }
  check_in_date: { column: In }
  check_out_date: { column: Out }
  guest_name: { value: Guest }
  currency: { value: EUR }
  total_amount: { column: Price }
income:
  - { when: { status: accepted }, date: check_out_date }
`;

describe('income of a stay that lies ahead', () => {
  let core: TestCore;
  let file: string;
  beforeEach(async () => {
    core = await startCore();
    const today = dateIn(core.own.account.time_zone, core.clock.now());
    const days = (from: number, to: number) => `${addDays(today, from)},${addDays(today, to)}`;
    file = fileOf(
      `Code,In,Out,Price\nPAST,${days(-10, -8)},100\nHERE,${days(-1, 2)},200\nSOON,${days(20, 23)},300.5\n`,
    );
  });
  afterEach(() => core.close());

  const run = (text = mapping): Promise<ImportReport> =>
    importReservations(
      core.core,
      { account: core.own.account, operator: null },
      { path: file, mapping: readMapping(text, 'm.yaml'), rejectsPath: freePath('rejects.csv'), announce: true },
      () => {},
      new AbortController().signal,
    );
  const booked = async () => {
    const rows = await core.core.store.db
      .selectFrom('transactions')
      .select(['amount', 'action_at'])
      .orderBy('id')
      .execute();
    return rows.map(({ amount }) => amount);
  };
  const codes = async () => {
    const { db } = core.core.store;
    const rows = await db.selectFrom('import_rows').select(['row_key', 'reservation_code']).execute();
    return Object.fromEntries(rows.map((row) => [row.row_key, row.reservation_code]));
  };

  it('is not booked as received before its day, then by the next run of the file, once', async () => {
    const first = await run();
    assert.deepEqual([first.created, first.awaited], [3, { bookings: 2, amount: { EUR: '500.50' } }]);
    assert.deepEqual(await booked(), [10_000]);
    assert.deepEqual((await run()).awaited.bookings, 2);

    await core.clock.advance(5 * DAY_MS);
    const second = await run();
    assert.deepEqual(
      [second.unchanged, second.due_incomes, second.awaited],
      [3, 1, { bookings: 1, amount: { EUR: '300.50' } }],
    );
    assert.deepEqual(await booked(), [10_000, 20_000]);

    await core.clock.advance(30 * DAY_MS);
    assert.equal((await run()).due_incomes, 1);
    assert.deepEqual([(await run()).due_incomes, await booked()], [0, [10_000, 20_000, 30_050]]);
  });

  it('that was booked by a run and taken out by a person stays out', async () => {
    await run();
    await core.clock.advance(5 * DAY_MS);
    await run();
    const { db } = core.core.store;
    const { id } = await db.selectFrom('transactions').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
    await core.call('deleteTransaction', { id });
    assert.deepEqual([(await run()).due_incomes, await booked()], [0, [10_000]]);
  });

  it('is booked at once where the mapping says so, also afterwards', async () => {
    const ahead = mapping.replace('date: check_out_date', 'date: check_out_date, ahead: true');
    await run();
    const report = await run(ahead);
    assert.deepEqual([report.due_incomes, report.changed_rows, report.awaited.bookings], [2, 0, 0]);
    assert.deepEqual(await booked(), [10_000, 20_000, 30_050]);
  });

  it('is not booked when somebody has entered it, or has cancelled the stay', async () => {
    await run();
    const { HERE, SOON } = await codes();
    const { income_items } = await core.call('listIncomeItems');
    const { income_methods } = await core.call('listIncomeMethods');
    await core.call('createTransaction', {
      direction: 'income',
      amount: 200,
      currency: 'EUR',
      item_id: income_items[0].id,
      payment_method_id: income_methods[0].id,
      reservation_code: HERE,
    });
    await core.call('cancelReservation', { reservation_code: SOON });
    await core.clock.advance(60 * DAY_MS);
    assert.equal((await run()).due_incomes, 0);
    assert.deepEqual(await booked(), [10_000, 20_000]);
  });
});
