import { isPlainDate, type PlainDate } from '../../../kernel/dates.ts';
import { allNamed, type Element, find, getText, textAt } from './elements.ts';
import { amountOf, fault, shown, type Statement, type StatementLine } from './line.ts';
import { parseSgml } from './sgml.ts';
import { parseXml } from './xml.ts';

const STATEMENTS = ['STMTRS', 'CCSTMTRS'] as const;

/** Returns true for the beginning of an OFX file, version 1 or 2. */
export function isOfx(text: string): boolean {
  const head = text.slice(0, 2_000);
  return /^\s{0,100}OFXHEADER\s{0,9}:/.test(head) || head.includes('<OFX>') || head.includes('<?OFX');
}

/**
 * Reads OFX, in the tags of version 1 or as XML.
 * @throws OperatorError that names line and field
 */
export function readOfx(text: string): Statement {
  const isXml = /<\?(?:xml|OFX)\s/.test(text.slice(0, 2_000));
  const root = isXml ? parseXml(text) : parseSgml(text, Math.max(0, text.indexOf('<')));
  if (root.name !== 'OFX') throw fault(root.line, root.name, 'is not OFX');
  const statements = STATEMENTS.flatMap((name) => [...allNamed(root, name)]);
  if (statements.length === 0) throw fault(root.line, 'STMTRS', 'is missing: the file holds no statement');
  return { format: 'ofx', lines: statements.flatMap(linesOf) };
}

function linesOf(statement: Element): StatementLine[] {
  const currency = getText(statement, 'CURDEF').text;
  const list = find(statement, 'BANKTRANLIST');
  return [...(list ? allNamed(list, 'STMTTRN') : [])].map((entry) => lineOf(entry, currency));
}

function lineOf(entry: Element, usual: string): StatementLine {
  const posted = getText(entry, 'DTPOSTED');
  const amount = getText(entry, 'TRNAMT');
  // ORIGCURRENCY is the currency before conversion. Amounts are in CURRENCY, or in the statement's currency.
  const currency = textAt(entry, 'CURRENCY', 'CURSYM') || usual;
  return {
    line: entry.line,
    date: dateOf(posted.text, posted.line),
    // The standard allows a decimal comma, and never a thousands separator.
    amount: amountOf({ text: amount.text.replace(',', '.'), currency, line: amount.line, field: 'TRNAMT' }),
    currency,
    bankId: textAt(entry, 'FITID') || null,
    text: ['NAME', 'PAYEE', 'MEMO', 'EXTDNAME', 'REFNUM', 'CHECKNUM', 'FITID']
      .map((name) => textAt(entry, name) || textAt(entry, name, 'NAME'))
      .join(' '),
  };
}

/** Reads `20260115`, with or without time and zone. The day is the bank's. */
function dateOf(text: string, line: number): PlainDate {
  const match = /^(\d{4})(\d{2})(\d{2})(?:\d{4}(?:\d{2}(?:\.\d{1,6})?)?)?(?:\[[^\]]{0,40}\])?$/.exec(text);
  const date = match ? `${match[1]}-${match[2]}-${match[3]}` : '';
  if (!isPlainDate(date)) throw fault(line, 'DTPOSTED', `${shown(text)} is no date such as 20260115`);
  return date;
}
