import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { exponentOf } from '../../src/kernel/money.ts';
import { addDays } from '../../src/kernel/dates.ts';
import { type Dice, seededDice } from '../../src/kernel/seeded.ts';
import { ran } from './formats/tools.ts';
import { bookWith, type EntryDraft, type LedgerWorld, openLedger, type StayDraft } from './support/ledger.ts';

const quiet = () => {};
const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD'] as const;
const MONTHS = ['2027-01', '2027-02', '2027-03', '2027-04'] as const;
const LAST_DAY = '2027-05-31';
const BOOKINGS_A_MONTH = 12;

/** Two owners and a house of the operator's own; channels that net their commission, and one that does not. */
const settings = bookWith({
  classes: { accommodation: { recognition: 'nightly' }, cleaning: { recognition: 'check_out' } },
  channels: {
    marketplace_a: { deposits: 'charge' },
    marketplace_c: { deposits: 'hold', commission: 'billed', occupancy_tax: 'collected' },
    direct: { deposits: 'charge' },
  },
  properties: {
    1: { owner: 'smith', contract: 'full' },
    2: { owner: 'smith', contract: 'full' },
    3: { owner: 'jones', contract: 'light' },
  },
  owners: { smith: { name: 'A. Smith' }, jones: { name: 'B. Jones' } },
  contracts: {
    full: { mode: 'agent', percent: '22.5', of: 'gross', kept: ['cleaning'] },
    light: { mode: 'agent', percent: '12', of: 'net', per_stay: '15' },
  },
});

/** Four months in the life of an account: every month is closed after its end, and then something in it changes. */
async function live(world: LedgerWorld, dice: Dice): Promise<{ sealed: Map<string, string> }> {
  const sealed = new Map<string, string>();
  const entries: EntryDraft[] = [];
  for (const [id, name] of ['House', 'Hut', '=cmd()', 'Barn'].entries()) await world.property(id + 1, name);
  for (const [index, month] of MONTHS.entries()) {
    goTo(world, `${month}-03`);
    const stays = newStays(dice, month);
    for (const one of stays) await world.stay(one);
    const fresh = stays.flatMap((one) => ledgerOf(dice, one, entries.length + 1_000 * (index + 1)));
    await world.entry(...fresh.map((one, at) => ({ ...one, id: 10_000 * (index + 1) + at })));
    entries.push(...fresh.map((one, at) => ({ ...one, id: 10_000 * (index + 1) + at })));
    goTo(world, `${month}-15`);
    const held = stays.filter((one) => one.status === 'accepted' && dice.percent(50));
    for (const one of held) await world.stay({ ...one, deposit: { paid: 20_000, pending: 20_000 } });
    goTo(world, `${month}-28`);
    for (const one of held.filter(() => dice.percent(70))) {
      const deducted = dice.percent(30) ? 5_000 : 0;
      const pending = dice.percent(50) ? 0 : 20_000 - deducted;
      await world.stay({ ...one, deposit: { paid: 20_000, deducted, pending } });
    }
    goTo(world, `${addDays(`${month}-28`, 5).slice(0, 7)}-02`);
    await world.swept();
    await world.exports.close({ period: month, soft: false }, quiet);
    sealed.set(month, await written(world, month));
    // Late edits, a deletion, and a move to another month.
    const old = entries.filter((one) => one.date.startsWith(month)).slice(0, 3);
    const [edited, deleted, moved] = old;
    if (edited) await world.entry({ ...edited, amount: edited.amount + 7 });
    if (deleted) await world.remove(deleted.id);
    if (moved) await world.entry({ ...moved, date: `${month.slice(0, 5)}${month.slice(5) === '01' ? '02' : '01'}-17` });
  }
  goTo(world, LAST_DAY);
  return { sealed };
}

function goTo(world: LedgerWorld, date: string): void {
  world.clock.jump(Date.parse(`${date}T10:00:00.000Z`) - world.clock.now());
}

function newStays(dice: Dice, month: string): StayDraft[] {
  return Array.from({ length: BOOKINGS_A_MONTH }, (_, at) => {
    const code = `${month.replace('-', '')}-${at}`;
    const from = `${month}-${String(dice.between(4, 20)).padStart(2, '0')}`;
    const currency = dice.pick(CURRENCIES);
    const channel = dice.pick(['direct', 'marketplace_a', 'marketplace_c']);
    const isCancelled = dice.percent(20);
    const rooms = dice.percent(25) ? 2 : 1;
    const common = {
      code,
      from,
      to: addDays(from, dice.between(1, 9)),
      currency,
      channel,
      status: isCancelled ? 'cancelled' : 'accepted',
      ...(isCancelled && { cancelled: addDays(from, -1) }),
    };
    return Array.from({ length: rooms }, (__, room) => ({
      ...common,
      stay: rooms === 1 ? code : `${code}-${room + 1}`,
      property: dice.between(1, 4),
      rate: dice.between(10_000, 300_000),
      commission: channel === 'direct' ? 0 : dice.between(100, 9_999),
      tax: dice.between(0, 999),
    }));
  }).flat();
}

