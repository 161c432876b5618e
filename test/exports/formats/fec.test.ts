import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FormatOptions } from '../../../src/exports/formats/format.ts';
import type { Journal } from '../../../src/exports/journal/entry.ts';
import { UsageError } from '../../../src/kernel/errors.ts';
import { toMinor } from '../../../src/kernel/money.ts';
import { hostileJournal, SPREADSHEET_FORMULA } from './hostile.ts';
import { entryOf, type JournalGiven, journalOf, lifelikeEntries } from './journals.ts';
import { LOCKED, OPTIONS, takenBy } from './taken.ts';
import { textBy, writtenBy } from './written.ts';

const BUSINESS = OPTIONS['fec'] ?? {};
const entries = takenBy('fec', lifelikeEntries(400));
const openings = [
  { account: 'Assets:Clearing:Direct', currency: 'EUR', opening: 12_345n },
  { account: 'Income:I3', currency: 'EUR', opening: -20_000n },
  { account: 'Expenses:Channel-Commission', currency: 'EUR', opening: 7_655n },
];

function closed(given: Partial<JournalGiven> = {}): Journal {
  return journalOf({ entries, ...given, facts: { locked: LOCKED, ...given.facts } });
}

async function rowsOf(journal: Journal, options: FormatOptions = BUSINESS): Promise<Record<string, string>[]> {
  const [file] = await writtenBy('fec', journal, options);
  const [names = '', ...lines] = file?.bytes.toString('latin1').split('\r\n') ?? [];
  assert.equal(lines.pop(), '', 'the last line ends too');
  const fields = names.split('|');
  assert.equal(fields.length, 18);
  return lines.map((line) => {
    const cells = line.split('|');
    assert.equal(cells.length, 18, line);
    return Object.fromEntries(fields.map((name, index) => [name, cells[index] ?? '']));
  });
}

function minor(text = ''): number {
  assert.match(text, /^\d+,\d\d$/);
  return toMinor(text.replace(',', '.'), 'EUR') ?? Number.NaN;
}

