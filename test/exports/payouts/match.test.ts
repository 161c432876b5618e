import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { identified } from '../../../src/exports/payouts/lineIds.ts';
import { matchLines, type Matching } from '../../../src/exports/payouts/match.ts';
import { nameFinder, namesChannel } from '../../../src/exports/payouts/named.ts';
import type { OpenPosting } from '../../../src/exports/payouts/open.ts';
import type { StatementLine } from '../../../src/exports/payouts/statement/line.ts';
import { addDays } from '../../../src/kernel/dates.ts';

const A = 'Assets:Clearing:A';
const B = 'Assets:Clearing:B';
const now = async () => {};

function line(amount: number, more: Partial<StatementLine> = {}): StatementLine {
  return { line: 1, date: '2026-03-10', amount, currency: 'EUR', bankId: null, text: '', ...more };
}

let entry = 0;
function posting(reservation: string | null, amount: number, date = '2026-03-05'): OpenPosting {
  entry += 1;
  return { entryId: `t${entry}-1`, posting: 1, date, amount, reservation };
}

async function matched(matching: Partial<Matching> & Pick<Matching, 'lines'>, postings: readonly OpenPosting[] = []) {
  const open = matching.open ?? [{ account: A, currency: 'EUR', postings }];
  const { matches, unexplained } = await matchLines(
    { named: () => [], namesChannel, days: 35, ...matching, open },
    now,
  );
  return {
    matches: matches.map(({ line: one, by, account, postings: own }) => [
      one.amount,
      by,
      account,
      own.map(({ entryId, reservation }) => reservation ?? entryId),
    ]),
    why: unexplained.map(({ line: one, why }) => [one.amount, why]),
  };
}

