import assert from 'node:assert/strict';
import { test } from 'node:test';
import { troublesOf } from '../../../src/sync/connection/troubles/all.ts';
import { CONNECTION, openWorld } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

test('what upstream leaves out is null, counted by its field, and said', async (t) => {
  const truth = new Truth();
  for (const id of [1, 2, 3]) {
    const { stay_status: _, rates, ...rest } = makeStay(id);
    truth.put({ ...rest, rates: { ...rates, tax: 'none' }, number_of_guests: id === 3 ? [2] : 2 } as never);
  }
  const w = await openWorld({ truth });
  t.after(() => w.close());
  await w.clock.run(11_000);
  const stays = await w.store.db
    .selectFrom('stays')
    .select(['stay_status', 'number_of_guests', 'tax_minor'])
    .orderBy('stay_code')
    .execute();
  assert.deepEqual(
    stays.map((stay) => Object.values(stay)),
    [
      [null, 2, null],
      [null, 2, null],
      [null, null, null],
    ],
  );
  const told = (await troublesOf(w.store.db, CONNECTION, w.clock.now())).filter(
    ({ about }) => about === 'unknown fields',
  );
  const ofStays = told.filter(({ says }) => says.startsWith('listReservations'));
  assert.match(ofStays[0]?.says ?? '', /^listReservations does not return stay_status \(\d+ times\)$/);
  assert.match(
    ofStays[1]?.says ?? '',
    /^listReservations spells so that it cannot be read number_of_guests \(\d+ times\), rates\.tax \(\d+ times\)$/,
  );
});
