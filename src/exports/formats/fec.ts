import { z } from 'zod';
import { lastDayOfMonth, type PlainDate } from '../../kernel/dates.ts';
import { UsageError } from '../../kernel/errors.ts';
import { type Currency, decimalText } from '../../kernel/money.ts';
import type { Account, Journal, JournalEntry } from '../journal/entry.ts';
import { yearOf, yearStart } from './businessYear.ts';
import { type Format, type FormatOptions, requireNeeds, type WrittenFile } from './format.ts';
import { accountsByName } from './writing/lookups.ts';
import { openingBalances } from './writing/openings.ts';
import { readOptions } from './options.ts';
import { inOwnCurrency, type OwnPosting } from './writing/ownCurrency.ts';
import { latin1Bytes, latin1Cell } from './writing/text.ts';
import { digitsOf } from './writing/writtenDate.ts';

/** The fields of article A47 A-1, in their order. */
const FIELDS = [
  'JournalCode',
  'JournalLib',
  'EcritureNum',
  'EcritureDate',
  'CompteNum',
  'CompteLib',
  'CompAuxNum',
  'CompAuxLib',
  'PieceRef',
  'PieceDate',
  'EcritureLib',
  'Debit',
  'Credit',
  'EcritureLet',
  'DateLet',
  'ValidDate',
  'Montantdevise',
  'Idevise',
] as const;

const LINE_END = '\r\n';
const LONGEST_TEXT = 200;
const OPENING = 'A nouveaux';

const settings = z.strictObject({
  siren: z.string('missing').regex(/^\d{9}$/, 'must be the nine digits that the business is registered under'),
  year_starts_in: yearStart,
  /** Code and name of the journal of all entries. */
  journal: z
    .string()
    .regex(/^[A-Z0-9]{1,10}$/, 'must be one to ten capitals and digits')
    .default('LOC'),
  title: z.string().min(1).default('Locations'),
  /** Account for the result of earlier years. */
  result: z
    .string()
    .regex(/^\d{3}\d*$/, 'must be the number of an account, such as 120000')
    .default('120000'),
});
type Settings = z.output<typeof settings>;

/**
 * The French audit file. Its numbers have no gaps and must not change later. Therefore it contains closed months only,
 * from the first month of a year on.
 */
export const fec: Format = {
  name: 'fec',
  title: 'entries of a business year for the French administration (FEC), months that are closed',
  extension: 'txt',
  needs: {
    key: 'code',
    ofCountry: true,
    what: 'the number of every account in the French chart, beginning with three digits',
    isMet: ({ code }) => /^\d{3}[0-9A-Za-z]*$/.test(code ?? ''),
  },
  write: files,
};

async function* files(journal: Journal, options: FormatOptions): AsyncGenerator<WrittenFile> {
  const chosen = readOptions('fec', settings, options);
  requireNeeds(fec, journal);
  requireDays(journal, chosen);
  await requireRates(journal);
  // The file name that the tax office requires.
  const part = `${chosen.siren}FEC${digitsOf(journal.facts.to)}`;
  yield { part, chunks: latin1Bytes(lines(journal, chosen)) };
}

function requireDays({ facts }: Journal, { year_starts_in }: Settings): void {
  const { from, to, mode, locked } = facts;
  if (mode === 'incremental') {
    throw new UsageError('format fec: a year is written whole', 'say mode: full in exports.jobs.<job>');
  }
  const first = yearOf(to, year_starts_in);
  if (from !== first) {
    throw new UsageError(
      `format fec: entries are numbered from the first day of their business year on, and ${from} to ${to} is not that`,
      `give --from ${first}, or year_starts_in in the options of the job`,
    );
  }
  const through = locked.at(-1)?.period;
  if (through !== undefined && to <= lastDayOfMonth(through)) return;
  throw new UsageError(
    `format fec: ${to} is in a month that is not closed, so that its entries have no numbers yet`,
    through === undefined || lastDayOfMonth(through) < first
      ? `./stayd export close ${to.slice(0, 7)}`
      : `./stayd export close ${to.slice(0, 7)}, or give --to ${lastDayOfMonth(through)}`,
  );
}

/**
 * Checks, before anything is written, that every entry has a rate.
 * @throws UsageError that names the currency and the day without a stated rate
 */
async function requireRates(journal: Journal): Promise<void> {
  if (journal.currencies.every((currency) => currency === journal.facts.currency)) return;
  balancesBefore(journal);
  for await (const entry of journal.entries()) inOwnCurrency(journal, dayOf(entry), entry.postings);
}

