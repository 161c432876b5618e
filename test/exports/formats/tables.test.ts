import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Journal } from '../../../src/exports/journal/entry.ts';
import { decimalText, toMinor } from '../../../src/kernel/money.ts';
import { hostileJournal, SPREADSHEET_FORMULA } from './hostile.ts';
import { entryOf, journalOf, lifelikeEntries } from './journals.ts';
import { textBy, writtenBy } from './written.ts';

type Row = Record<string, string>;

const entries = lifelikeEntries(400);
const journal = journalOf({ entries });
const { journal: hostile, texts } = hostileJournal();

async function rowsBy(name: string, of: Journal, options = {}): Promise<{ part: string; rows: Row[] }[]> {
  const files = await writtenBy(name, of, options);
  return files.map(({ part, bytes }) => ({
    part,
    rows: parse(bytes, { columns: true, relax_quotes: false }) as Row[],
  }));
}

/** Sum of a column, exact. */
function sum(rows: readonly Row[], column: string, currency: string): number {
  return rows.reduce((total, row) => total + (toMinor(row[column] || '0', currency) ?? Number.NaN), 0);
}

function groupedBy(rows: readonly Row[], column: string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row[column] ?? '', [...(groups.get(row[column] ?? '') ?? []), row]);
  return groups;
}

describe('csv', () => {
  it('holds every posting with its entry, amounts as exact decimals', async () => {
    const [{ rows } = { rows: [] }] = await rowsBy('csv', journal);
    const postings = entries
      .toSorted((a, b) => (`${a.date} ${a.id}` < `${b.date} ${b.id}` ? -1 : 1))
      .flatMap((entry) =>
        entry.postings.map((posting, index) => [
          entry.id,
          String(index + 1),
          posting.account,
          decimalText(posting.amount, posting.currency),
          posting.currency,
        ]),
      );
    assert.deepEqual(
      rows.map((row) => [row['entry_id'], row['posting'], row['account'], row['amount'], row['currency']]),
      postings,
    );
    assert.deepEqual(
      { ...rows[0] },
      {
        entry_id: 't0-1',
        posting: '1',
        reference: rows[0]?.['reference'],
        date: '2026-01-01',
        original_date: '',
        kind: 'receipt',
        source: 'transaction/0',
        revision: '1',
        corrects: '',
        payee: 'Marketplace A',
        description: 'Accommodation',
        reservation_code: 'R1000',
        stay_code: '',
        channel: 'Marketplace-A',
        account: 'Assets:Clearing:Marketplace-A',
        account_type: 'asset',
        account_code: '1002',
        amount: '85.73',
        currency: 'EUR',
        property_id: '101',
        property_code: 'P101',
        memo: '',
      },
    );
  });
});

describe('xero', () => {
  it('makes journals that add up, never one split over files, none of more than 300 lines', async () => {
    const files = await rowsBy('xero', journal);
    assert.ok(files.filter(({ part }) => part.startsWith('EUR')).length > 1);
    assert.deepEqual(files.map(({ part }) => part).slice(0, 2), ['EUR-001', 'EUR-002']);
    const seen = new Set<string>();
    for (const { part, rows } of files) {
      assert.ok(rows.length < 300, part);
      for (const [narration, lines] of groupedBy(rows, '*Narration')) {
        assert.ok(!seen.has(`${part.slice(0, 3)} ${narration}`), narration);
        seen.add(`${part.slice(0, 3)} ${narration}`);
        assert.equal(sum(lines, '*Amount', part.slice(0, 3)), 0, narration);
        assert.equal(new Set(lines.map((line) => line['*Date'])).size, 1);
      }
    }
    assert.deepEqual(
      { ...files[0]?.rows[0] },
      {
        '*Narration': 't0-1 Accommodation',
        '*Date': '01/01/2026',
        Description: 'Marketplace A',
        '*AccountCode': '1002',
        '*TaxRate': 'Tax Exempt',
        '*Amount': '85.73',
        TrackingName1: 'Property',
        TrackingOption1: 'P101 House 101',
        TrackingName2: 'Channel',
        TrackingOption2: 'Marketplace-A',
      },
    );
  });

  it('takes the dates, the tax rate and the tracking of the organisation', async () => {
    const options = { date: 'DD MMM YYYY', tax: 'No VAT', property: '', channel: 'Source' };
    const [first] = await rowsBy('xero', journal, options);
    const { '*Date': date, '*TaxRate': tax, TrackingName1, TrackingOption1, TrackingName2 } = first?.rows[0] ?? {};
    assert.deepEqual(
      { date, tax, TrackingName1, TrackingOption1, TrackingName2 },
      { date: '01 Jan 2026', tax: 'No VAT', TrackingName1: '', TrackingOption1: '', TrackingName2: 'Source' },
    );
    await assert.rejects(writtenBy('xero', journal, { date: 'YYYY' }), /options\.date of format xero/);
  });

  it('names the accounts that have no code', async () => {
    await assert.rejects(writtenBy('xero', journalOf({ entries, codes: false })), /Assets:Bank:Main, .* have none/);
  });

  it('leaves an entry of more lines than a file may have in one file', async () => {
    const postings = Array.from({ length: 400 }, (_, index) => ({
      account: 'Income:I3',
      amount: index % 2 ? 5 : -5,
      currency: 'EUR',
      propertyId: null,
    }));
    const files = await rowsBy(
      'xero',
      journalOf({ entries: [...entries.slice(0, 9), entryOf({ id: 't999-1', date: '2026-06-01', postings })] }),
    );
    assert.ok(
      files.some(
        ({ rows }) => rows.length === 400 && rows.every((row) => row['*Narration'] === 't999-1 Accommodation'),
      ),
    );
  });
});

