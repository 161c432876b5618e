import type { ReportsReader } from '../../api/portal/route.ts';
import type { Config } from '../../config.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { messageOf, OperatorError, UsageError } from '../../kernel/errors.ts';
import type { ReportFiles } from '../../notices/context.ts';
import type { MailFile } from '../../outbound/sendMail.ts';
import { reportCsv } from '../../reports/csv.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import { oneAtATime } from '../../sync/scans/oneAtATime.ts';
import { reports, subjectOf, viewOf } from '../../reports/catalog.ts';
import { type Asked, optionsOf } from '../../reports/question.ts';
import {
  type AskRows,
  getReport,
  mirroredConnections,
  readReport,
  type ReplicaAge,
  type ReportAnswer,
} from '../../reports/read.ts';
import { requireDataDir } from '../stores/requireDataDir.ts';
import { openReader, openReplica } from './reportReader.ts';
import { type Page, statementPage } from './statements.ts';

export { amountText, columnHeading, reportCsv } from '../../reports/csv.ts';
export type { Asked } from '../../reports/question.ts';
export type { Page } from './statements.ts';
export type { ReportAnswer } from '../../reports/read.ts';

/** Lists the reports: name, title, notes, subject, view, and filters. */
export function reportList() {
  return reports.map((report) => {
    const { name, title, view, notes, filters, persons = [] } = report;
    const { columns } = viewOf(report, true);
    const subject = subjectOf(report);
    return { name, title, notes, subject, view, options: optionsOf(report), filters, columns, persons };
  });
}

interface ReportOrder {
  name: string;
  connection?: string | undefined;
  asked: Asked;
}

/**
 * Reads a report directly from the mirror's database, with or without a running service. It changes nothing.
 * @param signal aborts the read
 */
export async function reportOf(config: Config, order: ReportOrder, signal: AbortSignal): Promise<ReportAnswer> {
  const report = getReport(order.name);
  const read = async (ask: AskRows, replica?: ReplicaAge) => {
    const connection = chosen(await mirroredConnections(ask), order.connection);
    return { ...(await readReport(ask, { report, connection, asked: order.asked, now: systemClock.now() })), replica };
  };
  return (await readLate(config, read))?.answer ?? reading(config, signal, read);
}

/** Renders the statement of an owner for a month as a printable page. It changes nothing. */
export async function statementOf(
  config: Config,
  order: { owner: string; month: string; connection?: string | undefined },
  signal: AbortSignal,
): Promise<Page> {
  const { owner, month } = order;
  return reading(config, signal, async (ask) =>
    statementPage(config, ask, { connection: chosen(await mirroredConnections(ask), order.connection), owner, month }),
  );
}

async function reading<T>(config: Config, signal: AbortSignal, read: Reading<T>): Promise<T> {
  if (config.database_url === null) requireDataDir(config);
  const { ask, close } = await openReader(config);
  const stop = () => void close().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await read(ask);
  } catch (error) {
    throw explained(error);
  } finally {
    signal.removeEventListener('abort', stop);
    await close();
  }
}

/** Reads reports for callers of a running service: one at a time, and never on the serving thread. */
export function reportsReader(config: Config, store: MirrorStore, clock: Clock): ReportsReader {
  const alone = readAlone(config, store);
  return {
    list: reportList,
    read: ({ connection, name, ...asked }) =>
      alone(
        async (ask, replica) => {
          const answer = await readReport(ask, { report: getReport(name), connection, asked, now: clock.now() });
          return reportJson({ ...answer, replica });
        },
        { mayBeLate: true },
      ),
    statement: (order) => alone((ask) => statementPage(config, ask, order)),
  };
}

