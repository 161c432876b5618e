import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays, daysBetween, nightsOf } from '../../../src/kernel/dates.ts';
import { splitByWeights } from '../../../src/kernel/money.ts';
import { bookWith, CONNECTION, type LedgerWorld, openLedger, type StayDraft } from '../support/ledger.ts';
import { quiet } from './support.ts';

/** A house of the operator's own (1), one of Smith's (2) and one of Jones's (3), each with what differs. */
const settings = bookWith({
  channels: {
    marketplace_a: { deposits: 'charge' },
    marketplace_c: { deposits: 'hold', commission: 'billed', occupancy_tax: 'collected' },
    direct: { deposits: 'charge' },
  },
  properties: {
    1: { tax_authority: 'City of Lisbon' },
    2: { owner: 'smith', contract: 'full' },
    3: { owner: 'jones', contract: 'light' },
  },
  owners: { smith: { name: 'A. <Smith> & Co' }, jones: { name: 'B. Jones' } },
  contracts: {
    full: { mode: 'agent', percent: '20', of: 'gross', per_stay: '10', kept: ['cleaning'] },
    light: { mode: 'agent', percent: '10', of: 'net' },
  },
});

/**
 * Two months of a small business, for figures that can be worked out by hand. What each comes from stands with its test.
 * Today is 5 April 2027.
 */
export async function openHouse(database?: string): Promise<LedgerWorld> {
  const world = await openLedger({
    settings,
    now: '2027-02-20T10:00:00.000Z',
    ...(database !== undefined && { database }),
  });
  await world.property(1, 'Sea View');
  await world.property(2, 'Hill House');
  await world.property(3, '=Barn');
  for (const stay of STAYS) await world.stay(stay);
  // A hold of 50.00, noticed on 20 February.
  const held = { ...HOLD, deposit: { paid: 5_000, pending: 5_000 } };
  await world.stay(held);
  goTo(world, '2027-03-25');
  await world.stay({ ...WAITS, deposit: { paid: 10_000, pending: 10_000 } });
  await world.stay({ ...SETTLED, deposit: { paid: 8_000, pending: 8_000 } });
  goTo(world, '2027-04-01');
  await world.stay({ ...SETTLED, deposit: { paid: 8_000, deducted: 2_000, pending: 0 } });
  await world.entry(...ENTRIES);
  for (const stay of [B, F]) await addNights(world, stay);
  goTo(world, '2027-04-05');
  await world.reconciled();
  await pay(world, ['2027-03-31,390.00,']);
  return world;
}

function goTo(world: LedgerWorld, date: string): void {
  world.clock.jump(Date.parse(`${date}T10:00:00.000Z`) - world.clock.now());
}

const A: StayDraft = { code: 'AAAAA', property: 1, from: '2027-03-05', to: '2027-03-08', rate: 30_000 };
const B: StayDraft = {
  code: 'BBBBB',
  channel: 'marketplace_a',
  property: 2,
  from: '2027-03-10',
  to: '2027-03-14',
  rate: 40_000,
  commission: 6_000,
  tax: 800,
};
/** Still to come. */
const C: StayDraft = { ...B, code: 'CCCCC', from: '2027-05-01', to: '2027-05-05', rate: 58_800, commission: 8_800 };
const D: StayDraft = {
  code: 'DDDDD',
  property: 1,
  from: '2027-06-01',
  to: '2027-06-03',
  rate: 20_000,
  status: 'cancelled',
  cancelled: '2027-03-15',
};
const E: StayDraft = { ...B, code: 'EEEEE', from: '2027-02-10', to: '2027-02-12', rate: 10_000, commission: 1_500 };
const F: StayDraft = {
  code: 'FFFFF',
  channel: 'marketplace_c',
  property: 1,
  from: '2027-03-20',
  to: '2027-03-22',
  rate: 20_000,
  commission: 3_000,
  tax: 600,
};
const WAITS: StayDraft = { code: 'GGGGG', property: 1, from: '2027-03-25', to: '2027-03-28' };
const SETTLED: StayDraft = { code: 'KKKKK', property: 1, from: '2027-03-29', to: '2027-03-31' };
const HOLD: StayDraft = { code: 'HHHHH', channel: 'marketplace_c', property: 1, from: '2027-02-25', to: '2027-02-27' };
const STAYS = [A, B, C, D, E, F, WAITS, SETTLED];

