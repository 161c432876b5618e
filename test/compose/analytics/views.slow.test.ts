import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { exponentOf } from '../../../src/kernel/money.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import type { TestService } from '../../support/service.ts';
import {
  type Asked,
  type Cells,
  copyToPostgres,
  HOSTILE,
  openAt,
  openFile,
  startFilled,
  YEAR,
} from './support/world.ts';

/** Tables whose rows are for BI tools, of which the simulated account fills these. */
const FILLED = [
  'accounts availability_days availability_states book_accounts book_balances book_entries book_outcomes book_postings',
  'books calendar_days calendar_states changes channel_accounts connections conversation_states conversations dates',
  'derived_events dictionary_items listings messages properties property_listings property_tags reconciliations',
  'reservations reviews states stay_figures stay_items stay_nights stays transactions',
].flatMap((names) => names.split(' '));
type Cell = string | number | null;

/** Views that are asked for one day. */
const OF_A_DAY = /^v1_(?:on_the_books|pickup|guest_advances|deposits|trust)/;
const DAY = `${YEAR}-01-01`;

let service: TestService;
let file: ReturnType<typeof openFile>;
let currencies: ReadonlyMap<Cell, Cell>;
before(async () => {
  service = await startFilled();
  file = openFile(service.dataDir);
  const rows = file.ask('select stay_code, currency from stays');
  currencies = new Map(rows.map((row) => [row['stay_code'] ?? null, row['currency'] ?? null]));
});
after(async () => {
  file.close();
  await service.remove();
});

describe('the views for BI tools on SQLite', () => {
  it('hold what the tables of the mirror hold, without what is gone, amounts in major units', () => {
    for (const table of FILLED) {
      const [sample] = file.ask(`select * from ${table} limit 1`);
      const living = sample && 'deleted_at' in sample ? ' where deleted_at is null' : '';
      const stored = file.ask(`select * from ${table}${living} order by 1, 2`);
      const shown = file.ask(`select * from ${completeView(table)} order by 1, 2`);
      assert.ok(shown.length > 0, `${table} is empty`);
      assert.equal(shown.length, stored.length, table);
      const names = Object.keys(shown[0] ?? {});
      assert.deepEqual(sorted(shown), sorted(stored.map((row) => expected(row, names))), table);
    }
  });

  it('leave out what is gone at the source', () => {
    const gone = file.ask('select id from properties where deleted_at is not null');
    assert.equal(gone.length, 1);
    assert.deepEqual(file.ask(`select id from analytics_properties where id = ${gone[0]?.['id']}`), []);
  });

  it('write yen without decimals and dinars with three', () => {
    const text = `select currency, total_rate from analytics_reservations where currency in ('JPY', 'KWD') order by 1`;
    assert.deepEqual(
      file.ask(text).map((row) => Object.values(row)),
      [
        ['JPY', 45_000],
        ['KWD', 12.345],
      ],
    );
  });
});

describeOnPostgres('the views for BI tools on PostgreSQL', () => {
  let server: TestPostgres;
  let sql: Asked;
  before(async () => {
    server = await startPostgres();
    const url = await server.freshDatabase();
    await copyToPostgres(service.dataDir, url);
    sql = await openAt(url);
  });
  after(async () => {
    await sql.close();
    await server.stop();
  });

  it('are the same views with the same columns as on SQLite, where the dot is an underscore', async () => {
    const columns = await sql.ask(
      `select table_schema || '_' || table_name as view, column_name as "column" from information_schema.columns
       where table_schema in ('analytics', 'analytics_persons') order by 1, ordinal_position`,
    );
    const inFile = file.ask(
      `select m.name as view, c.name as "column" from sqlite_schema m join pragma_table_info(m.name) c
       where m.type = 'view' and m.name like 'analytics%' order by m.name, c.cid`,
    );
    assert.deepEqual(
      columns,
      inFile.map((row) => ({ ...row })),
    );
    assert.ok(new Set(columns.map((row) => row['view'])).size > 120);
  });

  it('have real types: no date, moment, amount, list or flag is a text or a bare number', async () => {
    const columns = await sql.ask(
      `select table_name as view, column_name as "column", data_type as type from information_schema.columns
       where table_schema in ('analytics', 'analytics_persons')`,
    );
    const wrong = columns.filter(({ column, type }) => expectedTypes(String(column), String(type)) !== type);
    assert.deepEqual(wrong, []);
    const kinds = new Set(columns.map((row) => String(row['type'])));
    assert.deepEqual([...kinds].toSorted(), [
      'bigint',
      'boolean',
      'date',
      'jsonb',
      'numeric',
      'text',
      'timestamp with time zone',
    ]);
  });

  it('explain every view and every column by a comment', async () => {
    const rows = await sql.ask(
      `select c.relname || '.' || a.attname as "column", col_description(c.oid, a.attnum) as is,
         obj_description(c.oid, 'pg_class') as view
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace in ('analytics'::regnamespace, 'analytics_persons'::regnamespace)`,
    );
    const without = rows.filter(({ is, view }) => !is || !view);
    assert.deepEqual(without, []);
    const about = (column: string) => rows.find((row) => row['column'] === column)?.['is'];
    assert.equal(about('reservations.total_rate'), 'Whole price. In units of `currency`.');
    assert.equal(about('stays.deposit_paid'), 'Deposit paid. In units of `deposit_currency`.');
    assert.equal(about('stays.in_reservation_box'), 'True: it could not be placed.');
    assert.deepEqual(
      rows.filter(({ is }) => /minor units(?! as text)|\b1: /.test(String(is))),
      [],
    );
  });

  it('have the same rows as on SQLite', async () => {
    const views = await sql.ask(
      `select schemaname as schema, viewname as view from pg_views where schemaname like 'analytics%' order by 1, 2`,
    );
    let compared = 0;
    for (const { schema, view } of views) {
      const where = OF_A_DAY.test(String(view)) ? ` where as_of = '${DAY}'` : '';
      const rows = await sql.ask(`select * from ${schema}.${view}${where}`);
      const inFile = file.ask(`select * from ${schema}_${view}${where}`);
      assert.deepEqual(sorted(rows.map(plain)), sorted(inFile.map(plain)), `${schema}.${view}`);
      compared += rows.length;
    }
    assert.ok(compared > 20_000, `${compared} rows`);
  });

  it('show raw rows as JSON whatever people have written, of which jsonb knows no character 0', async () => {
    const [row] = await sql.ask(
      `select raw->>'note' as note, raw->>'emoji' as emoji from analytics_persons.stays where raw ? 'emoji'`,
    );
    assert.equal(row?.['emoji'], HOSTILE.emoji);
    assert.equal(row?.['note'], 'a\ufffdb\ufffd c\\ufffd d');
  });

  it('answer every query of the page for analysts', async () => {
    const page = readFileSync(new URL('../../../docs/analysts.md', import.meta.url), 'utf8');
    const queries = [...page.matchAll(/^```sql\n([^]*?)^```$/gm)].map(([, text = '']) => text);
    assert.ok(queries.length >= 8, `${queries.length} queries`);
    let rows = 0;
    for (const query of queries) rows += (await sql.ask(query)).length;
    assert.ok(rows > 100, `${rows} rows`);
  });

  it('let people compute with dates, moments, amounts and JSON without a cast', async () => {
    const rows = await sql.ask(
      `select date_trunc('month', check_in_date)::date as month, currency, sum(total_rate) as total,
         avg(check_out_date - check_in_date)::int as nights, max(now() - booked_at) is not null as aged
       from analytics.reservations where currency = 'JPY' group by 1, 2`,
    );
    assert.deepEqual(
      rows,
      [{ month: `${YEAR}-05-01`, currency: 'JPY', total: '45000', nights: '3', aged: 'true' }].map((row) => ({
        ...row,
        aged: 't',
      })),
    );
  });
});