describe('fec', () => {
  it('numbers entries without a gap, in the order of their dates, each with as much debit as credit', async () => {
    const rows = await rowsOf(closed());
    const sums = new Map<number, number>();
    let last = 0;
    let day = '';
    for (const row of rows) {
      const number = Number(row['EcritureNum']);
      assert.ok(number === last || number === last + 1, `${number} after ${last}`);
      assert.ok((row['EcritureDate'] ?? '') >= day);
      [last, day] = [number, row['EcritureDate'] ?? ''];
      sums.set(number, (sums.get(number) ?? 0) + minor(row['Debit']) - minor(row['Credit']));
      assert.ok(minor(row['Debit']) === 0 || minor(row['Credit']) === 0);
    }
    assert.equal(last, entries.length);
    assert.ok([...sums.values()].every((sum) => sum === 0));
    assert.deepEqual(rows[0], {
      JournalCode: 'LOC',
      JournalLib: 'Locations',
      EcritureNum: '1',
      EcritureDate: '20260101',
      CompteNum: rows[0]?.['CompteNum'],
      CompteLib: 'Title of Assets:Clearing:Marketplace-A',
      CompAuxNum: '',
      CompAuxLib: '',
      PieceRef: 'R1000',
      PieceDate: '20260101',
      EcritureLib: 't0-1 Accommodation',
      Debit: '85,73',
      Credit: '0,00',
      EcritureLet: '',
      DateLet: '',
      ValidDate: '20260205',
      Montantdevise: '',
      Idevise: '',
    });
    assert.equal(rows.at(-1)?.['ValidDate'], '20270108');
  });

  it('begins with what was there before: the balance goes on, income and costs become the result', async () => {
    const rows = await rowsOf(closed({ openings }));
    const before = rows.filter((row) => row['JournalCode'] === 'AN');
    assert.deepEqual(
      before.map((row) => [row['EcritureNum'], row['CompteLib'], row['Debit'], row['Credit']]),
      [
        ['1', 'Title of Assets:Clearing:Direct', '123,45', '0,00'],
        ['1', 'Report a nouveau', '0,00', '123,45'],
      ],
    );
    assert.equal(before[1]?.['CompteNum'], '120000');
    assert.equal(rows[2]?.['EcritureNum'], '1');
  });

  it('gives the months that are closed the numbers they will have in the whole year', async () => {
    const whole = await rowsOf(closed());
    const march = entries.filter(({ date }) => date < '2026-04-01');
    const part = await rowsOf(closed({ entries: march, facts: { locked: LOCKED.slice(0, 3), to: '2026-03-31' } }));
    const numbered = (rows: Record<string, string>[]) => rows.map((row) => [row['EcritureNum'], row['EcritureLib']]);
    assert.deepEqual(numbered(part), numbered(whole.slice(0, part.length)));
  });

  it('is refused for what has no numbers yet, and says what to do', async () => {
    const refused = (given: Partial<JournalGiven>, message: RegExp, options: FormatOptions = BUSINESS) =>
      assert.rejects(writtenBy('fec', closed(given), options), message);
    await refused({}, /options\.siren of format fec: missing/, {});
    await refused({ codes: false }, /number of every account in the French chart/);
    await refused({ facts: { locked: LOCKED.slice(0, 11) } }, /2026-12-31 is in a month that is not closed/);
    await refused({ facts: { locked: [] } }, /not closed/);
    await refused({ facts: { from: '2026-02-01' } }, /numbered from the first day of their business year/);
    await refused({}, /numbered from the first day/, { ...BUSINESS, year_starts_in: '07' });
    await refused({ facts: { mode: 'incremental' } }, /a year is written whole/);
    await assert.rejects(writtenBy('fec', closed({ entries: lifelikeEntries(40) }), BUSINESS), (error: unknown) => {
      assert.ok(error instanceof UsageError);
      assert.match(
        error.message,
        /these books hold \w{3} on 2026-\d\d-\d\d, and no rate to EUR is stated for that day/,
      );
      assert.match(error.hint ?? '', /exports\.books\.<connection>\.rates takes one: \{ on: "2026-/);
      return true;
    });
  });

  it('writes other currencies in the own one by the stated rates, with what they were beside it', async () => {
    const pound = (id: string, over: object, ...amounts: number[]) => ({
      ...entryOf({ id, date: '2026-03-05', postings: [] }),
      ...over,
      postings: amounts.map((amount, index) => ({
        account: ['Assets:Bank:Main', 'Liabilities:Owners:Brown', 'Income:Management-Fees'][index] ?? '',
        amount,
        currency: 'GBP',
        propertyId: null,
      })),
    });
    const rates = [
      { on: '2025-12-01', from: 'GBP', to: 'EUR', rate: '1.2' },
      { on: '2026-03-01', from: 'GBP', to: 'EUR', rate: '1.15' },
    ];
    const rows = await rowsOf(
      closed({
        entries: [
          pound('t1-1', {}, 10_001, -5_003, -4_998),
          pound('t1-1-rev', { date: '2026-04-01', originalDate: '2026-02-10' }, -100, 100),
        ],
        openings: [
          { account: 'Assets:Bank:Main', currency: 'GBP', opening: 1_000n },
          { account: 'Liabilities:Owners:Brown', currency: 'GBP', opening: -1_000n },
          { account: 'Assets:Clearing:Direct', currency: 'EUR', opening: 500n },
          { account: 'Income:I3', currency: 'EUR', opening: -500n },
        ],
        facts: { rates },
      }),
    );
    assert.deepEqual(
      rows.map((row) =>
        [row['JournalCode'], row['Debit'], row['Credit'], row['Montantdevise'], row['Idevise']].join(' '),
      ),
      [
        'AN 12,00 0,00 10,00 GBP',
        'AN 5,00 0,00  ',
        'AN 0,00 12,00 -10,00 GBP',
        'AN 0,00 5,00  ',
        // 115.0115, 57.5345 and 57.477.
        'LOC 115,01 0,00 100,01 GBP',
        'LOC 0,00 57,53 -50,03 GBP',
        'LOC 0,00 57,48 -49,98 GBP',
        // Reversed at the rate of its own day.
        'LOC 0,00 1,20 -1,00 GBP',
        'LOC 1,20 0,00 1,00 GBP',
      ],
    );
  });

  it('is called as it has to be handed in, and the same journal gives the same bytes', async () => {
    const [file] = await writtenBy('fec', closed(), BUSINESS);
    assert.equal(file?.part, '732829320FEC20261231');
    assert.equal(await textBy('fec', closed(), BUSINESS), file?.bytes.toString());
  });

  it('S25: keeps rows and fields whatever a text holds, and has no field that a spreadsheet would run', async () => {
    const { journal, texts } = hostileJournal();
    const rows = await rowsOf({ ...journal, facts: { ...journal.facts, locked: LOCKED } });
    assert.equal(rows.length, texts.length * 2);
    for (const row of rows) {
      for (const cell of Object.values(row)) assert.ok(!SPREADSHEET_FORMULA.test(cell), JSON.stringify(cell));
    }
  });
});
