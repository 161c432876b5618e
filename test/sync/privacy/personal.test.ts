import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { z } from 'zod';
import { openedGuest } from '../../../src/sync/tables/rows/sealedValues.ts';
import { reservation } from '../../../src/contract/reservations.ts';
import { separator } from '../../../src/sync/tables/rows/personal.ts';
import { reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeStay, type WireStay } from '../../support/rows.ts';

const SENTINEL = 'SENTINEL';

/** A value for every place that the contract calls personal, found by a scan of the test's own. */
function personalPaths(schema: z.ZodType, path: string[] = []): string[][] {
  if (schema.meta()?.personal) return [path];
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return personalPaths(schema.unwrap() as z.ZodType, path);
  if (schema instanceof z.ZodArray) return personalPaths(schema.element as z.ZodType, [...path, '*']);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
    personalPaths(field, [...path, name]),
  );
}

const paths = personalPaths(reservation).map((path) => path.join('.'));

test('the contract names the personal values this test knows how to fill', () => {
  assert.deepEqual(paths.toSorted(), [
    'check_in_details.lock_code',
    'checkin_guide_images.*',
    'creator',
    'guest_email',
    'guest_name',
    'guest_phone',
    'guests.*.email',
    'guests.*.id_images.*',
    'guests.*.id_number',
    'guests.*.name',
    'guests.*.phone',
  ]);
});

/** A stay with a sentinel of its own in each personal place that is filled. */
function stayWith(id: number, round: number, filled: (place: string) => boolean, guests: number): WireStay {
  const text = (place: string) => (filled(place) ? `${SENTINEL} ${id} ${round} ${place}` : null);
  const images = (place: string) => (filled(place) ? [{ id: 1, url: `${SENTINEL} ${round} ${place}` }] : []);
  const base = makeStay(id);
  return {
    ...base,
    number_of_guests: round,
    guest_name: text('guest_name'),
    guest_phone: text('guest_phone'),
    guest_email: text('guest_email'),
    creator: text('creator'),
    check_in_details: { ...base.check_in_details, lock_code: text('lock_code') },
    checkin_guide_images: images('guide').map((image) => ({ ...image, client_id: null })),
    guests: Array.from({ length: guests }, (_, index) => ({
      id: 100 * id + index,
      name: text(`name${index}`),
      phone: text(`phone${index}`),
      email: text(`email${index}`),
      id_type: 'passport',
      id_number: text(`number${index}`),
      gender: null,
      country: 'DE',
      is_booker: index === 0,
      id_images: images(`image${index}`),
    })),
  };
}

async function world(t: TestContext): Promise<World> {
  const opened = await openWorld();
  t.after(() => opened.close());
  return opened;
}

/** Everything the mirror holds, but the one table made for it, and the index of its words, which triggers keep. */
async function everythingElse({ store }: World): Promise<string> {
  const tables = (await store.db.introspection.getTables())
    .filter((table) => !table.isView && !/^(?:guests$|dates$|search_words)/.test(table.name))
    .map((table) => table.name);
  const dumps: string[] = [];
  for (const table of tables) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(store.db);
    dumps.push(JSON.stringify(rows));
  }
  return dumps.join('\n');
}

test('no personal value ever stands outside guests, whatever is filled, changed, added or taken away', async (t) => {
  const w = await world(t);
  const places = [
    'guest_name',
    'guest_phone',
    'guest_email',
    'lock_code',
    'guide',
    'name0',
    'phone0',
    'number0',
    'image0',
    'name1',
    'email1',
  ];
  const round = fc.record({ filled: fc.subarray(places), guests: fc.nat(3), again: fc.boolean() });
  const runs = fc.sample(fc.array(round, { minLength: 1, maxLength: 4 }), { numRuns: 15, seed: 4 });
  for (const [index, rounds] of runs.entries()) {
    const id = index + 1;
    for (const [number, { filled, guests, again }] of rounds.entries()) {
      const stay = stayWith(id, again ? 1 : number + 1, (place) => filled.includes(place), guests);
      w.truth.put(stay);
      await w.send(reservationEvent(stay));
      await w.quiet();
    }
  }
  assert.doesNotMatch(await everythingElse(w), new RegExp(SENTINEL));
  const guests = await w.store.db.selectFrom('guests').selectAll().execute();
  assert.match(JSON.stringify(guests), new RegExp(SENTINEL));
  // And they are all there: the mirror holds for each stay what upstream holds.
  for (const stay of w.truth.stays.values()) {
    const rows = guests.filter((row) => row.stay_code === stay.stay_code);
    const booker = rows.find((row) => row.guest_key === 'booker');
    assert.equal(booker?.name ?? null, stay.guest_name);
    assert.equal(booker?.email ?? null, stay.guest_email);
    assert.doesNotMatch(booker?.more ?? '', /lock_code":"SENTINEL/);
    const more = JSON.parse((booker && openedGuest(w.store.db, booker).more) ?? '{}') as Record<string, unknown>;
    assert.equal(more['check_in_details.lock_code'] ?? null, stay.check_in_details.lock_code);
    for (const guest of stay.guests) {
      const row = rows.find((one) => one.guest_key === String(guest.id));
      assert.deepEqual([row?.name, row?.phone, row?.id_number], [guest.name, guest.phone, guest.id_number]);
      assert.deepEqual(JSON.parse(row?.id_images ?? '[]'), guest.id_images);
    }
  }
});

test('a changed personal value shows in the feed as a change, without the value', async (t) => {
  const w = await world(t);
  const all = () => true;
  w.truth.put(stayWith(1, 1, all, 1));
  await w.send(reservationEvent(makeStay(1)));
  await w.quiet();
  w.truth.put({ ...stayWith(1, 2, all, 1), number_of_guests: 1 });
  await w.send(reservationEvent(makeStay(1)));
  await w.quiet();
  const change = (await w.daemon.feed(CONNECTION).read(0, 100)).at(-1);
  const diff = JSON.parse(change?.diff ?? '[]') as {
    path: string;
    before: unknown;
    after: unknown;
    personal?: boolean;
  }[];
  assert.deepEqual(diff.map((one) => one.path).toSorted(), [
    'check_in_details.lock_code',
    'checkin_guide_images',
    'creator',
    'guest_email',
    'guest_name',
    'guest_phone',
    'guests.0.email',
    'guests.0.id_images',
    'guests.0.id_number',
    'guests.0.name',
    'guests.0.phone',
  ]);
  assert.ok(diff.every((one) => one.personal));
  const name = diff.find((one) => one.path === 'guests.0.name');
  assert.deepEqual(name?.before, { $guest: '5-R000001/100' });
  assert.deepEqual(name?.after, name?.before);
});

test('a personal value of an unexpected form is taken out whole', () => {
  const separate = separator(reservation);
  const odd = {
    guest_name: { first: SENTINEL, last: SENTINEL },
    guests: SENTINEL,
    check_in_details: [SENTINEL],
    checkin_guide_images: { a: SENTINEL },
    number_of_guests: 2,
  };
  const { stripped, personal } = separate(odd, 'S');
  assert.doesNotMatch(JSON.stringify(stripped), new RegExp(SENTINEL));
  assert.equal(stripped['number_of_guests'], 2);
  assert.equal(personal.get('booker')?.values.size, 4);
});

test('a row without personal values is not copied', () => {
  const separate = separator(reservation);
  const row = { stay_code: 'S', guest_name: null, guests: [], checkin_guide_images: [] };
  assert.equal(separate(row, 'S').stripped, row);
});
