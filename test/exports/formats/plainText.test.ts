import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { FormatOptions } from '../../../src/exports/formats/format.ts';
import type { Journal, JournalEntry } from '../../../src/exports/journal/entry.ts';
import { decimalText } from '../../../src/kernel/money.ts';
import { hostileText, payloads } from './hostile.ts';
import { entryOf, journalOf, lifelikeEntries, sumsOf } from './journals.ts';
import { describeWith, ran } from './tools.ts';
import { textBy } from './written.ts';

/** What each program is asked: whether the file is in order, and what every account holds. */
const books = {
  hledger: {
    program: 'hledger',
    check: (file: string) => ['check', '-f', file, '--strict', 'ordereddates'],
  },
  ledger: {
    program: 'ledger',
    check: (file: string) => ['--args-only', '-f', file, '--strict', '--pedantic', 'balance'],
  },
  beancount: {
    program: 'bean-check',
    check: (file: string) => ['-C', file],
  },
} as const;
const PROGRAMS = ['hledger', 'ledger', 'bean-check', 'bean-query'];
type Book = keyof typeof books;
const BOOKS = Object.keys(books) as Book[];

async function assertInOrder(book: Book, text: string): Promise<void> {
  const { program, check } = books[book];
  const { code, out, err } = await ran(program, text, check);
  const complaints = book === 'ledger' ? err : out + err;
  assert.deepEqual({ code, complaints }, { code: 0, complaints: '' }, `${book}\n${err.slice(0, 2_000)}`);
}

async function checkAll(journal: Journal, options: FormatOptions = {}): Promise<void> {
  await Promise.all(BOOKS.map(async (book) => assertInOrder(book, await textBy(book, journal, options))));
}

/** Account and currency with the sum as exact text, zeros left out. */
type Balances = Record<string, string>;

function expected(entries: readonly JournalEntry[]): Balances {
  const sums = [...sumsOf(entries)].filter(([, sum]) => sum !== 0n);
  return Object.fromEntries(sums.map(([key, sum]) => [key, plain(decimalText(sum, key.slice(-3)))]));
}

/** Without zeros at the end, since programs write as many decimals as they like. */
function plain(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/0+$/, '').replace(/\.$/, '') : decimal;
}

async function balancesOfHledger(text: string): Promise<Balances> {
  const { out, code, err } = await ran('hledger', text, (file) => ['balance', '-f', file, '--flat', '-N', '-O', 'csv']);
  assert.equal(code, 0, err);
  const rows = parse(out) as string[][];
  return added(
    rows.slice(1).flatMap(([account = '', amounts = '']) =>
      amounts.split(', ').map((one) => {
        const [amount = '', currency = ''] = one.split(' ');
        return { account, amount, currency };
      }),
    ),
  );
}

async function balancesOfLedger(text: string): Promise<Balances> {
  const { out, code, err } = await ran('ledger', text, (file) => [
    '--args-only',
    '-f',
    file,
    '--strict',
    '--pedantic',
    'register',
    '--format',
    '%(account)\\t%(quantity(amount))\\t%(commodity(amount))\\n',
  ]);
  assert.equal(code, 0, err);
  return added(
    out
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([account = '', amount = '', currency = '']) => ({ account, amount, currency })),
  );
}

async function balancesOfBeancount(text: string): Promise<Balances> {
  const query = 'select account, str(sum(number)), currency group by account, currency';
  const { out, code, err } = await ran('bean-query', text, (file) => ['-q', '-f', 'csv', file, query]);
  assert.equal(code, 0, err);
  const rows = parse(out, { trim: true }) as string[][];
  return added(
    rows.slice(1).map(([account = '', amount = '', currency = '']) => {
      return { account, amount: amount.replace(/^Decimal\('(.*)'\)$/, '$1'), currency };
    }),
  );
}

