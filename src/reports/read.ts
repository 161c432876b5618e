import { dateIn, isTimeZone } from '../kernel/dates.ts';
import { OperatorError, UsageError } from '../kernel/errors.ts';
import { findReport, reports } from './catalog.ts';
import { queryOf } from './query.ts';
import { type Asked, type Question, readQuestion } from './question.ts';
import type { Report, ReportColumn } from './report.ts';

/** Queries rows of the mirror with SQL, whose values are `$1`, `$2` and so on. Only reads. */
export type AskRows = <Row>(text: string, values: readonly string[]) => Promise<Row[]>;

export type ReportRow = Record<string, string | number | null>;

export interface ReportAnswer {
  report: Report;
  connection: string;
  question: Question;
  columns: readonly ReportColumn[];
  /** The age of the books, for reports on them. */
  books?: BooksAge | undefined;
  rows: readonly ReportRow[];
  /** Absent when the database itself was read. */
  replica?: ReplicaAge | undefined;
}

/** How late the rows may be. */
export interface ReplicaAge {
  behind_seconds: number;
}

/** The progress of the stored books behind a report. */
export interface BooksAge {
  /** The last booked day. */
  through: string;
  booked_at: string;
  /** Number of later changes in the mirror. */
  behind: number;
}

/**
 * Returns the report of a name.
 * @throws UsageError if it does not exist
 */
export function getReport(name: string): Report {
  const report = findReport(name);
  if (report) return report;
  throw new UsageError(`there is no report "${name}"`, `reports are ${reports.map((one) => one.name).join(', ')}`);
}

/**
 * Reads a report from the mirror.
 * @param now epoch milliseconds; the time zone of the account decides which date this is
 * @throws UsageError for a question that the report cannot answer
 */
export async function readReport(
  ask: AskRows,
  { report, connection, asked, now }: { report: Report; connection: string; asked: Asked; now: number },
): Promise<ReportAnswer> {
  const question = readQuestion(report, asked, dateIn(await zoneOf(ask, connection), now));
  await requireProperties(ask, connection, question.property);
  const books = report.books ? await booksAge(ask, connection) : undefined;
  await requireOwner(ask, connection, question.owner);
  const { text, values, columns } = queryOf(report, connection, question);
  return { report, connection, question, columns, ...(books && { books }), rows: await ask<ReportRow>(text, values) };
}

/** Returns the connections of a mirror. */
export async function mirroredConnections(ask: AskRows): Promise<string[]> {
  const rows = await ask<{ connection: string }>('select connection from connections order by connection', []);
  return rows.map((row) => row.connection);
}

async function zoneOf(ask: AskRows, connection: string): Promise<string> {
  const text = 'select time_zone from accounts where connection = $1 and deleted_at is null';
  const [account] = await ask<{ time_zone: string | null }>(text, [connection]);
  const zone = account?.time_zone ?? '';
  return isTimeZone(zone) ? zone : 'UTC';
}

const AGE = `
select b.through, b.booked_at, (select count(*) from changes c where c.connection = b.connection and c.seq > b.seq) as behind
from books b where b.connection = $1`;

/**
 * Returns the age of the stored books.
 * @throws OperatorError if there are none
 */
export async function booksAge(ask: AskRows, connection: string): Promise<BooksAge> {
  const [row] = await ask<BooksAge>(AGE, [connection]);
  if (row) return { ...row, behind: Number(row.behind) };
  throw new OperatorError(
    `the books of ${connection} have not been kept yet`,
    './stayd export book does it at once; a running service does it by itself',
  );
}

/**
 * Checks that an owner exists.
 * @throws UsageError that names the existing owners
 */
export async function requireOwner(ask: AskRows, connection: string, owner: string | undefined): Promise<void> {
  if (owner === undefined) return;
  const rows = await ask<{ owner: string }>(
    `select distinct owner from book_postings where connection = $1 and owner is not null
      union select owner from book_properties where connection = $1 and owner is not null order by 1`,
    [connection],
  );
  const owners = rows.map((row) => row.owner);
  if (owners.includes(owner)) return;
  throw new UsageError(
    `owner: there is no owner "${owner}" in the books`,
    owners.length > 0
      ? `there are ${owners.join(', ')}`
      : 'owners are set by exports.books.<connection>.properties.<id>.owner and contract',
  );
}

async function requireProperties(ask: AskRows, connection: string, ids: Question['property']): Promise<void> {
  if (ids === undefined || ids === 'all') return;
  const text = `select id from properties where connection = $1 and id in (${ids.join(', ')})`;
  const known = new Set((await ask<{ id: number }>(text, [connection])).map((row) => row.id));
  const unknown = ids.filter((id) => id !== 0 && !known.has(id));
  if (unknown.length > 0) throw new UsageError(`property: there is no property ${unknown.join(', ')} in the mirror`);
}
