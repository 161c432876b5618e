import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { decimalText } from '../../../src/kernel/money.ts';
import { ran } from './tools.ts';

/** What each program is asked: whether the file is in order, and what every account holds. */
const books = {
  hledger: {
    program: 'hledger',
    check: (file: string) => ['check', '-f', file, '--strict', 'ordereddates'],
  },
  ledger: {
    program: 'ledger',
    check: (file: string) => ['--args-only', '-f', file, '--strict', '--pedantic', 'balance'],
  },
  beancount: {
    program: 'bean-check',
    check: (file: string) => ['-C', file],
  },
} as const;
export const PROGRAMS = ['hledger', 'ledger', 'bean-check', 'bean-query'];
export type Book = keyof typeof books;
export const BOOKS = Object.keys(books) as Book[];

/** Fails unless the program takes the file without a word. */
export async function assertInOrder(book: Book, text: string): Promise<void> {
  const { program, check } = books[book];
  const { code, out, err } = await ran(program, text, check);
  const complaints = book === 'ledger' ? err : out + err;
  assert.deepEqual({ code, complaints }, { code: 0, complaints: '' }, `${book}\n${err.slice(0, 2_000)}`);
}

/** Account and currency with the sum as exact text, zeros left out. */
export type Balances = Record<string, string>;

/** Without zeros at the end, since programs write as many decimals as they like. */
export function plain(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/0+$/, '').replace(/\.$/, '') : decimal;
}

async function balancesOfHledger(text: string): Promise<Balances> {
  const { out, code, err } = await ran('hledger', text, (file) => ['balance', '-f', file, '--flat', '-N', '-O', 'csv']);
  assert.equal(code, 0, err);
  const rows = parse(out) as string[][];
  return added(
    rows.slice(1).flatMap(([account = '', amounts = '']) =>
      amounts.split(', ').map((one) => {
        const [amount = '', currency = ''] = one.split(' ');
        return { account, amount, currency };
      }),
    ),
  );
}

async function balancesOfLedger(text: string): Promise<Balances> {
  const { out, code, err } = await ran('ledger', text, (file) => [
    '--args-only',
    '-f',
    file,
    '--strict',
    '--pedantic',
    'register',
    '--format',
    '%(account)\\t%(quantity(amount))\\t%(commodity(amount))\\n',
  ]);
  assert.equal(code, 0, err);
  return added(
    out
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([account = '', amount = '', currency = '']) => ({ account, amount, currency })),
  );
}

async function balancesOfBeancount(text: string): Promise<Balances> {
  const query = 'select account, str(sum(number)), currency group by account, currency';
  const { out, code, err } = await ran('bean-query', text, (file) => ['-q', '-f', 'csv', file, query]);
  assert.equal(code, 0, err);
  const rows = parse(out, { trim: true }) as string[][];
  return added(
    rows.slice(1).map(([account = '', amount = '', currency = '']) => {
      return { account, amount: amount.replace(/^Decimal\('(.*)'\)$/, '$1'), currency };
    }),
  );
}

/** Sums whole ten-thousandths, as no currency has finer ones. */
function added(rows: readonly { account: string; amount: string; currency: string }[]): Balances {
  const sums = new Map<string, bigint>();
  for (const { account, amount, currency } of rows) {
    const [whole = '', fraction = ''] = amount.replaceAll(',', '').split('.');
    const key = `${account.trim()} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(whole + fraction.padEnd(4, '0').slice(0, 4)));
  }
  return Object.fromEntries(
    [...sums].filter(([, sum]) => sum !== 0n).map(([key, sum]) => [key, plain(decimalText(sum, 'CLF'))]),
  );
}

/** What each program says that the accounts hold. */
export const balancesOf: Readonly<Record<Book, (text: string) => Promise<Balances>>> = {
  hledger: balancesOfHledger,
  ledger: balancesOfLedger,
  beancount: balancesOfBeancount,
};
