import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readStatementMapping } from '../../../src/exports/payouts/statement/mapping.ts';
import { readStatement } from '../../../src/exports/payouts/statement/read.ts';
import { OperatorError } from '../../../src/kernel/errors.ts';
import { decimalText } from '../../../src/kernel/money.ts';
import { journalOf, lifelikeEntries } from '../formats/journals.ts';
import { writtenBy } from '../formats/written.ts';

const SGML = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
ENCODING:USASCII
CHARSET:1252

<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260131<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR
<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260101<DTEND>20260131
<STMTTRN>
<TRNTYPE>CREDIT
<DTPOSTED>20260115120000.000[-5:EST]
<TRNAMT>+1234.50
<FITID>A1
<NAME>Marketplace & Söhne
<MEMO>
</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260116</DTPOSTED><TRNAMT>-12,5</TRNAMT><FITID>A2</FITID><MEMO>HM&lt;1&gt;</MEMO></STMTTRN>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260117<TRNAMT>700<FITID>A3<CURRENCY><CURRATE>1<CURSYM>JPY</CURRENCY></STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>1<DTASOF>20260131</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;

const CAMT = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- as banks write it -->
<n:Document xmlns:n="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><n:BkToCstmrStmt>
<n:GrpHdr><n:MsgId>M1</n:MsgId></n:GrpHdr>
<n:Stmt><n:Id>S1</n:Id><n:Bal><n:Amt Ccy="EUR">9.99</n:Amt></n:Bal>
<n:Ntry><n:Amt Ccy="EUR">1234.50</n:Amt><n:CdtDbtInd>CRDT</n:CdtDbtInd><n:Sts><n:Cd>BOOK</n:Cd></n:Sts>
<n:BookgDt><n:Dt>2026-01-15</n:Dt></n:BookgDt><n:AcctSvcrRef>B1</n:AcctSvcrRef>
<n:NtryDtls><n:TxDtls><n:RltdPties><n:Dbtr><n:Nm>Marktplatz &amp; S\u00f6hne</n:Nm></n:Dbtr></n:RltdPties>
<n:RmtInf><n:Ustrd>HMABC123</n:Ustrd><n:Ustrd><![CDATA[HM<4>]]></n:Ustrd></n:RmtInf></n:TxDtls></n:NtryDtls></n:Ntry>
<n:Ntry><n:Amt Ccy="KWD">1.250</n:Amt><n:CdtDbtInd>DBIT</n:CdtDbtInd><n:RvslInd>true</n:RvslInd><n:Sts>BOOK</n:Sts>
<n:BookgDt><n:DtTm>2026-01-16T23:59:59+09:00</n:DtTm></n:BookgDt></n:Ntry>
<n:Ntry><n:Amt Ccy="EUR">5.00</n:Amt><n:CdtDbtInd>CRDT</n:CdtDbtInd><n:Sts>PDNG</n:Sts><n:BookgDt><n:Dt>2026-01-17</n:Dt></n:BookgDt></n:Ntry>
</n:Stmt></n:BkToCstmrStmt></n:Document>`;

const german = readStatementMapping(
  `
