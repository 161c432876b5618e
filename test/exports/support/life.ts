import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays } from '../../../src/kernel/dates.ts';
import type { Dice } from '../../../src/kernel/seeded.ts';
import { bookWith, type EntryDraft, type LedgerWorld, type StayDraft } from './ledger.ts';

export const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD'] as const;

/** Two owners and a house of the operator's own; channels that net their commission, and one that does not. */
export const ownersBook = bookWith({
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

/** How much happens. */
export interface LifeSize {
  /** `2027-01`, one after the other. */
  readonly months: readonly string[];
  readonly reservationsAMonth: number;
}

/**
 * Months in the life of an account: payments, deposits, refunds and costs; every month is closed after its end, and
 * then something in it changes.
 * @returns what each month was as JSON lines when it had been closed
 */
export async function live(
  world: LedgerWorld,
  dice: Dice,
  { months, reservationsAMonth }: LifeSize,
): Promise<Map<string, string>> {
  const sealed = new Map<string, string>();
  for (const [id, name] of ['House', 'Hut', '=cmd()', 'Barn'].entries()) await world.property(id + 1, name);
  let nextId = 1;
  for (const [index, month] of months.entries()) {
    goTo(world, `${month}-03`);
    const stays = newStays(dice, month, reservationsAMonth);
    for (const one of stays) await world.stay(one);
    const entries = stays.flatMap((one) => ledgerOf(dice, one)).map((one) => ({ ...one, id: nextId++ }));
    await world.entry(...entries);
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
    await world.reconciled();
    await world.exports.close({ period: month, soft: false }, () => {});
    sealed.set(month, await writtenMonth(world, month));
    await changeAfterwards(world, { entries, month, before: months[Math.max(0, index - 1)] ?? month });
  }
  return sealed;
}

/** Late edits, a deletion, and a move to another month. */
async function changeAfterwards(
  world: LedgerWorld,
  { entries, month, before }: { entries: readonly EntryDraft[]; month: string; before: string },
): Promise<void> {
  const [edited, deleted, moved] = entries.filter((one) => one.date.startsWith(month));
  if (edited) await world.entry({ ...edited, amount: edited.amount + 7 });
  if (deleted) await world.remove(deleted.id);
  if (moved) await world.entry({ ...moved, date: `${before}-17` });
}

/** The month as it is now, as JSON lines. */
export async function writtenMonth(world: LedgerWorld, month: string): Promise<string> {
  const { files, target } = await world.exports.run({ job: 'jsonl', from: month, to: month }, () => {});
  return readFileSync(join(target, files[0]?.name ?? ''), 'utf8');
}

export function goTo(world: LedgerWorld, date: string): void {
  world.clock.jump(Date.parse(`${date}T10:00:00.000Z`) - world.clock.now());
}

function newStays(dice: Dice, month: string, count: number): StayDraft[] {
  return Array.from({ length: count }, (_, at) => {
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
): Omit<EntryDraft, 'id'>[] {
  const base = { code, currency };
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
