import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { type LedgerWorld, openLedger } from '../support/ledger.ts';
import { figures, quiet } from './support.ts';

const NOW = '2028-02-10T10:00:00.000Z';

function cases(open: () => Promise<LedgerWorld>): void {
  let world: LedgerWorld;
  before(async () => {
    world = await open();
  });
  after(() => world.close());

  it('trial-balance: income and costs begin each year with nothing, in one line of equity', async () => {
    await world.entry({ id: 1, item: 3, amount: 10_000, date: '2026-11-02' });
    await world.entry({ id: 2, direction: 'expense', amount: 4_000, date: '2027-03-02' });
    await world.entry(
      { id: 3, item: 3, amount: 500, date: '2027-12-30' },
      { id: 4, item: 3, amount: 70, date: '2028-01-03' },
    );
    await world.exports.book(undefined, quiet);
    const columns = 'period account opening_minor debit_minor credit_minor closing_minor';
    const byYear = await figures(world, 'trial-balance', columns, { by: 'year' });
    assert.deepEqual(
      byYear.map((row) => row.join(' ')),
      [
        '2026 Assets:Bank 0 10000 0 10000',
        '2026 Income:Extras 0 0 10000 -10000',
        '2027 Assets:Bank 10000 500 4000 6500',
        '2027 Equity:Earlier-Years -10000 0 0 -10000',
        '2027 Expenses:I13 0 4000 0 4000',
        '2027 Income:Extras 0 0 500 -500',
        '2028 Assets:Bank 6500 70 0 6570',
        '2028 Equity:Earlier-Years -6500 0 0 -6500',
        '2028 Expenses:I13 0 0 0 0',
        '2028 Income:Extras 0 0 70 -70',
      ],
    );
    const closings = await figures(world, 'trial-balance', 'period closing_minor');
    const sums = new Map<unknown, number>();
    for (const [period, closing] of closings) sums.set(period, (sums.get(period) ?? 0) + Number(closing));
    assert.deepEqual([...new Set(sums.values())], [0]);
    const january = (await figures(world, 'trial-balance', columns, { from: '2028-01', to: '2028-01' })).map(String);
    assert.ok(january.includes('2028-01,Income:Extras,0,0,70,-70'), january.join('\n'));
    assert.ok(january.includes('2028-01,Equity:Earlier-Years,-6500,0,0,-6500'), january.join('\n'));
  });
}

describe('books of several years on SQLite', () => {
  cases(() => openLedger({ now: NOW }));
});

describeOnPostgres('books of several years on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  cases(async () => openLedger({ now: NOW, database: await server.freshDatabase() }));
});