describe('quickbooks', () => {
  it('makes numbered entries of one currency that add up, never split over files', async () => {
    const files = await rowsBy('quickbooks', journal);
    const numbers = new Set<string>();
    for (const { part, rows } of files) {
      assert.ok(rows.length < 1_000, part);
      for (const [number, lines] of groupedBy(rows, 'Journal No.')) {
        assert.ok(number.length <= 21 && !numbers.has(number), number);
        numbers.add(number);
        const currency = part.slice(0, 3);
        assert.ok(
          lines.every((line) => line['Currency'] === currency && (line['Debits'] === '') !== (line['Credits'] === '')),
        );
        assert.equal(sum(lines, 'Debits', currency), sum(lines, 'Credits', currency), number);
      }
    }
    const { 'Journal Date': date, 'Account Name': account, Debits, Class } = files[0]?.rows[0] ?? {};
    assert.deepEqual(
      { date, account, Debits, Class },
      { date: '01/01/2026', account: 'Assets:Clearing:Marketplace-A', Debits: '85.73', Class: 'P101 House 101' },
    );
    assert.match(
      (await rowsBy('quickbooks', journal, { date: 'DD/MM/YYYY' }))[0]?.rows.at(-1)?.['Journal Date'] ?? '',
      /^\d\d\/12\/2026$/,
    );
  });

  it('gives lines of receivables and payables a name, without which they are refused', async () => {
    const postings = [
      { account: 'Assets:Receivables:Guests', amount: 500, currency: 'EUR', propertyId: null },
      { account: 'Income:I3', amount: -500, currency: 'EUR', propertyId: null },
    ];
    const [file] = await rowsBy(
      'quickbooks',
      journalOf({ entries: [entryOf({ id: 't1-1', date: '2026-01-01', postings })] }),
    );
    assert.deepEqual(
      file?.rows.map((row) => row['Name']),
      ['Guests', ''],
    );
  });
});

