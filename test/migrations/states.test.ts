import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { migrate, type Migrations } from '../../src/store/migrate.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type Added, landed } from './landed.ts';
import { formOf, schemaDigest, schemaOf } from './support/schema.ts';
import { all, bridges, type Half, HALVES, only, withStore } from './support/upgrades.ts';

for (const half of HALVES) {
  const added = landed.flatMap((landing): Added[] => (landing[half] ? [landing[half]] : []));
  const isStep = ({ adds }: Added) => adds.every((name) => Object.hasOwn(all[half].steps, name));

  for (const [what, steps, landings] of [
    ['before the baseline', bridges[half], added.filter((one) => !isStep(one))],
    ['from the baseline on', all[half].steps, added.filter(isStep)],
  ] as const) {
    test(`${half}, ${what}: what has landed is what there is, and none of it was edited since`, async () => {
      await withStore({ kind: 'sqlite', file: ':memory:' }, async (store) => {
        let known: string[] = [];
        const digestWith = async (names: readonly string[]) => {
          await migrate(store, only(half, names));
          return schemaDigest(store);
        };
        for (const { adds, schema } of landings) {
          known = [...known, ...adds];
          assert.equal(await digestWith(known), schema, `the schema of ${half} with ${adds.join(', ')}`);
        }
        const names = Object.keys(steps);
        assert.deepEqual(
          known.toSorted(),
          names.toSorted(),
          `a migration that lands gets a line at the end of test/migrations/landed.ts, with the digest ${await digestWith(names)}`,
        );
      });
    });
  }

  test(`${half}: no step has a name of the bridge`, () => {
    const names = Object.keys(bridges[half]);
    assert.deepEqual(
      Object.keys(all[half].steps).filter((name) => names.includes(name)),
      [],
    );
  });
}

/** Databases that are new, and those that crossed the bridge, have the same schema. */
function leadsThere(half: Half, open: () => Promise<StoreLocation>): void {
  test(`${half}: the bridge leads to what the first step makes`, async () => {
    const [first] = Object.keys(all[half].steps).toSorted();
    assert.ok(first);
    const baseline: Migrations = { ...all[half], steps: only(half, [first]).steps };
    const made: string[][] = [];
    for (const before of [[], Object.keys(bridges[half])]) {
      await withStore(await open(), async (store) => {
        await migrate(store, only(half, before));
        assert.deepEqual(await migrate(store, baseline), [first]);
        made.push(await formOf(store));
      });
    }
    assert.deepEqual(made[1], made[0]);
  });
}

describe('on SQLite', () => {
  for (const half of HALVES) leadsThere(half, async () => ({ kind: 'sqlite', file: ':memory:' }));
});

describeOnPostgres('on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  for (const half of HALVES) {
    leadsThere(half, async () => ({ kind: 'postgres', url: await server.emptyDatabase(), schema: half }));
  }
});

test('views of a database that was made while their text was another one become those of today', async () => {
  const names = Object.keys(bridges.mirror);
  await withStore({ kind: 'sqlite', file: ':memory:' }, async (fresh) => {
    await migrate(fresh, only('mirror', names));
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
      await migrate(old, only('mirror', names));
      assert.deepEqual(await schemaOf(old), await schemaOf(fresh));
    });
  });
});
