import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import { job as jobWith } from './support/job.ts';
import { bookWith, type LedgerWorld, openLedger } from './support/ledger.ts';

const quiet = () => {};
/** Longer than QuickBooks Desktop takes, equal where it ends, and letters that it does not have. */
const LONG = 'Assets:Clearing:The-Agency-Of-The-Northern-Islands';
const ITEMS = { income: { 1: { class: 'extra', account: 'Income:X住宿费' } }, expense: {} };
const METHODS = { income: { 21: 'Assets:Bank', 22: `${LONG}-1`, 23: `${LONG}-2` }, expense: {} };

describe('what targets must be told of accounts', () => {
  let world: LedgerWorld;
  const said = (over: object) =>
    void (world.settings = bookWith({
      items: ITEMS,
      methods: METHODS,
      chart: { 'Assets:Bank': { code: '1000' } },
      ...over,
    }));
  const mapped = (job?: string) => world.exports.map({ for: job });
  const proposed = async (job: string) => parseYaml((await mapped(job)).proposal).exports.books.local;

  before(async () => {
    world = await openLedger();
    said({});
    await world.property(1, 'Sea View');
    for (const [index, method] of [21, 22, 23].entries()) {
      await world.entry({ id: index + 1, property: 1, method, amount: 1_000, date: '2027-03-05' });
    }
    await world.entry({ id: 4, property: 1, item: 9, amount: 700, date: '2027-03-06' });
    await world.exports.book(undefined, quiet);
  });
  after(() => world.close());

  const rows = async (job: string) => {
    const { files, target } = await world.exports.run({ job, from: '2027-03', to: '2027-03' }, quiet);
    return files
      .filter(({ name }) => name.endsWith('.csv'))
      .flatMap(({ name }) => parse(readFileSync(join(target, name)), { columns: true }) as Record<string, string>[]);
  };

  it('proposes nothing where no job asks for it', async () => {
    const { items, accounts, proposal } = await mapped();
    assert.deepEqual([items.map(({ id }) => id), accounts], [[9], []]);
    assert.ok(!proposal.includes('chart'));
    assert.deepEqual((await mapped('hledger')).accounts, []);
  });

  it('proposes codes for Xero that nobody has yet, and with them the accounts are written', async () => {
    await assert.rejects(rows('xero'), /needs the code of every account; Assets:Clearing:.* have none/);
    const { chart, items } = await proposed('xero');
    assert.deepEqual(chart, {
      [`${LONG}-1`]: { code: '1010' },
      [`${LONG}-2`]: { code: '1020' },
      'Income:X住宿费': { code: '4000' },
    });
    // Whoever says where it belongs makes other accounts of it.
    assert.deepEqual(items, { income: { 9: 'extra' } });
    said({
      chart: { 'Assets:Bank': { code: '1000' }, ...chart },
      items: { ...ITEMS, income: { ...ITEMS.income, 9: ITEMS.income[1] } },
    });
    assert.deepEqual((await mapped('xero')).proposal, '');
    assert.deepEqual((await rows('xero')).map((row) => `${row['*AccountCode']} ${row['*Amount']}`).toSorted(), [
      '1000 10.00',
      '1000 7.00',
      '1010 10.00',
      '1020 10.00',
      '4000 -10.00',
      '4000 -10.00',
      '4000 -10.00',
      '4000 -7.00',
    ]);
  });

  it('proposes names for QuickBooks, each its own, and keeps what was said of an account', async () => {
    await assert.rejects(
      world.exports.run({ job: 'iif', from: '2027-03', to: '2027-03' }, quiet),
      /needs names of accounts in letters of western Europe, with parts of at most 31 signs; .*\n?.*/,
    );
    said({ chart: { 'Income:X住宿费': { code: '4000', title: 'Nights', tax: 'Tax on Sales' } } });
    const { chart } = await proposed('iif');
    assert.deepEqual(chart, {
      [`${LONG}-1`]: { name: 'Assets:Clearing:The-Agency-Of-The-Northern-Isla' },
      [`${LONG}-2`]: { name: 'Assets:Clearing:The-Agency-Of-The-Northern-Is-2' },
      'Income:X住宿费': { title: 'Nights', code: '4000', name: 'Income:XX', tax: 'Tax on Sales' },
    });
    said({ chart });
    assert.deepEqual((await mapped('iif')).accounts, []);
    const { files, target } = await world.exports.run({ job: 'iif', from: '2027-03', to: '2027-03' }, quiet);
    assert.match(
      readFileSync(join(target, files[0]?.name ?? ''), 'latin1'),
      /\tAssets:Clearing:The-Agency-Of-The-Northern-Is-2\t/,
    );
    const names = new Set((await rows('quickbooks')).map((row) => row['Account Name']));
    assert.ok(names.has('Income:XX') && !names.has('Income:X住宿费'));
  });

  it('looks at the jobs of the configuration, and refuses one that is not there', async () => {
    world.jobs['to-xero'] = jobWith({ format: 'xero' });
    world.jobs['elsewhere'] = jobWith({ format: 'iif', connection: 'other' });
    try {
      const { accounts } = await mapped();
      assert.deepEqual([...new Set(accounts.flatMap(({ jobs }) => jobs))], ['to-xero']);
      assert.ok(accounts.every(({ code, name }) => code !== null && name === null));
    } finally {
      delete world.jobs['to-xero'];
      delete world.jobs['elsewhere'];
    }
    await assert.rejects(mapped('xeroo'), /there is no job "xeroo"/);
  });

  it('counts an item over all its methods, and names it as its newest entry does', async () => {
    const of = { property: 1, item: 33, amount: 500, date: '2027-03-07' };
    await world.entry({ ...of, id: 11, method: 21 }, { ...of, id: 13, method: 22 }, { ...of, id: 12, method: 22 });
    const name = (id: number, text: string) =>
      world.store.db.updateTable('transactions').set({ item_name: text }).where('id', '=', id).execute();
    await name(11, 'Zoo of old');
    await name(12, 'Yard');
    await name(13, 'Bicycles');
    const found = (await mapped()).items.filter(({ id }) => id === 33);
    assert.deepEqual(
      found.map(({ direction, name: called, entries }) => [direction, called, entries]),
      [['income', 'Bicycles', 3]],
    );
    await world.remove(13);
    assert.deepEqual(
      (await mapped()).items.filter(({ id }) => id === 33).map(({ name: called, entries }) => [called, entries]),
      [['Yard', 2]],
    );
  });

  it('takes names that such programs can have', () => {
    for (const name of ['Income:Rent', 'Accounts Receivable (A/R)']) said({ chart: { 'Assets:Bank': { name } } });
    for (const name of ['', ':Rent', 'Rent:', 'Rent: House', 'a"b', 'a\tb', 'x'.repeat(501)]) {
      assert.throws(() => said({ chart: { 'Assets:Bank': { name } } }), name);
    }
  });
});
