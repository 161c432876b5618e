import { reports } from './catalog.ts';
import { optionsOf } from './question.ts';
import type { Report } from './report.ts';

/** Returns `docs/reports.md`, which describes the content and the formulas of each report. */
export function renderReports(): string {
  return `${[HEAD, ...reports.map(section)].join('\n\n')}\n`;
}

const HEAD = [
  '# Reports',
  '',
  'Made from `src/reports`; do not edit. Each report is a view of the mirror, the same on SQLite and PostgreSQL.',
  '',
  '```sh',
  './stayd report                                                # lists them',
  './stayd report occupancy --from 2027-01 --to 2027-12          # all properties together, by month',
  './stayd report occupancy --property 1,2                       # each of these by itself; all: every one',
  './stayd report on-the-books --as-of 2027-03-01',
  './stayd report arrivals --persons                             # with names and telephones of guests',
  './stayd report balances --csv balances.csv                    # all rows and columns',
  './stayd report channel-mix --by year --json',
  './stayd report owner-statement --owner smith --month 2027-03 --html smith.html',
  '```',
  '',
  'The command reads the database itself: beside a running service, and without one. It changes nothing. Reports of a',
  'running service stand at `GET /mirror/reports/<name>` too, for tokens of the main account: the same options as query',
  '(`from`, `to`, `as_of`, `by`, `property`, `owner`, `nights`, `persons`, `connection`), and `limit` (1,000 rows unless',
  'asked otherwise, at most 10,000; `more` says that there are others). `/mirror/reports` lists them.',
  '',
  '- `--from` and `--to` take a day, a month or a year, both included. Rows of months and years are always whole ones.',
  '- Today, and the dates of bookings and cancellations, are those of the operator’s time zone.',
  '- In the views and in JSON amounts are whole minor units, in columns that end in `_minor`; tables and CSV files show',
  '  them as decimals, in columns without that ending. Percentages have two decimals: 17.24 is 17.24 %. Halves are',
  '  rounded away from zero.',
  '- Amounts in different currencies are never added; each has a row of its own. A line of totals stands below a table',
  '  for each currency, where sums mean something.',
  '- Every view begins with `connection`: whose rows they are. Views with `as_of` must be asked for one day, such as',
  "  `where as_of = '2027-03-01'`; those with `span` for one of `month`, `year` and `all`.",
  '- In CSV files a text that a spreadsheet might run as a formula has an apostrophe before it. Numbers stay numbers.',
  '- Stays that are gone upstream are in no report on stays.',
  '- With a [replica](deploy.md#a-replica-for-reports) a report may be some seconds late. It says so.',
  '- Reports on the books ask what `./stayd export book` keeps; a running service does that by itself after changes. They',
  '  say how old it is.',
].join('\n');

function section(report: Report): string {
  const { name, view, title, notes, columns, filters, persons = [] } = report;
  const views =
    filters.property === 'view' ? `\`${view}\`, and \`${view}_by_property\` for each property` : `\`${view}\``;
  return [
    `## ${name}`,
    '',
    `${capital(title)}. View: ${views}.${askedBy(report)}`,
    '',
    ...notes.map((note) => `- ${note}`),
    '',
    '| column | meaning |',
    '|---|---|',
    ...columns.map((column) => `| \`${column.name}\` | ${column.is} |`),
    ...persons.map((column) => `| \`${column.name}\` | ${column.is} Only with \`--persons\`. |`),
  ].join('\n');
}

function askedBy(report: Report): string {
  const options = optionsOf(report).map((option) => `\`${option.replaceAll('|', ', ')}\``);
  return options.length === 0 ? '' : ` Asked by: ${options.join(', ')}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