format: { delimiter: semicolon, encoding: latin1, decimal: comma, thousands: point, skip_lines: 2, date: DD.MM.YYYY }
date: Buchungstag
amount: Betrag
currency: { column: Währung }
text: [Verwendungszweck]
bank: Assets:Bank:Main
`,
  'german.yaml',
);

const read = (text: string, encoding: BufferEncoding = 'latin1') => readStatement(Buffer.from(text, encoding));

function brief({ lines }: ReturnType<typeof readStatement>) {
  return lines.map((line) => [
    line.line,
    line.date,
    decimalText(line.amount, line.currency),
    line.currency,
    line.bankId,
  ]);
}

describe('statements', () => {
  it('OFX in tags: values without an end, empty ones, commas, zones, code pages, other currencies', () => {
    const statement = read(SGML);
    assert.deepEqual(brief(statement), [
      [11, '2026-01-15', '1234.50', 'EUR', 'A1'],
      [19, '2026-01-16', '-12.50', 'EUR', 'A2'],
      [20, '2026-01-17', '700', 'JPY', 'A3'],
    ]);
    assert.match(statement.lines[0]?.text ?? '', /Marketplace & Söhne/);
    assert.match(statement.lines[1]?.text ?? '', /HM<1>/);
  });

  it('OFX as XML', () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211"?><OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD</CURDEF><BANKTRANLIST>
<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20260115</DTPOSTED><TRNAMT>0.10</TRNAMT><FITID>X</FITID><PAYEE><NAME>Ünü</NAME></PAYEE></STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
    const statement = read(xml, 'utf8');
    assert.deepEqual(brief(statement), [[2, '2026-01-15', '0.10', 'USD', 'X']]);
    assert.match(statement.lines[0]?.text ?? '', /Ünü/);
  });

  it('what stayd writes as OFX it reads as it was', async () => {
    const journal = journalOf({ entries: lifelikeEntries(60) });
    for (const { part, bytes } of await writtenBy('ofx', journal)) {
      const { lines } = readStatement(bytes);
      const closing = journal.balances.find(
        ({ account, currency }) => `${account.replace('Assets:Clearing:', '')}-${currency}` === part,
      )?.closing;
      assert.equal(BigInt(lines.reduce((sum, { amount }) => sum + amount, 0)), closing, part);
    }
  });

  it('camt.053: booked entries with their direction, three decimals, namespaces, encodings, what they name', () => {
    const statement = read(CAMT);
    assert.deepEqual(brief(statement), [
      [6, '2026-01-15', '1234.50', 'EUR', 'B1'],
      [10, '2026-01-16', '-1.250', 'KWD', null],
    ]);
    assert.match(statement.lines[0]?.text ?? '', /Söhne.*HMABC123.*HM<4>/);
  });

  it('CSV by mapping: lines before the head, code pages, decimal comma, thousands', () => {
    const csv = `Konto;1\n\nBuchungstag;Verwendungszweck;Betrag;Währung\n15.01.2026;"Auszahlung; HMABC";1.234,50;EUR\n16.01.2026;Rück\u00fcberweisung;-12,5;EUR\n`;
    const statement = readStatement(Buffer.from(csv, 'latin1'), german);
    assert.deepEqual(brief(statement), [
      [4, '2026-01-15', '1234.50', 'EUR', null],
      [5, '2026-01-16', '-12.50', 'EUR', null],
    ]);
  });

  it('CSV of a channel: rows of one payout are one line, other rows are left out', () => {
    const mapping = readStatementMapping(
      `
