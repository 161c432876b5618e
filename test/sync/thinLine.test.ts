import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStay } from '../support/rows.ts';
import { CONNECTION, openWorld } from '../support/mirror.ts';

test('an event leads to a read, a row, and a change in the feed', async () => {
  const world = await openWorld();
  try {
    const { truth, store, daemon } = world;
    truth.put(makeStay(1, { guest_name: 'A. Guest' }));
    const status = await world.send({
      event: 'reservation_created',
      event_id: '01KZ0A8F2M7V1S3C9D5E6G4HJK',
      reservation_code: '5-R000001',
      stay_code: '5-R000001',
      property_id: 7,
    });
    assert.equal(status, 200);
    await world.quiet();
    const [stay] = await store.db.selectFrom('stays').selectAll().execute();
    assert.equal(stay?.rate_minor, 30_000);
    assert.equal(stay?.nights, 3);
    assert.doesNotMatch(stay?.raw ?? '', /A\. Guest/);
    const nights = await store.db.selectFrom('stay_nights').selectAll().execute();
    assert.deepEqual(
      nights.map((night) => [night.night, night.rate_minor]),
      [
        ['2027-03-05', 10_000],
        ['2027-03-06', 10_000],
        ['2027-03-07', 10_000],
      ],
    );
    const [guest] = await store.db.selectFrom('guests').selectAll().execute();
    assert.equal(guest?.name, 'A. Guest');
    const changes = (await daemon.feed(CONNECTION).read(0, 100)).filter((change) => change.resource === 'reservation');
    assert.deepEqual(
      changes.map(({ op, key, seen_by, event_ids, diff }) => ({ op, key, seen_by, event_ids, diff })),
      [{ op: 'created', key: '5-R000001', seen_by: 'event', event_ids: '["01KZ0A8F2M7V1S3C9D5E6G4HJK"]', diff: null }],
    );
    const [event] = await store.db.selectFrom('inbox').selectAll().execute();
    assert.equal(event?.state, 'done');
    assert.equal(event?.change_seq, changes[0]?.seq);
  } finally {
    await world.close();
  }
});
