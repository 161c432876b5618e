import { readFileSync } from 'node:fs';
import type { PlainDate } from '../../kernel/dates.ts';
import { messageOf, OperatorError, UsageError } from '../../kernel/errors.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import { turn } from '../../kernel/clock.ts';
import { grouped } from '../journal/grouped.ts';
import type { Journal } from '../journal/entry.ts';
import type { Ask } from '../journal/ask.ts';
import { type IdentifiedLine, identified } from './lineIds.ts';
import { type Match, type MatchedBy, matchLines, type OpenAccount } from './match.ts';
import { type KnownCodes, nameFinder, namesChannel } from './named.ts';
import { type OpenPosting, openSums } from './open.ts';
import type { Statement } from './statement/line.ts';
import { readStatementMapping } from './statement/mapping.ts';
import { readStatement } from './statement/read.ts';

/** A file of a bank or channel to match with clearing accounts. */
export interface MatchOrder {
  readonly path: string;
  /** YAML text and its origin, for CSV. */
  readonly mapping: { readonly text: string; readonly name: string } | null;
  /** The bank account of the file. Default: that of the mapping, else `Assets:Bank`. */
  readonly bank: string | null;
  /** Clearing accounts to examine; empty for all. */
  readonly accounts: readonly string[];
  readonly days: number;
  /** Lines whose proposals the operator accepts. */
  readonly accept: readonly number[] | 'all';
}

/** A line as it is reported and stored: without its text, which may name people. */
interface FileLine {
  readonly line: number;
  readonly date: PlainDate;
  readonly amount: Minor;
  readonly currency: Currency;
}

/** A line with the postings that it pays out. */
export interface MatchedLine extends FileLine {
  readonly id: string;
  readonly account: string;
  readonly by: MatchedBy;
  readonly postings: readonly OpenPosting[];
}

/** The result of matching a file. */
export interface MatchProposal {
  readonly bank: string;
  readonly format: Statement['format'];
  readonly lines: number;
  /** Number of lines that an earlier run matched. */
  readonly known: number;
  readonly matches: readonly MatchedLine[];
  /** Matches by amount alone. They are stored only after the operator accepts them. */
  readonly proposed: readonly MatchedLine[];
  readonly unexplained: readonly (FileLine & { readonly why: string })[];
  /** Contents of the clearing accounts after these payouts. */
  readonly open: readonly OpenRest[];
  /** Matched postings whose amount changed later, or that no longer exist. */
  readonly changed: readonly {
    readonly entry_id: string;
    readonly was: Minor;
    readonly is: Minor | null;
    readonly currency: Currency;
  }[];
}

/** The rest of a clearing account in one currency. */
interface OpenRest {
  readonly account: string;
  readonly currency: Currency;
  readonly amount: Minor;
  /** By reservation, or by entry without one; oldest first. */
  readonly sums: readonly { readonly of: string; readonly date: PlainDate; readonly amount: Minor }[];
}

const USUAL_BANK = 'Assets:Bank';

/** Reads a file and finds the postings that its lines pay out. Stores nothing. */
export async function matchFile(
  ask: Ask,
  journal: Journal,
  order: MatchOrder & { connection: string },
): Promise<MatchProposal> {
  const mapping = order.mapping === null ? undefined : readStatementMapping(order.mapping.text, order.mapping.name);
  const statement = readStatement(readFile(order.path), mapping);
  const bank = order.bank ?? mapping?.bank ?? USUAL_BANK;
  const moved = statement.lines.filter(({ amount }) => amount !== 0);
  const lines = identified(bank, moved);
  const known = await knownIds(ask, order.connection);
  const fresh = lines.filter(({ id }) => !known.has(id));
  const held = await heldPostings(ask, journal, order);
  const codes = await knownCodes(ask, order.connection, held.open);
  const { matches, unexplained, open } = await matchLines(
    { lines: fresh, open: held.open, named: nameFinder(codes), namesChannel, days: order.days },
    turn,
  );
  const isAccepted = ({ line, isSure }: Match) => isSure || order.accept === 'all' || order.accept.includes(line.line);
  const proposed = matches.filter((one) => !isAccepted(one));
  requireProposed(order.accept, matches, proposed);
  return {
    bank,
    format: statement.format,
    lines: lines.length,
    known: lines.length - fresh.length,
    matches: matches.filter(isAccepted).map(matchedLine),
    proposed: proposed.map(matchedLine),
    unexplained: unexplained.map(({ line, why }) => ({ ...lineOf(line), why })),
    open: open
      .map((one) => restOf(withProposed(one, proposed)))
      .filter(({ amount, sums }) => amount !== 0 || sums.length > 0),
    changed: held.changed,
  };
}

function matchedLine({ line, account, by, postings }: Match): MatchedLine {
  return { ...lineOf(line), id: (line as IdentifiedLine).id, account, by, postings };
}

/** Returns the account with the proposed postings, which are still open. */
function withProposed(account: OpenAccount, proposed: readonly Match[]): OpenAccount {
  const own = proposed.filter((one) => one.account === account.account && one.line.currency === account.currency);
  return { ...account, postings: [...account.postings, ...own.flatMap(({ postings }) => postings)] };
}