format: { date: MM/DD/YYYY }
date: Date
amount: { in: Paid, out: Kept }
currency: USD
id: Code
text: [Code]
payout: Payout
only: { column: Type, is: [Reservation, Adjustment] }
`,
      'channel.yaml',
    );
    const csv = `Type,Date,Code,Payout,Paid,Kept\nPayout,01/15/2026,,P1,,\nReservation,01/14/2026,HM1,P1,100.10,\nAdjustment,01/15/2026,HM2,P1,,-20.05\nReservation,01/15/2026,HM3,P2,7,\n`;
    const statement = readStatement(Buffer.from(csv), mapping);
    assert.deepEqual(brief(statement), [
      [3, '2026-01-15', '80.05', 'USD', 'P1'],
      [5, '2026-01-15', '7.00', 'USD', 'P2'],
    ]);
    assert.equal(statement.lines[0]?.text, 'HM1 HM2');
  });

  const wrong: [what: string, text: string, says: RegExp][] = [
    ['an amount that is none', SGML.replace('+1234.50', '1.234.50'), /line 14, TRNAMT: "1\.234\.50" is no amount/],
    [
      'an amount too fine for its currency',
      SGML.replace('>700<', '>700.5<'),
      /line 20, TRNAMT: "700\.5" cannot be an amount in JPY/,
    ],
    ['a day that is none', SGML.replace('20260116', '20260230'), /line 19, DTPOSTED: "20260230" is no date/],
    ['an amount that is missing', SGML.replace('<TRNAMT>+1234.50', ''), /line 11, STMTTRN TRNAMT: is missing/],
    ['a currency that is none', SGML.replaceAll('EUR', 'XYZ'), /TRNAMT: "XYZ" is no currency/],
    ['tags that end too early', SGML.slice(0, SGML.indexOf('</BANKTRANLIST>')), /is never closed/],
    [
      'a tag closed twice',
      SGML.replace('</STMTTRN>', '</STMTTRN></STMTTRN>'),
      /line 18, STMTTRN: is closed where it is not open/,
    ],
    ['OFX without a statement', 'OFXHEADER:100\n<OFX></OFX>', /STMTRS: is missing/],
    [
      'a document type',
      CAMT.replace('<n:Document', '<!DOCTYPE a [<!ENTITY b "c">]><n:Document'),
      /line 3, document type: is not allowed/,
    ],
    ['XML that is cut off', CAMT.slice(0, 900), /is never closed: the file is cut off/],
    [
      'XML closed in the wrong order',
      CAMT.replace('</n:Amt><n:CdtDbtInd>CRDT', '</n:CdtDbtInd>'),
      /line 6, CdtDbtInd: is closed where Amt is open/,
    ],
    ['a direction that is none', CAMT.replace('CRDT', 'IN'), /line 6, CdtDbtInd: "IN" is neither/],
    [
      'an amount without its currency',
      CAMT.replace('<n:Amt Ccy="EUR">1234', '<n:Amt>1234'),
      /line 6, Amt Ccy: is missing/,
    ],
    ['another message', CAMT.replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'), /is no camt\.053 statement/],
    ['a day that is missing', CAMT.replace(/<n:BookgDt>.*?<\/n:BookgDt>/, ''), /line 6, BookgDt: "" is no date/],
    ['a text that is no statement', 'hello', /neither OFX nor camt\.053.*--mapping is missing/],
    ['bytes that are no text', '<?xml version="1.0"?><a>\u00ff</a>', /not written in utf-8/],
    ['an encoding nobody knows', '<?xml version="1.0" encoding="X-99"?><a/>', /X-99, which is not known here/],
    ['elements without end', `<?xml version="1.0"?>${'<a>'.repeat(100)}`, /within more than 64 elements/],
  ];
  for (const [what, text, says] of wrong) {
    it(`refuses ${what}, naming line and field`, () => {
      assert.throws(
        () => read(text),
        (error) => error instanceof OperatorError && says.test(error.message),
      );
    });
  }

  const rows: [what: string, text: string, says: RegExp][] = [
    ['a column that is missing', 'Datum;Betrag;Währung\n', /no column "Buchungstag"; it has "Datum"/],
    [
      'an amount of another country',
      'Buchungstag;Verwendungszweck;Betrag;Währung\n15.01.2026;x;1,234.50;EUR\n',
      /line 4, Betrag: "1,234\.50" is no amount/,
    ],
    [
      'thousands that are none',
      'Buchungstag;Verwendungszweck;Betrag;Währung\n15.01.2026;x;1.50;EUR\n',
      /line 4, Betrag: "1\.50" is no amount/,
    ],
    [
      'a day of another country',
      'Buchungstag;Verwendungszweck;Betrag;Währung\n01/15/2026;x;1,50;EUR\n',
      /line 4, Buchungstag: "01\/15\/2026" is no date as DD\.MM\.YYYY/,
    ],
    [
      'a quote that is never closed',
      'Buchungstag;Verwendungszweck;Betrag;Währung\n15.01.2026;"x;1,50;EUR\n',
      /Quote Not Closed/,
    ],
  ];
  for (const [what, text, says] of rows) {
    it(`refuses ${what} in CSV, naming line and column`, () => {
      const bytes = Buffer.from(`\n\n${text}`, 'latin1');
      assert.throws(
        () => readStatement(bytes, german),
        (error) => error instanceof OperatorError && says.test(error.message),
      );
    });
  }

  it('refuses a mapping, naming its keys', () => {
    assert.throws(
      () =>
        readStatementMapping(
          'date: A\namount: {in: B}\ncurrency: EURO\nformat: {decimal: comma, thousands: comma, date: D}',
          'm.yaml',
        ),
      /m\.yaml is not a usable mapping:[^]*format\.date[^]*amount[^]*currency/,
    );
  });

  it('reads or refuses whatever it is given, and never fails otherwise', () => {
    const piece = fc.constantFrom(
      '<OFX>',
      '</OFX>',
      '<STMTRS>',
      '<CURDEF>EUR',
      '<STMTTRN>',
      '</STMTTRN>',
      '<TRNAMT>1',
      '&amp;',
      '&#0;',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?xml?>',
      '"',
      ';',
      '\n',
      'OFXHEADER:100',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 30 }),
        (parts) => {
          for (const given of [
            parts.join(''),
            `OFXHEADER:100\n${parts.join('')}`,
            SGML.replace('A2', parts.join('')),
            CAMT.replace('M1', parts.join('')),
          ]) {
            for (const mapping of [undefined, german]) {
              try {
                readStatement(Buffer.from(given), mapping);
              } catch (error) {
                if (!(error instanceof OperatorError)) throw error;
              }
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
