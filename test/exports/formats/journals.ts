import { createHash } from 'node:crypto';
import { type AccountType, type Journal, type JournalEntry, type Posting } from '../../../src/exports/journal/entry.ts';
import { addDays } from '../../../src/kernel/dates.ts';

const TYPES: Record<string, AccountType> = {
  Assets: 'asset',
  Liabilities: 'liability',
  Equity: 'equity',
  Income: 'income',
  Expenses: 'expense',
};

/** An entry with what a test does not care about filled in. */
export function entryOf(given: Pick<JournalEntry, 'id' | 'date' | 'postings'> & Partial<JournalEntry>): JournalEntry {
  return {
    reference: referenceOf(given.id),
    originalDate: null,
    kind: 'receipt',
    source: { kind: 'transaction', id: '1' },
    revision: 1,
    corrects: null,
    payee: '',
    description: 'Accommodation',
    reservation: null,
    stay: null,
    channel: null,
    ...given,
  };
}

function referenceOf(id: string): string {
  const digits = [...createHash('sha256').update(id).digest()].map(
    (byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32],
  );
  return digits.slice(0, 20).join('');
}

export interface JournalGiven {
  entries: readonly JournalEntry[];
  facts?: Partial<Journal['facts']>;
  titles?: Record<string, string>;
  codes?: boolean;
  openings?: readonly { account: string; currency: string; opening: bigint }[];
  properties?: Journal['properties'];
}

/** A journal of these entries, summed up as a journal is. */
export function journalOf({ entries, facts, titles, codes = true, openings = [], properties }: JournalGiven): Journal {
  const sorted = entries.toSorted((a, b) => (a.date === b.date ? (a.id < b.id ? -1 : 1) : a.date < b.date ? -1 : 1));
  const sums = new Map<string, { account: string; currency: string; opening: bigint; debit: bigint; credit: bigint }>();
  const at = (account: string, currency: string) => {
    const key = `${account}\n${currency}`;
    const sum = sums.get(key) ?? { account, currency, opening: 0n, debit: 0n, credit: 0n };
    sums.set(key, sum);
    return sum;
  };
  for (const { account, currency, opening } of openings) at(account, currency).opening = opening;
  for (const { postings } of sorted) {
    for (const { account, amount, currency } of postings) {
      const sum = at(account, currency);
      if (amount > 0) sum.debit += BigInt(amount);
      else sum.credit -= BigInt(amount);
    }
  }
  const balances = [...sums.values()]
    .map((sum) => ({ ...sum, closing: sum.opening + sum.debit - sum.credit }))
    .toSorted((a, b) => (`${a.account} ${a.currency}` < `${b.account} ${b.currency}` ? -1 : 1));
  const names = [...new Set(balances.map(({ account }) => account))].toSorted();
  const used = new Set(sorted.flatMap(({ postings }) => postings.map(({ propertyId }) => propertyId)));
  return {
    facts: {
      connection: 'local',
      from: '2026-01-01',
      to: '2026-12-31',
      mode: 'full',
      zone: 'Asia/Tokyo',
      currency: 'EUR',
      entries: sorted.length,
      policyHash: '0'.repeat(64),
      watermark: null,
      locked: [],
      rates: [],
      ...facts,
    },
    accounts: names.map((name, index) => ({
      name,
      type: TYPES[name.split(':')[0] ?? ''] ?? 'asset',
      title: titles?.[name] ?? `Title of ${name}`,
      code: codes ? String(1_000 + index) : null,
      alias: null,
      tax: null,
      isClearing: name.startsWith('Assets:Clearing:'),
    })),
    currencies: [...new Set(balances.map(({ currency }) => currency))].toSorted(),
    properties:
      properties ??
      [...used]
        .filter((id) => id !== null)
        .toSorted((a, b) => a - b)
        .map((id) => ({ id, code: `P${id}`, name: `House ${id}`, owner: null })),
    balances,
    async *entries() {
      yield* sorted;
    },
  };
}

const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD'] as const;
const CHANNELS = ['Marketplace-A', 'Marketplace-B', 'Direct'] as const;

/** Postings of what is received and earned in one currency. */
function stay(index: number, channel: string): Posting[] {
  const currency = CURRENCIES[index % CURRENCIES.length] ?? 'EUR';
  const gross = 10_001 + ((index * 7_919) % 90_000);
  const fee = Math.floor(gross / 7);
  const tax = index % 3 === 0 ? Math.floor(gross / 20) : 0;
  const propertyId = 101 + (index % 5);
  const line = (account: string, amount: number): Posting => ({ account, amount, currency, propertyId });
  return [
    line(`Assets:Clearing:${channel}`, gross - fee),
    line('Expenses:Channel-Commission', fee),
    line('Income:I3', tax - gross),
    ...(tax === 0 ? [] : [line('Liabilities:Occupancy-Tax', -tax)]),
  ];
}

/** A year of many entries in four currencies: receipts, reversals, and payouts that change the currency. */
export function lifelikeEntries(count: number): JournalEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const channel = CHANNELS[index % CHANNELS.length] ?? 'Direct';
    const date = addDays('2026-01-01', Math.floor((index * 365) / count));
    const base = { date, payee: channel.replace('-', ' '), channel, reservation: `R${1_000 + index}` };
    const postings = stay(index, channel);
    if (index % 11 === 7) {
      return entryOf({
        ...base,
        id: `p${index}`,
        kind: 'payout',
        source: { kind: 'payout', id: `p${index}` },
        postings: exchange(channel, index),
      });
    }
    if (index % 13 === 5) {
      const reversed = postings.map((posting) => ({ ...posting, amount: -posting.amount }));
      return entryOf({
        ...base,
        id: `t${index}-1-rev`,
        kind: 'reversal',
        corrects: `t${index}-1`,
        originalDate: '2025-12-31',
        postings: reversed,
      });
    }
    return entryOf({ ...base, id: `t${index}-1`, source: { kind: 'transaction', id: String(index) }, postings });
  });
}

function exchange(channel: string, index: number): Posting[] {
  const line = (account: string, amount: number, currency: string): Posting => ({
    account,
    amount,
    currency,
    propertyId: null,
  });
  return [
    line('Assets:Bank:Main', 9_000 + index, 'EUR'),
    line('Equity:Conversion', -9_000 - index, 'EUR'),
    line(`Assets:Clearing:${channel}`, -10_000 - index, 'USD'),
    line('Equity:Conversion', 10_000 + index, 'USD'),
  ];
}

/** Sum of each account and currency as exact minor units, of the entries alone. */
export function sumsOf(entries: readonly JournalEntry[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { postings } of entries) {
    for (const { account, amount, currency } of postings) {
      const key = `${account} ${currency}`;
      sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount));
    }
  }
  return sums;
}
