import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { mirrorMigrations } from '../../migrations/mirror/index.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/store.ts';
import type { Mirror, MirrorStore } from '../../src/sync/tables/database.ts';
import { reports, viewOf } from '../../src/reports/catalog.ts';
import { renderReports } from '../../src/reports/document.ts';
import { queryOf } from '../../src/reports/query.ts';
import { type Asked, readQuestion } from '../../src/reports/question.ts';
import type { Report } from '../../src/reports/report.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

const TODAY = '2026-11-20';

async function mirrorAt(database?: string): Promise<MirrorStore> {
  const location =
    database === undefined
      ? { kind: 'sqlite' as const, file: ':memory:' }
      : { kind: 'postgres' as const, url: database, schema: 'mirror' as const };
  const store = await openStore<Mirror>(location);
  await migrate(store, mirrorMigrations);
  return store;
}

async function viewsOf(store: MirrorStore): Promise<Map<string, string[]>> {
  const found = await store.db.introspection.getTables();
  const views = found.filter((table) => table.isView && table.name.startsWith('v1_'));
  return new Map(views.map((view) => [view.name, view.columns.map((column) => column.name)]));
}

function cases(store: () => MirrorStore): void {
  test('every view has a report, and every column its definition, in the same order', async () => {
    const views = await viewsOf(store());
    const described = new Map(
      reports.flatMap((report) =>
        [false, true].map((byProperty) => {
          const { view, columns } = viewOf(report, byProperty);
          return [view, ['connection', ...columns.map((column) => column.name)]] as const;
        }),
      ),
    );
    assert.deepEqual([...views.keys()].toSorted(), [...described.keys()].toSorted());
    for (const [view, columns] of described) assert.deepEqual(views.get(view), columns, view);
  });

  test('an empty mirror has no rows in any view, and no failure', async () => {
    for (const report of reports) {
      for (const property of [undefined, 'all'] as const) {
        const question = readQuestion(report, report.filters.property ? { property } : {}, TODAY);
        const text = literalOf(queryOf(report, 'nobody', question));
        assert.deepEqual((await sql.raw(text).execute(store().db)).rows, [], report.name);
      }
    }
  });

  test('nights before and after the calendar of reports are counted, too, each in its month and year', async () => {
    for (const [night, amount] of [
      ['1999-12-31', 1],
      ['2000-01-01', 10],
      ['2027-03-01', 100],
      ['2049-12-31', 1_000],
      ['2050-01-01', 10_000],
    ] as const) {
      const stay = { connection: 'local', stay_code: night };
      const facts = { property_id: 1, nights: 1, status: 'accepted', kind: 'paid', currency: 'EUR' };
      await store()
        .db.insertInto('stay_nights')
        .values({ ...stay, ...facts, night, night_number: 1, rate_minor: amount })
        .execute();
      await store()
        .db.insertInto('stay_figures')
        .values({ ...stay, ...facts, reservation_code: night, commission_minor: 0 })
        .execute();
      await store()
        .db.insertInto('stay_items')
        .values({ ...stay, item: 'RENT', amount_minor: amount })
        .execute();
    }
    const years = [
      ['1999', 1],
      ['2000', 10],
      ['2027', 100],
      ['2049', 1_000],
      ['2050', 10_000],
    ];
    for (const [name, amount] of [
      ['revenue-by-stay-date', 'amount_minor'],
      ['channel-mix', 'gross_minor'],
    ] as const) {
      const rowsBy = async (by: string) => {
        const text = literalOf(queryOf(named(name), 'local', readQuestion(named(name), { by }, TODAY)));
        const { rows } = await sql.raw<Record<string, unknown>>(text).execute(store().db);
        return rows.map((row) => [row['period'], Number(row[amount])]);
      };
      assert.deepEqual(await rowsBy('year'), years, name);
      assert.deepEqual(
        (await rowsBy('month')).map(([month, sum]) => [String(month).slice(0, 4), sum]),
        years,
        name,
      );
      assert.deepEqual(await rowsBy('all'), [['all', 11_111]], name);
    }
  });
}

function named(name: string): Report {
  const report = reports.find((one) => one.name === name);
  assert.ok(report);
  return report;
}

/** The text of a query with its values in it. */
function literalOf({ text, values }: ReturnType<typeof queryOf>): string {
  return text.replaceAll(/\$(\d+)/g, (_, index) => `'${values[Number(index) - 1]}'`);
}

