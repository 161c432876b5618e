import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { runOne } from '../../cli/support/runMany.ts';
import { type Storage, startStorage } from '../../service/support/storage.ts';
import type { TestService } from '../../support/service.ts';
import { startFilled } from './support/world.ts';

const MANIFEST = 'stayd-parquet.json';

describe('the mirror as Parquet files in a bucket', () => {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-bucket-'));
  let storage: Storage;
  let service: TestService;
  before(async () => {
    storage = await startStorage('rooms');
    service = await startFilled();
  });
  after(async () => {
    await service.remove();
    await storage.stop();
    rmSync(dir, { recursive: true });
  });

  const write = async (to: string, more: Record<string, string> = {}, options: readonly string[] = []) =>
    runOne(['report', '--parquet', to, '--json', ...options], {
      STAYD_DATA_DIR: service.dataDir,
      STAYD_BACKUP_S3_ENDPOINT: storage.url,
      STAYD_BACKUP_S3_ACCESS_KEY: storage.accessKey,
      STAYD_BACKUP_S3_SECRET_KEY: storage.secretKey,
      ...more,
    });
  async function written(to: string, options: readonly string[] = []): Promise<{ written: string[]; folder: string }> {
    const { code, stdout, stderr } = await write(to, {}, options);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }
  const mirror = <T>(work: (file: Database.Database) => T): T => {
    const file = new Database(join(service.dataDir, 'mirror.db'));
    try {
      return work(file);
    } finally {
      file.close();
    }
  };
  const named = async (folder: string): Promise<string[]> => {
    const { tables, stretches } = JSON.parse(storage.content(`${folder}/${MANIFEST}`).toString());
    const histories = Object.values<Record<string, { file: string }[]>>(stretches).flatMap((one) => Object.values(one));
    return [...Object.values<{ file: string }>(tables), ...histories.flat()].map(({ file }) => file).toSorted();
  };

  it('hold what the mirror holds, as DuckDB reads them, and lie under the names of the manifest', async () => {
    const report = await written('s3://rooms/lake/stayd');
    assert.equal(report.folder, 's3://rooms/lake/stayd');
    const names = (await storage.names()).map((name) => name.replace('lake/stayd/', '')).toSorted();
    assert.deepEqual(names, [MANIFEST, ...(await named('lake/stayd'))].toSorted());
    for (const name of names) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), storage.content(`lake/stayd/${name}`));
    }
    const reader = await (await DuckDBInstance.create(':memory:')).connect();
    const rows = async (query: string) => (await reader.runAndReadAll(query)).getRowObjectsJson();
    const read = await rows(`select connection, seq, op from '${dir}/history/changes/*/*.parquet' order by 1, 2`);
    const stored = mirror((file) => file.prepare('select connection, seq, op from changes order by 1, 2').all());
    assert.deepEqual(
      read.map((row) => ({ ...row, seq: Number(row['seq']) })),
      stored,
    );
    const [{ n } = { n: 0 }] = await rows(`select count(*) as n from '${dir}/tables/stays.parquet'`);
    const expected = mirror((file) => file.prepare('select count(*) as n from stays where deleted_at is null').get());
    assert.deepEqual({ n: Number(n) }, expected);
    assert.deepEqual(
      readdirSync(service.dataDir).filter((name) => name.startsWith('parquet-')),
      [],
      'nothing is left on this machine',
    );
  });

  it('are written again only where something has changed, and what an interrupted run left is removed', async () => {
    assert.deepEqual((await written('s3://rooms/lake/stayd')).written, []);
    const stretches = (await named('lake/stayd')).filter((name) => name.startsWith('history/changes/'));
    mirror((file) =>
      file.exec(
        `update properties set name = 'Another name' where deleted_at is null;
         insert into changes (connection, seq, at, resource, key, op, seen_by, event_ids)
         select connection, max(seq) + 1, '2027-03-05T10:00:00.000Z', 'property', '1', 'update', 'event', '[]'
         from changes where connection = 'local'`,
      ),
    );
    const report = await written('s3://rooms/lake/stayd');
    const [added, table, ...others] = report.written.toSorted();
    assert.match(added ?? '', /^history\/changes\/local\/\d{12}-\d{12}\.parquet$/);
    assert.equal(table, 'tables/properties.parquet');
    assert.deepEqual(others, []);
    assert.ok(stretches.every((name) => name !== added));
    const whole = (await storage.names()).length;
    // Other columns begin from nothing, and what no manifest names goes.
    assert.ok((await written('s3://rooms/lake/stayd', ['--persons'])).written.includes('tables/guests.parquet'));
    await written('s3://rooms/lake/stayd');
    assert.equal((await storage.names()).includes('lake/stayd/tables/guests.parquet'), false);
    // The history of changes is one file again.
    assert.equal((await storage.names()).length, whole - 1);
  });

  it('wrong keys, no bucket, a folder of others and a storage that is away are said, and nothing is written', async () => {
    const before = await storage.names();
    const refused = async (to: string, says: RegExp, more: Record<string, string> = {}, code = 1) => {
      const outcome = await write(to, more);
      assert.match(outcome.stderr, says);
      assert.doesNotMatch(outcome.stderr, /\n\s+at /);
      assert.equal(outcome.code, code);
    };
    await refused('s3://rooms/other', /does not let the access key into the bucket rooms: InvalidAccessKeyId/, {
      STAYD_BACKUP_S3_ACCESS_KEY: 'nobody',
    });
    await refused('s3://nowhere/other', /there is no bucket nowhere at http/);
    await refused('s3://rooms/lake', /s3:\/\/rooms\/lake holds stayd, and no stayd-parquet\.json/, {}, 2);
    await refused(
      's3://rooms/other',
      /backup\.s3\.endpoint is missing, and --parquet names s3:\/\/rooms\/other/,
      { STAYD_BACKUP_S3_ENDPOINT: '' },
      2,
    );
    await refused('s3://rooms/other', /the storage at http:\S+ does not answer/, {
      STAYD_BACKUP_S3_ENDPOINT: 'http://127.0.0.1:9',
    });
    await refused('s3://Rooms!/other', /--parquet names s3:\/\/Rooms!\/other, which is no bucket/, {}, 2);
    await refused('gs://rooms/other', /gs:\/\/rooms\/other is no folder/, {}, 2);
    assert.deepEqual(await storage.names(), before);
  });
});
