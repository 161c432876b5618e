import { decimalText } from '../kernel/money.ts';
import { counted, grouped, table } from './output.ts';

interface Line {
  line: number;
  date: string;
  amount: number;
  currency: string;
}

/** Lines of a bank statement, matched with postings of the books or left unexplained. */
export interface Matched {
  bank: string;
  format: string;
  lines: number;
  known: number;
  matches: (Line & { account: string; by: string; postings: number })[];
  proposed: Matched['matches'];
  unexplained: (Line & { why: string })[];
  open: { account: string; currency: string; amount: number; sums: { of: string; date: string; amount: number }[] }[];
  changed: { entry_id: string; was: number; is: number | null; currency: string }[];
  stored: boolean;
}

/** A payout whose posting was reversed. */
export interface Undone {
  payout_id: string;
  date: string;
  account: string;
  amount_minor: number;
  currency: string;
  postings: number;
}

/** Rows shown at most; longer lists help no reader on a screen. */
const MOST_SHOWN = 40;
const MOST_OF_ACCOUNT = 10;

const BY: Readonly<Record<string, string>> = {
  named: 'it names them',
  booking: 'what a booking has left',
  posting: 'one posting',
  batch: 'several bookings together',
};

/** Formats matched, proposed, unexplained and changed lines, and the open accounts. */
export function matchText(matched: Matched): string {
  const { bank, format, lines, known, matches, proposed, unexplained, open, changed, stored } = matched;
  return [
    `${counted(lines, 'line')} of ${format} for ${bank}: ${grouped(matches.length)} ${stored ? 'matched' : 'would match'}, ${grouped(proposed.length)} proposed, ${grouped(known)} matched before, ${grouped(unexplained.length)} unexplained`,
    ...section('matched:', ['line', 'date', 'amount', '', 'from', 'postings', 'by'], matches.map(matchCells)),
    ...section(
      'proposed, since nothing but the amount speaks for it (--accept LINES, or all):',
      ['line', 'date', 'amount', '', 'from', 'postings', 'by'],
      proposed.map(matchCells),
    ),
    ...section(
      'unexplained:',
      ['line', 'date', 'amount', '', 'why'],
      unexplained.map((one) => [...lineCells(one), one.why]),
    ),
    ...section(
      'changed since they were matched:',
      ['entry', 'was', 'is', ''],
      changed.map(({ entry_id, was, is, currency }) => [
        entry_id,
        decimalText(was, currency),
        is === null ? 'gone' : decimalText(is, currency),
        currency,
      ]),
    ),
    ...(open.length === 0 ? ['', 'nothing is left on clearing accounts'] : ['', 'left on clearing accounts:']),
    ...open.flatMap(openLines),
  ].join('\n');
}

/** Formats the reversal of a payout. */
export function undoneText({ payout_id, date, account, amount_minor, currency, postings }: Undone): string {
  const amount = `${decimalText(amount_minor, currency)} ${currency}`;
  return `payout ${payout_id} of ${date}, ${amount} from ${account}, is reversed; ${counted(postings, 'posting')} of it ${postings === 1 ? 'is' : 'are'} open again`;
}

function matchCells(one: Matched['matches'][number]): (string | number)[] {
  return [...lineCells(one), one.account, one.postings, BY[one.by] ?? one.by];
}

function lineCells({ line, date, amount, currency }: Line): (string | number)[] {
  return [line, date, decimalText(amount, currency), currency];
}

function section(title: string, headings: string[], rows: (string | number)[][]): string[] {
  if (rows.length === 0) return [];
  const rest = rows.length - MOST_SHOWN;
  const more = rest > 0 ? [`and ${grouped(rest)} more; --json has them`] : [];
  return ['', title, table(headings, rows.slice(0, MOST_SHOWN)), ...more];
}

function openLines({ account, currency, amount, sums }: Matched['open'][number]): string[] {
  const shown = sums
    .slice(0, MOST_OF_ACCOUNT)
    .map((one) => `    ${one.date}  ${one.of}  ${decimalText(one.amount, currency)}`);
  const rest = sums.length - shown.length;
  return [
    `  ${account}  ${decimalText(amount, currency)} ${currency}`,
    ...shown,
    ...(rest > 0 ? [`    and ${grouped(rest)} more; --json has them`] : []),
  ];
}