describe('payout matching', () => {
  it('takes what a booking has left, receipts less what the channel kept', async () => {
    const postings = [posting('R1', 20_000), posting('R1', -3_000), posting('R2', 16_999)];
    assert.deepEqual(await matched({ lines: [line(17_000)] }, postings), {
      matches: [[17_000, 'booking', A, ['R1', 'R1']]],
      why: [],
    });
  });

  it('takes one posting where the booking has more', async () => {
    const postings = [posting('R1', 20_000), posting('R1', 5_000)];
    assert.deepEqual((await matched({ lines: [line(5_000)] }, postings)).matches, [[5_000, 'posting', A, ['R1']]]);
  });

  it('goes by the codes that a line names before it goes by amounts, whatever the date', async () => {
    const postings = [posting('R1', 500), posting('R2', 500), posting('R3', 900, '2025-01-01'), posting('R4', -400)];
    const named = nameFinder([
      { reservation: 'R2', codes: ['HMXYZ1'] },
      { reservation: 'R3', codes: ['R-00003', 'HM-ABC.99'] },
      { reservation: 'R4', codes: ['HMABC44'] },
    ]);
    const lines = [line(500, { text: 'payout hmxyz1' }), line(500, { line: 2, text: 'HMABC99/HMABC44' })];
    assert.deepEqual((await matched({ lines, named }, postings)).matches, [
      [500, 'named', A, ['R2']],
      [500, 'named', A, ['R3', 'R4']],
    ]);
    const { why } = await matched({ lines: [line(777, { text: 'HM-ABC-99' })], named }, postings);
    assert.deepEqual(why, [[777, 'it names R3, whose open postings do not come to it']]);
  });

  it('keeps within the window, and takes the nearest of equals', async () => {
    const postings = [
      posting('R1', 500, '2026-01-01'),
      posting('R2', 500, '2026-03-01'),
      posting('R3', 500, '2026-03-09'),
      posting('R4', 500, '2026-03-20'),
    ];
    const lines = [line(500), line(500, { line: 2 }), line(500, { line: 3 })];
    const found = await matched({ lines }, postings);
    assert.deepEqual(
      found.matches.map(([, , , of]) => of),
      [['R3'], ['R2']],
    );
    assert.deepEqual(found.why, [[500, 'nothing open comes to it']]);
    assert.equal((await matched({ lines, days: 100 }, postings)).matches.length, 3);
  });

  it('does not match a cent beside, another currency or another sign', async () => {
    const postings = [posting('R1', 500)];
    for (const one of [line(501), line(499), line(-500), line(500, { currency: 'USD' })]) {
      assert.deepEqual((await matched({ lines: [one] }, postings)).matches, []);
    }
  });

  it('finds a payout of many bookings that follow each other, refunds among them', async () => {
    const many = Array.from({ length: 120 }, (_, index) =>
      posting(`R${index}`, 10_007 + index * 331, addDays('2026-02-10', Math.floor(index / 5))),
    );
    many.push(posting('R200', -4_444, '2026-02-20'));
    const paid = many.filter(({ date }) => date >= '2026-02-15' && date <= '2026-02-25');
    const sum = paid.reduce((total, { amount }) => total + amount, 0);
    const { matches } = await matched({ lines: [line(sum)] }, many);
    assert.deepEqual(
      matches.map(([, by, , of]) => [by, of instanceof Array ? of.length : 0]),
      [['batch', paid.length]],
    );
  });

  it('finds a few that lie apart', async () => {
    const many = [11_112, 23_456, 34_567, 45_699, 56_789, 67_893].map((amount, index) =>
      posting(`R${index}`, amount, addDays('2026-03-01', index)),
    );
    assert.deepEqual((await matched({ lines: [line(11_112 + 34_567 + 67_893)] }, many)).matches, [
      [113_572, 'batch', A, ['R0', 'R2', 'R5']],
    ]);
  });

  it('says so instead of guessing where several sets come to it, within an account or between two', async () => {
    const several = /^several sets/;
    const equal = [100, 200, 300, 400].map((amount, index) =>
      posting(`R${index}`, amount * 1_000, addDays('2026-03-01', index)),
    );
    const found = await matched({ lines: [line(500_000)] }, equal);
    assert.deepEqual(found.matches, []);
    assert.match(String(found.why[0]?.[1]), several);
    const two = [A, B].map((account) => ({
      account,
      currency: 'EUR',
      postings: [posting('R8', 123_400), posting('R9', 98_701)],
    }));
    const between = await matched({ lines: [line(222_101)], open: two });
    assert.deepEqual(between.matches, []);
    assert.match(String(between.why[0]?.[1]), several);
  });

  it('does not take for a payout what some of many small sums come to by chance', async () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      posting(`R${index}`, 1_000 + ((index * 7_919) % 997), addDays('2026-02-20', index % 15)),
    );
    const sum = [1, 9, 17, 25, 33].reduce((total, index) => total + (many[index]?.amount ?? 0), 0);
    assert.deepEqual((await matched({ lines: [line(sum)] }, many)).matches, []);
  });

  it('takes no posting twice, only what is equal to the unit, and the same every time', async () => {
    const amount = fc.integer({ min: -50, max: 200 }).filter((one) => one !== 0);
    const date = fc.integer({ min: 0, max: 40 }).map((days) => addDays('2026-02-01', days));
    const postings = fc.array(fc.record({ amount, date, reservation: fc.constantFrom('R1', 'R2', 'R3', 'R4', null) }), {
      maxLength: 30,
    });
    const lines = fc.array(fc.record({ amount, date }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(postings, lines, async (given, asked) => {
        const open = [
          {
            account: A,
            currency: 'EUR',
            postings: given.map((one, index) => ({ ...one, entryId: `t${index}`, posting: 1 })),
          },
        ];
        const matching = {
          lines: asked.map((one, index) => line(one.amount, { date: one.date, line: index })),
          open,
          named: () => [],
          namesChannel,
          days: 35,
        };
        const found = await matchLines(matching, now);
        const taken = found.matches.flatMap((match) => match.postings.map(({ entryId }) => entryId));
        assert.equal(new Set(taken).size, taken.length);
        for (const match of found.matches) {
          assert.equal(
            match.postings.reduce((sum, one) => sum + one.amount, 0),
            match.line.amount,
          );
        }
        assert.equal(found.matches.length + found.unexplained.length, asked.length);
        assert.equal(taken.length + (found.open[0]?.postings.length ?? 0), given.length);
        const again = await matchLines({ ...matching, lines: matching.lines.toReversed() }, now);
        assert.deepEqual(again.matches, found.matches);
      }),
      { numRuns: 150 },
    );
  });

  it('matches 2,000 lines with 20,000 postings in seconds', async (t) => {
    const postings = Array.from({ length: 20_000 }, (_, index) =>
      posting(
        `R${Math.floor(index / 2)}`,
        index % 2 ? -1_000 - (index % 977) : 30_000 + ((index * 7_919) % 99_991),
        addDays('2025-01-01', Math.floor(index / 40)),
      ),
    );
    const lines = Array.from({ length: 2_000 }, (_, index) => {
      const [one, other] = [postings[index * 10], postings[index * 10 + 1]];
      return line((one?.amount ?? 0) + (other?.amount ?? 0) + (index % 4 === 3 ? 1 : 0), {
        line: index + 1,
        date: addDays(one?.date ?? '', 4),
      });
    });
    const begun = process.cpuUsage();
    const { matches } = await matched({ lines }, postings);
    t.diagnostic(`${matches.length} matched in ${Math.round(process.cpuUsage(begun).user / 1_000)} ms`);
    assert.ok(matches.length >= 1_500);
  });

  it('knows lines again: by what the bank calls them, else by which of their equals they are', () => {
    const ids = (lines: readonly StatementLine[], bank = 'Assets:Bank') => identified(bank, lines).map(({ id }) => id);
    const twice = [line(500, { text: 'a' }), line(500, { text: 'a', line: 2 })];
    assert.equal(new Set(ids(twice)).size, 2);
    assert.deepEqual(ids(twice), ids(twice.map((one) => ({ ...one, line: one.line + 7 }))));
    assert.equal(ids([line(500, { bankId: 'X' }), line(500, { bankId: 'X', text: 'other' })]).length, 1);
    assert.notDeepEqual(ids([line(500)]), ids([line(500)], 'Assets:Bank:Other'));
  });
});