/**
 * Checks the accepted lines.
 * @throws UsageError for a line without a proposal
 */
function requireProposed(accept: MatchOrder['accept'], matches: readonly Match[], proposed: readonly Match[]): void {
  if (accept === 'all') return;
  const unknown = accept.filter((line) => !matches.some((one) => one.line.line === line));
  if (unknown.length === 0) return;
  const lines = proposed.map(({ line }) => line.line).join(', ');
  throw new UsageError(`accept: nothing is proposed for line ${unknown.join(', ')}`, `proposed are ${lines || 'none'}`);
}

function lineOf({ line, date, amount, currency }: FileLine): FileLine {
  return { line, date, amount, currency };
}

function readFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new OperatorError(`cannot read ${path}: ${messageOf(error)}`, 'check the path and its permissions', error);
  }
}

async function knownIds(ask: Ask, connection: string): Promise<ReadonlySet<string>> {
  const rows = await ask<{ payout_id: string }>(
    'select payout_id from payouts where connection = $1 and undone_at is null',
    [connection],
  );
  return new Set(rows.map((row) => row.payout_id));
}

interface MatchedRow {
  entry_id: string;
  posting: number;
  amount_minor: Minor;
  currency: Currency;
}

const MATCHED = `
select o.entry_id, o.posting, o.amount_minor, p.currency from payout_postings o
join payouts p on p.connection = o.connection and p.payout_id = o.payout_id
where o.connection = $1`;

/** Reads the unmatched postings of clearing accounts, and the matched ones that have changed. */
async function heldPostings(
  ask: Ask,
  journal: Journal,
  { connection, accounts }: { connection: string; accounts: readonly string[] },
): Promise<{ open: OpenAccount[]; changed: MatchProposal['changed'] }> {
  const clearing = clearingAccounts(journal, accounts);
  const matched = new Map(
    (await ask<MatchedRow>(MATCHED, [connection])).map((row) => [`${row.entry_id} ${row.posting}`, row]),
  );
  const changed: { entry_id: string; was: Minor; is: Minor | null; currency: Currency }[] = [];
  const found: { account: string; currency: Currency; posting: OpenPosting }[] = [];
  for await (const { id, date: booked, originalDate, source, reservation, postings } of journal.entries()) {
    // A posting of a payout is no receipt.
    if (source.kind === 'payout') continue;
    // An entry that had to move out of a locked month belongs to the payouts of its original days.
    const date = originalDate ?? booked;
    for (const [index, { account, amount, currency }] of postings.entries()) {
      const key = `${id} ${index + 1}`;
      const known = matched.get(key);
      matched.delete(key);
      if (known && known.amount_minor !== amount)
        changed.push({ entry_id: id, was: known.amount_minor, is: amount, currency });
      if (known || !clearing.has(account)) continue;
      found.push({ account, currency, posting: { entryId: id, posting: index + 1, date, amount, reservation } });
    }
  }
  for (const { entry_id, amount_minor, currency } of matched.values()) {
    changed.push({ entry_id, was: amount_minor, is: null, currency });
  }
  const groups = [...grouped(found, ({ account, currency }) => `${account} ${currency}`).values()];
  const open = groups.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    return [{ account: first.account, currency: first.currency, postings: group.map(({ posting }) => posting) }];
  });
  return {
    open: open.toSorted((a, b) => (`${a.account} ${a.currency}` < `${b.account} ${b.currency}` ? -1 : 1)),
    changed,
  };
}

function clearingAccounts({ accounts }: Journal, wanted: readonly string[]): ReadonlySet<string> {
  const names = accounts.filter(({ isClearing }) => isClearing).map(({ name }) => name);
  for (const name of wanted) {
    if (names.includes(name)) continue;
    throw new UsageError(
      `account: the books have no clearing account ${name}`,
      `there are ${names.join(', ') || 'none yet'}`,
    );
  }
  return new Set(wanted.length > 0 ? wanted : names);
}

const CODES = `
select reservation_code, channel_id from reservations where connection = $1 and channel_id is not null`;

/** Returns the codes by which lines may name a reservation with an open amount. */
async function knownCodes(ask: Ask, connection: string, open: readonly OpenAccount[]): Promise<KnownCodes[]> {
  const rows = await ask<{ reservation_code: string; channel_id: string }>(CODES, [connection]);
  const channelIds = new Map(rows.map((row) => [row.reservation_code, row.channel_id]));
  const bookings = new Set(open.flatMap(({ postings }) => postings.flatMap(({ reservation }) => reservation ?? [])));
  return [...bookings].map((reservation) => {
    const channelId = channelIds.get(reservation);
    return { reservation, codes: channelId === undefined ? [reservation] : [reservation, channelId] };
  });
}

function restOf(account: OpenAccount): OpenRest {
  const sums = openSums(account, account.postings);
  return {
    account: account.account,
    currency: account.currency,
    amount: sums.reduce((total, { amount }) => total + amount, 0),
    sums: sums.map(({ key, date, amount }) => ({ of: key, date, amount })),
  };
}