describe('the views on SQLite', () => {
  let store: MirrorStore;
  before(async () => {
    store = await mirrorAt();
  });
  after(() => store.close());
  cases(() => store);

  test('the calendar knows leap years, months and weekdays', async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select * from dates where date in ('2000-01-01', '2028-02-29', '2028-03-01', '2049-12-31') order by date`.execute(
      store.db,
    );
    assert.deepEqual(
      rows.map((row) => [row['day_before'], row['year_before'], row['month_days'], row['weekday'], row['day_number']]),
      [
        // A Saturday, a Tuesday, a Wednesday, a Friday.
        ['1999-12-31', '1999-01-01', 31, 6, 10_957],
        ['2028-02-28', '2027-02-28', 29, 2, 21_243],
        ['2028-02-29', '2027-03-01', 31, 3, 21_244],
        ['2049-12-30', '2048-12-31', 31, 5, 29_219],
      ],
    );
  });

  test('what is asked for one day on the books goes straight to the nights of a year', async () => {
    const plan = await planOf('on-the-books', { as_of: '2027-03-01' });
    assert.ok(
      plan.some((line) => /SEARCH n USING PRIMARY KEY \(connection=\? AND night>\? AND night<\?\)/.test(line)),
      plan.join('\n'),
    );
    assert.ok(
      plan.some((line) => /SEARCH d USING PRIMARY KEY \(date=\?\)/.test(line)),
      plan.join('\n'),
    );
  });

  test('what is asked for one month takes its days first, and finds their nights by the key', async () => {
    for (const name of ['house', 'channel-mix', 'revenue-by-stay-date', 'occupancy', 'tax']) {
      for (const property of named(name).filters.property ? [undefined, 'all' as const] : [undefined]) {
        const plan = await planOf(name, { from: '2027-03', to: '2027-03', ...(property && { property }) });
        assert.ok(
          plan.some((line) => /SEARCH n USING PRIMARY KEY \(connection=\? AND night=\?\)/.test(line)),
          `${name}\n${plan.join('\n')}`,
        );
        assert.ok(!plan.some((line) => /AUTOMATIC/.test(line)), `${name}\n${plan.join('\n')}`);
      }
    }
  });

  /** What SQLite says of the steps by which it answers a question. */
  async function planOf(name: string, asked: Asked): Promise<string[]> {
    const text = literalOf(queryOf(named(name), 'local', readQuestion(named(name), asked, TODAY)));
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(text)}`.execute(store.db);
    return rows.map((row) => row.detail);
  }
});

describeOnPostgres('the views on PostgreSQL', () => {
  let server: TestPostgres;
  let store: MirrorStore;
  before(async () => {
    server = await startPostgres();
    store = await mirrorAt(await server.freshDatabase());
  });
  after(async () => {
    await store.close();
    await server.stop();
  });
  cases(() => store);
});

test('docs/reports.md is up to date', () => {
  const file = new URL('../../docs/reports.md', import.meta.url);
  const text = renderReports();
  if (process.env['UPDATE_DOCS']) writeFileSync(file, text);
  assert.equal(readFileSync(file, 'utf8'), text, 'run this test with UPDATE_DOCS=1 and commit the file');
});

describe('questions', () => {
  test('a month or a year stands for its first or its last day', () => {
    const bounds = (from: string, to: string) => {
      const question = readQuestion(named('balances'), { from, to }, TODAY);
      return [question.from, question.to];
    };
    assert.deepEqual(bounds('2028', '2028'), ['2028-01-01', '2028-12-31']);
    assert.deepEqual(bounds('2028-02', '2028-02'), ['2028-02-01', '2028-02-29']);
    assert.deepEqual(bounds('2027-02', '2027-02'), ['2027-02-01', '2027-02-28']);
    assert.deepEqual(bounds('2028-04-30', '2028-04-30'), ['2028-04-30', '2028-04-30']);
  });

  test('today is taken where a report looks ahead, and as the day on which things stood', () => {
    assert.deepEqual(readQuestion(named('arrivals'), {}, TODAY), {
      from: TODAY,
      to: '2026-11-27',
      as_of: undefined,
      by: undefined,
      property: undefined,
      owner: undefined,
      nights: undefined,
      persons: undefined,
      limit: undefined,
    });
    assert.equal(readQuestion(named('gaps'), {}, TODAY).to, undefined);
    assert.equal(readQuestion(named('gaps'), {}, TODAY).nights, 3);
    assert.equal(readQuestion(named('pickup'), {}, TODAY).as_of, TODAY);
    assert.equal(readQuestion(named('arrivals'), { from: '2027-01-01' }, TODAY).to, '2027-01-08');
  });

  test('what cannot be asked is refused, with what can', () => {
    const cases: [string, object, RegExp][] = [
      ['house', { property: [7] }, /property: the report house does not take it/],
      ['balances', { as_of: TODAY }, /as_of: the report balances does not take it/],
      ['balances', { by: 'month' }, /by: the report/],
      ['balances', { persons: true }, /persons: the report balances does not take it/],
      ['occupancy', { nights: 3 }, /nights: the report/],
      ['occupancy', { by: 'week' }, /by: "week" is none of month, year, all/],
      ['occupancy', { by: 'all', from: '2027' }, /by: rows of all time/],
      ['occupancy', { from: '2027-02-30' }, /from: "2027-02-30" is no date/],
      ['occupancy', { from: '2027-13' }, /from: "2027-13" is no date/],
      ['occupancy', { to: 'tomorrow' }, /to: "tomorrow" is no date/],
      ['occupancy', { from: '2027-03', to: '2027-02' }, /to: 2027-02-28 is before 2027-03-01/],
      ['pickup', { as_of: '2027-02' }, /as_of: "2027-02" is no date/],
    ];
    for (const [name, asked, expected] of cases) {
      assert.throws(() => readQuestion(named(name), asked, TODAY), expected, JSON.stringify(asked));
    }
  });
});
