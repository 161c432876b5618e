import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { bookWith, type LedgerWorld, openLedger } from '../support/ledger.ts';
import { answerOf, figures, quiet } from './support.ts';

function cases(open: () => Promise<LedgerWorld>): void {
  let world: LedgerWorld;
  before(async () => {
    world = await open();
    await world.property(1, 'Sea View');
    await world.stay({ code: 'A', from: '2027-03-05', to: '2027-03-08', rate: 30_000, received: 30_000 });
    await world.entry({ id: 1, code: 'A', amount: 30_000, date: '2027-02-01' });
    await world.entry({ id: 2, direction: 'expense', property: 1, amount: 2_500, date: '2027-03-20' });
  });
  after(() => world.close());

  it('trial-balance: opening, debits, credits and closing of each account', async () => {
    await assert.rejects(answerOf(world, 'trial-balance'), /have not been kept yet/);
    const kept = await world.exports.book(undefined, quiet);
    assert.deepEqual([kept.entries, kept.changed], [3, 2]);
    const columns = 'period account currency opening_minor debit_minor credit_minor closing_minor';
    assert.deepEqual(await figures(world, 'trial-balance', columns, { from: '2027-03', to: '2027-03' }), [
      ['2027-03', 'Assets:Bank', 'EUR', 30_000, 0, 2_500, 27_500],
      ['2027-03', 'Expenses:I13', 'EUR', 0, 2_500, 0, 2_500],
      ['2027-03', 'Income:Accommodation', 'EUR', 0, 0, 30_000, -30_000],
      ['2027-03', 'Liabilities:Guest-Advances', 'EUR', -30_000, 30_000, 0, 0],
    ]);
    assert.equal((await world.exports.book(undefined, quiet)).changed, 0);
  });
}

describe('reports on the books on SQLite', () => cases(() => openLedger({ settings: bookWith() })));

describeOnPostgres('reports on the books on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => void (server = await startPostgres()));
  after(() => server.stop());
  cases(async () => openLedger({ settings: bookWith(), database: await server.freshDatabase() }));
});
