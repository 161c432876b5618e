import { type AnalystNote, type AnalystType, analystType, isPersonal } from '../../sync/tables/analystNote.ts';
import { reports, viewOf } from '../../reports/catalog.ts';
import type { Report, ReportColumn } from '../../reports/report.ts';
import type { TableNote } from '../../sync/tables/tableNote.ts';
import { columnNote, mirrorSchema } from '../mirrorSchema/notes.ts';

/** A table or view of the mirror, with its columns in order and their types in the database. */
export interface Relation {
  name: string;
  columns: readonly { name: string; stored: string }[];
}

/** How a column of a view follows from the mirror. */
export interface ViewColumn {
  name: string;
  type: AnalystType;
  /** The column of the relation; or SQL of both databases for what stands elsewhere. */
  from: { column: string } | { sql: string };
  is: string;
  personal: boolean;
}

/** A view for BI tools over one table or report of the mirror. */
export interface AnalystView {
  name: string;
  is: string;
  relation: string;
  columns: readonly ViewColumn[];
  /** True if rows that are gone at the source stand in the relation: the view leaves them out. */
  hasTombstones: boolean;
}

/** The tables whose columns become those of a view. */
export const tablesForAnalysts: readonly string[] = mirrorSchema
  .filter((note) => note.analysts)
  .map((note) => note.table);

/** Returns every view over these tables and views of a migrated mirror, the personal columns included. */
export function analystViews(relations: readonly Relation[]): AnalystView[] {
  const found = new Map(relations.map((relation) => [relation.name, relation]));
  const ofTables = mirrorSchema.flatMap((note) => {
    const relation = found.get(note.table);
    return note.analysts && relation ? [viewOfTable(note, note.analysts, relation)] : [];
  });
  const ofReports = reports.flatMap((report) =>
    (report.filters.property === 'view' ? [false, true] : [false]).flatMap((byProperty) => {
      const relation = found.get(viewOf(report, byProperty).view);
      return relation ? [viewOfReport(report, byProperty, relation)] : [];
    }),
  );
  return [...ofTables, ...ofReports];
}

const TOMBSTONE = 'deleted_at';

function viewOfTable(note: TableNote, analysts: AnalystNote, { name, columns }: Relation): AnalystView {
  const names = columns.map((column) => column.name);
  const hidden = new Set([TOMBSTONE, ...(analysts.hidden ?? [])]);
  const own = columns
    .filter((column) => !hidden.has(column.name))
    .map((column) => {
      const type = analystType(analysts, column.name, column.stored, names);
      return shown(column.name, {
        type,
        is: columnNote(name, column.name) ?? '',
        personal: isPersonal(analysts, column.name),
      });
    });
  return {
    name,
    is: note.is,
    relation: name,
    columns: [...own, ...borrowedCurrency(analysts, name)],
    hasTombstones: names.includes(TOMBSTONE),
  };
}

function borrowedCurrency({ currencyIn }: AnalystNote, relation: string): ViewColumn[] {
  if (!currencyIn) return [];
  const { table, by } = currencyIn;
  const same = by.map((column) => `o.${column} = ${relation}.${column}`).join(' and ');
  const sql = `(select o.currency from ${table} o where ${same})`;
  return [{ name: 'currency', type: 'text', from: { sql }, is: 'Currency of the amounts.', personal: false }];
}

const REPORT_TYPES: Readonly<Record<ReportColumn['unit'], AnalystType>> = {
  text: 'text',
  date: 'date',
  count: 'integer',
  money: { money: 'currency' },
  percent: 'number',
  days: 'number',
  minutes: 'number',
  score: 'number',
  price: 'number',
  flag: 'flag',
};

function viewOfReport(report: Report, byProperty: boolean, relation: Relation): AnalystView {
  const { view, columns } = viewOf(report, byProperty);
  const account: ReportColumn = { name: 'connection', unit: 'text', is: columnNote('', 'connection') ?? '' };
  const own = [account, ...columns].map(({ name, unit, is, personal }) => {
    const byName = analystType({}, name, 'text', []);
    const type = byName === 'instant' || byName === 'json' ? byName : REPORT_TYPES[unit];
    return shown(name, { type, is, personal: personal === true });
  });
  const persons = (report.persons ?? []).map(({ name, field, is }): ViewColumn => ({
    name,
    type: 'text',
    from: {
      sql: `(select g.${field} from guests g where g.connection = ${view}.connection and g.stay_code = ${view}.stay_code and g.guest_key = 'booker')`,
    },
    is,
    personal: true,
  }));
  return { name: view, is: report.title, relation: relation.name, columns: [...own, ...persons], hasTombstones: false };
}

function shown(column: string, { type, is, personal }: Pick<ViewColumn, 'type' | 'is' | 'personal'>): ViewColumn {
  const from = { column };
  if (typeof type === 'object') {
    const text = is.replaceAll(/,? in (?:whole )?minor units\b/g, '').replace(/\.?$/, '.');
    return { name: column.replace(/_minor$/, ''), type, from, is: `${text} In units of \`${type.money}\`.`, personal };
  }
  if (type === 'flag') return { name: column, type, from, is: spokenFlag(is), personal };
  return { name: column, type, from, is: is.replace(/, JSON list\b/, ', as a list'), personal };
}

/** Makes `True: free.` of `1: free.` */
function spokenFlag(is: string): string {
  return is.replaceAll(/\b([01])(:| if\b)/g, (_, digit, end) => `${digit === '1' ? 'True' : 'False'}${end}`);
}
