import { z } from 'zod';
import { lastDayOfMonth, type PlainDate } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { type Currency, decimalText } from '../../kernel/money.ts';
import type { AccountName, Journal, JournalEntry } from '../journal/entry.ts';
import { postingsIn } from './writing/byCurrency.ts';
import { byMonth, type Month } from './writing/byMonth.ts';
import { COLUMNS, PLACES } from './datev/columns.ts';
import { type Format, type FormatOptions, requireNeeds, type WrittenFile } from './format.ts';
import { accountsByName, propertyCodes } from './writing/lookups.ts';
import { readOptions } from './options.ts';
import { type Pair, pairsOf } from './writing/pairs.ts';
import { latin1Bytes, latin1Cell } from './writing/text.ts';
import { digitsOf } from './writing/writtenDate.ts';
import { yearOf, yearStart } from './businessYear.ts';

/** Version of the header and of the columns of a batch. */
const HEADER_VERSION = 700;
const CATEGORY = 21;
const FORMAT_VERSION = 13;
const LINE_END = '\r\n';

const LONGEST_TEXT = 60;
const LONGEST_COST_CENTRE = 36;
const LONGEST_INFORMATION = 210;
const LONGEST_TITLE = 30;
const MOST_DIGITS = 10;
/** Most lines of a file. */
const MOST_LINES = 99_999;

const settings = z.strictObject({
  /** Numbers of the tax adviser, and of the client there. */
  consultant: z.string('missing').regex(/^[1-9]\d{3,6}$/, 'must be the number of the adviser, four to seven digits'),
  client: z.string('missing').regex(/^[1-9]\d{0,4}$/, 'must be the number of the client, one to five digits'),
  year_starts_in: yearStart,
  account_length: z.enum(['4', '5', '6', '7', '8']).default('4'),
  /** Chart of the account codes, such as 03 or 04; empty if unstated. */
  chart: z
    .string()
    .regex(/^(?:\d\d)?$/, 'must be two digits such as 03')
    .default(''),
  /** yes: an imported batch can no longer be changed there. */
  final: z.enum(['no', 'yes']).default('no'),
});
type Settings = z.output<typeof settings>;

/**
 * DATEV batches. A batch covers one month and one currency. A line has an amount, an account and a contra account, so
 * entries are split into pairs.
 */
export const datev: Format = {
  name: 'datev',
  title: 'batches of bookings for DATEV (EXTF), a file per month and currency',
  extension: 'csv',
  prefix: 'EXTF_',
  needs: {
    key: 'code',
    ofCountry: true,
    what: 'the number of every account, four to nine digits',
    isMet: ({ code }) => /^\d{4,9}$/.test(code ?? ''),
  },
  write: files,
};

async function* files(journal: Journal, options: FormatOptions): AsyncGenerator<WrittenFile> {
  const chosen = readOptions('datev', settings, options);
  requireNeeds(datev, journal);
  requireLengths(journal, chosen);
  const accounts = accountsByName(journal);
  const numberOf = (account: AccountName) => accounts.get(account)?.code ?? '';
  for (const currency of journal.currencies) {
    const pairs = (entry: JournalEntry) => pairsIn(entry, currency, numberOf);
    const limit = { most: MOST_LINES, lines: (entry: JournalEntry) => pairs(entry).length };
    for await (const month of byMonth(entriesIn(journal, currency), limit)) {
      yield {
        part: `${currency}-${month.month}${month.number === 1 ? '' : `-${month.number}`}`,
        chunks: latin1Bytes(lines(journal, { currency, chosen, month, pairs })),
      };
    }
  }
}

async function* entriesIn(journal: Journal, currency: Currency): AsyncGenerator<JournalEntry> {
  for await (const entry of journal.entries()) if (postingsIn(entry, currency).length > 0) yield entry;
}

/** Checks the lengths of account numbers. Numbers of people have one digit more than those of accounts. */
function requireLengths({ accounts }: Journal, { account_length }: Settings): void {
  const length = Number(account_length);
  const wrong = accounts.find(({ code }) => code?.length !== length && code?.length !== length + 1);
  if (!wrong) return;
  throw new OperatorError(
    `format datev: the number ${wrong.code ?? ''} of ${wrong.name} does not have ${length} digits, nor ${length + 1} as those of customers and suppliers`,
    'write it so in exports.books.<connection>.chart, or say account_length in the options of the job',
  );
}

interface Batch {
  currency: Currency;
  chosen: Settings;
  month: Month;
  pairs: (entry: JournalEntry) => Pair[];
}

