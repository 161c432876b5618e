import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { decimalText, exponentOf } from '../../../src/kernel/money.ts';
import { assertInOrder, type Balances, balancesOf, BOOKS, plain } from '../../../test/exports/formats/programs.ts';
import { ran } from '../../../test/exports/formats/tools.ts';
import { sheetsOf } from '../../../test/exports/formats/xlsxReading.ts';

/** Runs a job of some days, and says where its files lie. */
export type RunJob = (
  job: string,
  from: string,
  to: string,
) => Promise<{ folder: string; files: readonly WrittenFile[] }>;
interface WrittenFile {
  readonly name: string;
  readonly sha256: string;
}

/** One posting of the audit copy. */
interface Line {
  entry: string;
  posting: number;
  reference: string;
  account: string;
  currency: string;
  minor: bigint;
}

export interface CheckedMonth {
  entries: number;
  postings: number;
  /** What each account has moved by, in minor units, by `account currency`. */
  moved: ReadonlyMap<string, bigint>;
}

/** Formats that need not be told anything of accounts. */
export const JOBS = [
  'hledger',
  'ledger',
  'beancount',
  'csv',
  'jsonl',
  'xlsx',
  'ofx',
  'statement',
  'parquet',
  'quickbooks',
  'iif',
] as const;

/** What a cell of CSV must not begin with where it is no number. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Writes a month in every format, and holds each against the audit copy: programs of the books, and readers.
 * @param codes accounts by what Xero knows them by; left out: nobody has said, and Xero has no file
 */
export async function checkMonth(
  run: RunJob,
  month: string,
  codes?: ReadonlyMap<string, string>,
): Promise<CheckedMonth> {
  const named = async (job: string): Promise<NamedFile[]> => {
    const { folder, files } = await run(job, month, month);
    return files
      .filter(({ name }) => !name.endsWith('.manifest.json'))
      .map(({ name }) => ({ name, bytes: readFileSync(join(folder, name)) }));
  };
  const whole = async (job: string) => (await named(job)).map(({ bytes }) => bytes);
  const [audit = Buffer.alloc(0)] = await whole('jsonl');
  const { lines, entries } = linesOf(audit.toString('utf8'));
  const moved = movedBy(lines);
  const expected = decimals(moved);
  for (const book of BOOKS) {
    const [text = Buffer.alloc(0)] = await whole(book);
    await assertInOrder(book, text.toString('utf8'));
    assert.deepEqual(await balancesOf[book](text.toString('utf8')), expected, `${book} ${month}`);
  }
  checkCsv((await whole('csv'))[0]?.toString('utf8') ?? '', lines);
  checkWorkbook((await whole('xlsx'))[0] ?? Buffer.alloc(0), lines);
  const statements = statementsOf(lines);
  assert.deepEqual(Object.fromEntries(await dumped(await whole('ofx'))), statements, `ofx ${month}`);
  assert.deepEqual(
    Object.fromEntries((await whole('statement')).flatMap(statementLines)),
    statements,
    `statement ${month}`,
  );
  await checkParquet(await whole('parquet'), lines);
  const same = (found: Iterable<Moved>, what: string) =>
    assert.deepEqual(decimals(movedBy(found)), expected, `${what} ${month}`);
  same((await named('quickbooks')).flatMap(quickbooksLines), 'quickbooks');
  same((await named('iif')).flatMap(iifLines), 'iif');
  if (codes)
    same(
      (await named('xero')).flatMap((file) => xeroLines(file, codes)),
      'xero',
    );
  return { entries, postings: lines.length, moved };
}

/** Runs each job once more: the same bytes, file by file. */
export async function checkTwice(run: RunJob, jobs: readonly string[], from: string, to: string): Promise<void> {
  for (const job of jobs) {
    const [first, second] = [await run(job, from, to), await run(job, from, to)];
    assert.ok(first.files.length > 0);
    assert.deepEqual(second.files, first.files, job);
  }
}

interface NamedFile {
  name: string;
  bytes: Buffer;
}

type Moved = Pick<Line, 'account' | 'currency' | 'minor'>;

function quickbooksLines({ bytes }: NamedFile): Moved[] {
  return rowsOf(bytes).map((row) => {
    const currency = row['Currency'] ?? '';
    const debit = row['Debits'] ?? '';
    const minor = debit === '' ? -minorOf(row['Credits'] ?? '', currency) : minorOf(debit, currency);
    return { account: row['Account Name'] ?? '', currency, minor };
  });
}

function iifLines({ name, bytes }: NamedFile): Moved[] {
  const currency = /-([A-Z]{3})\.iif$/.exec(name)?.[1] ?? '';
  const rows = bytes
    .toString('latin1')
    .split('\r\n')
    .map((row) => row.split('\t'));
  return rows
    .filter(([kind]) => kind === 'TRNS' || kind === 'SPL')
    .map((cells) => ({ account: cells[4] ?? '', currency, minor: minorOf(cells[7] ?? '', currency) }));
}