/** The name on SQLite of the view that has all columns. */
function completeView(table: string): string {
  const personal = `analytics_persons_${table}`;
  const found = file.ask(`select name from sqlite_schema where name = '${personal}'`);
  return found.length > 0 ? personal : `analytics_${table}`;
}

const PAYMENTS = new Set(['payment_total', 'received', 'balance']);

/** What a view must show of a row, by its own rule. */
function expected(row: Cells, names: readonly string[]): Cells {
  return Object.fromEntries(
    names.map((name) => {
      if (name === 'price' && typeof row['price'] === 'string') return [name, Number(row['price'])];
      if (name in row) return [name, row[name] === '' && name === 'last_at' ? null : (row[name] ?? null)];
      const minor = row[`${name}_minor`];
      if (minor === undefined) return [name, currencyOfItem(row)];
      const ofPayment = 'payment_currency' in row && PAYMENTS.has(name);
      const ofDeposit = 'deposit_currency' in row && name.startsWith('deposit');
      const column = ofPayment ? 'payment_currency' : ofDeposit ? 'deposit_currency' : 'currency';
      const currency = column in row ? (row[column] ?? null) : currencyOfItem(row);
      return [
        name,
        minor === null ? null : Number(minor) / 10 ** (currency === null ? 2 : exponentOf(String(currency))),
      ];
    }),
  );
}

function currencyOfItem({ stay_code }: Cells): Cell {
  return currencies.get(stay_code ?? null) ?? null;
}

/** The type that the name of a column asks for; where it asks for none, the type that it has. */
function expectedTypes(column: string, type: string): string {
  if (/_at$|^at$|_since$|^since$|^valid_(?:from|to)$/.test(column)) return 'timestamp with time zone';
  if (/(?:^|_)date$|_on$|^night$|^as_of$|_night$/.test(column)) return 'date';
  if (/^(?:raw|diff|tags|groups|before|after|property_ids|reservation_codes|event_ids)$/.test(column)) return 'jsonb';
  if (
    /^(?:is_|in_reservation|closed_on|available$|unanswered$|needs_answer$|same_day$|overdue$)/.test(column) &&
    type !== 'text'
  )
    return type === 'bigint' && /^unanswered$/.test(column) ? type : 'boolean';
  if (/(?:^|_)(?:rate|balance|received|commission|rental|tax|fee|amount|total)$|_pct$|^adr|^revpar/.test(column))
    return type === 'text' ? type : 'numeric';
  return type;
}

const TRUTH: Readonly<Record<string, number>> = { t: 1, f: 0 };
const MOMENT = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}/;

/** Values of both databases in one form. */
function plain(row: Cells): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: Cell): unknown {
  if (typeof value !== 'string') return value;
  if (value in TRUTH) return TRUTH[value];
  if (MOMENT.test(value)) return new Date(value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString();
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  if (/^[[{"]/.test(value)) return withoutHostile(JSON.parse(value));
  return value;
}

/** Keys in order, and without what jsonb cannot hold. */
function withoutHostile(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd').replace('c\\u0000', 'c\\ufffd');
  if (Array.isArray(value)) return value.map(withoutHostile);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withoutHostile(inner)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function sorted(rows: readonly Record<string, unknown>[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
