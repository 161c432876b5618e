import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { migrate } from '../../src/store/migrate.ts';
import { type Added, landed } from './landed.ts';
import { schemaDigest, schemaOf } from './support/schema.ts';
import { all, HALVES, only, withStore } from './support/upgrades.ts';

for (const half of HALVES) {
  test(`${half}: what has landed is what there is, and none of it was edited since`, async () => {
    await withStore({ kind: 'sqlite', file: ':memory:' }, async (store) => {
      let known: string[] = [];
      const digestWith = async (names: readonly string[]) => {
        await migrate(store, only(half, names), all[half].statistics);
        return schemaDigest(store);
      };
      for (const added of landed.flatMap((landing): Added[] => (landing[half] ? [landing[half]] : []))) {
        known = [...known, ...added.adds];
        assert.equal(await digestWith(known), added.schema, `the schema of ${half} with ${added.adds.join(', ')}`);
      }
      const names = Object.keys(all[half].migrations);
      assert.deepEqual(
        known.toSorted(),
        names.toSorted(),
        `a migration that lands gets a line at the end of test/migrations/landed.ts, with the digest ${await digestWith(names)}`,
      );
    });
  });
}

test('views of a database that was made while their text was another one become those of today', async () => {
  const { migrations } = all.mirror;
  const names = Object.keys(migrations);
  await withStore({ kind: 'sqlite', file: ':memory:' }, async (fresh) => {
    await migrate(fresh, migrations);
    await withStore({ kind: 'sqlite', file: ':memory:' }, async (old) => {
      const since = names.filter((name) => name >= '0027');
      await migrate(
        old,
        only(
          'mirror',
          names.filter((name) => !since.includes(name)),
        ),
      );
      const { rows } = await sql<{ sql: string }>`select sql from sqlite_schema where name = 'v1_sync_proof'`.execute(
        old.db,
      );
      const text = rows[0]?.sql.replace('l.sub_event', "nullif(l.sub_event, '') as sub_event") ?? '';
      await sql`drop view v1_sync_proof`.execute(old.db);
      await sql.raw(text).execute(old.db);
      assert.notDeepEqual(await schemaOf(old), await schemaOf(fresh));
      await migrate(old, migrations);
      assert.deepEqual(await schemaOf(old), await schemaOf(fresh));
    });
  });
});