/** What Xero takes for one journal comes to nothing. */
function xeroLines({ name, bytes }: NamedFile, codes: ReadonlyMap<string, string>): Moved[] {
  const currency = /-([A-Z]{3})-\d+\.csv$/.exec(name)?.[1] ?? '';
  const journals = new Map<string, bigint>();
  const lines = rowsOf(bytes).map((row) => {
    const minor = minorOf(row['*Amount'] ?? '', currency);
    const key = `${row['*Date']} ${row['*Narration']}`;
    journals.set(key, (journals.get(key) ?? 0n) + minor);
    return { account: codes.get(row['*AccountCode'] ?? '') ?? '', currency, minor };
  });
  assert.ok([...journals.values()].every((sum) => sum === 0n));
  return lines;
}

function rowsOf(bytes: Buffer): Record<string, string>[] {
  return parse(bytes.toString('utf8'), { columns: true }) as Record<string, string>[];
}

function linesOf(text: string): { lines: Line[]; entries: number } {
  const entries = text.split('\n').filter(Boolean);
  const lines = entries.flatMap((one) => {
    const entry = JSON.parse(one) as {
      id: string;
      reference: string;
      postings: { account: string; amount: string; currency: string }[];
    };
    return entry.postings.map(({ account, amount, currency }, index) => ({
      entry: entry.id,
      posting: index + 1,
      reference: entry.reference,
      account,
      currency,
      minor: minorOf(amount, currency),
    }));
  });
  return { lines, entries: entries.length };
}

function minorOf(amount: string, currency: string): bigint {
  const [units = '', fraction = ''] = amount.split('.');
  assert.equal(fraction.length, exponentOf(currency), `${amount} ${currency}`);
  return BigInt(units + fraction);
}

export function movedBy(lines: Iterable<Moved>): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { account, currency, minor } of lines) {
    const key = `${account} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + minor);
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0n));
}

function decimals(moved: ReadonlyMap<string, bigint>): Balances {
  return Object.fromEntries([...moved].map(([key, sum]) => [key, plain(decimalText(sum, key.slice(-3)))]));
}

function checkCsv(text: string, lines: readonly Line[]): void {
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  for (const row of rows) {
    for (const cell of Object.values(row)) assert.ok(NUMBER.test(cell) || !FORMULA.test(cell), cell);
  }
  assert.deepEqual(
    rows.map((row) => ({
      entry: row['entry_id'],
      posting: Number(row['posting']),
      reference: row['reference'],
      account: row['account'],
      currency: row['currency'],
      minor: minorOf(row['amount'] ?? '', row['currency'] ?? ''),
    })),
    lines,
  );
}

/** `sheetsOf` fails at a formula. */
function checkWorkbook(bytes: Buffer, lines: readonly Line[]): void {
  const cells = sheetsOf(bytes).get('Lines');
  for (const [index, { entry, account, currency, minor }] of lines.entries()) {
    const row = index + 2;
    const value = (column: string) => cells?.get(`${column}${row}`)?.value;
    assert.deepEqual([value('A'), value('D'), value('I')], [entry, account, currency]);
    const amount = Number(value('G') ?? 0) - Number(value('H') ?? 0);
    assert.equal(amount, Number(decimalText(minor, currency)), `${entry} row ${row}`);
  }
  assert.equal(cells?.get(`A${lines.length + 2}`), undefined);
}

/** What statements of the clearing accounts have to say, by the ids of their lines. ofxdump shows two decimals. */
function statementsOf(lines: readonly Line[]): Record<string, string> {
  return Object.fromEntries(
    lines
      .filter(({ account }) => account.startsWith('Assets:Clearing:'))
      .map(({ reference, posting, minor, currency }) => [
        `${reference}-${posting}`,
        Number(decimalText(minor, currency)).toFixed(2),
      ]),
  );
}

async function dumped(files: readonly Buffer[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const bytes of files) {
    const { out, code, err } = await ran('ofxdump', bytes, (file) => [file]);
    assert.equal(code, 0, err);
    for (const block of out.split('ofx_proc_transaction():').slice(1)) {
      const amount = /Total money amount: (\S+)/.exec(block)?.[1] ?? '';
      const id = /Financial institution's ID for this transaction: (\S+)/.exec(block)?.[1] ?? '';
      assert.ok(!found.has(id), id);
      found.set(id, Number(amount).toFixed(2));
    }
  }
  return found;
}

function statementLines(bytes: Buffer): [id: string, amount: string][] {
  return rowsOf(bytes).map((row) => [row['Reference'] ?? '', Number(row['*Amount']).toFixed(2)]);
}

async function checkParquet(files: readonly Buffer[], lines: readonly Line[]): Promise<void> {
  const rows = [];
  for (const bytes of files) rows.push(...(await parquetReadObjects({ file: new Uint8Array(bytes).buffer })));
  assert.deepEqual(
    rows.map((row) => ({
      entry: row['entry_id'] as string,
      posting: Number(row['posting']),
      reference: row['reference'] as string,
      account: row['account'] as string,
      currency: row['currency'] as string,
      minor: row['amount_minor'] as bigint,
    })),
    lines,
  );
}