/**
 * Returns the day whose rate applies. A reversal or a correction in a later month uses the rate of its original day.
 */
function dayOf({ date, originalDate }: JournalEntry): PlainDate {
  return originalDate ?? date;
}

async function* lines(journal: Journal, chosen: Settings): AsyncGenerator<string> {
  const accounts = accountsByName(journal);
  const validated = validDates(journal);
  yield row(FIELDS);
  yield* openings(journal, chosen);
  let number = 0;
  for await (const entry of journal.entries()) {
    number += 1;
    for (const { posting, amount, foreign } of inOwnCurrency(journal, dayOf(entry), entry.postings)) {
      yield line({
        journal: [chosen.journal, chosen.title],
        number,
        date: entry.date,
        account: numbered(accounts.get(posting.account)),
        document: entry.reservation ?? `${entry.source.kind}/${entry.source.id}`,
        documentDate: entry.originalDate ?? entry.date,
        text: `${entry.id} ${posting.memo ?? entry.description}`,
        amount,
        currency: journal.facts.currency,
        foreign,
        validated: validated(entry.date),
      });
    }
  }
}

/** Returns the opening lines: balance sheet accounts continue, and income and expenses have become the result. */
function* openings(journal: Journal, chosen: Settings): Generator<string> {
  const { from, currency } = journal.facts;
  const accounts = accountsByName(journal);
  const opening = (account: Numbered, { amount, foreign }: Pick<OwnPosting, 'amount' | 'foreign'>) =>
    line({
      journal: ['AN', OPENING],
      number: 1,
      date: from,
      account,
      document: 'AN',
      documentDate: from,
      text: OPENING,
      amount,
      currency,
      foreign,
      validated: from,
    });
  let result = 0n;
  for (const own of balancesBefore(journal)) {
    result -= own.amount;
    yield opening(numbered(accounts.get(own.posting.account)), own);
  }
  // The result includes the effect of rate changes on other currencies.
  if (result !== 0n) yield opening([chosen.result, 'Report a nouveau'], { amount: result, foreign: null });
}

/** Returns the balances of accounts that continue from year to year, at the rates of the first day. */
function balancesBefore(journal: Journal): OwnPosting[] {
  const { from, currency } = journal.facts;
  return openingBalances(journal).flatMap(({ account, opening, currency: of }) => {
    const posting = { account, amount: Number(opening), currency: of, propertyId: null };
    if (of === currency) return [{ posting, amount: opening, foreign: null }];
    return inOwnCurrency(journal, from, [posting], { balanced: false });
  });
}

/** Returns a function that gives the day on which the month of an entry was closed. */
function validDates({ facts: { locked } }: Journal): (date: PlainDate) => PlainDate {
  const days = new Map(locked.map(({ period, on }) => [period, on]));
  return (date) => days.get(date.slice(0, 7)) ?? date;
}

type Numbered = readonly [number: string, title: string];

function numbered(account: Account | undefined): Numbered {
  return [account?.code ?? '', account?.title ?? ''];
}

interface Line {
  /** Code and name. */
  journal: readonly [string, string];
  number: number;
  date: PlainDate;
  account: Numbered;
  document: string;
  documentDate: PlainDate;
  text: string;
  /** Minor units, above zero for a debit. */
  amount: bigint;
  currency: Currency;
  foreign: OwnPosting['foreign'];
  validated: PlainDate;
}

function line(of: Line): string {
  const written = (minor: bigint) => decimalText(minor > 0n ? minor : 0n, of.currency).replace('.', ',');
  return row([
    of.journal[0],
    cell(of.journal[1]),
    String(of.number),
    digitsOf(of.date),
    of.account[0],
    cell(of.account[1]),
    '',
    '',
    cell(of.document),
    digitsOf(of.documentDate),
    cell(of.text),
    written(of.amount),
    written(-of.amount),
    '',
    '',
    digitsOf(of.validated),
    of.foreign === null ? '' : decimalText(of.foreign.amount, of.foreign.currency).replace('.', ','),
    of.foreign?.currency ?? '',
  ]);
}

/** Writes a text without the separator of the format. */
function cell(text: string): string {
  return latin1Cell(text, LONGEST_TEXT).replaceAll('|', '/');
}

function row(cells: readonly string[]): string {
  return cells.join('|') + LINE_END;
}
