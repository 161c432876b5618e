/** The content of a column, which decides its form. */
type Unit = 'text' | 'date' | 'count' | 'money' | 'percent' | 'days' | 'minutes' | 'score' | 'price' | 'flag';

export interface ReportColumn {
  /** The name in the view. Columns of money end in `_minor`. */
  readonly name: string;
  readonly unit: Unit;
  /** The meaning and the formula. */
  readonly is: string;
  /** Set to leave the column out of a table on a screen unless requested. Files and JSON always have it. */
  readonly detail?: true;
  /** Set if its sum over rows of one currency is meaningful. */
  readonly adds?: true;
  /** Set if it names or describes a person: views for BI tools show it only where persons are shown. */
  readonly personal?: true;
}

/** The filters of a report. */
interface ReportFilters {
  /** The column that `from` and `to` bound; `period` if rows are of months, years or all time. */
  readonly dates?: string;
  /** Possible spans of rows, the default first. */
  readonly by?: readonly Span[];
  /** Set if rows show the state at the end of a day. */
  readonly asOf?: true;
  /** Default number of days from today on; null for all days ahead. */
  readonly ahead?: number | null;
  /** `column` if the view has a property in each row; `view` if a second view has. */
  readonly property?: 'column' | 'view';
  /** Set if rows are of owners and can be limited to one. */
  readonly owner?: true;
  /** Set if rows are of runs of nights: the default for the longest run. */
  readonly mostNights?: number;
}

export type Span = 'hour' | 'day' | 'month' | 'year' | 'all';

/** The spans of most reports. */
export const SPANS = ['month', 'year', 'all'] as const satisfies readonly Span[];

/** A column about a person, which only those see who ask for persons and may. */
export interface PersonColumn extends ReportColumn {
  /** The column of `guests` that has it, of whoever booked the stay of the row. */
  readonly field: 'name' | 'phone' | 'email';
}

/** One report: a view, the meaning of its columns, and its filters. */
export interface Report {
  /** The name for `./stayd report`. */
  readonly name: string;
  /** `v1_…`; if `filters.property` is `view`, the view by property adds `_by_property`. */
  readonly view: string;
  /** One line: the question that it answers. */
  readonly title: string;
  /** Notes that a reader needs to trust the figures: inclusions, exclusions, variants. */
  readonly notes: readonly string[];
  readonly columns: readonly ReportColumn[];
  readonly filters: ReportFilters;
  /** The columns of its order. */
  readonly order: readonly string[];
  /** The columns about persons, for a view whose rows have a `stay_code`; they stand after its other columns. */
  readonly persons?: readonly PersonColumn[];
  /** Set if it reads the stored books, which are as old as their last update. */
  readonly books?: true;
}

/** The column with the kind of time that a row covers. */
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
/** The columns that rows of one property add. */
export const PLACE: readonly ReportColumn[] = [
  { name: 'property_id', unit: 'count', is: 'Property; 0 for stays in the reservation box.' },
  { name: 'property', unit: 'text', is: 'Its name.' },
];

/** Returns the column of a count that adds up. */
export function count(name: string, is: string): ReportColumn {
  return { name, unit: 'count', is, adds: true };
}

/** Returns the column of an amount that adds up. */
export function money(name: string, is: string): ReportColumn {
  return { name: `${name}_minor`, unit: 'money', is, adds: true };
}

/** Returns the column of an amount per night or another mean, which does not add up. */
export function rate(name: string, is: string): ReportColumn {
  return { name: `${name}_minor`, unit: 'money', is };
}

export function percentage(name: string, is: string): ReportColumn {
  return { name: `${name}_pct`, unit: 'percent', is };
}

export function text(name: string, is: string): ReportColumn {
  return { name, unit: 'text', is };
}

/** Returns a column that names or describes a person. */
export function aboutPerson(name: string, is: string): ReportColumn {
  return { name, unit: 'text', is, personal: true };
}

export function day(name: string, is: string): ReportColumn {
  return { name, unit: 'date', is };
}

export function detail(column: ReportColumn): ReportColumn {
  return { ...column, detail: true };
}

/** {@link PLACE} with the id in files only. */
export const NAMED_PLACE: readonly ReportColumn[] = PLACE.map((column) =>
  column.name === 'property_id' ? detail(column) : column,
);