/** Sums whole ten-thousandths, as no currency has finer ones. */
function added(rows: readonly { account: string; amount: string; currency: string }[]): Balances {
  const sums = new Map<string, bigint>();
  for (const { account, amount, currency } of rows) {
    const [whole = '', fraction = ''] = amount.replaceAll(',', '').split('.');
    const key = `${account.trim()} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(whole + fraction.padEnd(4, '0').slice(0, 4)));
  }
  return Object.fromEntries(
    [...sums].filter(([, sum]) => sum !== 0n).map(([key, sum]) => [key, plain(decimalText(sum, 'CLF'))]),
  );
}

describeWith(PROGRAMS, 'journals for hledger, ledger and beancount', () => {
  const entries = lifelikeEntries(400);
  const journal = journalOf({ entries });

  for (const book of BOOKS) {
    it(`${book} finds a year in four currencies in order`, async () => {
      await assertInOrder(book, await textBy(book, journal));
    });
  }

  it('the three hold the same balances, those of the journal, to the smallest unit', async () => {
    const sums = expected(entries);
    assert.ok(Object.keys(sums).length > 20);
    const found = await Promise.all([
      balancesOfHledger(await textBy('hledger', journal)),
      balancesOfLedger(await textBy('ledger', journal)),
      balancesOfBeancount(await textBy('beancount', journal)),
    ]);
    for (const one of found) assert.deepEqual(one, sums);
  });

  it('one cent too many is found by each, so that the checks above say something', async () => {
    const [first, ...others] = entries;
    assert.ok(first);
    const [posting, ...rest] = first.postings;
    assert.ok(posting);
    const wrong = { ...first, postings: [{ ...posting, amount: posting.amount + 1 }, ...rest] };
    const broken = journalOf({ entries: [wrong, ...others] });
    for (const book of BOOKS) {
      await assert.rejects(assertInOrder(book, await textBy(book, broken)), assert.AssertionError, book);
    }
  });

  it('with openings as an entry, a month stands on its own and its closing balances are asserted', async () => {
    const openings = [
      { account: 'Assets:Clearing:Direct', currency: 'EUR', opening: 123_456n },
      { account: 'Liabilities:Guest-Advances', currency: 'EUR', opening: -23_456n },
      { account: 'Assets:Bank:Main', currency: 'JPY', opening: 700n },
    ];
    const month = journalOf({ entries: entries.filter(({ date }) => date < '2026-02-01'), openings });
    await checkAll(month, { openings: 'entry' });
    const text = await textBy('beancount', month, { openings: 'entry' });
    assert.match(text, /2027-01-01 balance Assets:Bank:Main {2}700 JPY/);
    assert.doesNotMatch(await textBy('beancount', month), / balance /);
  });

  it('without any entry the file is in order too', async () => {
    await checkAll(journalOf({ entries: [] }));
  });

  it('an account name that a program could not take is refused, never altered', async () => {
    for (const name of [
      'Income:住宿费',
      'income:x',
      'Income:a_b',
      'Income:X\n2026-01-01 * x',
      'Income',
      'Assets:',
      'Assets: X',
    ]) {
      const odd = journalOf({ entries: [simple('t1-1', {}, name)] });
      for (const book of BOOKS) {
        await assert.rejects(textBy(book, odd), (error: Error) => error.message.includes(JSON.stringify(name)));
      }
    }
    const letters = ['Income:X住宿费', 'Income:Été-à', 'Income:5star', `Income:${'Long-'.repeat(60)}X`];
    await checkAll(journalOf({ entries: letters.map((name, index) => simple(`t${index}-1`, {}, name)) }));
  });

  it('refuses settings it does not have, by name', async () => {
    await assert.rejects(textBy('hledger', journal, { opening: 'entry' }), /options\.opening of format hledger/);
    await assert.rejects(textBy('beancount', journal, { openings: 'all' }), /options\.openings of format beancount/);
  });
});

describeWith(PROGRAMS, 'S26: text in journals', () => {
  it('makes no entry, directive, comment, tag or date of payloads, wherever they stand', async () => {
    await assertHarmless(payloads);
  });

  it('whatever the text is, the three read the same entries and the same balances', async () => {
    // One journal of many texts for each run of the programs, which take a while to start.
    const texts = fc.sample(hostileText, { numRuns: 600, seed: 26 });
    await assertHarmless(texts);
  });
});

async function assertHarmless(texts: readonly string[]): Promise<void> {
  const entries = texts.map((text, index) =>
    simple(`t${index}-1`, {
      payee: index % 3 === 0 ? text : '',
      description: text,
      reservation: text,
      stay: text,
      channel: text,
      source: { kind: 'reservation', id: text },
      postings: simple('x', {}).postings.map((posting) => ({ ...posting, memo: text })),
    }),
  );
  const titles = Object.fromEntries(['Assets:Bank:Main', 'Income:I3'].map((name, index) => [name, texts[index] ?? '']));
  const journal = journalOf({ entries, titles, facts: { connection: texts[2] ?? '', zone: texts[3] ?? '' } });
  await checkAll(journal);
  const sums = expected(entries);
  const [hledger, ledger, beancount] = await Promise.all(BOOKS.map((book) => textBy(book, journal)));
  assert.deepEqual(await balancesOfLedger(ledger ?? ''), sums);
  assert.deepEqual(await balancesOfBeancount(beancount ?? ''), sums);
  const { out } = await ran('hledger', hledger ?? '', (file) => ['print', '-f', file, '-O', 'json']);
  const read = JSON.parse(out) as {
    tcode: string;
    tdate: string;
    tpostings: { pdate: unknown; ptags: string[][] }[];
  }[];
  assert.equal(read.length, entries.length);
  for (const [index, one] of read.entries()) {
    assert.deepEqual([one.tdate, one.tpostings.length], ['2026-03-05', 2], texts[index]);
    assert.ok(
      one.tpostings.every(({ pdate }) => pdate === null),
      JSON.stringify(texts[index]),
    );
    const keys = one.tpostings.flatMap(({ ptags }) => ptags.map(([key = '']) => key));
    assert.deepEqual(
      keys.filter((key) => !['memo', 'property'].includes(key)),
      [],
      JSON.stringify(texts[index]),
    );
  }
}

function simple(id: string, more: Partial<JournalEntry>, income = 'Income:I3'): JournalEntry {
  return entryOf({
    id,
    date: '2026-03-05',
    postings: [
      { account: 'Assets:Bank:Main', amount: 1_250, currency: 'KWD', propertyId: 101 },
      { account: income, amount: -1_250, currency: 'KWD', propertyId: null },
    ],
    ...more,
  });
}
