import { addDays, type PlainDate } from '../../kernel/dates.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { Minor } from '../../kernel/money.ts';
import { firstAndLastDay } from '../../kernel/period.ts';
import { type AskRows, booksAge, requireOwner } from '../read.ts';
import type { OtherLine, PropertyFigures, Statement, StatementPart, StatementSums, StayLine } from './statement.ts';

/**
 * Checks the form of a month.
 * @throws UsageError if it is not a month
 */
function requireMonth(month: string): void {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return;
  throw new UsageError(`month: "${month}" is no month`, 'write it as 2027-03');
}

/**
 * Reads the statement of an owner for a month.
 * @param terms returns the fee of a contract in words
 * @throws UsageError for an unknown owner, or a month that is not booked yet
 */
export async function readStatement(
  ask: AskRows,
  {
    connection,
    owner,
    month,
    terms,
  }: { connection: string; owner: string; month: string; terms: (contract: string) => string },
): Promise<Statement> {
  requireMonth(month);
  const [from, to] = firstAndLastDay(month);
  const books = await booksAge(ask, connection);
  await requireOwner(ask, connection, owner);
  if (from > books.through) {
    throw new UsageError(`month: ${month} is not booked yet`, `the books go through ${books.through}`);
  }
  const sums = await ask<SumsRow>(SUMS, [connection, owner, month]);
  const lines = await ask<LineRow>(LINES, [connection, owner, from, addDays(to, 1)]);
  const figures = await ask<FiguresRow>(FIGURES, [connection, owner, month]);
  const [head] = await ask<{ manager: string | null; name: string | null; state: string | null }>(HEAD, [
    connection,
    owner,
    month,
  ]);
  return {
    owner,
    name: head?.name ?? owner,
    manager: head?.manager ?? connection,
    month,
    from,
    to,
    books,
    isClosed: head?.state === 'locked',
    parts: sums.map((row) => partOf(row, { lines, figures, terms })),
  };
}

const HEAD = `
select (select name from accounts where connection = $1 and deleted_at is null) as manager,
  (select max(owner_name) from book_accounts where connection = $1 and owner = $2) as name,
  (select state from export_periods where connection = $1 and period = $3) as state`;

type SumsRow = { contract: string; currency: string } & Record<`${keyof StatementSums}_minor`, Minor>;

const SUMS = `
select contract, currency, opening_minor, revenue_minor, management_fee_minor, channel_fee_minor, tax_minor,
  expense_minor, payout_minor, closing_minor
from v1_owner_statement where connection = $1 and owner = $2 and month = $3 order by contract, currency`;

interface LineRow {
  date: PlainDate;
  contract: string;
  property_id: number | null;
  property: string;
  section: keyof StatementSums;
  entry_id: string;
  kind: string;
  reservation_code: string | null;
  channel: string | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
  status: string | null;
  description: string;
  currency: string;
  amount_minor: Minor;
}

const LINES = `
select date, contract, property_id, property, section, entry_id, kind, reservation_code, channel, check_in_date,
  check_out_date, status, description, currency, amount_minor
from v1_owner_lines where connection = $1 and owner = $2 and date >= $3 and date < $4
order by date, entry_id, section, property_id`;

interface FiguresRow {
  contract: string;
  property: string;
  currency: string | null;
  nights: number | null;
  occupancy: number | null;
  adr: Minor | null;
  revpar: Minor | null;
}

const FIGURES = `
select coalesce(b.contract, '') as contract, o.property, o.currency, o.currency_nights as nights,
  o.occupancy_adjusted_pct as occupancy, o.adr_minor as adr, o.revpar_adjusted_minor as revpar
from book_properties b
join v1_occupancy_by_property o on o.connection = b.connection and o.property_id = b.property_id
where b.connection = $1 and b.owner = $2 and o.connection = $1 and o.span = 'month' and o.period = $3
order by o.property, o.property_id`;

function partOf(
  row: SumsRow,
  all: { lines: readonly LineRow[]; figures: readonly FiguresRow[]; terms: (contract: string) => string },
): StatementPart {
  const { contract, currency } = row;
  const lines = all.lines.filter((line) => line.contract === contract && line.currency === currency);
  const isStay = ({ section }: LineRow) => section !== 'expense' && section !== 'payout';
  return {
    contract,
    terms: contract === '' ? '' : all.terms(contract),
    currency,
    sums: {
      opening: row.opening_minor,
      revenue: row.revenue_minor,
      management_fee: row.management_fee_minor,
      channel_fee: row.channel_fee_minor,
      tax: row.tax_minor,
      expense: row.expense_minor,
      payout: row.payout_minor,
      closing: row.closing_minor,
    },
    stays: stayLines(lines.filter(isStay)),
    expenses: lines.filter(({ section }) => section === 'expense').map(otherLine),
    payouts: lines.filter(({ section }) => section === 'payout').map(otherLine),
    properties: all.figures
      .filter((one) => one.contract === contract && (one.currency === currency || one.currency === null))
      .map(({ property, nights, occupancy, adr, revpar }): PropertyFigures => ({
        property,
        nights: nights ?? 0,
        occupancy,
        adr,
        revpar,
      })),
  };
}

function otherLine({ date, property, description, entry_id, amount_minor }: LineRow): OtherLine {
  return { date, property, text: description, entry: entry_id, amount: amount_minor };
}

/** Returns one line per reservation and property, in the order of arrival. Combines parts, including corrections. */
function stayLines(lines: readonly LineRow[]): StayLine[] {
  const groups = new Map<string, LineRow[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.reservation_code ?? line.entry_id, line.property_id]);
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()].map(stayLine).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function stayLine(own: readonly LineRow[]): StayLine {
  const [first] = own;
  const sum = (section: LineRow['section']) =>
    own.reduce((total, line) => (line.section === section ? total + line.amount_minor : total), 0);
  return {
    reservation: first?.reservation_code ?? null,
    property: first?.property ?? '',
    checkIn: first?.check_in_date ?? null,
    checkOut: first?.check_out_date ?? null,
    channel: first?.channel ?? first?.description ?? '',
    remark: remarkOf(own),
    revenue: sum('revenue'),
    channelFee: sum('channel_fee'),
    managementFee: sum('management_fee'),
    tax: sum('tax'),
    net: own.reduce((total, line) => total + line.amount_minor, 0),
  };
}

function remarkOf(own: readonly LineRow[]): string {
  const [first] = own;
  const isCorrected = own.some(({ kind }) => kind === 'reversal');
  const status = first?.reservation_code && first.status !== 'accepted' ? (first.status ?? 'gone') : '';
  return [status.replaceAll('_', ' '), isCorrected ? 'corrects an earlier month' : ''].filter(Boolean).join(', ');
}

function orderOf({ checkIn, reservation, property }: StayLine): string {
  return JSON.stringify([checkIn ?? '', reservation ?? '', property]);
}
