import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countryCode } from '../../src/imports/fields/countryCode.ts';
import { areAmbiguous, isDateFormat, momentParser } from '../../src/imports/fields/dateFormats.ts';
import { decimalOf, minorOf, plus, times } from '../../src/imports/fields/decimal.ts';
import { monthNames } from '../../src/imports/fields/months.ts';
import { numberReader, type NumberFormat } from '../../src/imports/fields/numbers.ts';

const german: NumberFormat = { decimal: 'comma', thousands: 'point' };
const english: NumberFormat = { decimal: 'point', thousands: 'comma' };
const plain: NumberFormat = { decimal: 'point', thousands: 'none' };

describe('a number', () => {
  const rows: [format: NumberFormat, text: string, read: string | undefined][] = [
    [plain, '12.50', '12.50'],
    [plain, '-6.38', '-6.38'],
    [plain, '.5', '0.5'],
    [plain, '1,234.50', undefined],
    [plain, '1e3', undefined],
    [plain, '', undefined],
    [german, '1.234,50', '1234.50'],
    [german, '1234,50', '1234.50'],
    [german, '1.234.567', '1234567'],
    [german, '1.50', undefined],
    [german, '12.34,50', undefined],
    [german, '1.234,50 €', '1234.50'],
    [german, '-1,5', '-1.5'],
    [english, '$1,234.50', '1234.50'],
    [english, 'USD -12', '-12'],
    [english, '1.234,50', undefined],
    [{ decimal: 'comma', thousands: 'space' }, '1\u202f234,50', '1234.50'],
    [{ decimal: 'point', thousands: 'apostrophe' }, '1’234.50', '1234.50'],
  ];
  for (const [format, text, read] of rows) {
    it(`${JSON.stringify(text)} in ${format.decimal}/${format.thousands} is ${read ?? 'refused'}`, () => {
      assert.equal(numberReader(format)(text)?.plain, read);
    });
  }

  it('says which currency it was written with', () => {
    assert.equal(numberReader(german)('1,50 EUR')?.mark, 'EUR');
    assert.equal(numberReader(german)('€ 1,50')?.mark, '€');
  });
});

describe('a decimal', () => {
  it('is multiplied and added exactly', () => {
    assert.equal(minorOf(times(decimalOf('33.33'), 3), 'EUR', false), 9999);
    assert.equal(minorOf(plus(decimalOf('0.1'), decimalOf('0.25')), 'EUR', false), 35);
    assert.equal(minorOf(times(decimalOf('0.125'), 8), 'EUR', false), 100);
  });

  const rounded: [text: string, currency: string, minor: number][] = [
    ['104.395', 'EUR', 10_440],
    ['-104.395', 'EUR', -10_440],
    ['104.3949', 'EUR', 10_439],
    ['99.5', 'JPY', 100],
    ['1.2345', 'KWD', 1235],
  ];
  for (const [text, currency, minor] of rounded) {
    it(`${text} ${currency} is refused, and ${minor} when rounding is asked for`, () => {
      assert.equal(minorOf(decimalOf(text), currency, false), undefined);
      assert.equal(minorOf(decimalOf(text), currency, true), minor);
    });
  }

  it('agrees with whole-number arithmetic', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -10_000_000, max: 10_000_000 }),
        fc.integer({ min: 0, max: 400 }),
        (cents, nights) => {
          const text = `${cents < 0 ? '-' : ''}${Math.trunc(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
          assert.equal(minorOf(times(decimalOf(text), nights), 'EUR', false), cents * nights + 0);
        },
      ),
    );
  });
});

describe('a date', () => {
  const rows: [formats: string[], text: string, read: string | undefined, language?: string][] = [
    [['YYYY-MM-DD'], '2025-12-31', '2025-12-31'],
    [['YYYY-MM-DD'], '2025-02-29', undefined],
    [['YYYY-MM-DD'], '2025-12-31T14:05:00Z', '2025-12-31T14:05:00Z'],
    [['YYYY-MM-DD'], '2025-12-31 14:05', '2025-12-31T14:05'],
    [['YYYY-MM-DD'], '2025-12-31 24:05', undefined],
    [['DD.MM.YYYY'], '31.12.2025', '2025-12-31'],
    [['DD.MM.YYYY'], '1.2.2025', undefined],
    [['D.M.YY'], '1.2.25', '2025-02-01'],
    [['D/M/YY'], '31/12/25', '2025-12-31'],
    [['M/D/YYYY'], '12/31/2025', '2025-12-31'],
    [['M/D/YYYY'], '31/12/2025', undefined],
    [['M/D/YYYY'], '12/31/2025 3:05 PM', '2025-12-31T15:05'],
    [['M/D/YYYY'], '12/31/2025 12:05 am', '2025-12-31T00:05'],
    [['D MMM YYYY'], '31 Dec 2025', '2025-12-31'],
    [['D MMM YYYY'], '3 september 2025', '2025-09-03'],
    [['D. MMMM YYYY'], '3. März 2025', '2025-03-03', 'de'],
    [['YYYY-MM-DD', 'DD.MM.YYYY'], '31.12.2025', '2025-12-31'],
    [['DD.MM.YYYY'], '31.12.0025', undefined],
    [['YYYY-MM-DD'], 'soon', undefined],
  ];
  for (const [formats, text, read, language = 'en'] of rows) {
    it(`${text} as ${formats.join(' or ')} is ${read ?? 'refused'}`, () => {
      assert.equal(momentParser(formats, monthNames(language))(text), read);
    });
  }

  it('has a format with year, month and day once each', () => {
    assert.ok(isDateFormat('DD.MM.YYYY') && isDateFormat('MMM D, YYYY'));
    for (const format of ['DD.MM', 'DD.DD.YYYY', 'YYYY', 'dd.mm.yyyy', '']) assert.ok(!isDateFormat(format), format);
  });

  it('knows formats that contradict each other', () => {
    assert.ok(areAmbiguous('DD/MM/YYYY', 'M/D/YY'));
    assert.ok(!areAmbiguous('DD/MM/YYYY', 'D/M/YY'));
    assert.ok(!areAmbiguous('DD.MM.YYYY', 'MM/DD/YYYY'));
    assert.ok(!areAmbiguous('D MMM YYYY', 'MMM D YYYY'));
  });
});

describe('a country', () => {
  const rows = [
    ['PRT', 'PT'],
    ['gbr', 'GB'],
    ['CN', 'CN'],
    ['DE', 'DE'],
    ['TMP', null],
    ['XX', null],
    ['Portugal', null],
  ] as const;
  for (const [text, code] of rows) it(`${text} is ${code}`, () => assert.equal(countryCode(text), code));
});
