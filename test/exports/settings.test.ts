import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { OperatorError } from '../../src/kernel/errors.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { job } from './support/job.ts';
import { bookWith, CONNECTION, type LedgerWorld, openLedger } from './support/ledger.ts';

const quiet = () => {};

/** An owner's house, of whose income the manager takes so much. */
function contract(percent: string, over: object = {}) {
  return bookWith({
    classes: { accommodation: { recognition: 'cash' } },
    properties: { 1: { owner: 'smith', contract: 'full' } },
    owners: { smith: { name: 'A. Smith' } },
    contracts: { full: { mode: 'agent', percent, of: 'gross' } },
    ...over,
  });
}

async function lines(world: LedgerWorld, name: string): Promise<string[]> {
  const { nothing, files, target } = await world.exports.run({ job: name }, quiet);
  if (nothing) return [];
  const file = files.find((one) => one.name.endsWith('.jsonl'));
  assert.ok(file);
  return readFileSync(join(target, file.name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { id, date } = JSON.parse(line) as { id: string; date: string };
      return `${id} ${date}`;
    });
}

function unconfirmed(named: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof OperatorError);
    assert.match(error.message, /changed settings, or the rules of a newer stayd, would correct/);
    assert.match(error.message, named);
    assert.match(error.hint ?? '', /\.\/stayd export confirm-settings/);
    return true;
  };
}

const BOTH = /2 entries of locked months:\n {2}- t1-1 of 2027-02-01: Item 1 A\n {2}- t2-1 of 2027-02-10: Item 1 B/;

