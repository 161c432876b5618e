import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { renderStatement } from '../../../src/reports/statement/page.ts';
import { readStatement } from '../../../src/reports/statement/readStatement.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { ran } from '../formats/tools.ts';
import { CONNECTION, type LedgerWorld } from '../support/ledger.ts';
import { addNights, openHouse, pay } from './house.ts';
import { answerOf, askOf, figures, quiet } from './support.ts';

const MARCH = { from: '2027-03', to: '2027-03' };

function cases(open: () => Promise<LedgerWorld>): void {
  let world: LedgerWorld;
  before(async () => {
    world = await open();
  });
  after(() => world.close());

  it('are as old as the books are, and say so', async () => {
    await world.store.db.deleteFrom('books').execute();
    await assert.rejects(answerOf(world, 'trial-balance'), /the books of local have not been kept yet/);
    const { through, changed } = await world.exports.book(undefined, quiet);
    // Matching has kept them before.
    assert.deepEqual([through, changed], ['2027-04-05', 0]);
    const { books } = await answerOf(world, 'trial-balance');
    assert.deepEqual(books, { through: '2027-04-05', booked_at: '2027-04-05T10:00:00.000Z', behind: 0 });
  });

  it('guest-advances: what is received and not earned, at the end of a day', async () => {
    const columns = 'reservation_code property channel currency received_minor earned_minor held_minor overdue';
    // A and D have paid in February; C in April. What D paid is kept from 15 March on.
    assert.deepEqual(await figures(world, 'guest-advances', columns, { as_of: '2027-02-28' }), [
      ['AAAAA', '(none)', 'direct', 'EUR', 30_000, 0, 30_000, 0],
      ['DDDDD', '(none)', 'direct', 'EUR', 10_000, 0, 10_000, 0],
    ]);
    assert.deepEqual(await figures(world, 'guest-advances', columns, { as_of: '2027-03-31' }), []);
    assert.deepEqual(await figures(world, 'guest-advances', columns), [
      ['CCCCC', '(none)', 'marketplace_a', 'EUR', 50_000, 0, 50_000, 0],
    ]);
  });

  it('deposits: held, due back, and a hold that has lapsed', async () => {
    const columns = 'stay_code kind state due_on lapses_on held_minor';
    assert.deepEqual(await figures(world, 'deposits', columns, { as_of: '2027-03-26' }), [
      ['HHHHH', 'hold', 'lapsed', '2027-03-13', '2027-03-22', 5_000],
      ['GGGGG', 'charge', 'held', '2027-04-11', null, 10_000],
      ['KKKKK', 'charge', 'held', '2027-04-14', null, 8_000],
    ]);
    assert.deepEqual((await figures(world, 'deposits', columns, { as_of: '2027-03-21' }))[0]?.[2], 'held');
    // The stay was over on 28 March; what was paid for KKKKK is settled: 20.00 kept and 60.00 returned.
    assert.deepEqual(await figures(world, 'deposits', columns), [
      ['HHHHH', 'hold', 'lapsed', '2027-03-13', '2027-03-22', 5_000],
      ['GGGGG', 'charge', 'due', '2027-04-11', null, 10_000],
    ]);
    assert.deepEqual((await figures(world, 'deposits', columns, { as_of: '2027-04-12' }))[1]?.[2], 'overdue');
  });

  it('trust: what is held for others, against the money there is', async () => {
    const columns =
      'currency bank_minor clearing_minor held_minor advances_minor deposits_minor owners_minor taxes_minor owed_minor difference_minor';
    // Bank: 300 + 100 + 390 - 35 - 150 - 20 - 25 - 30 - 6. Clearing: A 85 + 340 + 50 + 500 - 390, C 206, direct 100 + 80 - 60
    // of deposits. Owners: Smith 120, Jones -20.
    assert.deepEqual(await figures(world, 'trust', columns), [
      ['EUR', 52_400, 58_500 + 20_600 + 12_000, 143_500, 50_000, 10_000, 10_000, 0, 70_000, 73_500],
    ]);
  });

  it('payout-reconciliation and payouts: expected, matched, and what is left', async () => {
    const columns =
      'period account currency postings expected_minor matched_minor unexplained_minor unexplained_postings oldest_unexplained paid_minor';
    const all = await figures(world, 'payout-reconciliation', columns);
    assert.deepEqual(
      all.filter(([, account]) => account === 'Assets:Clearing:Marketplace-A'),
      [
        ['2027-02', 'Assets:Clearing:Marketplace-A', 'EUR', 1, 8_500, 0, 8_500, 1, '2027-02-11', 0],
        ['2027-03', 'Assets:Clearing:Marketplace-A', 'EUR', 2, 39_000, 39_000, 0, 0, null, 39_000],
        ['2027-04', 'Assets:Clearing:Marketplace-A', 'EUR', 1, 50_000, 0, 50_000, 1, '2027-04-02', 0],
      ],
    );
    assert.deepEqual(
      await figures(world, 'payouts', 'date account currency amount_minor bookings changed_minor matched_by'),
      [['2027-03-31', 'Assets:Clearing:Marketplace-A', 'EUR', 39_000, 1, 0, 'booking']],
    );
  });

  it('owner-statement: an owner’s account, opening and closing', async () => {
    const columns =
      'month owner contract currency opening_minor revenue_minor management_fee_minor channel_fee_minor tax_minor expense_minor payout_minor closing_minor';
    // February: 85 came of 100; a fee of 20 % of 100 and 10 for the stay. March: 340 came of 400; 20 % of 400 and 10.
    assert.deepEqual(await figures(world, 'owner-statement', columns), [
      ['2027-02', 'smith', 'full', 'EUR', 0, 10_000, -3_000, -1_500, 0, 0, 0, 5_500],
      ['2027-03', 'jones', 'light', 'EUR', 0, 0, 0, 0, 0, 0, -2_000, -2_000],
      ['2027-03', 'smith', 'full', 'EUR', 5_500, 40_000, -9_000, -6_000, 0, -3_500, -15_000, 12_000],
      ['2027-04', 'jones', 'light', 'EUR', -2_000, 0, 0, 0, 0, 0, 0, -2_000],
      ['2027-04', 'smith', 'full', 'EUR', 12_000, 0, 0, 0, 0, 0, 0, 12_000],
    ]);
    const closing = await figures(world, 'trial-balance', 'account closing_minor', { by: 'all' });
    assert.deepEqual(
      closing.filter(([account]) => String(account).startsWith('Liabilities:Owners:')),
      [
        ['Liabilities:Owners:Jones', 2_000],
        ['Liabilities:Owners:Smith', -12_000],
      ],
    );
    await assert.rejects(answerOf(world, 'owner-statement', { owner: 'smyth' }), (error: Error & { hint?: string }) => {
      assert.match(`${error.message} ${error.hint}`, /there is no owner "smyth" in the books there are jones, smith/);
      return true;
    });
  });

  it('owner-lines: what it is made of', async () => {
    const columns = 'date section class reservation_code amount_minor';
    assert.deepEqual(await figures(world, 'owner-lines', columns, { ...MARCH, owner: 'smith' }), [
      ['2027-03-10', 'channel_fee', 'commission', 'BBBBB', -6_000],
      ['2027-03-10', 'management_fee', 'commission', 'BBBBB', -1_200],
      ['2027-03-10', 'revenue', 'commission', 'BBBBB', 6_000],
      ['2027-03-10', 'management_fee', 'stay_fee', 'BBBBB', -1_000],
      ['2027-03-12', 'management_fee', 'accommodation', 'BBBBB', -6_800],
      ['2027-03-12', 'revenue', 'accommodation', 'BBBBB', 34_000],
      ['2027-03-20', 'expense', 'owner_expense', null, -3_500],
      ['2027-03-28', 'payout', 'owner_payout', null, -15_000],
    ]);
  });

  it('profit-and-loss: income and costs, by property too', async () => {
    const columns = 'section account income_minor expense_minor net_minor';
    // Accommodation: A 300, F 206 less 6 of tax. Fees: 68 + 12 + 10.
    const income = [
      ['income', 'Income:Accommodation', 50_000, 0, 50_000],
      ['income', 'Income:Cancellation', 10_000, 0, 10_000],
      ['income', 'Income:Cleaning', 5_000, 0, 5_000],
      ['income', 'Income:Management-Fees', 9_000, 0, 9_000],
    ];
    assert.deepEqual(await figures(world, 'profit-and-loss', columns, MARCH), [
      ['expense', 'Expenses:I13', 0, 2_500, -2_500],
      ...income,
    ]);
    const byProperty = await figures(world, 'profit-and-loss', 'property account net_minor', {
      ...MARCH,
      property: 'all',
    });
    assert.deepEqual(
      new Set(byProperty.map((row) => row.join(' '))),
      new Set([
        '(none) Expenses:I13 -2500',
        'Sea View Income:Accommodation 50000',
        'Sea View Income:Cancellation 10000',
        'Hill House Income:Cleaning 5000',
        'Hill House Income:Management-Fees 9000',
      ]),
    );
    assert.deepEqual(
      await figures(world, 'profit-and-loss', 'period net_minor', { by: 'year', property: [1] }),
      // And in April 20.00 for damage, 30.00 of commission.
      [
        ['2027', -3_000],
        ['2027', 50_000],
        ['2027', 10_000],
        ['2027', 2_000],
      ],
    );
  });

  it('tax: nights and tax by authority, what the channel pays apart', async () => {
    const columns =
      'period authority paid_by currency arrivals nights guest_nights base_minor tax_minor booked_minor settled_minor';
    assert.deepEqual(await figures(world, 'tax', columns, { from: '2027-03' }), [
      ['2027-03', '(not said)', 'channel', 'EUR', 2, 4, 8, 40_000, 800, 0, 0],
      ['2027-03', 'City of Lisbon', 'operator', 'EUR', 3, 2, 6, 20_000, 600, 600, 0],
      ['2027-04', 'City of Lisbon', 'operator', 'EUR', 0, 0, 0, 0, 0, 0, 600],
    ]);
    assert.deepEqual(await figures(world, 'tax', 'property tax_minor', { by: 'all', property: [2] }), [
      ['Hill House', 800],
    ]);
  });

  it('balances: the whole price is no overpayment where a channel bills its commission later', async () => {
    // F came through such a channel, B through one that keeps its commission.
    assert.deepEqual(
      await figures(world, 'balances', 'reservation_code total_minor received_minor over_received_minor'),
      [['BBBBB', 34_000, 40_000, 6_000]],
    );
  });

  it('trial-balance: the same as hledger says, and nothing in sum', async () => {
    const rows = await figures(world, 'trial-balance', 'account currency closing_minor', { by: 'all' });
    const { files, target } = await world.exports.run({ job: 'hledger', from: '2027', to: '2027-04-05' }, quiet);
    const text = readFileSync(join(target, files[0]?.name ?? ''), 'utf8');
    const args = (file: string) => ['-f', file, 'balance', '--flat', '-N', '-O', 'csv', '--layout=bare'];
    const { out, code, err } = await ran('hledger', text, args);
    assert.equal(code, 0, err);
    const said = out
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.replaceAll('"', '').split(','));
    assert.deepEqual(
      rows
        .filter(([, , closing]) => closing !== 0)
        .map(([account, currency, closing]) => [account, currency, closing].join(' ')),
      said
        .map(([account, currency, amount]) => `${account} ${currency} ${Math.round(Number(amount) * 100)}`)
        .toSorted(),
    );
    assert.equal(
      rows.reduce((sum, [, , closing]) => sum + Number(closing), 0),
      0,
    );
    const months = await figures(world, 'trial-balance', 'period opening_minor debit_minor credit_minor closing_minor');
    for (const period of ['2027-02', '2027-03', '2027-04']) {
      const own = months.filter(([month]) => month === period);
      const sum = (at: number) => own.reduce((total, row) => total + Number(row[at]), 0);
      assert.deepEqual([sum(1), sum(2) - sum(3), sum(4)], [0, 0, 0], period);
    }
    const bank = (
      await figures(world, 'trial-balance', 'account period opening_minor debit_minor credit_minor closing_minor')
    ).filter(([account]) => account === 'Assets:Bank');
    assert.deepEqual(bank, [
      ['Assets:Bank', '2027-02', 0, 40_000, 0, 40_000],
      ['Assets:Bank', '2027-03', 40_000, 39_000, 23_000, 56_000],
      ['Assets:Bank', '2027-04', 56_000, 0, 3_600, 52_400],
    ]);
  });

  it('the statement of a month: a page of its own, with texts that cannot become markup', async () => {
    const statement = await readStatement(askOf(world), {
      connection: CONNECTION,
      owner: 'smith',
      month: '2027-03',
      terms: () => 'Fee of 20 %',
    });
    const html = renderStatement(statement);
    assert.equal(html, renderStatement(statement));
    assert.match(html, /<html lang="en">[^]*<title>Owner statement, March 2027: A\. &lt;Smith&gt; &amp; Co<\/title>/);
    assert.doesNotMatch(html, /<script|<Smith|https?:|javascript:/);
    assert.match(html, /<strong>Preliminary:<\/strong> the month is not closed/);
    const account = [...html.matchAll(/<th scope="row">([^<]+)<\/th>\s*<td class="n">([^<]+)<\/td>/g)].map(
      ([, name, amount]) => [name, amount],
    );
    assert.deepEqual(account.slice(0, 7), [
      ['Opening balance', '55.00'],
      ['Revenue', '400.00'],
      ['Management fee', '−90.00'],
      ['Channel and payment fees', '−60.00'],
      ['Expenses', '−35.00'],
      ['Payouts', '−150.00'],
      ['Closing balance', '120.00'],
    ]);
    assert.deepEqual(
      statement.parts[0]?.stays.map(({ reservation, net }) => [reservation, net]),
      [['BBBBB', 25_000]],
    );
    assert.deepEqual(statement.parts[0]?.properties, [
      // 4 of 31 nights, 400.00.
      { property: 'Hill House', nights: 4, occupancy: 12.9, adr: 10_000, revpar: 1_290 },
    ]);
    const ask = (owner: string, month: string) =>
      readStatement(askOf(world), { connection: CONNECTION, owner, month, terms: () => '' });
    await assert.rejects(ask('smith', '2027-13'), /month: "2027-13" is no month/);
    await assert.rejects(ask('smith', '2027-05'), /month: 2027-05 is not booked yet/);
    await assert.rejects(ask('nobody', '2027-03'), /owner: there is no owner "nobody"/);
    assert.equal((await ask('jones', '2027-02')).parts.length, 0);
  });

  it('exceptions: what a person should look at, in books and calendar', async () => {
    const found = () => figures(world, 'exceptions', 'kind about problem');
    assert.deepEqual(await found(), [['owner_negative', 'jones', 'has had 20.00 EUR more than was theirs']]);
    await world.entry({ id: 50, item: 99, property: 1, amount: 100, date: '2027-04-04' });
    await addNights(world, { code: 'TWICE', property: 2, from: '2027-03-12', to: '2027-03-15' });
    await world.exports.book(undefined, quiet);
    assert.deepEqual(await found(), [
      ['double_booking', 'BBBBB and TWICE', 'property 2 is booked twice for 2 nights'],
      ['owner_negative', 'jones', 'has had 20.00 EUR more than was theirs'],
      ['unmapped', 'transaction/50', 'item 99 “Item 99” has no class'],
    ]);
    assert.deepEqual(await figures(world, 'exceptions-digest', 'kind number oldest'), [
      ['double_booking', 1, '2027-03-12'],
      ['owner_negative', 1, '2027-04-05'],
      ['unmapped', 1, '2027-04-04'],
    ]);
    await world.remove(50);
    // 1,000.00 more is spent than the operator has.
    await world.entry({ id: 51, item: 13, direction: 'expense', amount: 100_000, date: '2027-04-04' });
    const { books, clean } = await world.exports.verify(undefined, quiet);
    assert.deepEqual(
      books.exceptions.map(({ kind, about, problem }) => [kind, about, problem]),
      [
        ['owner_negative', 'jones', 'has had 20.00 EUR more than was theirs'],
        [
          'trust_short',
          'EUR',
          '435.00 EUR is there for the 700.00 EUR that is held for guests, owners and authorities',
        ],
      ],
    );
    assert.equal(clean, false);
    await world.remove(51);
  });

  it('a payout that was matched by mistake can be reversed, also from a month that is locked', async () => {
    await world.exports.close({ period: '2027-03', soft: false }, quiet);
    const [[id] = []] = await figures(world, 'payouts', 'payout_id');
    await assert.rejects(world.exports.undoMatch({ payout: 'XXXXXX', reason: null }), /there is no payout "XXXXXX"/);
    const undone = await world.exports.undoMatch({ payout: String(id).slice(0, 8), reason: 'another house’s' });
    assert.deepEqual([undone.payout_id, undone.postings], [id, 2]);
    assert.deepEqual(await figures(world, 'payouts', 'payout_id'), []);
    const columns = 'period matched_minor unexplained_minor paid_minor';
    const marketplace = async () =>
      (await figures(world, 'payout-reconciliation', `account ${columns}`))
        .filter(([account]) => account === 'Assets:Clearing:Marketplace-A')
        .map((row) => row.slice(1));
    // What is sealed stays; on the first open day it is reversed.
    assert.deepEqual(await marketplace(), [
      ['2027-02', 0, 8_500, 0],
      ['2027-03', 0, 39_000, 39_000],
      ['2027-04', 0, 50_000, -39_000],
    ]);
    assert.deepEqual(
      await figures(world, 'exceptions', 'kind date problem', { from: '2027-04-01', to: '2027-04-01' }),
      [['changed_after_lock', '2027-04-01', `reverses p${String(id)}-1 of 2027-03-31, a day of a locked month`]],
    );
    await assert.rejects(world.exports.undoMatch({ payout: String(id), reason: null }), /was reversed at/);
    const again = await pay(world, ['2027-03-31,390.00,']);
    assert.equal(again.matches.length, 1);
    assert.deepEqual(await marketplace(), [
      ['2027-02', 0, 8_500, 0],
      ['2027-03', 39_000, 0, 39_000],
      ['2027-04', 0, 50_000, 0],
    ]);
  });
}

describe('reports on the books on SQLite', () => cases(() => openHouse()));

describeOnPostgres('reports on the books on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => void (server = await startPostgres()));
  after(() => server.stop());
  cases(async () => openHouse(await server.freshDatabase()));
});
