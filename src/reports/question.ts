import { addDaysWithin, isPlainDate, type PlainDate } from '../kernel/dates.ts';
import { UsageError } from '../kernel/errors.ts';
import { firstAndLastDay } from '../kernel/period.ts';
import type { Report, Span } from './report.ts';

/** A question as given. Absent parts take the default of the report. */
export interface Asked {
  from?: string | undefined;
  to?: string | undefined;
  as_of?: string | undefined;
  by?: string | undefined;
  /** The properties with a row each, or `all` for every one. Default: one row for all together. */
  property?: readonly number[] | 'all' | undefined;
  owner?: string | undefined;
  nights?: number | undefined;
  /** True to see names of guests too. */
  persons?: boolean | undefined;
  /** Most rows. */
  limit?: number | undefined;
}

/** A question with all parts decided. */
export interface Question {
  /** First day, included; undefined for no bound. */
  from: PlainDate | undefined;
  to: PlainDate | undefined;
  as_of: PlainDate | undefined;
  by: Span | undefined;
  property: readonly number[] | 'all' | undefined;
  owner: string | undefined;
  nights: number | undefined;
  persons: true | undefined;
  limit: number | undefined;
}

/**
 * Interprets a question for a report.
 * @param today the operator's date
 * @throws UsageError that names a part that the report does not support, or that is not a date
 */
export function readQuestion(report: Report, asked: Asked, today: PlainDate): Question {
  const { filters } = report;
  const wrong = (name: keyof Asked, problem: string) => new UsageError(`${name}: ${problem}`, usageOf(report));
  const refuse = (name: keyof Asked, isPossible: boolean) => {
    if (asked[name] !== undefined && !isPossible) throw wrong(name, `the report ${report.name} does not take it`);
  };
  refuse('from', filters.dates !== undefined);
  refuse('to', filters.dates !== undefined);
  refuse('as_of', filters.asOf === true);
  refuse('by', filters.by !== undefined);
  refuse('property', filters.property !== undefined);
  refuse('owner', filters.owner === true);
  refuse('nights', filters.mostNights !== undefined);
  refuse('persons', report.persons !== undefined);
  const by = filters.by?.find((one) => one === (asked.by ?? filters.by?.[0]));
  if (asked.by !== undefined && !by) throw wrong('by', `"${asked.by}" is none of ${filters.by?.join(', ')}`);
  const given = { from: bound(asked, 'from', wrong), to: bound(asked, 'to', wrong) };
  if (by === 'all' && (given.from ?? given.to)) throw wrong('by', 'rows of all time have no dates to be bounded by');
  const as_of = filters.asOf ? (asked.as_of ?? today) : undefined;
  if (as_of !== undefined && !isPlainDate(as_of)) throw wrong('as_of', `"${as_of}" is no date such as 2027-03-05`);
  const from = given.from ?? (filters.ahead === undefined ? undefined : today);
  const to = given.to ?? (from !== undefined && filters.ahead ? addDaysWithin(from, filters.ahead) : undefined);
  if (from !== undefined && to !== undefined && to < from) throw wrong('to', `${to} is before ${from}`);
  return {
    from,
    to,
    as_of,
    by,
    property: asked.property,
    owner: asked.owner,
    nights: asked.nights ?? filters.mostNights,
    persons: asked.persons || undefined,
    limit: asked.limit,
  };
}

type Wrong = (name: keyof Asked, problem: string) => UsageError;

/** Returns the first or last day of a given day, month or year. */
function bound(asked: Asked, name: 'from' | 'to', wrong: Wrong): PlainDate | undefined {
  const text = asked[name];
  if (text === undefined) return undefined;
  const [first, last] = firstAndLastDay(text);
  if (!isPlainDate(first)) throw wrong(name, `"${text}" is no date, month or year such as 2027-03-05, 2027-03 or 2027`);
  return name === 'from' ? first : last;
}

/** Returns the options of a report, as the command spells them. */
export function optionsOf({ filters, persons }: Report): string[] {
  return [
    ...(filters.dates === undefined ? [] : ['--from', '--to']),
    ...(filters.asOf ? ['--as-of'] : []),
    ...(filters.by ? [`--by ${filters.by.join('|')}`] : []),
    ...(filters.property ? ['--property'] : []),
    ...(filters.owner ? ['--owner'] : []),
    ...(filters.mostNights === undefined ? [] : ['--nights']),
    ...(persons ? ['--persons'] : []),
  ];
}

function usageOf(report: Report): string {
  return `${report.name} takes ${optionsOf(report).join(', ')}`;
}
