import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { FormatOptions } from '../../../src/exports/formats/format.ts';
import { pairsOf } from '../../../src/exports/formats/writing/pairs.ts';
import type { Journal, Posting } from '../../../src/exports/journal/entry.ts';
import { toMinor } from '../../../src/kernel/money.ts';
import { hostileJournal, SPREADSHEET_FORMULA } from './hostile.ts';
import { entryOf, journalOf, lifelikeEntries } from './journals.ts';
import { OPTIONS, takenBy } from './taken.ts';
import { writtenBy } from './written.ts';

const CLIENT = OPTIONS['datev'] ?? {};
const entries = takenBy('datev', lifelikeEntries(400));
const journal = journalOf({ entries });

interface Batch {
  part: string;
  header: string[];
  rows: Record<string, string>[];
}

/** Files as DATEV reads them: two lines of heads, then bookings, each with every column. */
async function batches(of: Journal, options: FormatOptions = CLIENT): Promise<Batch[]> {
  return (await writtenBy('datev', of, options)).map(({ part, bytes }) => {
    const text = bytes.toString('latin1');
    assert.ok(text.endsWith('\r\n') && !/[^\r]\n/.test(text), 'lines end as those of Windows');
    const [header = [], columns = [], ...rows] = parse(text, {
      delimiter: ';',
      relax_column_count: true,
      record_delimiter: '\r\n',
    });
    assert.equal(header.length, 31);
    assert.equal(columns.length, 125);
    return {
      part,
      header,
      rows: rows.map((row) => {
        assert.equal(row.length, columns.length);
        return Object.fromEntries(columns.map((name, index) => [name, row[index] ?? '']));
      }),
    };
  });
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

function without0(sums: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe('datev', () => {
  it('moves each account of each month by what the journal moves it by, in batches of one month and currency', async () => {
    const codes = new Map(journal.accounts.map(({ name, code }) => [name, code]));
    const expected = new Map<string, number>();
    for (const { date, postings } of entries) {
      for (const { account, amount, currency } of postings) {
        add(expected, `${currency}-${date.slice(0, 7)} ${codes.get(account)}`, amount);
      }
    }
    const found = new Map<string, number>();
    const files = await batches(journal);
    assert.equal(files.length, 36);
    for (const { part, header, rows } of files) {
      const [currency, month] = [part.slice(0, 3), part.slice(4)];
      assert.deepEqual(header.slice(0, 5), ['EXTF', '700', '21', 'Buchungsstapel', '13']);
      assert.deepEqual(header.slice(10, 13), ['29098', '55003', '20260101']);
      assert.deepEqual(
        [header[13], header[14], header[15]?.slice(0, 6), header[21]],
        ['4', `${month.replace('-', '')}01`, month.replace('-', ''), currency],
      );
      for (const row of rows) {
        assert.match(row['Umsatz (ohne Soll/Haben-Kz)'] ?? '', /^\d{1,10},\d{2}$/);
        assert.match(row['Belegdatum'] ?? '', new RegExp(`^\\d\\d${month.slice(5)}$`));
        assert.match(row['Belegfeld 1'] ?? '', /^[A-Z0-9]{20}$/);
        assert.deepEqual(
          [row['Soll/Haben-Kennzeichen'], row['WKZ Umsatz'], row['Festschreibung']],
          ['S', currency, '0'],
        );
        const amount = toMinor((row['Umsatz (ohne Soll/Haben-Kz)'] ?? '').replace(',', '.'), 'EUR') ?? Number.NaN;
        const minor = currency === 'JPY' ? amount / 100 : amount;
        const [account = '', against = ''] = [row['Konto'], row['Gegenkonto (ohne BU-Schlüssel)']];
        assert.notEqual(account, against);
        add(found, `${part} ${account}`, minor);
        add(found, `${part} ${against}`, -minor);
      }
    }
    assert.deepEqual(without0(found), without0(expected));
  });

  it('says of each booking what it is of: the entry, the reservation, and the property as cost centre', async () => {
    const [first] = await batches(journal);
    const row = first?.rows[0] ?? {};
    assert.deepEqual(
      [row['Buchungstext'], row['Beleginfo - Art 1'], row['Beleginfo - Inhalt 1'], row['KOST1 - Kostenstelle']],
      ['t0-1 Accommodation', 'Entry', 't0-1', 'P101'],
    );
    assert.deepEqual([row['Beleginfo - Art 2'], row['Beleginfo - Inhalt 2']], ['Reservation', 'R1000']);
  });

  it('knows the business year, the chart and whether it is final', async () => {
    const options = { ...CLIENT, year_starts_in: '07', chart: '03', final: 'yes' };
    const files = await batches(journal, options);
    assert.deepEqual(
      files.slice(5, 7).map(({ header }) => [header[12], header[20], header[26]]),
      [
        ['20250701', '1', '03'],
        ['20260701', '1', '03'],
      ],
    );
    assert.equal(files[0]?.rows[0]?.['Festschreibung'], '1');
  });

  it('begins another file where a month has more bookings than one may have', async () => {
    const postings = [
      { account: 'Assets:Bank', amount: 5, currency: 'EUR', propertyId: null },
      { account: 'Income:I3', amount: -5, currency: 'EUR', propertyId: null },
    ];
    const many = Array.from({ length: 100_001 }, (_, index) =>
      entryOf({ id: `t${index}-1`, date: '2026-01-01', postings, reference: 'X' }),
    );
    const files = await writtenBy('datev', journalOf({ entries: many }), CLIENT);
    assert.deepEqual(
      files.map(({ part, bytes }) => [part, bytes.toString('latin1').split('\r\n').length]),
      [
        ['EUR-2026-01', 2 + 99_999 + 1],
        ['EUR-2026-01-2', 2 + 2 + 1],
      ],
    );
  });

  it('refuses what DATEV would not take, and says what to do', async () => {
    const one = (amount: number, currency: string, account = 'Income:I3') =>
      journalOf({
        entries: [
          entryOf({
            id: 't1-1',
            date: '2026-01-01',
            postings: [
              { account: 'Assets:Bank', amount, currency, propertyId: null },
              { account, amount: -amount, currency, propertyId: null },
            ],
          }),
        ],
      });
    await assert.rejects(writtenBy('datev', journal, {}), /options\.consultant of format datev: missing/);
    await assert.rejects(
      writtenBy('datev', journal, { ...CLIENT, client: '0' }),
      /options\.client .* one to five digits/,
    );
    await assert.rejects(
      writtenBy('datev', journal, { ...CLIENT, account_length: '6' }),
      /the number 1000 of .* does not have 6 digits, nor 7/,
    );
    await assert.rejects(writtenBy('datev', journalOf({ entries, codes: false }), CLIENT), /number of every account/);
    await assert.rejects(writtenBy('datev', one(1_001, 'KWD'), CLIENT), /t1-1.*1\.001 KWD has more/);
    assert.equal((await batches(one(1_010, 'KWD')))[0]?.rows[0]?.['Umsatz (ohne Soll/Haben-Kz)'], '1,01');
    await assert.rejects(writtenBy('datev', one(10 ** 12, 'EUR'), CLIENT), /room for 10 digits/);
    await assert.rejects(writtenBy('datev', one(5, 'EUR', 'Assets:Bank'), CLIENT), /moves money within one account/);
  });

  it('S25: keeps rows and columns whatever a text holds, and has no cell that a spreadsheet would run', async () => {
    const { journal: hostile, texts } = hostileJournal();
    const rows = (await batches(hostile)).flatMap((batch) => batch.rows);
    assert.equal(rows.length, texts.length);
    for (const row of rows) {
      for (const cell of Object.values(row)) assert.ok(!SPREADSHEET_FORMULA.test(cell), JSON.stringify(cell));
      assert.ok((row['Buchungstext'] ?? '').length <= 60);
    }
  });
});

describe('pairs of postings', () => {
  const postings = fc
    .array(
      fc.record({
        account: fc.constantFrom('Assets:Bank', 'Assets:Clearing:A', 'Income:I3', 'Expenses:Fee'),
        amount: fc.integer({ min: -1_000, max: 1_000 }).filter((amount) => amount !== 0),
        propertyId: fc.option(fc.integer({ min: 1, max: 3 })),
      }),
      { minLength: 1, maxLength: 8 },
    )
    .map((all): Posting[] => {
      const rest = -all.reduce((sum, { amount }) => sum + amount, 0);
      const last = { account: 'Liabilities:Guest-Advances', amount: rest, propertyId: null };
      return [...all, ...(rest === 0 ? [] : [last])].map((one) => ({ ...one, currency: 'EUR' }));
    });

  /** The target has one account for two of ours. */
  const nameOf = (account: string) => (account.startsWith('Assets:') ? '1200' : account);

  it('give each account what it has, by amounts above zero, never from an account to itself', () => {
    fc.assert(
      fc.property(postings, (all) => {
        const pairs = pairsOf(all, nameOf);
        if (!pairs) return assert.equal(new Set(all.map(({ account }) => nameOf(account))).size, 1);
        const [expected, found] = [new Map<string, number>(), new Map<string, number>()];
        for (const { account, amount } of all) add(expected, nameOf(account), amount);
        for (const { debit, credit, amount } of pairs) {
          assert.ok(amount > 0);
          assert.notEqual(debit, credit);
          add(found, debit, amount);
          add(found, credit, -amount);
        }
        assert.deepEqual(without0(found), without0(expected));
      }),
    );
  });
});
