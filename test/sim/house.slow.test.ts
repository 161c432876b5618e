import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveInHouse } from './house/world.ts';

test('a house of five flats: no night is held twice, none is closed for nobody, and a person sees what was sold twice', async () => {
  const { problems, counts, mailsSent } = await liveInHouse({ seed: 1, days: 1, bookings: 14 });
  assert.deepEqual(problems, []);
  for (const what of ['airbnb: sold', 'booking: sold', 'direct: booked', 'person: noted a payment'])
    assert.ok((counts.get(what) ?? 0) > 0, what);
  assert.ok(mailsSent > 0);
});