/** A payment or two, a refund now and then, and what the house costs. */
function ledgerOf(
  dice: Dice,
  { code, from, currency = 'EUR', rate = 0, property = 1 }: StayDraft,
  id: number,
): EntryDraft[] {
  const base = { id, code, currency };
  const day = (days: number) => addDays(from, days);
  return [
    { ...base, amount: rate - 999, date: day(-dice.between(1, 3)), method: dice.pick([21, 22]) },
    ...(dice.percent(60)
      ? [{ ...base, item: 2, amount: dice.between(1_000, 9_000), date: day(dice.between(-2, 6)) }]
      : []),
    ...(dice.percent(30)
      ? [{ ...base, direction: 'expense' as const, item: 11, amount: 997, date: day(dice.between(-1, 8)) }]
      : []),
    ...(dice.percent(30)
      ? [
          {
            id,
            property,
            direction: 'expense' as const,
            item: 14,
            currency,
            amount: dice.between(1, 5_000),
            date: day(2),
          },
        ]
      : []),
  ];
}

async function written(world: LedgerWorld, month: string): Promise<string> {
  const { files, target } = await world.exports.run({ job: 'jsonl', from: month, to: month }, quiet);
  return readFileSync(join(target, files[0]?.name ?? ''), 'utf8');
}

/** Each account's balance in minor units, by `account currency`. */
function balancesOf(texts: readonly string[]): Map<string, number> {
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
    world = await openLedger({ settings, now: '2027-01-03T10:00:00.000Z' });
    ({ sealed } = await live(world, seededDice(6)));
    const { files, target } = await world.exports.run({ job: 'jsonl', from: '2027', to: LAST_DAY }, quiet);
    whole = balancesOf([readFileSync(join(target, files[0]?.name ?? ''), 'utf8')]);
  });
  after(() => world.close());

  it('never changes what was sealed', async () => {
    for (const [month, text] of sealed) assert.equal(await written(world, month), text, month);
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
    const months = [...sealed.values(), await written(world, '2027-05')];
    assert.deepEqual(balancesOf(months), whole);
  });

  it('holds the money that the ledger says has moved, to the minor unit', async () => {
    const rows = await world.store.db
      .selectFrom('transactions')
      .select(['direction', 'currency', 'amount_minor'])
      .where('deleted_at', 'is', null)
      .execute();
    const moved: Record<string, number> = {};
    for (const { direction, currency, amount_minor } of rows) {
      moved[currency] = (moved[currency] ?? 0) + (direction === 'income' ? 1 : -1) * (amount_minor ?? 0);
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

  for (const [program, args] of [
    ['hledger', (file: string) => ['-f', file, 'check', '--strict', 'ordereddates']],
    ['ledger', (file: string) => ['-f', file, '--strict', '--pedantic', 'balance']],
    ['beancount', (file: string) => [file]],
  ] as const) {
    it(`is accepted by ${program}, with the same balances`, async () => {
      const { files, target } = await world.exports.run({ job: program, from: '2027', to: LAST_DAY }, quiet);
      const text = readFileSync(join(target, files[0]?.name ?? ''), 'utf8');
      const checked = await ran(program === 'beancount' ? 'bean-check' : program, text, args);
      assert.equal(checked.code, 0, checked.err);
      if (program !== 'hledger') return;
      const { out } = await ran('hledger', text, (file) => [
        '-f',
        file,
        'balance',
        '--flat',
        '-N',
        '-O',
        'csv',
        '--layout=bare',
      ]);
      assert.deepEqual(balancesFromCsv(out), whole);
    });
  }
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

function balancesFromCsv(csv: string): Map<string, number> {
  const rows = csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.replaceAll('"', '').split(','))
    .map(([account = '', currency = '', amount = '']) => {
      const key = `${account} ${currency}`;
      return [key, Math.round(Number(amount) * 10 ** exponentOf(currency))] as const;
    });
  return new Map(rows.filter(([, sum]) => sum !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
