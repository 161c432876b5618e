import { currenciesByPlaces } from '../../kernel/money.ts';
import type { StoreKind } from '../../store/kind.ts';
import type { AnalystType } from '../../sync/tables/analystNote.ts';
import type { AnalystView, ViewColumn } from './views.ts';

/** Views without personal columns. */
export const PLAIN = 'analytics';
/** The views that have personal columns, with all their columns. */
export const PERSONS = 'analytics_persons';
export const SCHEMAS = [PLAIN, PERSONS] as const;
export type AnalystSchema = typeof PLAIN | typeof PERSONS;

/** Returns the columns of a view in a schema; none if the schema does not have the view. */
export function columnsIn(schema: AnalystSchema, { columns }: AnalystView): readonly ViewColumn[] {
  const open = columns.filter((column) => !column.personal);
  if (schema === PERSONS) return open.length === columns.length ? [] : columns;
  // An account alone says nothing: such a view is personal as a whole.
  return open.length === 0 ? [] : open;
}

/** Returns the query of a view. */
export function selectOf(kind: StoreKind, view: AnalystView, columns: readonly ViewColumn[]): string {
  const list = columns.map((column) => `${expressionOf(kind, view, column)} as "${column.name}"`);
  const where = view.hasTombstones ? ` where ${view.relation}.deleted_at is null` : '';
  return `select ${list.join(', ')} from ${view.relation}${where}`;
}

/** The type of a column on PostgreSQL, as its catalog names it. */
export function postgresType(type: AnalystType): string {
  return typeof type === 'object' ? 'numeric' : POSTGRES_TYPES[type];
}

const POSTGRES_TYPES: Readonly<Record<Exclude<AnalystType, object>, string>> = {
  text: 'text',
  integer: 'bigint',
  number: 'numeric',
  decimal: 'numeric',
  date: 'date',
  instant: 'timestamp with time zone',
  json: 'jsonb',
  flag: 'boolean',
};

function expressionOf(kind: StoreKind, view: AnalystView, { from, type }: ViewColumn): string {
  const value = valueOf(view, from);
  if (typeof type !== 'object') return FORMS[kind][type]?.(value) ?? value;
  const currency = view.columns.find((column) => column.name === type.money);
  return MAJOR[kind](value, currency ? valueOf(view, currency.from) : 'null');
}

export function valueOf({ relation }: AnalystView, from: ViewColumn['from']): string {
  return 'sql' in from ? from.sql : `${relation}."${from.column}"`;
}

type Form = (value: string) => string;

/** An empty text says that there is none, and no date lies before the year 1. */
const FIRST = `'0001'`;
/** What JSON text may hold and jsonb refuses: the character 0, and halves of pairs. */
const NO_JSONB = String.raw`'\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})'`;

const FORMS: Readonly<Record<StoreKind, Partial<Record<Exclude<AnalystType, object>, Form>>>> = {
  postgres: {
    integer: (value) => `(${value})::bigint`,
    number: (value) => `(${value})::numeric`,
    decimal: (value) => `(${value})::numeric`,
    date: (value) => `case when ${value} >= ${FIRST} then (${value})::date end`,
    instant: (value) => `case when ${value} >= ${FIRST} then (${value})::timestamptz end`,
    json: (value) =>
      `case when strpos(${value}, ${String.raw`'\u'`}) = 0 then (${value})::jsonb ` +
      `else regexp_replace(${value}, ${NO_JSONB}, ${String.raw`'\\ufffd'`}, 'g')::jsonb end`,
    flag: (value) => `(${value} <> 0)`,
  },
  sqlite: {
    decimal: (value) => `cast(${value} as real)`,
    date: (value) => `nullif(${value}, '')`,
    instant: (value) => `nullif(${value}, '')`,
  },
};

const PLACES = 2;

/** Minor units over the units of a major one, by currency. Multiplied on PostgreSQL, which keeps as many places. */
const MAJOR: Readonly<Record<StoreKind, (value: string, currency: string) => string>> = {
  postgres: (value, currency) =>
    `${value} * ${byPlaces(currency, (places) => `${(10 ** -places).toFixed(places)}::numeric`)}`,
  sqlite: (value, currency) => `${value} / ${byPlaces(currency, (places) => (10 ** places).toFixed(1))}`,
};

function byPlaces(currency: string, factor: (places: number) => string): string {
  const others = [...currenciesByPlaces()].filter(([places]) => places !== PLACES);
  const cases = others.map(
    ([places, codes]) => `when ${currency} in (${codes.map((code) => `'${code}'`).join(', ')}) then ${factor(places)}`,
  );
  return `case ${cases.join(' ')} else ${factor(PLACES)} end`;
}
