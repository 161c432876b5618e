import { addDaysWithin } from '../../kernel/dates.ts';
import { type Currency, decimalText } from '../../kernel/money.ts';
import type { Account, Journal, JournalEntry } from '../journal/entry.ts';
import { checkAccountNames, OPENING_BALANCES } from './writing/accountNames.ts';
import { openingBalances } from './writing/openings.ts';
import { type Format, oneFile } from './format.ts';
import { journalOptions, readOptions } from './options.ts';
import { joined, oneLine } from './writing/text.ts';

/** Journals for beancount and Fava. */
export const beancount: Format = {
  name: 'beancount',
  title: 'ledger for beancount and Fava, with balance assertions where they hold',
  extension: 'beancount',
  write: oneFile((journal, options) => {
    const { openings } = readOptions('beancount', journalOptions, options);
    return ledgerText(journal, openings === 'entry');
  }),
};

const LONGEST_STRING = 1_000;

async function* ledgerText(journal: Journal, withOpenings: boolean): AsyncGenerator<string> {
  checkAccountNames(journal);
  yield head(journal, withOpenings);
  if (withOpenings) yield openings(journal);
  yield* joined(entriesOf(journal));
  yield assertions(journal, withOpenings);
}

async function* entriesOf(journal: Journal): AsyncGenerator<string> {
  for await (const entry of journal.entries()) yield entryText(entry);
}

function head({ facts, accounts, currencies }: Journal, withOpenings: boolean): string {
  const own: Pick<Account, 'name' | 'title'>[] = withOpenings
    ? [{ name: OPENING_BALANCES, title: 'Opening balances' }]
    : [];
  const opened = [...accounts.filter(({ name }) => name !== own[0]?.name), ...own].toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const lines = [
    `; Journal from ${facts.from} to ${facts.to}`,
    `option "title" ${quoted(`${facts.connection}, dates of ${facts.zone}`)}`,
    `option "operating_currency" ${quoted(facts.currency)}`,
    '',
    ...currencies.map((currency) => `${facts.from} commodity ${currency}`),
    '',
    ...opened.flatMap(({ name, title }) => [`${facts.from} open ${name}`, `  title: ${quoted(title)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function entryText(entry: JournalEntry): string {
  const links = [entry.id, entry.corrects, entry.reservation].filter(isLink).map((link) => ` ^${link}`);
  const lines = [
    '',
    `${entry.date} * ${quoted(entry.payee)} ${quoted(entry.description)}${links.join('')}`,
    ...metadata('  ', [
      ['kind', entry.kind],
      ['source', `${entry.source.kind}/${entry.source.id}`],
      ['revision', String(entry.revision)],
      ['corrects', entry.corrects],
      ['original-date', entry.originalDate],
      ['reservation', entry.reservation],
      ['stay', entry.stay],
      ['channel', entry.channel],
    ]),
    ...entry.postings.flatMap(({ account, amount, currency, propertyId, memo }) => [
      amountLine(account, amount, currency),
      ...metadata('    ', [
        ['property', propertyId === null ? null : String(propertyId)],
        ['memo', memo ?? null],
      ]),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function openings(journal: Journal): string {
  const lines = openingBalances(journal);
  if (lines.length === 0) return '';
  const text = [
    '',
    `${journal.facts.from} * "Opening balances"`,
    ...lines.flatMap(({ account, opening, currency }) => [
      amountLine(account, opening, currency),
      amountLine(OPENING_BALANCES, -opening, currency),
    ]),
  ];
  return `${text.join('\n')}\n`;
}

/**
 * Returns balance assertions. beancount checks them at the start of a day, so they are dated one day after the last. An
 * incremental journal has none.
 */
function assertions(journal: Journal, withOpenings: boolean): string {
  const { facts, balances } = journal;
  const isComplete = facts.mode === 'full' && (withOpenings || balances.every(({ opening }) => opening === 0n));
  if (!isComplete || balances.length === 0) return '';
  const next = addDaysWithin(facts.to, 1);
  const begun = new Set(openingBalances(journal));
  const lines = balances
    .filter(({ account }) => account !== OPENING_BALANCES)
    .map((balance) => {
      const { account, opening, closing, currency } = balance;
      const amount = begun.has(balance) ? closing : closing - opening;
      return `${next} balance ${account}  ${decimalText(amount, currency)} ${currency}`;
    });
  return `\n${lines.join('\n')}\n`;
}

function amountLine(account: string, amount: number | bigint, currency: Currency): string {
  return `  ${account.padEnd(46)}  ${decimalText(amount, currency).padStart(14)} ${currency}`;
}

function metadata(indent: string, pairs: readonly [string, string | null][]): string[] {
  return pairs.flatMap(([key, value]) => (value === null ? [] : [`${indent}${key}: ${quoted(value)}`]));
}

function isLink(text: string | null): text is string {
  return text !== null && /^[A-Za-z0-9_./-]+$/.test(text);
}

function quoted(text: string): string {
  return `"${oneLine(text, LONGEST_STRING).replace(/["\\]/g, '\\$&')}"`;
}
