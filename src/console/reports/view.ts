import { type Html, html } from '../../kernel/markup/html.ts';
import { choiceField, inputField } from '../frame/form.ts';
import { type Column as TableColumn, section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { measureOf, picture } from './picture.ts';
import type { ReportsQuestion } from './question.ts';
import { type Answer, type Asked, type Column, isMeasure, type ReportInfo, type Row } from './read.ts';
import { nameOfColumn, shownValue, titleOf } from './values.ts';

/** One report, as the page has read it. */
export interface Read {
  readonly info: ReportInfo;
  readonly properties: readonly { id: number; name: string | null }[];
  readonly asked: Asked;
  /** Left out where the question cannot be answered; then `problem` says why. */
  readonly answer?: Answer;
  readonly problem?: string;
  readonly columns?: readonly Column[];
  /** For each row, that of a year before. */
  readonly earlier?: readonly (Row | undefined)[];
}

/** Shows what a report is about. */
export function reportHead(visit: Visit, info: ReportInfo): Html {
  const words = visit.texts.reports;
  return html`<header class="head">
    <h1>${titleOf(visit, info.name)}</h1>
    <p class="dim">${words.sentences[info.name] ?? info.title}</p>
    <p class="all"><a href="${visit.address('reports')}">${words.all}</a></p>
  </header>`;
}

/** Shows a report: its question as a form, a picture, and the table of its numbers. */
export function reportView(visit: Visit, question: ReportsQuestion, read: Read): Html {
  const { info, answer, problem } = read;
  return html`${questionForm(visit, question, read)}
  ${problem === undefined ? '' : html`<p class="bad" role="alert">${problem}</p>`}
  ${answer ? answered(visit, question, { ...read, answer }) : ''} ${notes(visit, info)}`;
}

function questionForm(visit: Visit, question: ReportsQuestion, { info, asked, properties, columns = [] }: Read): Html {
  const { texts, connection, connections } = visit;
  const words = texts.reports;
  const { filters } = info;
  const measures = columns.filter(isMeasure);
  const measure = measureOf(columns, question.measure);
  return html`<form class="form filters" method="get" action="/console/reports" aria-label="${words.question}">
    <input type="hidden" name="report" value="${info.name}" />
    ${connections.length > 1 ? html`<input type="hidden" name="connection" value="${connection}" />` : ''}
    ${
      filters.dates === undefined
        ? ''
        : html`${inputField({ name: 'from', label: words.from, value: question.from ?? asked.from, longest: 10, hint: words.dateHint })}
          ${inputField({ name: 'to', label: words.to, value: question.to ?? asked.to, longest: 10, hint: words.dateHint })}`
    }
    ${filters.asOf ? inputField({ name: 'as_of', label: words.asOf, type: 'date', value: question.as_of }) : ''}
    ${
      filters.by
        ? choiceField({
            name: 'by',
            label: words.by,
            options: filters.by.map((value) => ({ value, text: words.spans[value] ?? value })),
            chosen: question.by ?? filters.by[0],
          })
        : ''
    }
    ${
      filters.property === undefined
        ? ''
        : choiceField({
            name: 'property',
            label: words.property,
            none: words.together,
            options: [
              ...(filters.property === 'view' ? [{ value: 'all', text: words.each }] : []),
              ...properties.map(({ id, name }) => ({ value: id, text: name ?? `#${id}` })),
            ],
            chosen: question.property,
          })
    }
    ${filters.owner ? inputField({ name: 'owner', label: words.owner, value: question.owner, longest: 40 }) : ''}
    ${
      filters.mostNights === undefined
        ? ''
        : inputField({
            name: 'nights',
            label: words.mostNights,
            type: 'number',
            min: 1,
            value: question.nights ?? filters.mostNights,
          })
    }
    ${
      measures.length > 1
        ? choiceField({
            name: 'measure',
            label: words.measure,
            options: measures.map(({ name }) => ({ value: name, text: nameOfColumn(visit, name) })),
            chosen: measure?.name,
          })
        : ''
    }
    ${info.persons.length > 0 && visit.may('persons') ? tick('persons', 'yes', words.persons, question.persons !== undefined) : ''}
    ${tick('compare', 'year', words.compare, question.compare !== undefined)}
    ${tick('columns', 'all', words.allColumns, question.columns !== undefined)}
    <button type="submit">${texts.frame.show}</button>
  </form>`;
}

function tick(name: string, value: string, label: string, isOn: boolean): Html {
  return html`<label class="tick"
    ><input type="checkbox" name="${name}" value="${value}" ${isOn ? 'checked' : ''} /> ${label}</label
  >`;
}

function answered(visit: Visit, question: ReportsQuestion, read: Read & { answer: Answer }): Html {
  const { info, answer, earlier } = read;
  const all = read.columns ?? [];
  const words = visit.texts.reports;
  if (answer.rows.length === 0) {
    return section('rows', words.nothing, '', html`<p class="dim">${words.nothingHint}</p>`);
  }
  const columns =
    question.columns === 'all' ? all : all.filter((one) => one.detail !== true && one.name !== 'property_id');
  const measure = measureOf(columns, question.measure);
  const count = html`${words.table} <span class="count">${visit.format.count(answer.rows.length)}</span>`;
  return html`${answer.books ? html`<p class="dim">${words.books(visit.format.day(answer.books.through), answer.books.behind)}</p>` : ''}
  ${answer.replica ? html`<p class="dim">${words.late(answer.replica.behind_seconds)}</p>` : ''}
  ${picture(visit, { name: info.name, columns: all, rows: answer.rows, measure, earlier })}
  ${question.compare !== undefined && !earlier ? html`<p class="note">${words.noCompare}</p>` : ''}
  ${section('rows', count, '', html`${files(visit)} ${rowsTable(visit, { columns, rows: answer.rows, earlier, measure })}`)}
  ${answer.more ? html`<p class="dim">${words.more(answer.rows.length)}</p>` : ''}`;
}

function files(visit: Visit): Html {
  const words = visit.texts.reports;
  return html`<p class="files actions">
    <a href="${visit.address('reports/csv', visit.at)}" download>${words.csv}</a>
    <a href="${visit.address('reports/xlsx', visit.at)}" download>${words.xlsx}</a>
  </p>`;
}

interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly earlier: readonly (Row | undefined)[] | undefined;
  readonly measure: Column | undefined;
}

function rowsTable(visit: Visit, { columns, rows, earlier, measure }: Table): Html {
  const words = visit.texts.reports;
  const head = (column: Column): TableColumn => {
    const name = nameOfColumn(visit, column.name);
    return isMeasure(column) ? { head: name, isAmount: true } : name;
  };
  const compared = earlier && measure;
  const heads = [
    ...columns.map(head),
    ...(compared
      ? [
          { head: words.columnBefore(nameOfColumn(visit, measure.name)), isAmount: true as const },
          { head: words.difference, isAmount: true as const },
        ]
      : []),
  ];
  const lines = rows.map((row, index) => [
    ...columns.map((column) => shownValue(visit, column, row, row[column.name] ?? null)),
    ...(compared ? comparison(visit, measure, row, earlier[index]) : []),
  ]);
  return html`<div class="wide-table" tabindex="0" role="group" aria-label="${words.table}">
    ${table(heads, [...lines, ...totals(visit, columns, rows, compared ? 2 : 0)])}
  </div>`;
}

function comparison(visit: Visit, measure: Column, row: Row, before: Row | undefined): string[] {
  const [now, then] = [row[measure.name], before?.[measure.name]];
  if (typeof then !== 'number') return ['', ''];
  const shown = shownValue(visit, measure, row, then);
  if (typeof now !== 'number') return [shown, ''];
  const difference = shownValue(visit, measure, row, now - then);
  return [shown, now > then ? `+${difference}` : difference];
}

/** Returns the line of sums, where all rows are of one currency and more than one. */
function totals(visit: Visit, columns: readonly Column[], rows: readonly Row[], more: number): (string | Html)[][] {
  const adding = columns.filter(({ adds }) => adds === true);
  if (rows.length < 2 || adding.length === 0 || new Set(rows.map((row) => row['currency'])).size > 1) return [];
  const [first] = rows;
  if (!first) return [];
  const cells = columns.map((column, index) => {
    if (index === 0) return html`<strong>${visit.texts.reports.total}</strong>`;
    if (column.adds !== true) return '';
    const sum = rows.reduce((total, row) => total + Number(row[column.name] ?? 0), 0);
    return html`<strong>${shownValue(visit, column, first, sum)}</strong>`;
  });
  return [[...cells, ...Array.from({ length: more }, () => '')]];
}

/** What the figures mean, from the catalogue, which is in English. */
function notes(visit: Visit, { notes: lines, columns, persons }: ReportInfo): Html {
  const words = visit.texts.reports;
  return html`<details class="notes">
    <summary>${words.notes}</summary>
    <div lang="en">
      <ul>
        ${lines.map((line) => html`<li>${line}</li>`)}
      </ul>
      <dl class="facts">
        ${[...columns, ...persons].map(
          ({ name, is }) =>
            html`<dt>${nameOfColumn(visit, name)}</dt>
              <dd>${is}</dd>`,
        )}
      </dl>
    </div>
  </details>`;
}
