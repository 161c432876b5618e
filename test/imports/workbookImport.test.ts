import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { guessMapping } from '../../src/imports/guess/guessMapping.ts';
import { importReservations } from '../../src/imports/importReservations.ts';
import type { Mapping } from '../../src/imports/mapping.ts';
import type { Outcome } from '../../src/imports/outcome.ts';
import { openReservations } from '../../src/imports/readReservations.ts';
import { readMapping } from '../../src/imports/readMapping.ts';
import { addDays, dayNumber } from '../../src/kernel/dates.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { all, fileOf, freePath } from './support/files.ts';
import { numberOf, rowOf, sheetOf, textOf, workbookOf } from './support/workbook.ts';

/** One booking of an export that its program offers in both forms. */
interface Line {
  number: number;
  arrival: string;
  nights: number;
  guest: string;
  cents: number;
  bookedMinute: number;
}

const columns = ['Buchung', 'Anreise', 'Abreise', 'Gast', 'Personen', 'Preis', 'Gebucht am', 'Objekt', 'Anteil'];
const german = (date: string) => date.split('-').toReversed().join('.');
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const serial = (date: string) => dayNumber(date) - dayNumber('1899-12-30');

function csvOf(lines: readonly Line[]): string {
  const rows = lines.map(({ number, arrival, nights, guest, cents, bookedMinute }) =>
    [
      number,
      german(arrival),
      german(addDays(arrival, nights)),
      guest,
      2,
      `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`,
      `${german('2025-12-31')} ${clock(bookedMinute)}`,
      'Haus am See',
      '15,5%',
    ].join(';'),
  );
  return `${[columns.join(';'), ...rows].join('\n')}\n`;
}

function workbookWith(lines: readonly Line[], behind = ''): Buffer {
  const rows = lines.map(({ number, arrival, nights, guest, cents, bookedMinute }) => {
    const cells = [
      numberOf(number),
      numberOf(serial(arrival), 'date'),
      numberOf(serial(addDays(arrival, nights)), 'builtInDate'),
      textOf(guest),
      numberOf(2),
      numberOf((cents / 100).toPrecision(17), 'money'),
      numberOf(serial('2025-12-31') + bookedMinute / 1_440, 'moment'),
      textOf('Haus am See'),
      numberOf('0.155', 'percent'),
    ];
    return `<row>${cells.join('')}</row>`;
  });
  return sheetOf(rowOf(...columns), ...rows, behind);
}

/** Made for the CSV file; nothing in it knows of workbooks. */
const mapping = readMapping(
  `source: portal
format: { delimiter: semicolon, decimal: comma, thousands: point, dates: [DD.MM.YYYY], months: de }
identity: { column: Buchung }
booking:
  property: { column: Objekt }
  check_in_date: { column: Anreise }
  check_out_date: { column: Abreise }
  guest_name: { column: Gast }
  adults: { column: Personen }
  booked_at: { column: Gebucht am }
  currency: { value: EUR }
  total_amount: { column: Preis }
  note: { template: "{Buchung}, {Anreise}, {Preis}, {Anteil}" }
`,
  'portal.yaml',
);

async function outcomesOf(content: string | Buffer, by: Mapping): Promise<Outcome[]> {
  return all((await openReservations(fileOf(content), by)).outcomes);
}

const line = fc.record({
  number: fc.integer({ min: 1, max: 999_999_999 }),
  arrival: fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2001-01-01', days)),
  nights: fc.integer({ min: 0, max: 30 }),
  guest: fc.constantFrom('Anna', 'Ben Müller', 'O’Hara'),
  cents: fc.integer({ min: 100, max: 99_999_999 }).map((cents) => (cents % 10 === 0 ? cents + 1 : cents)),
  bookedMinute: fc.integer({ min: 1, max: 1_439 }),
});

