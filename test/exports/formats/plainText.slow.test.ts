import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { FormatOptions } from '../../../src/exports/formats/format.ts';
import type { Journal, JournalEntry } from '../../../src/exports/journal/entry.ts';
import { decimalText } from '../../../src/kernel/money.ts';
import { hostileText, payloads } from './hostile.ts';
import { entryOf, journalOf, lifelikeEntries, sumsOf } from './journals.ts';
import { assertInOrder, type Balances, balancesOf, BOOKS, plain, PROGRAMS } from './programs.ts';
import { describeWith, ran } from './tools.ts';
import { textBy } from './written.ts';

async function checkAll(journal: Journal, options: FormatOptions = {}): Promise<void> {
  await Promise.all(BOOKS.map(async (book) => assertInOrder(book, await textBy(book, journal, options))));
}

function expected(entries: readonly JournalEntry[]): Balances {
  const sums = [...sumsOf(entries)].filter(([, sum]) => sum !== 0n);
  return Object.fromEntries(sums.map(([key, sum]) => [key, plain(decimalText(sum, key.slice(-3)))]));
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
    const found = await Promise.all(BOOKS.map(async (book) => balancesOf[book](await textBy(book, journal))));
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

  it('what was earned and spent before is no income or cost of the days of a file with openings', async () => {
    const openings = [
      { account: 'Assets:Bank:Main', currency: 'EUR', opening: 90_000n },
      { account: 'Income:Accommodation', currency: 'EUR', opening: -100_000n },
      { account: 'Expenses:I13', currency: 'EUR', opening: 10_000n },
    ];
    const month = journalOf({ entries: [], openings });
    for (const book of BOOKS) {
      assert.deepEqual(
        await balancesOf[book](await textBy(book, month, { openings: 'entry' })),
        { 'Assets:Bank:Main EUR': plain('900.00'), 'Equity:Opening-Balances EUR': plain('-900.00') },
        book,
      );
    }
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
  assert.deepEqual(await balancesOf.ledger(ledger ?? ''), sums);
  assert.deepEqual(await balancesOf.beancount(beancount ?? ''), sums);
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
