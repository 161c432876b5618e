import { addDays, LAST_DATE } from '../kernel/dates.ts';
import { viewOf } from './catalog.ts';
import type { Question } from './question.ts';
import type { PersonColumn, Report, ReportColumn } from './report.ts';

/** SQL with `$1`, `$2` … for its values; valid for both databases. */
interface Query {
  text: string;
  values: readonly string[];
  /** The columns of the rows, in order. */
  columns: readonly ReportColumn[];
}

/** Returns the query for the rows of a report that answer a question. */
export function queryOf(report: Report, connection: string, question: Question): Query {
  const { property } = question;
  const byProperty = property !== undefined;
  const { view, columns } = viewOf(report, byProperty);
  const values: string[] = [];
  const value = (text: string) => `$${values.push(text)}`;
  const conditions = [`connection = ${value(connection)}`];
  if (question.as_of !== undefined) conditions.push(`as_of = ${value(question.as_of)}`);
  if (question.by !== undefined) conditions.push(`span = ${value(question.by)}`);
  conditions.push(...dateConditions(report, question, value));
  if (byProperty && property !== 'all') conditions.push(`property_id in (${property.join(', ')})`);
  if (question.owner !== undefined) conditions.push(`owner = ${value(question.owner)}`);
  if (question.nights !== undefined) conditions.push(`nights <= ${question.nights}`);
  const [first = '', ...rest] = report.order;
  const order = byProperty ? [first, 'property_id', ...rest.filter((name) => name !== 'property')] : report.order;
  const limit = question.limit === undefined ? '' : ` limit ${question.limit}`;
  const persons = question.persons ? (report.persons ?? []) : [];
  const names = [...columns.map(({ name }) => name), ...persons.map((column) => personOf(view, column))].join(', ');
  const text = `select ${names} from ${view} where ${conditions.join(' and ')} order by ${order.join(', ')}${limit}`;
  return { text, values, columns: [...columns, ...persons] };
}

/** Selects something about whoever booked the stay of a row. */
function personOf(view: string, { name, field }: PersonColumn): string {
  const isTheirs = `g.connection = ${view}.connection and g.stay_code = ${view}.stay_code`;
  return `(select g.${field} from guests g where ${isTheirs} and g.guest_key = 'booker') as ${name}`;
}

/** The end of a value in the last hour of a day, after the date. */
const LAST_HOUR = 'T23';
const PERIOD_LENGTHS = { hour: 13, day: 10, month: 7, year: 4, all: 3 } as const;

function dateConditions(report: Report, { from, to, by }: Question, value: (text: string) => string): string[] {
  const { dates } = report.filters;
  if (dates === undefined) return [];
  if (dates === 'period' || dates === 'month') {
    const length = PERIOD_LENGTHS[by ?? 'month'];
    return [
      ...(from === undefined ? [] : [`${dates} >= ${value(from.slice(0, length))}`]),
      ...(to === undefined ? [] : [`${dates} <= ${value(`${to.slice(0, length)}${by === 'hour' ? LAST_HOUR : ''}`)}`]),
    ];
  }
  return [
    ...(from === undefined ? [] : [`${dates} >= ${value(from)}`]),
    // Includes moments of the last day, because they precede the next day.
    ...(to === undefined || to >= LAST_DATE ? [] : [`${dates} < ${value(addDays(to, 1))}`]),
  ];
}
