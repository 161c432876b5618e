import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { writeParquet } from '../../../src/compose/analytics/parquet/writeParquet.ts';
import { loadConfig } from '../../../src/config.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { runOne } from '../../cli/support/runMany.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import type { TestService } from '../../support/service.ts';
import { copyToPostgres, startFilled } from './support/world.ts';

type Json = Record<string, string | number | boolean | null>;

/** DuckDB reads the files, and shares no code with what wrote them. */
class Reader {
  readonly #connection: DuckDBConnection;

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  async rows(query: string): Promise<Json[]> {
    return (await this.#connection.runAndReadAll(query)).getRowObjectsJson() as Json[];
  }

  /** The type of each column of a file. */
  async types(file: string): Promise<Record<string, string>> {
    const rows = await this.rows(`describe select * from read_parquet('${file}')`);
    return Object.fromEntries(rows.map((row) => [String(row['column_name']), String(row['column_type'])]));
  }
}

describe('the mirror as Parquet files', () => {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-parquet-'));
  const [open, persons] = [join(dir, 'open'), join(dir, 'persons')];
  let service: TestService;
  let reader: Reader;
  before(async () => {
    service = await startFilled();
    const instance = await DuckDBInstance.create(':memory:');
    reader = new Reader(await instance.connect());
    await reader.rows(`set timezone = 'UTC'`);
  });
  after(async () => {
    await service.remove();
    rmSync(dir, { recursive: true });
  });

  const config = () => loadConfig({ STAYD_DATA_DIR: service.dataDir });
  const write = (folder: string, withPersons = false) =>
    writeParquet(config(), folder, { persons: withPersons, clock: systemClock });
  const manifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'stayd-parquet.json'), 'utf8'));
  const change = (statement: string) => {
    const file = new Database(join(service.dataDir, 'mirror.db'));
    file.exec(statement);
    file.close();
  };

  it('the command writes them and says how many', async () => {
    const { code, stdout, stderr } = await runOne(['report', '--parquet', open], { STAYD_DATA_DIR: service.dataDir });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^wrote \d+ files with [\d,]+ rows to .*open\n0 tables had not changed\n$/);
    assert.equal(statSync(join(open, 'tables', 'stays.parquet')).mode & 0o777, 0o600);
  });

  it('columns have real types', async () => {
    const types = await reader.types(join(open, 'tables', 'stays.parquet'));
    const wanted = {
      connection: 'VARCHAR',
      nights: 'BIGINT',
      check_in_date: 'DATE',
      in_reservation_box: 'BOOLEAN',
      rate: 'DECIMAL(18,4)',
      booked_at: 'TIMESTAMP WITH TIME ZONE',
    };
    for (const [column, type] of Object.entries(wanted)) assert.equal(types[column], type, column);
  });

  it('hold the rows of the views for BI tools: dates, amounts in major units, moments, what is gone left out', async () => {
    const file = new Database(join(service.dataDir, 'mirror.db'), { readonly: true });
    let compared = 0;
    for (const name of Object.keys(manifest(open).tables)) {
      const types = await reader.types(join(open, 'tables', `${name}.parquet`));
      const columns = Object.keys(types);
      const list = columns.map((column) => `"${column}"`).join(', ');
      const stored = file.prepare(`select ${list} from "analytics_${name}"`).all() as Json[];
      const read = await reader.rows(`select ${list} from read_parquet('${join(open, 'tables', name)}.parquet')`);
      const alike = (row: Json) => JSON.stringify(columns.map((column) => plain(row[column], types[column] ?? '')));
      assert.deepEqual(read.map(alike).toSorted(), stored.map(alike).toSorted(), name);
      compared += read.length;
    }
    file.close();
    assert.ok(compared > 18_000, String(compared));
    const yen = await reader.rows(
      `select total_rate from read_parquet('${open}/tables/stays.parquet') where currency = 'JPY'`,
    );
    assert.deepEqual(yen, [{ total_rate: '45000.0000' }]);
  });

  it('the history is whole, in the order of its numbers, and a file is a stretch', async () => {
    const file = new Database(join(service.dataDir, 'mirror.db'), { readonly: true });
    const stored = file.prepare('select connection, seq, resource, op from changes order by connection, seq').all();
    file.close();
    const read = await reader.rows(
      `select connection, seq, resource, op from read_parquet('${open}/history/changes/*/*.parquet') order by connection, seq`,
    );
    assert.deepEqual(
      read.map((row) => ({ ...row, seq: Number(row['seq']) })),
      stored,
    );
  });

  it('columns about persons are written on request alone', async () => {
    const { written } = await write(persons, true);
    assert.ok(written.includes('tables/guests.parquet'));
    const names = await reader.rows(`select name from read_parquet('${persons}/tables/guests.parquet')`);
    assert.ok(names.some(({ name }) => name === 'Yuki Sato'));
    assert.equal(existsSync(join(open, 'tables', 'guests.parquet')), false);
    for (const { file } of Object.values<{ file: string }>(manifest(open).tables)) {
      assert.equal(readFileSync(join(open, file)).includes('Yuki Sato'), false, file);
    }
    // The same folder with other columns begins from nothing.
    await write(persons, false);
    assert.equal(existsSync(join(persons, 'tables', 'guests.parquet')), false);
    await write(persons, true);
  });

  it('a second run writes nothing; after a change that table, and of the history what is new', async () => {
    assert.deepEqual((await write(open)).written, []);
    const { stretches } = manifest(open);
    const [{ file: first, to }] = stretches.changes.local;
    const written = statSync(join(open, first)).mtimeMs;
    change(
      `update properties set name = 'New name' where deleted_at is null;
       insert into changes (connection, seq, at, resource, key, op, seen_by, event_ids)
       values ('local', ${to + 5}, '2027-03-05T10:00:00.000Z', 'property', '1', 'update', 'event', '[]')`,
    );
    const again = await write(open);
    const twelve = (seq: number) => String(seq).padStart(12, '0');
    const stretch = `history/changes/local/${twelve(to + 1)}-${twelve(to + 5)}.parquet`;
    assert.deepEqual(again.written.toSorted(), [stretch, 'tables/properties.parquet']);
    assert.equal(statSync(join(open, first)).mtimeMs, written);
    const [last] = await reader.rows(`select seq from read_parquet('${open}/${stretch}')`);
    assert.equal(Number(last?.['seq']), to + 5);
  });

  it('what an interrupted run left is removed, so that nothing is read twice', async () => {
    const left = ['history/changes/local/000000000001-000000000002.parquet', 'tables/stays.parquet.tmp'];
    for (const name of left) writeFileSync(join(open, name), 'half');
    assert.deepEqual((await write(open)).written, []);
    for (const name of left) assert.equal(existsSync(join(open, name)), false, name);
  });

  it('after an erasure everything about persons is written again', async () => {
    assert.deepEqual((await write(persons, true)).written.filter((name) => name.startsWith('history/')).length, 1);
    const log = join(service.dataDir, 'erasures.log');
    const erasures = JSON.parse(readFileSync(log, 'utf8').split('\n')[0] || '{}');
    assert.ok(erasures);
    const before = manifest(persons);
    writeFileSync(join(persons, 'stayd-parquet.json'), JSON.stringify({ ...before, erasures: 'of another time' }));
    const { written, unchanged } = await write(persons, true);
    assert.ok(written.includes('tables/guests.parquet') && unchanged === 0);
    assert.deepEqual(manifest(persons).stretches.versions, before.stretches.versions);
  });

  it('a folder with something else is refused, and stays as it is', async () => {
    const other = mkdtempSync(join(dir, 'other-'));
    writeFileSync(join(other, 'thesis.doc'), 'x');
    const { code, stderr } = await runOne(['report', '--parquet', other], { STAYD_DATA_DIR: service.dataDir });
    assert.equal(code, 2);
    assert.match(stderr, /holds thesis\.doc, and no stayd-parquet\.json/);
    const report = await runOne(['report', 'occupancy', '--parquet', dir], { STAYD_DATA_DIR: service.dataDir });
    assert.equal(report.code, 2);
    assert.match(report.stderr, /--parquet writes all tables, so that occupancy has no meaning beside it/);
  });

  describeOnPostgres('of PostgreSQL', () => {
    let server: TestPostgres;
    before(async () => {
      server = await startPostgres();
    });
    after(() => server.stop());

    it('are the same, byte by byte', async () => {
      const url = await server.freshDatabase();
      await copyToPostgres(service.dataDir, url);
      const folder = join(dir, 'postgres');
      const settings = loadConfig({ STAYD_DATA_DIR: service.dataDir, STAYD_DATABASE_URL: url });
      await writeParquet(settings, folder, { persons: true, clock: systemClock });
      await write(persons, true);
      const sums = (place: string) =>
        Object.entries<{ sha256: string }>(manifest(place).tables).map(([name, { sha256 }]) => [name, sha256]);
      assert.deepEqual(new Map(sums(folder) as [string, string][]), new Map(sums(persons) as [string, string][]));
    });
  });
});

/** A value in a form that both sides have. */
function plain(value: Json[string] | undefined, type: string): Json[string] {
  if (value === null || value === undefined) return null;
  if (type === 'BOOLEAN') return Boolean(value);
  if (type.startsWith('TIMESTAMP'))
    return new Date(String(value).replace(' ', 'T').replace(/\+00$/, 'Z')).toISOString();
  if (/^(?:DECIMAL|BIGINT|DOUBLE)/.test(type)) return Number(value).toFixed(4);
  return String(value);
}
