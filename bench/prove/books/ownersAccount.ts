import assert from 'node:assert/strict';
import { inThread } from '../../../src/exports/run/thread.ts';
import { addDays } from '../../../src/kernel/dates.ts';
import { seededDice } from '../../../src/kernel/seeded.ts';
import { type LedgerWorld, openLedger } from '../../../test/exports/support/ledger.ts';
import { goTo, live, ownersBook, writtenMonth } from '../../../test/exports/support/life.ts';
import { checkMonth, checkTwice, JOBS, movedBy } from './checkMonth.ts';

const MONTHS = Array.from({ length: 12 }, (_, month) => `2027-${String(month + 1).padStart(2, '0')}`);
/** Corrections of the last month stand in it. */
const AFTER = '2028-01';
const SEED = 8;
const WITH_CODES = [...JOBS, 'xero'];

/**
 * A year of an account of owners in four currencies, with deposits, refunds, late edits, deletions and stays of several
 * rooms, each month closed and changed afterwards: every month in every format, and nothing sealed ever changes.
 */
export async function proveOwnersAccount(reservationsAMonth: number, say: (line: string) => void): Promise<void> {
  const begun = performance.now();
  const world = await openLedger({ settings: ownersBook, now: `${MONTHS[0]}-03T10:00:00.000Z`, carryOut: inThread });
  try {
    const sealed = await live(world, seededDice(SEED), { months: MONTHS, reservationsAMonth });
    goTo(world, addDays(`${AFTER}-01`, 30));
    const codes = await giveCodes(world);
    const run = async (job: string, from: string, to: string) => {
      const { files, target } = await world.exports.run({ job, from, to }, () => {});
      return { folder: target, files };
    };
    let [entries, postings] = [0, 0];
    const all = [];
    for (const month of [...MONTHS, AFTER]) {
      if (sealed.has(month)) assert.equal(await writtenMonth(world, month), sealed.get(month), month);
      const checked = await checkMonth(run, month, codes);
      entries += checked.entries;
      postings += checked.postings;
      for (const [key, minor] of checked.moved) all.push({ account: key.slice(0, -4), currency: key.slice(-3), minor });
    }
    await checkTwice(run, WITH_CODES, '2027', '2027-12-31');
    const { clean, periods, books } = await world.exports.verify(undefined, () => {});
    assert.deepEqual(
      periods.filter(({ problem }) => problem !== null),
      [],
    );
    const moved = movedBy(all);
    await checkMoney(world.store.db, moved);
    say(
      `- books of owners, EUR, USD, JPY, KWD: ${entries} entries, ${postings} postings of 13 months; hledger, ledger and bean-check accept each, and all hold the same on ${moved.size} accounts, which is what the ledger moved; CSV and XLSX without formulas, OFX by ofxdump and Parquet by hyparquet equal line by line; QuickBooks, IIF and Xero with the same sums, every journal of Xero coming to nothing; two runs the same bytes in ${WITH_CODES.length} formats; 12 sealed months unchanged by ${MONTHS.length * 3} later changes (books ${clean ? 'clean' : `with ${books.exceptionCount} remarks`}); ${((performance.now() - begun) / 1_000).toFixed(0)} s`,
    );
  } finally {
    await world.close();
  }
}

/** Does what `export map --for xero` proposes. @returns accounts by their codes */
async function giveCodes(world: LedgerWorld): Promise<Map<string, string>> {
  await world.exports.book(undefined, () => {});
  const { accounts } = await world.exports.map({ for: 'xero' });
  const chart = accounts.map(({ account, code }) => [account, { title: null, code, tax: null }] as const);
  world.settings = { ...world.settings, chart: Object.fromEntries(chart) };
  return new Map(accounts.map(({ account, code }) => [code ?? '', account]));
}

type Db = Awaited<ReturnType<typeof openLedger>>['store']['db'];

/** What lies on accounts of money is what the ledger says has come and gone, and what is held or was kept of deposits. */
async function checkMoney(db: Db, moved: ReadonlyMap<string, bigint>): Promise<void> {
  const under = (start: string, currency: string) =>
    [...moved].reduce((sum, [key, minor]) => (key.startsWith(start) && key.endsWith(currency) ? sum + minor : sum), 0n);
  const rows = await db
    .selectFrom('transactions')
    .select(['direction', 'currency', 'amount_minor'])
    .where('deleted_at', 'is', null)
    .execute();
  const kept = await db.selectFrom('stays').select(['deposit_currency', 'deposit_deducted_minor']).execute();
  for (const currency of ['EUR', 'USD', 'JPY', 'KWD']) {
    const ledger = rows
      .filter((row) => row.currency === currency)
      .reduce((sum, row) => sum + BigInt((row.direction === 'income' ? 1 : -1) * (row.amount_minor ?? 0)), 0n);
    const deducted = kept
      .filter((row) => row.deposit_currency === currency)
      .reduce((sum, row) => sum + BigInt(row.deposit_deducted_minor ?? 0), 0n);
    const held = under('Assets:', currency) + under('Liabilities:Security-Deposits', currency) - deducted;
    assert.equal(held, ledger, currency);
  }
}
