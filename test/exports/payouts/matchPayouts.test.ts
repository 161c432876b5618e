import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { describeOnPostgres, startPostgres } from '../../support/postgres.ts';
import { bookWith, type LedgerWorld, openLedger } from '../support/ledger.ts';

/** As the thread makes it, with the amounts as they stand in the file. */
const csv = (rows: readonly string[]) => ['Day,Amount,Text', ...rows, ''].join('\n');
const MAPPING = { text: 'date: Day\namount: Amount\ncurrency: EUR\ntext: [Text]\n', name: 'bank.yaml' };
const usual = { mapping: MAPPING, bank: null, accounts: [], days: 35, dryRun: false, accept: 'all' } as const;

const onSqlite = (body: () => void) => void describe('payouts and the books on sqlite', body);
const onPostgres = (body: () => void) => describeOnPostgres('payouts and the books on postgres', body);

for (const [kind, suite] of [
  ['sqlite', onSqlite],
  ['postgres', onPostgres],
] as const) {
  suite(() => {
    const folder = mkdtempSync(join(tmpdir(), 'stayd-payouts-'));
    let world: LedgerWorld;
    let server: Awaited<ReturnType<typeof startPostgres>> | undefined;

    before(async () => {
      server = kind === 'postgres' ? await startPostgres() : undefined;
      world = await openLedger({ settings: bookWith(), ...(server && { database: server.url }) });
      await world.property(1, 'Sea View');
      for (const [index, code] of ['AAA11', 'BBB22', 'CCC33'].entries()) {
        await world.stay({
          code,
          channel: 'marketplace_a',
          property: 1,
          from: `2027-02-0${index + 1}`,
          to: `2027-02-0${index + 3}`,
          rate: 30_000,
        });
        await world.entry({
          id: 100 + index,
          code,
          property: 1,
          method: 22,
          amount: 12_345 * (index + 1),
          date: `2027-02-0${index + 1}`,
        });
      }
    });
    after(async () => {
      await world.close();
      await server?.stop();
      rmSync(folder, { recursive: true });
    });

    const match = (rows: readonly string[], more: object = {}) => {
      const path = join(folder, 'bank.csv');
      writeFileSync(path, csv(rows));
      return world.exports.match({ path, ...usual, ...more }, () => {});
    };
    const rows = async () => ({
      payouts: await world.store.db.selectFrom('payouts').selectAll().orderBy('payout_id').execute(),
      postings: await world.store.db.selectFrom('payout_postings').selectAll().orderBy('entry_id').execute(),
    });
    const journal = async () => {
      await world.exports.run({ job: 'jsonl', from: '2027', to: '2027', out: folder }, () => {});
      const name = readdirSync(folder).find((one) => one.endsWith('.jsonl')) ?? '';
      return readFileSync(join(folder, name), 'utf8')
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one));
    };

    it('shows what would match, and stores nothing of it', async () => {
      const shown = await match(['2027-02-05,123.45,'], { dryRun: true });
      assert.deepEqual([shown.matches.length, shown.stored], [1, false]);
      assert.deepEqual(await rows(), { payouts: [], postings: [] });
    });

    it('proposes what nothing but an amount speaks for, until somebody accepts it', async () => {
      const file = ['2027-02-05,123.45,parking rent', '2027-02-05,246.90,Payout MARKETPLACE-A 4711'];
      const cautious = { accept: [], dryRun: true };
      const report = await match(file, cautious);
      const brief = ({ matches, proposed }: typeof report) => [
        matches.map(({ line, by }) => [line, by]),
        proposed.map(({ line, by, account, postings }) => [line, by, account, postings]),
      ];
      assert.deepEqual(brief(report), [[[3, 'booking']], [[2, 'booking', 'Assets:Clearing:Marketplace-A', 1]]]);
      assert.deepEqual(report.unexplained, []);
      // It is still there.
      assert.deepEqual(
        report.open[0]?.sums.map(({ of }) => of),
        ['AAA11', 'CCC33'],
      );
      assert.deepEqual(brief(await match(file, { ...cautious, accept: [2] }))[1], []);
      await assert.rejects(match(file, { ...cautious, accept: [9] }), /accept: nothing is proposed for line 9/);
      await match([file[0] ?? ''], { accept: [] });
      assert.deepEqual(await rows(), { payouts: [], postings: [] });
    });

    it('stores what matches and lists the rest: on the file, and on the clearing account', async () => {
      const report = await match(['2027-02-05,123.45,Guest Name', '2027-02-06,99.99,rent']);
      assert.deepEqual(
        report.matches.map(({ line, by, account, postings }) => [line, by, account, postings]),
        [[2, 'booking', 'Assets:Clearing:Marketplace-A', 1]],
      );
      assert.deepEqual(report.unexplained, [
        { line: 3, date: '2027-02-06', amount: 9_999, currency: 'EUR', why: 'nothing open comes to it' },
      ]);
      assert.deepEqual(report.open, [
        {
          account: 'Assets:Clearing:Marketplace-A',
          currency: 'EUR',
          amount: 24_690 + 37_035,
          sums: [
            { of: 'BBB22', date: '2027-02-02', amount: 24_690 },
            { of: 'CCC33', date: '2027-02-03', amount: 37_035 },
          ],
        },
      ]);
      const { payouts, postings } = await rows();
      assert.deepEqual([payouts.length, postings.length], [1, 1]);
      assert.ok(!JSON.stringify([payouts, postings, report]).includes('Guest Name'));
    });

    it('books it as money moved from the clearing account to the bank, and hands that on', async () => {
      const payout = (await journal()).filter((one) => one.kind === 'payout');
      assert.equal(payout.length, 1);
      assert.deepEqual(
        [payout[0].date, payout[0].description, payout[0].postings.map((one: any) => [one.account, one.amount])],
        [
          '2027-02-05',
          'Payout of 1 booking',
          [
            ['Assets:Bank', '123.45'],
            ['Assets:Clearing:Marketplace-A', '-123.45'],
          ],
        ],
      );
      const { books } = await world.exports.verify(undefined, () => {});
      assert.equal(books.states.posted, 4);
    });

    it('changes nothing when the same file comes again, and takes what has come in since', async () => {
      const before = await rows();
      const again = await match(['2027-02-05,123.45,Guest Name', '2027-02-06,99.99,rent']);
      assert.deepEqual([again.matches.length, again.known, again.unexplained.length], [0, 1, 1]);
      assert.deepEqual(await rows(), before);
      await world.entry({ id: 200, property: 1, method: 22, code: 'BBB22', amount: -14_691, date: '2027-02-04' });
      const later = await match(['2027-02-05,123.45,Guest Name', '2027-02-06,99.99,rent']);
      assert.deepEqual([later.matches.length, later.known], [1, 1]);
    });

    it('says which postings have changed since they were matched', async () => {
      await world.entry({ id: 100, code: 'AAA11', property: 1, method: 22, amount: 12_300, date: '2027-02-01' });
      const report = await match([]);
      assert.deepEqual(report.changed, [{ entry_id: 't100-1', was: 12_345, is: 12_300, currency: 'EUR' }]);
      await world.entry({ id: 100, code: 'AAA11', property: 1, method: 22, amount: 12_345, date: '2027-02-01' });
    });

    it('refuses an account that the books do not have, and a file that is none', async () => {
      await assert.rejects(match([], { accounts: ['Assets:Clearing:X'] }), /no clearing account Assets:Clearing:X/);
      await assert.rejects(match(['2027-02-05,1,x', '2027-02-30,1,x']), /line 3, Day: "2027-02-30" is no date/);
      await assert.rejects(match([], { bank: 'bank' }), /bank: "bank" is no account/);
      await assert.rejects(
        world.exports.match({ path: join(folder, 'none'), ...usual }, () => {}),
        /cannot read .*none/,
      );
    });

    it('stays in a month that is locked, and a second payout of the same posting cannot be stored', async () => {
      await world.reconciled();
      await world.exports
        .close({ period: '2027-02', soft: false, reason: 'done' }, () => {})
        .catch((error: Error) => assert.fail(error.message));
      const { clean, periods } = await world.exports.verify(undefined, () => {});
      assert.deepEqual([clean, periods.map(({ problem }) => problem)], [true, [null]]);
      const [posting] = (await rows()).postings;
      await assert.rejects(
        world.store.db
          .insertInto('payout_postings')
          .values({ ...posting, payout_id: 'X' } as any)
          .execute(),
      );
    });

    it('what came too late for a locked month is paid by the payouts of its own days', async () => {
      await world.stay({ code: 'DDD44', channel: 'marketplace_a', from: '2027-02-10', to: '2027-02-12', rate: 30_000 });
      await world.entry({ id: 300, code: 'DDD44', property: 1, method: 22, amount: 777, date: '2027-02-11' });
      const report = await match(['2027-02-14,7.77,DDD44']);
      assert.deepEqual(
        report.matches.map(({ by, postings }) => [by, postings]),
        [['named', 1]],
      );
      const late = (await journal()).filter(({ original_date }) => original_date !== null);
      assert.deepEqual(
        late.map(({ id, date, original_date }) => [id.slice(0, 1), date, original_date]),
        [
          ['p', '2027-03-01', '2027-02-14'],
          ['t', '2027-03-01', '2027-02-11'],
        ],
      );
    });
  });
}
