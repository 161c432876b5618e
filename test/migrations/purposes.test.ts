import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { migrate } from '../../src/store/migrate.ts';
import { all, bridges, only, withStore } from './support/upgrades.ts';

test('requests that were counted under an earlier word for their purpose count on under the word of today', async () => {
  const before = Object.keys(bridges.mirror).filter((name) => name < '0038');
  await withStore({ kind: 'sqlite', file: ':memory:' }, async (store) => {
    await migrate(store, only('mirror', before));
    const subjects = [
      'walk/listReviews',
      'sweep/listReviews',
      'slow_sweep/listTasks',
      'lookup/listReviews',
      'walking/x',
    ];
    for (const subject of subjects) {
      await sql`insert into sync_hours (connection, hour, measure, subject, bucket, count, total, most)
        values ('local', '2027-03-05T10', 'requests', ${subject}, 0, 1, 0, 0)`.execute(store.db);
    }
    await migrate(store, all.mirror);
    const { rows } = await sql<{ subject: string }>`select subject from sync_hours order by subject`.execute(store.db);
    assert.deepEqual(
      rows.map((row) => row.subject),
      ['lookup/listReviews', 'reconcile/listReviews', 'reconcile_slow/listTasks', 'scan/listReviews', 'walking/x'],
    );
  });
});