/** Makes files of reports for mail: the statement of an owner as a page, everything else as CSV. */
export function reportFiles(
  { config, store, clock }: { config: Config; store: MirrorStore; clock: Clock },
  connection: string,
): ReportFiles {
  const alone = readAlone(config, store);
  return {
    problemOf({ name, owner }) {
      const report = reports.find((one) => one.name === name);
      if (!report) return `report: there is no ${name}; ./stayd report lists them`;
      if (name === STATEMENT && owner === undefined) return `report: ${name} needs the code of an owner`;
      if (report.filters.dates === undefined) return `report: ${name} is about no month`;
      if (owner !== undefined && !report.filters.owner) return `report: ${name} does not take an owner`;
      return undefined;
    },
    read: ({ name, month, owner }) =>
      alone(async (ask): Promise<MailFile> => {
        const file = [name, owner, month]
          .filter((part) => part !== undefined)
          .join('-')
          .replaceAll(/[^\w.-]/g, '_');
        if (name === STATEMENT && owner !== undefined) {
          const { html } = await statementPage(config, ask, { connection, owner, month });
          return { name: `${file}.html`, type: 'text/html', content: html };
        }
        const asked = { from: month, to: month, ...(owner !== undefined && { owner }) };
        const answer = await readReport(ask, { report: getReport(name), connection, asked, now: clock.now() });
        return { name: `${file}.csv`, type: 'text/csv', content: [...reportCsv(answer)].join('') };
      }),
  };
}

/** The report that is a page for its owner, too. */
const STATEMENT = 'owner-statement';

/** Milliseconds for which a replica that could not be read is left alone. */
const MISSED_MS = 30_000;

/** Returns how to read the mirror for reports: one at a time, and never on the serving thread. */
function readAlone(config: Config, store: MirrorStore) {
  const queue = oneAtATime();
  // One that does not answer is not waited for again at once.
  let missedAt = -Infinity;
  return <T>(read: Reading<T>, { mayBeLate = false } = {}): Promise<T> =>
    queue.run(0, async () => {
      if (mayBeLate && systemClock.monotonic() - missedAt >= MISSED_MS) {
        const late = await readLate(config, read);
        if (late) return late.answer;
        missedAt = systemClock.monotonic();
      }
      const reader = await openReader(config, store);
      try {
        return await read(reader.ask);
      } finally {
        await reader.close();
      }
    });
}

type Reading<T> = (ask: AskRows, replica?: ReplicaAge) => Promise<T>;

/** Reads from the replica. @returns undefined if there is none, or it does not answer: it ends long reads at times */
async function readLate<T>(config: Config, read: Reading<T>): Promise<{ answer: T } | undefined> {
  const reader = await openReplica(config);
  if (!reader) return undefined;
  try {
    return { answer: await read(reader.ask, reader.replica) };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    return undefined;
  } finally {
    await reader.close();
  }
}

/** Converts a report for programs: the question with its defaults, and the rows of the view. */
export function reportJson({ report, connection, question, books, replica, rows }: ReportAnswer) {
  return { report: report.name, connection, ...question, ...(books && { books }), ...(replica && { replica }), rows };
}

function chosen(connections: readonly string[], name: string | undefined): string {
  const names = connections.join(', ') || 'none';
  if (name !== undefined) {
    if (connections.includes(name)) return name;
    throw new UsageError(`connection: there is none named "${name}"; there are ${names}`);
  }
  const [only, ...others] = connections;
  if (only === undefined) throw new OperatorError('nothing has been mirrored yet', 'start stayd, and let it read once');
  if (others.length === 0) return only;
  throw new UsageError(`connection: is required; there are ${names}`);
}

const NO_SUCH_TABLE = /no such (?:table|column)|(?:relation|column) .* does not exist/;

/** Explains a missing view, which a database of an earlier version lacks. */
function explained(error: unknown): unknown {
  if (error instanceof OperatorError || !NO_SUCH_TABLE.test(messageOf(error))) return error;
  return new OperatorError(
    'the mirror was made by an earlier version of stayd',
    'run ./stayd migrate, or start it; if that changes nothing, ./stayd doctor says what is missing',
    error,
  );
}
