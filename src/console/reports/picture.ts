import { type Html, html } from '../../kernel/markup/html.ts';
import { chart, MOST_SERIES, type Series } from '../chart/chart.ts';
import type { Visit } from '../visit.ts';
import { type Column, isMeasure, type Row } from './read.ts';
import { drawnValue, nameOfColumn, titleOf } from './values.ts';

const TIMES: ReadonlySet<string> = new Set(['period', 'month', 'date']);
const MOST_LABELS = 400;
/** More than these are lines rather than bars. */
const MOST_BARS = 24;
const PERCENT = 100;

interface Drawn {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly measure: Column | undefined;
  /** For each row, the row of a year before; left out: nothing is compared. */
  readonly earlier?: readonly (Row | undefined)[] | undefined;
}

/** Returns the column to draw: the one that was asked for, else the first amount, else the first number. */
export function measureOf(columns: readonly Column[], asked: string | undefined): Column | undefined {
  const measures = columns.filter(isMeasure);
  return (
    measures.find(({ name }) => name === asked) ??
    measures.find(({ unit, adds }) => unit === 'money' && adds) ??
    measures.find(({ unit }) => unit === 'money') ??
    measures.find(({ adds }) => adds) ??
    measures[0]
  );
}

/** Draws one column of a report: over time if its rows are of times, else by name. */
export function picture(visit: Visit, drawn: Drawn): Html {
  const { columns, rows, measure, name } = drawn;
  const words = visit.texts.reports;
  const names = columns.filter(
    (column) => !isMeasure(column) && column.detail !== true && column.unit !== 'flag' && column.name !== 'property_id',
  );
  const axis = names.find((column) => TIMES.has(column.name)) ?? names.find((column) => column.name !== 'currency');
  if (!measure || !axis || rows.length === 0) return html``;
  const isTime = TIMES.has(axis.name);
  const labels = [...new Set(rows.map((row) => String(row[axis.name] ?? '')))];
  if (isTime) labels.sort();
  const of = names.filter((column) => column !== axis && new Set(rows.map((row) => row[column.name])).size > 1);
  const series = seriesOf(visit, { ...drawn, measure }, { labels, axis, of });
  if (series === undefined || labels.length > MOST_LABELS) return html`<p class="dim">${words.noPicture}</p>`;
  const isLines = isTime && (labels.length > MOST_BARS || (measure.adds !== true && labels.length > 2));
  return chart({
    id: 'picture',
    title: words.pictureOf(titleOf(visit, name), nameOfColumn(visit, measure.name), nameOfColumn(visit, axis.name)),
    kind: isLines ? 'lines' : 'bars',
    labels,
    series,
    format: (value) => (measure.unit === 'percent' ? visit.format.percent(value / PERCENT) : visit.format.count(value)),
  });
}

interface Axis {
  readonly labels: readonly string[];
  readonly axis: Column;
  /** The columns by which there are several series. */
  readonly of: readonly Column[];
}

/** Returns the values of each series; undefined if they are too many and do not add up. */
function seriesOf(
  visit: Visit,
  { rows, measure, earlier }: Drawn & { measure: Column },
  { labels, axis, of }: Axis,
): Series[] | undefined {
  const words = visit.texts.reports;
  const places = new Map(labels.map((label, index) => [label, index]));
  const found = new Map<string, (number | null)[]>();
  const put = (name: string, row: Row, from: Row | undefined) => {
    const value = from ? drawnValue(visit, measure, from, from[measure.name] ?? null) : null;
    // A row without a value is no series of its own.
    if (value === null) return;
    const values = found.get(name) ?? labels.map((): number | null => null);
    found.set(name, values);
    const at = places.get(String(row[axis.name] ?? '')) ?? 0;
    const before = values[at] ?? null;
    values[at] = before === null || measure.adds !== true ? value : before + value;
  };
  for (const [index, row] of rows.entries()) {
    const name = of.map((column) => String(row[column.name] ?? words.none)).join(' · ');
    put(name, row, row);
    if (earlier && of.length === 0) put(words.before, row, earlier[index]);
  }
  const all = [...found].map(([name, values]) => ({ name: name === '' ? words.now : name, values }));
  if (all.length <= MOST_SERIES) return all;
  return measure.adds === true ? withOthers(all, words.others) : undefined;
}

/** Returns the largest series, and the others as one. */
function withOthers(all: readonly Series[], others: string): Series[] {
  const size = ({ values }: Series) => values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0);
  const sorted = all.toSorted((a, b) => size(b) - size(a));
  const rest = sorted.slice(MOST_SERIES - 1);
  const values = (rest[0]?.values ?? []).map((_, at) =>
    rest.reduce<number | null>((sum, one) => {
      const value = one.values[at] ?? null;
      return value === null ? sum : (sum ?? 0) + value;
    }, null),
  );
  return [...sorted.slice(0, MOST_SERIES - 1), { name: others, values }];
}
