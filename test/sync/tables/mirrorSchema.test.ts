import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, it, test } from 'node:test';
import { sql } from 'kysely';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Mirror, MirrorStore } from '../../../src/sync/tables/database.ts';
import { commentOnMirror } from '../../../src/compose/mirrorSchema/columnComments.ts';
import { columnNote, mirrorSchema, renderMirrorSchema } from '../../../src/compose/mirrorSchema/notes.ts';

import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';

let store: MirrorStore;
before(async () => {
  store = await openStore<Mirror>({ kind: 'sqlite', file: ':memory:' });
  await migrate(store, mirrorMigrations);
});
after(() => store.close());

async function tables(): Promise<{ name: string; columns: string[] }[]> {
  const found = await store.db.introspection.getTables();
  // What the views of reports are stands in docs/reports.md; the words of the search are an index, on SQLite a table.
  const own = found.filter((table) => !/^(?:v1_|search_words)/.test(table.name));
  return own.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }));
}

test('every table and column of the mirror has its line, and no line is about nothing', async () => {
  const found = await tables();
  for (const { name, columns } of found) {
    assert.ok(
      mirrorSchema.some((note) => note.table === name),
      `table ${name}`,
    );
    for (const column of columns) assert.ok(columnNote(name, column), `${name}.${column}`);
  }
  for (const { table, columns } of mirrorSchema) {
    const own = found.find((one) => one.name === table);
    assert.ok(own, `no table ${table}`);
    for (const column of Object.keys(columns)) assert.ok(own.columns.includes(column), `no column ${table}.${column}`);
  }
});

test('docs/mirror-schema.md is up to date', async () => {
  const file = new URL('../../../docs/mirror-schema.md', import.meta.url);
  const text = renderMirrorSchema(await tables());
  if (process.env['UPDATE_DOCS']) writeFileSync(file, text);
  assert.equal(readFileSync(file, 'utf8'), text, 'run this test with UPDATE_DOCS=1 and commit the file');
});

test('the connection comes first in every table and key, raw comes last', async () => {
  for (const { name, columns } of await tables()) {
    if (name === 'sequences' || name === 'dates') continue;
    assert.equal(columns[0], 'connection', name);
    if (columns.includes('raw')) assert.equal(columns.at(-1), 'raw', name);
  }
});

describeOnPostgres('the comments of the database itself, on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  it('say of each table and column what the page says, once', async () => {
    const mirror = await openStore<Mirror>({ kind: 'postgres', url: await server.emptyDatabase(), schema: 'mirror' });
    try {
      await migrate(mirror, mirrorMigrations);
      const [written, again] = await Promise.all([commentOnMirror(mirror), commentOnMirror(mirror)]);
      assert.ok(written + again > 500 && (written === 0 || again === 0), `${written} and ${again}`);
      const { rows } = await sql<{ of: string; comment: string }>`
        select obj_description('stays'::regclass, 'pg_class') as comment, 'stays' as of union all
        select col_description('stays'::regclass, attnum), attname from pg_attribute
        where attrelid = 'stays'::regclass and attnum > 0 order by 2`.execute(mirror.db);
      for (const { of, comment } of rows.filter((row) => row.of !== 'stays')) {
        assert.equal(comment, columnNote('stays', of), of);
      }
      assert.equal(
        rows.find((row) => row.of === 'stays')?.comment,
        mirrorSchema.find((one) => one.table === 'stays')?.is,
      );
      await sql`comment on column stays.status is 'changed by hand'`.execute(mirror.db);
      assert.equal(await commentOnMirror(mirror), 1);
      assert.equal(await commentOnMirror(mirror), 0);
    } finally {
      await mirror.close();
    }
  });
});

test('SQLite has no comments, and needs none', async () => {
  assert.equal(await commentOnMirror(store), 0);
});
