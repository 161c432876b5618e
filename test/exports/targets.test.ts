import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse as parseYaml } from 'yaml';
import { UsageError } from '../../src/kernel/errors.ts';
import { job } from './support/job.ts';
import { bookWith, type LedgerWorld, openLedger } from './support/ledger.ts';

const quiet = () => {};
const CASH = { classes: { accommodation: { recognition: 'cash' } } };

describe('journals for what a country wants', () => {
  let world: LedgerWorld;
  const jobs = {
    adviser: job({ format: 'datev', options: { consultant: '29098', client: '55003' } }),
    state: job({ format: 'fec', options: { siren: '732829320' } }),
  };
  const written = async (name: string, from: string, to: string) => {
    const { files, target } = await world.exports.run({ job: name, from, to }, quiet);
    return files
      .filter((file) => !file.name.endsWith('.manifest.json'))
      .map((file) => ({ name: file.name, text: readFileSync(join(target, file.name), 'latin1') }));
  };
  const entries = (text = '') =>
    text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split('|'))
      .map(([, , number, date, , , , , , , said, debit, credit, , , valid]) =>
        [number, date, said?.split(' ')[0], debit, credit, valid].join(' '),
      );

  before(async () => {
    world = await openLedger({ settings: bookWith(CASH), jobs });
    await world.stay({ code: 'A', from: '2027-02-05', to: '2027-02-08', rate: 30_000, received: 30_000 });
    await world.entry({ id: 1, code: 'A', amount: 30_000, date: '2027-02-01' });
    await world.entry({ id: 2, direction: 'expense', amount: 2_500, date: '2027-02-20' });
    await world.entry({ id: 3, amount: 700, item: 3, date: '2027-03-02' });
    await world.exports.book(undefined, quiet);
  });
  after(() => world.close());

  it('need the numbers of accounts, which nobody guesses for a country, and export map lists', async () => {
    await assert.rejects(written('adviser', '2027-02', '2027-02'), (error: unknown) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, /format datev needs the number of every account/);
      assert.match(error.hint ?? '', /--for datev lists them; .*takes the number of your chart/);
      return true;
    });
    const { proposal, accounts } = await world.exports.map({ for: 'adviser' });
    assert.equal(parseYaml(proposal), null);
    assert.ok(accounts.every(({ code }) => code === null));
    // Filled in as they stand there.
    const filled = ['exports:', '  books:', '    local:', '      chart:'];
    let next = 1_000;
    for (const line of proposal.split('\n').filter((one) => one.includes('code: ""'))) {
      filled.push(line.replace('# ', '').replace('code: ""', `code: "${(next += 10)}"`));
    }
    const { chart } = parseYaml(filled.join('\n')).exports.books.local;
    assert.deepEqual(
      Object.keys(chart),
      accounts.map(({ account }) => account),
    );
    world.settings = bookWith({ ...CASH, chart });
    const files = await written('adviser', '2027-02', '2027-03');
    assert.deepEqual(
      files.map(({ name }) => name),
      ['EXTF_adviser_2027-02-01_2027-03-31-EUR-2027-02.csv', 'EXTF_adviser_2027-02-01_2027-03-31-EUR-2027-03.csv'],
    );
    assert.match(files[0]?.text ?? '', /^"EXTF";700;21;"Buchungsstapel";13;/);
    assert.match(files[0]?.text ?? '', /\r\n300,00;"S";"EUR";;;;10\d0;10\d0;;0102;"[A-Z0-9]{20}";;;"t1-1 /);
  });

  it('a FEC has closed months alone, and a later correction takes the next number', async () => {
    await assert.rejects(written('state', '2027-01', '2027-02'), /2027-02-28 is in a month that is not closed/);
    await world.exports.close({ period: '2027-02', soft: false }, quiet);
    const [first] = await written('state', '2027-01', '2027-02');
    assert.equal(first?.name, 'state_2027-01-01_2027-02-28-732829320FEC20270228.txt');
    const sealed = [
      '1 20270201 t1-1 300,00 0,00 20270405',
      '1 20270201 t1-1 0,00 300,00 20270405',
      '2 20270220 t2-1 25,00 0,00 20270405',
      '2 20270220 t2-1 0,00 25,00 20270405',
    ];
    assert.deepEqual(entries(first?.text).toSorted(), sealed.toSorted());
    await world.entry({ id: 1, code: 'A', amount: 31_000, date: '2027-02-01' });
    await assert.rejects(written('state', '2027-01', '2027-03'), {
      hint: './stayd export close 2027-03, or give --to 2027-02-28',
    });
    await world.exports.close({ period: '2027-03', soft: false }, quiet);
    const [second] = await written('state', '2027-01', '2027-03');
    const lines = entries(second?.text);
    assert.deepEqual(lines.slice(0, 4).toSorted(), sealed.toSorted());
    assert.deepEqual(
      [...new Set(lines.slice(4).map((line) => line.split(' ').slice(0, 3).join(' ')))],
      ['3 20270301 t1-1-rev', '4 20270301 t1-2', '5 20270302 t3-1'],
    );
    assert.deepEqual(entries((await written('state', '2027-01', '2027-02'))[0]?.text), entries(first?.text));
  });
});

describe('progress of long work', () => {
  it('says how many of all bookings have been read', async () => {
    const world = await openLedger({ settings: bookWith(CASH) });
    await world.entry(
      ...Array.from({ length: 2_100 }, (_, index) => ({ id: index + 1, amount: 100, item: 3, date: '2027-02-01' })),
    );
    await world.stay({ code: 'A', from: '2027-02-05', to: '2027-02-08', rate: 30_000 });
    const seen: object[] = [];
    await world.exports.run({ job: 'jsonl', from: '2027', to: '2027' }, (state) => seen.push(state));
    await world.exports.book(undefined, (state) => seen.push(state));
    const expected = [1_000, 2_000].map((groups) => ({ groups, total: 2_101, entries: groups - 1 }));
    assert.deepEqual(seen, [...expected, ...expected]);
    await world.close();
  });
});