async function* lines(journal: Journal, batch: Batch): AsyncGenerator<string> {
  const { currency, chosen, pairs } = batch;
  const properties = propertyCodes(journal);
  yield line(header(journal, batch));
  yield line(COLUMNS);
  for await (const entry of batch.month.entries) {
    for (const pair of pairs(entry)) {
      const cells = COLUMNS.map(() => '');
      const put = (place: number, cell: string) => {
        cells[place - 1] = cell;
      };
      put(PLACES.amount, amountText(entry, pair.amount, currency));
      put(PLACES.side, quoted('S'));
      put(PLACES.currency, quoted(currency));
      put(PLACES.account, pair.debit);
      put(PLACES.against, pair.credit);
      put(PLACES.day, `${entry.date.slice(8)}${entry.date.slice(5, 7)}`);
      put(PLACES.document, quoted(entry.reference));
      put(PLACES.text, text(`${entry.id} ${pair.memo ?? entry.description}`, LONGEST_TEXT));
      for (const [index, [kind, said]] of informationOf(entry).entries()) {
        put(PLACES.firstInformation + index * 2, quoted(kind));
        put(PLACES.firstInformation + index * 2 + 1, text(said, LONGEST_INFORMATION));
      }
      if (pair.propertyId !== null) {
        put(PLACES.costCentre, text(properties.get(pair.propertyId) ?? '', LONGEST_COST_CENTRE));
      }
      put(PLACES.isFinal, chosen.final === 'yes' ? '1' : '0');
      yield line(cells);
    }
  }
}

function pairsIn(entry: JournalEntry, currency: Currency, numberOf: (account: AccountName) => string): Pair[] {
  const pairs = pairsOf(postingsIn(entry, currency), numberOf);
  if (pairs) return pairs;
  throw new OperatorError(
    `entry ${entry.id} moves money within one account, which DATEV does not take`,
    'give the accounts of its postings numbers of their own in exports.books.<connection>.chart',
  );
}

function informationOf({ id, reservation, channel }: JournalEntry): [kind: string, said: string][] {
  const all: [string, string | null][] = [
    ['Entry', id],
    ['Reservation', reservation],
    ['Channel', channel],
  ];
  return all.flatMap(([kind, said]): [string, string][] => (said === null || said === '' ? [] : [[kind, said]]));
}

function header({ facts }: Journal, { currency, chosen, month: { month } }: Batch): string[] {
  const first = latest(facts.from, `${month}-01`);
  const last = earliest(facts.to, lastDayOfMonth(month));
  const cells = [
    quoted('EXTF'),
    HEADER_VERSION,
    CATEGORY,
    quoted('Buchungsstapel'),
    FORMAT_VERSION,
    // The time of creation follows from the content, so the same entries give the same bytes.
    `${digitsOf(last)}000000000`,
    '',
    quoted('RE'),
    quoted('stayd'),
    quoted(''),
    chosen.consultant,
    chosen.client,
    digitsOf(yearOf(first, chosen.year_starts_in)),
    chosen.account_length,
    digitsOf(first),
    digitsOf(last),
    text(`${month} stayd ${facts.connection}`, LONGEST_TITLE),
    quoted(''),
    1,
    0,
    chosen.final === 'yes' ? 1 : 0,
    quoted(currency),
    '',
    quoted(''),
    '',
    '',
    quoted(chosen.chart),
    '',
    '',
    quoted(''),
    quoted(''),
  ];
  return cells.map(String);
}

/**
 * Writes an amount.
 * @throws OperatorError if it has more than two decimals, or more digits than the column
 */
function amountText({ id }: JournalEntry, amount: number, currency: Currency): string {
  const [whole = '', fraction = ''] = decimalText(amount, currency).split('.');
  const cents = fraction.padEnd(2, '0');
  if (whole.length > MOST_DIGITS || /[^0]/.test(cents.slice(2))) {
    throw new OperatorError(
      `entry ${id}: DATEV has room for ${MOST_DIGITS} digits and two decimals, and ${decimalText(amount, currency)} ${currency} has more`,
      'write this journal as csv or jsonl',
    );
  }
  return `${whole},${cents.slice(0, 2)}`;
}

function text(value: string, longest: number): string {
  return quoted(latin1Cell(value, longest));
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}

function line(cells: readonly string[]): string {
  return cells.join(';') + LINE_END;
}

function latest(one: PlainDate, other: PlainDate): PlainDate {
  return one > other ? one : other;
}

function earliest(one: PlainDate, other: PlainDate): PlainDate {
  return one < other ? one : other;
}