describe('a mapping made for the CSV file of an export', () => {
  it('reads the workbook of the same export as the same bookings', async () => {
    const lines = fc.uniqueArray(line, { minLength: 1, maxLength: 30, selector: ({ number }) => number });
    const property = fc.asyncProperty(lines, async (given) => {
      assert.deepEqual(await outcomesOf(workbookWith(given), mapping), await outcomesOf(csvOf(given), mapping));
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it('reads a text in a cell by its formats still, beside real dates and numbers', async () => {
    const cells = [
      textOf('7'),
      textOf('03.04.2026'),
      numberOf(serial('2026-04-05'), 'date'),
      textOf('Anna'),
      numberOf(2),
    ];
    const row = `<row>${[...cells, textOf('1.234,50'), '<c/>', textOf('Haus')].join('')}</row>`;
    const [outcome] = await outcomesOf(sheetOf(rowOf(...columns), row), mapping);
    assert.ok(outcome?.kind === 'booking', JSON.stringify(outcome));
    assert.deepEqual([outcome.checkIn, outcome.nights, outcome.total], ['2026-04-03', 2, 123_450]);
  });
});

const bookings: Line[] = Array.from({ length: 20 }, (_, index) => ({
  number: 4_900 + index,
  arrival: addDays('2026-01-01', index * 3),
  nights: 2,
  guest: `Guest ${index}`,
  cents: 5_511 + index * 10,
  bookedMinute: 845,
}));

describe('the mapping guessed for a workbook', () => {
  it('reads it as it stands', async () => {
    const text = await guessMapping(fileOf(workbookWith(bookings), 'bookings.xlsx'));
    assert.match(text, /^source: 1?\d*-?bookings$/m);
    assert.doesNotMatch(text, /^ {2}(?:delimiter|encoding|sheet):/m);
    const outcomes = await outcomesOf(workbookWith(bookings), readMapping(text, 'guess.yaml'));
    assert.ok(outcomes.every((outcome) => outcome.kind === 'booking'));
    assert.equal(outcomes[0]?.kind === 'booking' && outcomes[0].bookedAt, '2025-12-31T14:05');
    assert.match(text, /line 2: 2026-01-01 to 2026-01-03, Haus am See, .* EUR 55\.11/);
  });

  it('is for the first sheet with bookings, which it names', async () => {
    const rows = [
      rowOf('Anreise', 'Abreise', 'Gast'),
      `<row>${numberOf(46023, 'date')}${numberOf(46025, 'date')}${textOf('Anna')}</row>`,
    ];
    const content = workbookOf({
      sheets: [
        { name: 'Cover', rows: rowOf('made by') + rowOf('a program') },
        { name: 'Empty', rows: '' },
        { name: 'Januar', rows: rows.join('') },
        { name: 'Lists', rows: rowOf('x'), state: 'hidden' },
      ],
    });
    const text = await guessMapping(fileOf(content));
    assert.match(text, /^ {2}sheet: Januar$/m);
    assert.match(text, /- only the sheet "Januar" is read, not: Cover, Empty$/m);
    assert.equal((await outcomesOf(content, readMapping(text, 'guess.yaml'))).length, 1);
  });

  it('shows the rows in the notation it proposes', async () => {
    const row = (days: number, price: string) =>
      `<row>${numberOf(46023 + days, 'date')}${textOf(german(addDays('2026-01-02', days)))}${textOf('Anna')}${price}</row>`;
    const rows = [row(0, textOf('1.234,50')), row(4, textOf('99,90')), row(8, textOf('100,00'))];
    const text = await guessMapping(fileOf(sheetOf(rowOf('Anreise', 'Abreise', 'Gast', 'Gesamtpreis'), ...rows)));
    assert.match(text, /decimal: comma/);
    assert.match(text, /line 2: 2026-01-01 to 2026-01-02, .* EUR 1234\.50/);
  });

  it('shows real dates among texts that look like dates, in their formats', async () => {
    const texts = ['13/01/2026', '14/02/2026', '15/03/2026'].map((date) => textOf(date));
    const rows = [...texts, numberOf(serial('2026-04-16'), 'date')].map((arrival, index) => {
      return `<row>${arrival}${numberOf(2)}${textOf(`Guest ${index}`)}</row>`;
    });
    const text = await guessMapping(fileOf(sheetOf(rowOf('Check-in', 'Nights', 'Guest'), ...rows)));
    assert.match(text, /dates: \[ DD\/MM\/YYYY \]/);
    assert.match(text, /0 of them would be rejected/);
    assert.match(text, /line 5: 2026-04-16 to 2026-04-18/);
  });

  it('says what is wrong with the first sheet when none can be understood', async () => {
    const content = workbookOf({
      sheets: [
        { name: 'A', rows: rowOf('x', 'y') + rowOf(1, 2) },
        { name: 'B', rows: '' },
      ],
    });
    await assert.rejects(guessMapping(fileOf(content)), /check-in date .* columns are: x, y/);
  });
});

describe('an import of a workbook', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.close());

  const run = async (content: string | Buffer) => {
    const rejectsPath = freePath('rejects.csv');
    const report = await importReservations(
      core.core,
      { account: core.own.account, operator: null },
      { path: fileOf(content), mapping, rejectsPath, announce: false },
      () => undefined,
      new AbortController().signal,
    );
    return { ...report, rejectsPath };
  };

  it('stores its bookings, knows them again in the CSV file, and refuses rows by their numbers in the sheet', async () => {
    const broken = { ...bookings[3], nights: 0 } as Line;
    const lines = bookings.map((each, index) => (index === 3 ? broken : each));
    const first = await run(workbookWith(lines));
    assert.deepEqual([first.created, first.totals.rejected.rows, first.complete], [19, 1, true]);
    assert.deepEqual(readFileSync(first.rejectsPath, 'utf8').split('\r\n').slice(1, 2), [
      '5,check_out_date,zero nights,2026-01-10 to 2026-01-10',
    ]);
    assert.equal(first.totals.held.amount['EUR'], '1065.79');
    const again = await run(csvOf(lines));
    assert.deepEqual([again.created, again.unchanged, again.changed_rows], [0, 19, 0]);
  });

  it('stores nothing of a workbook that is damaged at its end', async () => {
    const later = (each: Line) => ({ ...each, number: each.number + 1_000, arrival: addDays(each.arrival, 1_000) });
    const more = bookings.map(later);
    await assert.rejects(run(workbookWith(more, '<row><c t="s"><v>9</v></c></row>')), /damaged: it has no text 9/);
    const report = await run(workbookWith(more.slice(0, 1)));
    assert.deepEqual([report.created, report.unchanged], [1, 0]);
  });
});