describe('iif', () => {
  it('makes transactions that add up, in the shape QuickBooks Desktop takes', async () => {
    for (const { part, bytes } of await writtenBy('iif', journal)) {
      const lines = bytes.toString('latin1').split('\r\n');
      assert.equal(lines.pop(), '');
      assert.deepEqual(
        lines.slice(0, 3).map((line) => line.split('\t')[0]),
        ['!TRNS', '!SPL', '!ENDTRNS'],
      );
      let open: { total: number; lines: number } | undefined;
      for (const line of lines.slice(3)) {
        const [kind, id, type, date, , , , amount = '', number = ''] = line.split('\t');
        if (kind === 'ENDTRNS') {
          assert.equal(open?.total, 0);
          open = undefined;
          continue;
        }
        assert.deepEqual([kind, id, type, line.split('\t').length], [open ? 'SPL' : 'TRNS', '', 'GENERAL JOURNAL', 10]);
        assert.match(date ?? '', /^\d\d\/\d\d\/2026$/);
        assert.ok(number.length === 11);
        open = { total: (open?.total ?? 0) + (toMinor(amount, part) ?? Number.NaN), lines: (open?.lines ?? 0) + 1 };
      }
      assert.equal(open, undefined);
    }
  });

  it('keeps the number of fields and of transactions, whatever a text holds, in bytes of Windows', async () => {
    const [file] = await writtenBy('iif', hostile);
    const lines =
      file?.bytes
        .toString('latin1')
        .split(/[\r\n]+/)
        .slice(3, -1) ?? [];
    assert.equal(lines.filter((line) => line === 'ENDTRNS').length, texts.length);
    const fields = lines.filter((line) => line !== 'ENDTRNS').map((line) => line.split('\t'));
    assert.equal(fields.length, texts.length * 2);
    for (const cells of fields) {
      assert.equal(cells.length, 10);
      for (const cell of [cells[5], cells[6], cells[9]])
        assert.ok(!SPREADSHEET_FORMULA.test(cell ?? '') && !/"/.test(cell ?? ''), cell);
    }
  });

  it('writes the letters it has, and refuses accounts it could not tell apart', async () => {
    const one = (account: string, description: string) => {
      const postings = [
        { account, amount: 500, currency: 'EUR', propertyId: null },
        { account: 'Income:I3', amount: -500, currency: 'EUR', propertyId: null },
      ];
      return journalOf({ entries: [entryOf({ id: 't1-1', date: '2026-01-01', description, postings })] });
    };
    const [file] = await writtenBy('iif', one('Assets:Caisse-Été', 'Ünü Łódź 住 – é'));
    const text = file?.bytes.toString('latin1') ?? '';
    assert.ok(text.includes('\tAssets:Caisse-Été\t') && text.includes('t1-1 Ünü ?ódz ? ? é'), text);
    await assert.rejects(
      writtenBy('iif', one('Assets:X住', '')),
      /format iif needs names of accounts in letters of western Europe.*; Assets:X住 has none/,
    );
  });
});

describe('statement', () => {
  it('is one of each clearing account and currency, and says what the books say of it', async () => {
    const files = await rowsBy('statement', journal);
    const clearing = journal.balances.filter(({ account }) => account.startsWith('Assets:Clearing:'));
    assert.deepEqual(
      files.map(({ part, rows }) => [part, sum(rows, '*Amount', part.slice(-3))]),
      clearing.map(({ account, currency, debit, credit }) => [
        `${account.slice('Assets:Clearing:'.length)}-${currency}`,
        Number(debit - credit),
      ]),
    );
    assert.deepEqual(
      { ...files.find(({ part }) => part === 'Marketplace-A-EUR')?.rows[0] },
      {
        '*Date': '01/01/2026',
        '*Amount': '85.73',
        Payee: 'Marketplace A',
        Description: 't0-1 Accommodation',
        Reference: `${entries[0]?.reference}-1`,
      },
    );
    const references = files.flatMap(({ rows }) => rows.map((row) => row['Reference']));
    assert.equal(new Set(references).size, references.length);
    const [other] = await rowsBy('statement', journal, { date: 'YYYY-MM-DD' });
    assert.match(other?.rows[0]?.['*Date'] ?? '', /^2026-\d\d-\d\d$/);
  });
});

describe('S25: text in tables', () => {
  for (const name of ['csv', 'xero', 'quickbooks', 'statement']) {
    it(`${name} has no cell that a spreadsheet would run, and loses no line`, async () => {
      const files = await rowsBy(name, hostile);
      const rows = files.flatMap((file) => file.rows);
      // A statement has the one line of each entry that is of its account.
      assert.equal(rows.length, texts.length * (name === 'statement' ? 1 : 2));
      for (const row of rows) {
        for (const [column, cell] of Object.entries(row)) {
          if (['amount', '*Amount'].includes(column)) assert.match(cell, /^-?12\.50$/);
          else assert.ok(!SPREADSHEET_FORMULA.test(cell), `${column}: ${JSON.stringify(cell.slice(0, 80))}`);
        }
      }
    });
  }

  it('jsonl is the audit copy: texts come back as they are', async () => {
    const lines = (await textBy('jsonl', hostile)).trimEnd().split('\n');
    const given = new Map(texts.map((text, index) => [`t${index}-1`, text]));
    assert.equal(lines.length, texts.length);
    for (const line of lines) {
      const read = JSON.parse(line) as { id: string; description: string };
      assert.equal(read.description, given.get(read.id));
    }
  });
});