const expense = { direction: 'expense' as const };
const ENTRIES = [
  { id: 1, code: 'AAAAA', amount: 30_000, date: '2027-02-01' },
  { id: 2, code: 'DDDDD', amount: 10_000, date: '2027-02-10' },
  { id: 3, code: 'EEEEE', method: 22, amount: 8_500, date: '2027-02-11' },
  { id: 10, code: 'BBBBB', method: 22, amount: 34_000, date: '2027-03-12' },
  { id: 11, code: 'BBBBB', method: 22, item: 2, amount: 5_000, date: '2027-03-12' },
  { id: 12, code: 'CCCCC', method: 22, amount: 50_000, date: '2027-04-02' },
  { id: 13, code: 'FFFFF', method: 22, amount: 20_600, date: '2027-03-20' },
  { id: 14, code: 'FFFFF', item: 12, amount: 3_000, date: '2027-04-01', ...expense },
  { id: 20, property: 2, item: 14, amount: 3_500, date: '2027-03-20', ...expense },
  { id: 21, property: 2, item: 15, amount: 15_000, date: '2027-03-28', ...expense },
  { id: 22, property: 3, item: 15, amount: 2_000, date: '2027-03-30', ...expense },
  { id: 23, item: 13, amount: 2_500, date: '2027-03-15', ...expense },
  { id: 24, property: 1, item: 16, amount: 600, date: '2027-04-03', ...expense },
];

/** Holds lines of a bank against the clearing accounts. */
export async function pay(world: LedgerWorld, lines: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-bank-'));
  const path = join(dir, 'bank.csv');
  writeFileSync(path, ['Day,Amount,Text', ...lines, ''].join('\n'));
  const mapping = { text: 'date: Day\namount: Amount\ncurrency: EUR\ntext: [Text]\n', name: 'bank.yaml' };
  const order = { path, mapping, bank: null, accounts: [], days: 60, dryRun: false, accept: 'all' } as const;
  try {
    return await world.exports.match(order, quiet);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** What the mirror keeps of a stay for reports: three guests with channel C, else two. */
export async function addNights({ store }: LedgerWorld, stay: StayDraft): Promise<void> {
  const { code, channel = 'direct', property = 1, from, to, rate = 0, tax = 0, commission = 0 } = stay;
  const nights = daysBetween(from, to);
  const common = { connection: CONNECTION, stay_code: code, property_id: property, channel_type: channel };
  const counted = { status: 'accepted', kind: 'paid', nights, currency: 'EUR', booked_date: addDays(from, -9) };
  await store.db
    .insertInto('stay_figures')
    .values({
      ...common,
      ...counted,
      reservation_code: code,
      channel,
      check_in_date: from,
      check_out_date: to,
      number_of_guests: channel === 'marketplace_c' ? 3 : 2,
      cancelled_date: null,
      lead_days: 9,
      rate_minor: rate,
      rental_minor: rate,
      tax_minor: tax,
      // As upstream tells it: the whole price came in, and less was asked for.
      commission_minor: commission,
      payment_currency: 'EUR',
      payment_total_minor: rate - commission,
      received_minor: rate,
      balance_minor: 0,
    })
    .execute();
  const even = nightsOf(from, to).map(() => 1);
  const rates = splitByWeights(rate, even);
  const taxes = splitByWeights(tax, even);
  const rows = nightsOf(from, to).map((night, index) => ({
    ...common,
    ...counted,
    night,
    night_number: index + 1,
    booked_at: null,
    cancelled_at: null,
    cancelled_date: null,
    rate_minor: rates[index] ?? 0,
    rental_minor: rates[index] ?? 0,
    tax_minor: taxes[index] ?? 0,
  }));
  await store.db.insertInto('stay_nights').values(rows).execute();
}
