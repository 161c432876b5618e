import { exponentOf, type Currency, decimalText } from '../../../kernel/money.ts';
import type { Journal, JournalEntry, Posting } from '../../journal/entry.ts';
import { checkAccountNames, OPENING_BALANCES } from './accountNames.ts';
import { openingBalances } from './openings.ts';
import { joined, oneLine } from './text.ts';

/** Differences between hledger and ledger in writing a journal. */
interface Dialect {
  /** Lines before the accounts. */
  readonly head: readonly string[];
}

/**
 * Keys of the comments that carry an entry's data. `date`, `payee` and `type` have a meaning of their own and are
 * avoided.
 */
export const tags = [
  'kind',
  'source',
  'revision',
  'corrects',
  'original-date',
  'party',
  'reservation',
  'stay',
  'channel',
  'property',
  'memo',
] as const;
type Tag = (typeof tags)[number];

const LONGEST_DESCRIPTION = 500;
const LONGEST_VALUE = 500;

/** A journal to write. */
interface PlainTextOrder {
  journal: Journal;
  dialect: Dialect;
  /** True to write the balances before the first day as the first entry. */
  withOpenings: boolean;
}

/** Writes a journal in the common language of hledger and ledger. */
export async function* plainText(order: PlainTextOrder): AsyncGenerator<string> {
  checkAccountNames(order.journal);
  yield head(order);
  if (order.withOpenings) yield openings(order.journal);
  yield* joined(entriesOf(order.journal));
}

async function* entriesOf(journal: Journal): AsyncGenerator<string> {
  for await (const entry of journal.entries()) yield entryText(entry);
}

function head({ journal, dialect, withOpenings }: PlainTextOrder): string {
  const { facts } = journal;
  const names = new Map(journal.accounts.map(({ name, title }) => [name, title]));
  if (withOpenings) names.set(OPENING_BALANCES, 'Opening balances');
  const accounts = [...names].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = [
    `; Journal of ${inComment(facts.connection)}, ${facts.from} to ${facts.to}, dates of ${inComment(facts.zone)}`,
    '',
    ...dialect.head,
    ...journal.currencies.flatMap(commodityLines),
    '',
    ...accounts.flatMap(([name, title]) => [`account ${name}`, ...titleLines(title)]),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Returns a `format` that both programs read. Without decimals hledger requires a decimal mark and ledger forbids one,
 * so such a currency has none.
 */
function commodityLines(currency: Currency): string[] {
  const exponent = exponentOf(currency);
  const line = `commodity ${currency}`;
  return exponent === 0 ? [line] : [line, `    format 1000.${'0'.repeat(exponent)} ${currency}`];
}

function titleLines(title: string): string[] {
  const text = inComment(title);
  return text === '' ? [] : [`    ; ${text}`];
}

function entryText(entry: JournalEntry): string {
  const lines = [
    '',
    `${entry.date} * (${entry.id}) ${describe(entry)}`,
    ...tagLines([
      ['kind', entry.kind],
      ['source', `${entry.source.kind}/${entry.source.id}`],
      ['revision', String(entry.revision)],
      ['corrects', entry.corrects],
      ['original-date', entry.originalDate],
      ['party', entry.payee],
      ['reservation', entry.reservation],
      ['stay', entry.stay],
      ['channel', entry.channel],
    ]),
    ...entry.postings.flatMap((posting) => postingLines(posting)),
  ];
  return `${lines.join('\n')}\n`;
}

function postingLines({ account, amount, currency, propertyId, memo }: Posting): string[] {
  return [
    amountLine(account, amount, currency),
    ...tagLines([
      ['property', propertyId === null ? null : String(propertyId)],
      ['memo', memo ?? null],
    ]),
  ];
}

/** Writes a posting. Both programs require at least two blanks between account and amount. */
function amountLine(account: string, amount: number | bigint, currency: Currency): string {
  return `    ${account.padEnd(44)}  ${decimalText(amount, currency).padStart(14)} ${currency}`;
}

/** Writes one key per line, because ledger reads only the first key of a line. */
function tagLines(pairs: readonly [Tag, string | null][]): string[] {
  return pairs.flatMap(([tag, value]) => {
    const text = value === null ? '' : inComment(value);
    return text === '' ? [] : [`    ; ${tag}: ${text}`];
  });
}

function openings(journal: Journal): string {
  const lines = openingBalances(journal);
  if (lines.length === 0) return '';
  const currencies = [...new Set(lines.map(({ currency }) => currency))];
  const against = currencies.map((currency) => ({
    currency,
    sum: lines.reduce((sum, line) => (line.currency === currency ? sum + line.opening : sum), 0n),
  }));
  const text = [
    '',
    `${journal.facts.from} * (opening) Opening balances`,
    ...lines.map((line) => amountLine(line.account, line.opening, line.currency)),
    ...against.filter(({ sum }) => sum !== 0n).map(({ currency, sum }) => amountLine(OPENING_BALANCES, -sum, currency)),
  ];
  return `${text.join('\n')}\n`;
}

/** Writes payee and description. `;` would begin a comment, and `|` would end the payee. */
function describe({ payee, description, kind }: JournalEntry): string {
  const text = [payee, description].filter((part) => part !== '').join(' - ');
  return oneLine(text, LONGEST_DESCRIPTION).replaceAll(';', ',').replaceAll('|', '/').trim() || kind;
}

/** Writes a value for a comment. There, `key:` and `,` make tags, and a date in brackets is the date of the posting. */
function inComment(text: string): string {
  return oneLine(text, LONGEST_VALUE)
    .replace(/[[{(<]/g, '(')
    .replace(/[\]})>]/g, ')')
    .replace(/[:;,|]/g, '-')
    .trim();
}
