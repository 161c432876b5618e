import { isPlainDate, type PlainDate } from '../../../kernel/dates.ts';
import { allNamed, type Element, find, getText, textAt } from './elements.ts';
import { amountOf, fault, shown, type Statement, type StatementLine } from './line.ts';
import { parseXml } from './xml.ts';

/** Returns true for the beginning of an XML file. Only reading it shows if it is a bank statement. */
export function isXml(text: string): boolean {
  return /^\s{0,100}</.test(text);
}

/**
 * Reads an ISO 20022 statement, camt.053 of any version. Takes booked entries only. Each entry is one line, even if it
 * combines several payments; its text includes the texts of them all.
 * @throws OperatorError that names line and field
 */
export function readCamt(text: string): Statement {
  const root = parseXml(text);
  const message = find(root, 'BkToCstmrStmt');
  if (root.name !== 'Document' || !message) {
    throw fault(root.line, root.name, 'is no camt.053 statement', 'give a statement (camt.053), no notice (camt.054)');
  }
  const statements = [...allNamed(message, 'Stmt')];
  if (statements.length === 0) throw fault(message.line, 'Stmt', 'is missing: the file holds no statement');
  const entries = statements.flatMap((statement) => statement.children.filter(({ name }) => name === 'Ntry'));
  return { format: 'camt.053', lines: entries.filter(isBooked).map(lineOf) };
}

function isBooked(entry: Element): boolean {
  const status = textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts', 'Prtry') || textAt(entry, 'Sts');
  return status === '' || status === 'BOOK';
}

function lineOf(entry: Element): StatementLine {
  const amount = getText(entry, 'Amt');
  const currency = find(entry, 'Amt')?.attributes.get('Ccy');
  if (currency === undefined) throw fault(amount.line, 'Amt Ccy', 'is missing');
  const direction = getText(entry, 'CdtDbtInd');
  if (direction.text !== 'CRDT' && direction.text !== 'DBIT') {
    throw fault(direction.line, 'CdtDbtInd', `${shown(direction.text)} is neither CRDT nor DBIT`);
  }
  if (amount.text.startsWith('-')) throw fault(amount.line, 'Amt', `${shown(amount.text)} has a sign`);
  const minor = amountOf({ text: amount.text, currency, line: amount.line, field: 'Amt' });
  return {
    line: entry.line,
    date: dateOf(entry),
    // Gives the direction of the money for reversals too.
    amount: direction.text === 'CRDT' ? minor : 0 - minor,
    currency,
    bankId: textAt(entry, 'AcctSvcrRef') || textAt(entry, 'NtryRef') || null,
    text: [...textsOf(entry)].join(' '),
  };
}

function dateOf(entry: Element): PlainDate {
  const booked = find(entry, 'BookgDt') ?? find(entry, 'ValDt');
  const text = booked ? textAt(booked, 'Dt') || textAt(booked, 'DtTm') : '';
  const date = text.slice(0, 10);
  if (!isPlainDate(date))
    throw fault(booked?.line ?? entry.line, 'BookgDt', `${shown(text)} is no date such as 2026-01-15`);
  return date;
}

/** Fields in which banks put the purpose and the parties of a payment. */
const TELLING = new Set([
  'Ustrd',
  'Ref',
  'EndToEndId',
  'InstrId',
  'TxId',
  'MsgId',
  'Nm',
  'AddtlNtryInf',
  'AddtlTxInf',
  'NtryRef',
]);

function* textsOf(element: Element): Generator<string> {
  for (const child of element.children) {
    if (TELLING.has(child.name)) yield child.text;
    yield* textsOf(child);
  }
}
