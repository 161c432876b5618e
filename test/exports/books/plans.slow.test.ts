import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { addDays } from '../../../src/kernel/dates.ts';
import { reports } from '../../../src/reports/catalog.ts';
import { readReport } from '../../../src/reports/read.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { fillLedger } from '../support/fillLedger.ts';
import { job } from '../support/job.ts';
import { CONNECTION, type EntryDraft, type LedgerWorld, openLedger } from '../support/ledger.ts';
import { ownersBook } from '../support/life.ts';
import { askOf } from './support.ts';

const quiet = () => {};
const ENTRIES = 1_500;
const LOOSE = 400;
const BANK = `OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKTRANLIST>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261210<TRNAMT>101.00<FITID>1<NAME>B-00000001</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;
/** Tables that grow with bookings, and with what is closed, delivered, kept and matched of them. */
const GROWING = new Set([
  'reservations',
  'stays',
  'transactions',
  'versions',
  'derived_events',
  'changes',
  'export_entries',
  'export_deliveries',
  'payouts',
  'payout_postings',
  'book_groups',
  'book_entries',
  'book_postings',
  'book_deposits',
  'book_exceptions',
  'book_outcomes',
]);
/** What is asked more often than that by one command is asked for each page or row. */
const ONCE = 3;

interface Asked {
  text: string;
  values: readonly unknown[];
  /** By the command that asked it most. */
  times: number;
  of: string;
}

/** Everything that the books are asked for, with most months closed, and what they ask the database for it. */
async function askedOf(database?: string): Promise<{ world: LedgerWorld; asked: Asked[] }> {
  const asked = new Map<string, Asked>();
  let times = new Map<string, number>();
  let command = '';
  const onQuery = (text: string, values: readonly unknown[]) => {
    const now = (times.get(text) ?? 0) + 1;
    times.set(text, now);
    if (now > (asked.get(text)?.times ?? 0)) asked.set(text, { text, values, times: now, of: command });
  };
  const world = await openLedger({
    settings: ownersBook,
    jobs: { jsonl: job(), fresh: job({ mode: 'incremental' }) },
    now: '2027-02-01T10:00:00.000Z',
    onQuery,
    ...(database !== undefined && { database }),
  });
  const bank = join(mkdtempSync(join(tmpdir(), 'stayd-plans-')), 'bank.ofx');
  writeFileSync(bank, BANK);
  const commands: Readonly<Record<string, () => Promise<unknown>>> = {
    fresh: () => world.exports.run({ job: 'fresh', from: '2026', to: '2026' }, quiet),
    book: () => world.exports.book(undefined, quiet),
    close: () => world.exports.close({ period: '2026-11', soft: false }, quiet),
    run: () => world.exports.run({ job: 'jsonl', from: '2026-12', to: '2026-12' }, quiet),
    freshAgain: () => world.exports.run({ job: 'fresh' }, quiet),
    match: () => world.exports.match({ ...MATCH, path: bank }, quiet),
    bookAgain: () => world.exports.book(undefined, quiet),
    soft: () => world.exports.close({ period: '2026-12', soft: true }, quiet),
    verify: () => world.exports.verify(undefined, quiet),
    reopen: () => world.exports.reopen({ period: '2026-11', reason: 'a test' }),
    closeAgain: () => world.exports.close({ period: '2026-11', soft: false }, quiet),
    list: () => world.exports.list(undefined),
    map: () => world.exports.map({}),
    ack: () => world.exports.ack({ run: 'fresh', failed: true }),
    freshAnew: () => world.exports.run({ job: 'fresh' }, quiet),
  };
  try {
    await fillLedger(world.store, ENTRIES);
    const costs = Array.from({ length: LOOSE }, (_, index): EntryDraft => {
      const date = addDays('2026-01-01', index % 360);
      return { id: 1_000_000 + index, direction: 'expense', amount: 100 + index, date };
    });
    await world.entry(...costs);
    for (const [name, work] of Object.entries(commands)) {
      command = name;
      times = new Map();
      await work();
    }
    command = 'report';
    const ask = askOf(world);
    for (const report of reports.filter(({ books }) => books)) {
      times = new Map();
      const watched = <Row>(text: string, values: readonly string[]) => {
        onQuery(text, values);
        return ask<Row>(text, values);
      };
      await readReport(watched, { report, connection: CONNECTION, asked: {}, now: world.clock.now() });
    }
  } finally {
    rmSync(dirname(bank), { recursive: true });
  }
  return { world, asked: [...asked.values()] };
}

const MATCH = { mapping: null, bank: null, accounts: [], days: 35, dryRun: false, accept: 'all' as const };

/** A step of a plan of SQLite. */
interface Step {
  id: number;
  parent: number;
  detail: string;
}

/** Steps that take longer the more there is, for each page, or for each row of another table. */
function scansIn({ text, times }: Asked, plan: readonly Step[], grown: ReadonlySet<string>): string[] {
  const own = new Set(plan.flatMap(({ detail }) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1] ?? []));
  const tables = tablesOf(text);
  return plan.flatMap((step, index) => {
    const [, how, name = '', rest = ''] = /^(SCAN|SEARCH) (\S+)(.*)$/.exec(step.detail) ?? [];
    if (how === undefined || own.has(name) || !grown.has(tables.get(name) ?? name)) return [];
    const siblings = plan.slice(0, index).filter(({ parent }) => parent === step.parent);
    const isInner =
      siblings.some(({ detail }) => /^(SCAN|SEARCH) /.test(detail)) ||
      plan.some(({ id, detail }) => id === step.parent && detail.startsWith('CORRELATED'));
    const isSorted = plan.some(
      ({ parent, detail }) => parent === step.parent && detail === 'USE TEMP B-TREE FOR ORDER BY',
    );
    const besideMany = siblings.some(({ detail }) =>
      grown.has(tables.get(/^SE?\w+ (\S+)/.exec(detail)?.[1] ?? '') ?? ''),
    );
    const equal = [...rest.matchAll(/(\w+)=\?/g)]
      .map(([, column]) => column)
      .filter((column) => column !== 'connection');
    // For each row of the other table the same large part of this one.
    const isSame = besideMany && equal.every((column) => new RegExp(`\\b${name}\\.${column} is null`).test(text));
    const isScan = how === 'SCAN' || rest.endsWith(' (connection=?)') || isSame;
    // A page that is sorted out of all the rest.
    const isSorting = isSorted && /\blimit\b/.test(text);
    return (isScan && (isInner || times > ONCE)) || (isSorting && times > ONCE) ? [step.detail] : [];
  });
}

/** Tables by the names that a query has for them. */
function tablesOf(text: string): Map<string, string> {
  const found = text.matchAll(
    /\b(?:from|join|update|into)\s+"?(\w+)"?(?:\s+(?:as\s+)?(?!where|on|join|left|order|set|union|values|group|limit)"?(\w+)"?)?/gi,
  );
  return new Map([...found].map(([, table = '', alias]) => [alias ?? table, table]));
}

describe('queries of the books with closed months on SQLite', () => {
  let world: LedgerWorld;
  let asked: Asked[];
  before(async () => {
    ({ world, asked } = await askedOf());
  });
  after(() => world.close());

  const check = async (grown: ReadonlySet<string>) => {
    const { rows: files } = await sql<{ file: string }>`select file from pragma_database_list`.execute(world.store.db);
    const database = new Database(files[0]?.file ?? '', { readonly: true });
    try {
      const found = asked.flatMap((one) => {
        const statement = database.prepare<unknown[], Step>(`explain query plan ${one.text}`);
        const named = /\$\d/.test(one.text);
        const values = named
          ? [Object.fromEntries(one.values.map((value, index) => [String(index + 1), value]))]
          : one.values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value));
        const plan = statement.all(...values);
        const scans = scansIn(one, plan, grown);
        return scans.length === 0 ? [] : [`${one.of}, ${one.times} times: ${one.text}\n  ${scans.join('\n  ')}`];
      });
      assert.deepEqual(found, []);
    } finally {
      database.close();
    }
  };

  it('has seen what is asked for each page', () => {
    const paged = asked.filter(({ times }) => times > ONCE).map(({ text }) => text);
    for (const table of ['export_entries', 'transactions', 'stays', 'payouts', 'book_groups']) {
      assert.ok(
        paged.some((text) => new RegExp(`\\b${table}\\b`).test(text)),
        table,
      );
    }
  });

  it('none of them goes along a table for each page, as the tables are thought to become', () => check(GROWING));

  it('nor when SQLite has looked at what there is', async () => {
    const { db } = world.store;
    await sql`analyze`.execute(db);
    // Along what is nearly empty it may go.
    const { rows } = await sql<{ tbl: string }>`
      select tbl from sqlite_stat1 where cast(stat as integer) >= ${LOOSE}`.execute(db);
    const grown = new Set(rows.map(({ tbl }) => tbl).filter((table) => GROWING.has(table)));
    for (const table of ['export_entries', 'transactions', 'book_entries']) assert.ok(grown.has(table), table);
    await check(grown);
  });
});

interface Node {
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Node Type': string;
  Plans?: Node[];
}

describeOnPostgres('queries of the books with closed months on PostgreSQL', () => {
  let server: TestPostgres;
  let world: LedgerWorld;
  let asked: Asked[];
  before(async () => {
    server = await startPostgres();
    ({ world, asked } = await askedOf(await server.freshDatabase()));
  });
  after(async () => {
    await world.close();
    await server.stop();
  });

  it('each page is found by what it is a page of', async () => {
    const { store } = world;
    await sql`analyze`.execute(store.db);
    const paged = asked.filter(({ text, times }) => times > ONCE && /^\s*(select|with)\b/.test(text));
    assert.ok(paged.some(({ text }) => text.includes('export_entries')));
    const found = await store.transaction(async (trx) => {
      // Tables of a test are so small that reading them whole is cheaper than an index.
      for (const way of ['seqscan', 'hashjoin', 'mergejoin']) {
        await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(trx);
      }
      const scans: string[] = [];
      for (const one of paged) {
        const { rows } = await sql<{
          'QUERY PLAN': { Plan: Node }[];
        }>`explain (format json) ${sql.raw(literal(one))}`.execute(trx);
        const steps = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => postgresScans(Plan)));
        scans.push(...steps.map((step) => `${one.text}: ${step}`));
      }
      return scans;
    });
    assert.deepEqual(found, []);
  });
});

function literal({ text, values }: Asked): string {
  return text.replaceAll(/\$(\d+)/g, (_, index) => {
    const value = values[Number(index) - 1];
    if (Array.isArray(value))
      return `array[${value.map((one) => (typeof one === 'number' ? one : `'${one}'`)).join(', ')}]`;
    return typeof value === 'number' ? String(value) : `'${String(value)}'`;
  });
}

/** Steps over a growing table that nothing but the connection leads into. */
function postgresScans(node: Node): string[] {
  const { 'Index Name': index = '', 'Index Cond': condition = '', 'Relation Name': table = '' } = node;
  const isAll = node['Node Type'] === 'Seq Scan' && GROWING.has(table);
  const isGrowing = [...GROWING].some((name) => index.startsWith(`${name}_`));
  const isAlong = isGrowing && (condition === '' || /^\(connection = '\w+'::text\)$/.test(condition));
  return [
    ...(isAll ? [`all of ${table}`] : []),
    ...(isAlong ? [`along ${index}`] : []),
    ...(node.Plans ?? []).flatMap(postgresScans),
  ];
}