function confirming(open: () => Promise<LedgerWorld>): void {
  let world: LedgerWorld;
  const change = async (settings: LedgerWorld['settings']) => {
    world.settings = settings;
    await world.reopen();
  };
  before(async () => {
    world = await open();
    await world.property(1, 'House');
    for (const code of ['A', 'B', 'C']) {
      await world.stay({ code, from: '2027-02-05', to: '2027-02-08', rate: 30_000, received: 30_000 });
    }
    await world.entry({ id: 1, code: 'A', amount: 30_000, date: '2027-02-01' });
    await world.entry({ id: 2, code: 'B', amount: 30_000, date: '2027-02-10' });
    await world.entry({ id: 3, code: 'C', amount: 30_000, date: '2027-03-10' });
    await world.entry({ id: 4, property: 1, direction: 'expense', amount: 100, date: '2027-02-10' });
    await lines(world, 'fresh');
    await world.exports.close({ period: '2027-02', soft: false }, quiet);
  });
  after(() => world.close());

  it('what changes nothing in a locked month holds at once', async () => {
    const chart = { 'Assets:Bank': { code: '1200' } };
    await change(contract('20', { chart }));
    await world.exports.book(undefined, quiet);
    await change(contract('20'));
    assert.deepEqual(await lines(world, 'fresh'), []);
    assert.equal((await world.exports.verify(undefined, quiet)).clean, true);
  });

  it('a percentage that would correct a locked month stops everything that books, and names the entries', async () => {
    await change(contract('25'));
    const { exports } = world;
    await assert.rejects(lines(world, 'full'), unconfirmed(BOTH));
    await assert.rejects(lines(world, 'fresh'), unconfirmed(BOTH));
    await assert.rejects(lines(world, 'restated'), unconfirmed(BOTH));
    await assert.rejects(exports.book(undefined, quiet), unconfirmed(BOTH));
    await assert.rejects(exports.close({ period: '2027-03', soft: false }, quiet), unconfirmed(BOTH));
    await assert.rejects(exports.close({ period: '2027-03', soft: true }, quiet), unconfirmed(BOTH));
    const { clean, periods, books } = await exports.verify(undefined, quiet);
    assert.equal(clean, false);
    assert.deepEqual(
      periods.map(({ problem }) => problem),
      [null],
    );
    assert.deepEqual(
      books.unconfirmed.entries.map(({ id, date }) => `${id} ${date}`),
      ['t1-1 2027-02-01', 't2-1 2027-02-10'],
    );
  });

  it('also after another start, and not when it is put back', async () => {
    await world.reopen();
    await assert.rejects(lines(world, 'full'), unconfirmed(BOTH));
    await change(contract('20'));
    assert.deepEqual(await lines(world, 'fresh'), []);
  });

  it('what changes upstream is corrected without being asked about, beside a setting that is', async () => {
    await world.entry({ id: 4, property: 1, direction: 'expense', amount: 150, date: '2027-02-10' });
    assert.deepEqual(await lines(world, 'fresh'), ['t4-1-rev 2027-03-01', 't4-2 2027-03-01']);
    await change(contract('25'));
    await assert.rejects(lines(world, 'fresh'), unconfirmed(BOTH));
  });

  it('once confirmed it corrects on the first open day, and that stands in the log', async () => {
    const report = await world.exports.confirmSettings({ reason: 'a new contract' }, quiet);
    assert.deepEqual([report.count, report.entries.length], [2, 2]);
    assert.deepEqual(await lines(world, 'fresh'), [
      't1-1-rev 2027-03-01',
      't1-2 2027-03-01',
      't2-1-rev 2027-03-01',
      't2-2 2027-03-01',
      't3-1-rev 2027-03-10',
      't3-2 2027-03-10',
    ]);
    const log = await world.store.db
      .selectFrom('export_period_log')
      .select(['action', 'period', 'reason'])
      .where('connection', '=', CONNECTION)
      .where('action', '=', 'confirm_settings')
      .execute();
    assert.deepEqual(log, [{ action: 'confirm_settings', period: '2027-02', reason: 'a new contract' }]);
    assert.equal((await world.exports.confirmSettings({ reason: null }, quiet)).count, 0);
    await world.reopen();
    assert.equal((await world.exports.verify(undefined, quiet)).clean, true);
    await world.exports.close({ period: '2027-03', soft: false }, quiet);
    assert.equal((await world.exports.verify(undefined, quiet)).clean, true);
  });

  it('a setting that lets in what was ignored of a locked month is one, too', async () => {
    const items = { income: { 1: 'accommodation' }, expense: { 13: 'ignore' } };
    await change(contract('25', { items }));
    await assert.rejects(lines(world, 'full'), unconfirmed(/t4-2 of 2027-03-01/));
    await change(contract('25'));
    await lines(world, 'full');
  });

  it('of books that were closed before settings were kept, what they would correct now is asked about', async () => {
    await world.store.db.deleteFrom('export_settings').execute();
    await lines(world, 'full');
    await world.store.db.updateTable('export_periods').set({ policy_hash: 'older' }).execute();
    await world.store.db.deleteFrom('export_settings').execute();
    // Nothing is to be corrected: they hold.
    await lines(world, 'full');
    await world.store.db.deleteFrom('export_settings').execute();
    await world.store.db.updateTable('export_periods').set({ policy_hash: 'older' }).execute();
    await change(contract('30'));
    await assert.rejects(lines(world, 'full'), unconfirmed(/t1-2 of 2027-03-01/));
  });

  it('a month that is opened again asks for nothing of its own', async () => {
    await world.exports.reopen({ period: '2027-03', reason: 'x' });
    await world.exports.reopen({ period: '2027-02', reason: 'x' });
    await lines(world, 'full');
  });
}

const jobs = {
  full: job(),
  restated: job({ corrections: 'restate' }),
  fresh: job({ mode: 'incremental' }),
};

describe('settings that would change a locked month, on SQLite', () => {
  confirming(() => openLedger({ settings: contract('20'), jobs }));
});

describeOnPostgres('settings that would change a locked month, on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  confirming(async () => openLedger({ settings: contract('20'), jobs, database: await server.freshDatabase() }));
});
