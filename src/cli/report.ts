import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Asked, ReportAnswer } from '../compose/mirror/reports.ts';
import { systemClock } from '../kernel/clock.ts';
import { UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { counted, jsonText, table } from './output.ts';
import { writeWhole } from '../compose/stores/wholeFile.ts';

interface ReportOptions {
  from?: string;
  to?: string;
  asOf?: string;
  by?: string;
  property?: number[] | 'all';
  owner?: string;
  month?: string;
  nights?: number;
  persons?: true;
  limit?: number;
  connection?: string;
  all?: true;
  proof?: true;
  csv?: string;
  html?: string;
  parquet?: string;
  json?: true;
}

/** Adds `stayd report`, which prints a report of the mirror or lists the reports. */
export function reportCommand(program: Command, context: CliContext): void {
  program
    .command('report')
    .description('print a report of the mirror; without a name, list the reports')
    .argument('[name]', 'occupancy, on-the-books, arrivals, balances, …')
    .option('--from <date>', 'first day, month or year: 2027-03-05, 2027-03 or 2027')
    .option('--to <date>', 'last day, month or year')
    .option('--as-of <date>', 'state at the end of this day (default: today)')
    .option('--by <span>', 'rows by day, month, year or all time, if the report has them')
    .option('--property <ids>', 'one row for each of these properties, such as 1,2,5, or all', propertyIds)
    .option('--owner <code>', 'only the rows of this owner, by the code in the settings of the books')
    .option('--month <month>', 'the same as --from and --to of this month: 2027-03')
    .option('--nights <n>', 'gaps of at most this number of nights', wholeNumber)
    .option('--persons', 'with names and telephones of guests, if the report has them')
    .option('--limit <n>', 'maximum number of rows', wholeNumber)
    .option('--connection <name>', 'which account; needed when several are mirrored')
    .option('--all', 'show every column')
    .option('--proof', 'for sync: each lost or late event with the change that proves it')
    .option('--csv <file>', 'write all rows and columns to a CSV file')
    .option('--html <file>', 'for owner-statement: write the statement of --owner for --month as a printable page')
    .option(
      '--parquet <place>',
      'write the tables of the mirror and its history as Parquet files into a folder or s3://bucket/folder; then only what is new',
    )
    .option('--json', 'print the rows of the view, with amounts in minor units')
    .addHelpText('after', '\nWhat each report counts, and by which formula, stands in docs/reports.md.')
    .action((name: string | undefined, options: ReportOptions) =>
      options.parquet !== undefined
        ? writeTables(context, name, { ...options, parquet: options.parquet })
        : name === undefined
          ? list(context, options)
          : print(context, name, options),
    );
}

/** Writes the whole mirror, not a report of it. */
async function writeTables(
  context: CliContext,
  name: string | undefined,
  { parquet, persons, json, ...others }: ReportOptions & { parquet: string },
): Promise<void> {
  const [first] = name === undefined ? Object.keys(others).map((one) => `--${dashed(one)}`) : [name];
  if (first !== undefined) {
    throw new UsageError(`--parquet writes all tables, so that ${first} has no meaning beside it`, 'leave it out');
  }
  const { writeParquet } = await import('../compose/analytics/parquet/writeParquet.ts');
  const report = await writeParquet(await context.loadConfig(), parquet, {
    persons: persons === true,
    clock: systemClock,
  });
  if (json) return context.out(jsonText(report));
  const { written, unchanged, rows, folder } = report;
  context.out(`wrote ${counted(written.length, 'file')} with ${counted(rows, 'row')} to ${folder}`);
  context.out(`${counted(unchanged, 'table')} had not changed`);
}

function propertyIds(text: string): number[] | 'all' {
  if (text === 'all') return 'all';
  const parts = text.split(',').map((part) => part.trim());
  if (!parts.every((part) => /^\d{1,15}$/.test(part)))
    throw new InvalidArgumentError('Write all, or numbers and commas: 1,2,5.');
  return [...new Set(parts.map(Number))];
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Write a whole number above zero.');
  return Number(text);
}

async function list(context: CliContext, options: ReportOptions): Promise<void> {
  const { json, ...others } = options;
  const [first] = Object.keys(others);
  if (first !== undefined)
    throw new UsageError(`--${dashed(first)} needs the name of a report`, 'stayd report lists them');
  const { reportList } = await import('../compose/mirror/reports.ts');
  const all = reportList();
  if (json) return context.out(jsonText(all));
  context.out(
    table(
      ['report', 'contents', 'options'],
      all.map((one) => [one.name, one.title, one.options.join(' ')]),
    ),
  );
}

function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The report whose figures can be proven row by row. */
const PROVEN = 'sync';

async function print(context: CliContext, name: string, options: ReportOptions): Promise<void> {
  if (options.csv !== undefined && options.json) throw new UsageError('--csv and --json do not go together');
  if (options.html !== undefined) return printStatement(context, name, options);
  const { asOf: as_of, by, property, owner, nights, persons, limit, connection, proof } = options;
  const asked: Asked = { ...datesOf(options), as_of, by, property, owner, nights, persons, limit };
  const { reportCsv, reportJson, reportOf } = await import('../compose/mirror/reports.ts');
  if (proof && name !== PROVEN) throw new UsageError(`--proof: the report ${name} has none`, `${PROVEN} has`);
  const order = { name: proof ? `${name}-proof` : name, connection, asked };
  const answer = await reportOf(await context.loadConfig(), order, context.signal);
  if (options.json) return context.out(jsonText(reportJson(answer)));
  if (options.csv !== undefined) {
    const file = resolve(options.csv);
    writeWhole(file, reportCsv(answer));
    if (answer.books) context.err(ageLine(answer.books));
    if (answer.replica) context.err(lateLine(answer.replica));
    return context.err(`${counted(answer.rows.length, 'row')} written to ${file}`);
  }
  context.out(scopeLine(answer));
  // The age goes to the same output as the figures, so that a stored file contains both.
  if (answer.books) context.out(ageLine(answer.books));
  if (answer.replica) context.out(lateLine(answer.replica));
  const { reportTable } = await import('./reportText.ts');
  context.out(reportTable(answer, options.all === true));
}

function datesOf({ from, to, month }: ReportOptions): Pick<Asked, 'from' | 'to'> {
  if (month === undefined) return { from, to };
  if (from !== undefined || to !== undefined) throw new UsageError('--month does not go together with --from and --to');
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new UsageError(`month: "${month}" is no month`, 'write it as 2027-03');
  return { from: month, to: month };
}

const STATEMENT = 'owner-statement';

/** Prints the statement of one owner for one month. */
async function printStatement(context: CliContext, name: string, options: ReportOptions): Promise<void> {
  const { html = '', owner, month, connection, ...others } = options;
  if (name !== STATEMENT) throw new UsageError(`--html: the report ${name} has none`, `${STATEMENT} has`);
  const [other] = Object.keys(others);
  if (other !== undefined) throw new UsageError(`--${dashed(other)} does not go together with --html`);
  if (owner === undefined) throw new UsageError('--owner is missing', `./stayd report ${STATEMENT} lists them`);
  if (month === undefined) throw new UsageError('--month is missing', 'write it as 2027-03');
  const { statementOf } = await import('../compose/mirror/reports.ts');
  const page = await statementOf(await context.loadConfig(), { owner, month, connection }, context.signal);
  const file = resolve(html);
  writeWhole(file, [page.html]);
  context.err(`statement of ${owner} for ${month} written to ${file}`);
}

/** Formats the age of the books behind the rows. */
function ageLine({ through, booked_at, behind }: NonNullable<ReportAnswer['books']>): string {
  const kept = `books through ${through}, booked at ${booked_at}`;
  return behind === 0 ? kept : `${kept}; ${counted(behind, 'change')} since: ./stayd export book`;
}

function lateLine({ behind_seconds }: NonNullable<ReportAnswer['replica']>): string {
  return `read from the replica, which is ${counted(behind_seconds, 'second')} behind`;
}

/** Formats the filters of the rows below, defaults included. */
function scopeLine({ report, question }: ReportAnswer): string {
  const { from, to, as_of, by, property, owner, nights, persons } = question;
  const parts = [
    as_of && `as of ${as_of}`,
    by && by !== 'all' && `by ${by}`,
    by === 'all' && 'all time',
    from && `from ${from}`,
    to && `to ${to}`,
    property && (property === 'all' ? 'each property' : `property ${property.join(', ')}`),
    owner && `owner ${owner}`,
    nights && `at most ${counted(nights, 'night')}`,
    persons && 'with persons',
  ].filter(Boolean);
  return [report.title, ...parts].join(', ');
}
