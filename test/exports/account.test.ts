import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { decimalText, exponentOf } from '../../src/kernel/money.ts';
import { seededDice } from '../../src/kernel/seeded.ts';
import { assertInOrder, type Balances, balancesOf, BOOKS, plain, PROGRAMS } from './formats/programs.ts';
import { describeWith } from './formats/tools.ts';
import { type LedgerWorld, openLedger } from './support/ledger.ts';
import { CURRENCIES, goTo, live, ownersBook, writtenMonth } from './support/life.ts';

const quiet = () => {};
const MONTHS = ['2027-01', '2027-02', '2027-03', '2027-04'] as const;
const LAST_DAY = '2027-05-31';
const RESERVATIONS_A_MONTH = 12;

/** Each account's balance in minor units, by `account currency`. */
function sumsOf(texts: readonly string[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of texts.flatMap((text) => text.split('\n')).filter(Boolean)) {
    const { postings } = JSON.parse(line) as { postings: { account: string; amount: string; currency: string }[] };
    for (const { account, amount, currency } of postings) {
      const key = `${account} ${currency}`;
      sums.set(key, (sums.get(key) ?? 0) + Math.round(Number(amount) * 10 ** exponentOf(currency)));
    }
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The sum of the accounts whose names begin so, by currency. */
function sumsUnder(balances: ReadonlyMap<string, number>, start: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [key, sum] of balances) {
    const currency = key.slice(-3);
    if (key.startsWith(start)) sums[currency] = (sums[currency] ?? 0) + sum;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

describe('an account of owners in four currencies, month by month', () => {
  let world: LedgerWorld;
  let sealed: Map<string, string>;
  let whole: Map<string, number>;
  before(async () => {
    world = await openLedger({ settings: ownersBook, now: '2027-01-03T10:00:00.000Z' });
    sealed = await live(world, seededDice(6), { months: MONTHS, reservationsAMonth: RESERVATIONS_A_MONTH });
    goTo(world, LAST_DAY);
    const { files, target } = await world.exports.run({ job: 'jsonl', from: '2027', to: LAST_DAY }, quiet);
    whole = sumsOf([readFileSync(join(target, files[0]?.name ?? ''), 'utf8')]);
  });
  after(() => world.close());

  it('never changes what was sealed', async () => {
    for (const [month, text] of sealed) assert.equal(await writtenMonth(world, month), text, month);
    const { periods, books } = await world.exports.verify(undefined, quiet);
    assert.deepEqual(
      periods.map(({ period, problem }) => [period, problem]),
      MONTHS.map((month) => [month, null]),
    );
    assert.ok(books.entries > 400, `${books.entries} entries`);
  });

  it('has corrected in later months what changed in closed ones', async () => {
    const kinds = [...sealed.values()]
      .join('\n')
      .split('\n')
      .filter((line) => line.includes('"kind":"reversal"'));
    assert.ok(kinds.length >= 6, `${kinds.length} reversals`);
  });

  it('adds up month by month to the same as all at once', async () => {
    const months = [...sealed.values(), await writtenMonth(world, '2027-05')];
    assert.deepEqual(sumsOf(months), whole);
  });

  it('holds the money that the ledger says has moved, to the minor unit', async () => {
    const rows = await world.store.db
      .selectFrom('transactions')
      .select(['direction', 'currency', 'amount_minor'])
      .where('deleted_at', 'is', null)
      .execute();
    const moved: Record<string, number> = {};
    for (const { direction, currency, amount_minor } of rows) {
      moved[currency ?? ''] = (moved[currency ?? ''] ?? 0) + (direction === 'income' ? 1 : -1) * (amount_minor ?? 0);
    }
    const deposits = sumsUnder(whole, 'Liabilities:Security-Deposits');
    const assets = sumsUnder(whole, 'Assets:');
    for (const currency of CURRENCIES) {
      // Deposits are no entries of the ledger: what is held of them lies in the clearing accounts too, and what was kept.
      const kept = await keptDeposits(world, currency);
      assert.equal((assets[currency] ?? 0) + (deposits[currency] ?? 0) - kept, moved[currency], currency);
    }
  });

  it('owes guests the deposits that are not settled, and nothing in advance of what is over', async () => {
    const rows = await world.store.db
      .selectFrom('stays')
      .select(['channel_type', 'deposit_currency', 'deposit_pending_refund_minor'])
      .where('deposit_pending_refund_minor', '>', 0)
      .execute();
    const owed: Record<string, number> = {};
    for (const { channel_type, deposit_currency, deposit_pending_refund_minor } of rows) {
      if (channel_type === 'marketplace_c' || deposit_currency === null) continue;
      owed[deposit_currency] = (owed[deposit_currency] ?? 0) - (deposit_pending_refund_minor ?? 0);
    }
    assert.deepEqual(sumsUnder(whole, 'Liabilities:Security-Deposits'), owed);
    assert.deepEqual(sumsUnder(whole, 'Liabilities:Guest-Advances'), {});
  });

  describeWith(PROGRAMS, 'the programs of the books', () => {
    for (const book of BOOKS) {
      it(`${book} takes it, and holds the same on every account, to the minor unit`, async () => {
        const { files, target } = await world.exports.run({ job: book, from: '2027', to: LAST_DAY }, quiet);
        const text = readFileSync(join(target, files[0]?.name ?? ''), 'utf8');
        await assertInOrder(book, text);
        assert.deepEqual(await balancesOf[book](text), decimals(whole));
      });
    }
  });
});

/** What was kept of deposits: of holds it comes in on its own. */
async function keptDeposits({ store }: LedgerWorld, currency: string): Promise<number> {
  const rows = await store.db
    .selectFrom('stays')
    .select(['deposit_deducted_minor'])
    .where('deposit_currency', '=', currency)
    .execute();
  return rows.reduce((sum, row) => sum + (row.deposit_deducted_minor ?? 0), 0);
}

/** As programs write them. */
function decimals(balances: ReadonlyMap<string, number>): Balances {
  return Object.fromEntries([...balances].map(([key, sum]) => [key, plain(decimalText(sum, key.slice(-3)))]));
}
