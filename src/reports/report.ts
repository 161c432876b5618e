/** What a column holds, which decides how it is shown. */
export type Unit = 'text' | 'date' | 'count' | 'money' | 'percent' | 'days' | 'minutes' | 'score' | 'price' | 'flag';

export interface ReportColumn {
  /** As the view has it. Money ends in `_minor`. */
  readonly name: string;
  readonly unit: Unit;
  /** What it is, and by what formula. */
  readonly is: string;
  /** Left out of the table on a screen unless asked for; files and JSON have it. */
  readonly detail?: true;
  /** Its sum over rows of one currency means something. */
  readonly adds?: true;
}

/** What a report can be narrowed by, and how. */
export interface ReportFilters {
  /** The column that `from` and `to` bound; `period` where rows are of months, years or all time. */
  readonly dates?: string;
  /** Periods that rows can be of, the usual one first. */
  readonly by?: readonly Span[];
  /** Rows are as things stood at the end of a day. */
  readonly asOf?: true;
  /** How many days from today on are shown unless asked otherwise; null: all that lie ahead. */
  readonly ahead?: number | null;
  /** The view has a property in each row. */
  readonly property?: 'column' | 'view';
  /** Rows are of owners, and can be of one. */
  readonly owner?: true;
  /** Rows are of runs of nights, and usually of those of at most so many. */
  readonly mostNights?: number;
}

export type Span = 'hour' | 'day' | 'month' | 'year' | 'all';

/** What most reports can be of. */
export const SPANS = ['month', 'year', 'all'] as const satisfies readonly Span[];

/** One report: a view, what its columns mean, and how it can be narrowed. */
export interface Report {
  /** As `./stayd report` takes it. */
  readonly name: string;
  /** `v1_…`; where `filters.property` is `view`, the one by property has `_by_property` behind it. */
  readonly view: string;
  /** One line: what it answers. */
  readonly title: string;
  /** What a reader must know to trust the figures: what counts, what is left out, which variant. */
  readonly notes: readonly string[];
  readonly columns: readonly ReportColumn[];
  readonly filters: ReportFilters;
  /** By what its rows are ordered. */
  readonly order: readonly string[];
  /** It asks the rows that the books are kept as, which are as old as they were last booked. */
  readonly books?: true;
}

/** The columns that tell of which time a row is. */
export const SPAN: ReportColumn = {
  name: 'span',
  unit: 'text',
  is: 'What a row is of: an hour, a day, a month, a year or all (time).',
  detail: true,
};
export const PERIOD: ReportColumn = { name: 'period', unit: 'text', is: 'Which one: `2027-03`, `2027` or `all`.' };
export const CURRENCY: ReportColumn = {
  name: 'currency',
  unit: 'text',
  is: 'Currency of the amounts of the row; amounts in different currencies never stand in one row.',
};
/** What a row of one property has beside. */
export const PLACE: readonly ReportColumn[] = [
  { name: 'property_id', unit: 'count', is: 'Property; 0 for stays in the reservation box.' },
  { name: 'property', unit: 'text', is: 'Its name.' },
];

/** A count that adds up. */
export function count(name: string, is: string): ReportColumn {
  return { name, unit: 'count', is, adds: true };
}

/** An amount that adds up. */
export function money(name: string, is: string): ReportColumn {
  return { name: `${name}_minor`, unit: 'money', is, adds: true };
}

/** An amount for one night, or another mean: it does not add up. */
export function rate(name: string, is: string): ReportColumn {
  return { name: `${name}_minor`, unit: 'money', is };
}

export function percentage(name: string, is: string): ReportColumn {
  return { name: `${name}_pct`, unit: 'percent', is };
}

export function text(name: string, is: string): ReportColumn {
  return { name, unit: 'text', is };
}

export function day(name: string, is: string): ReportColumn {
  return { name, unit: 'date', is };
}

export function detail(column: ReportColumn): ReportColumn {
  return { ...column, detail: true };
}

/** {@link PLACE} with the number in files alone. */
export const NAMED_PLACE: readonly ReportColumn[] = PLACE.map((column) =>
  column.name === 'property_id' ? detail(column) : column,
);
