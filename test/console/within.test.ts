import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { isWithin } from '../../src/console/within.ts';
import type { GuardedId } from '../../src/contract/index.ts';
import type { MirrorStore } from '../../src/sync/tables/database.ts';
import { onBothMirrors } from '../support/mirrorStores.ts';

const AT = '2027-03-01T00:00:00Z';
const facts = { connection: 'local', read_number: 1, first_seen_at: AT, changed_at: AT, raw: '{}' };

type Table = 'properties' | 'property_listings' | 'stays' | 'conversations' | 'tasks';

/** Operations with what they name, for a person who sees property 1 and not property 2. */
const OWN: readonly [GuardedId, object][] = [
  ['createReservation', { property_id: 1 }],
  ['updateReservation', { stay_code: 'A' }],
  ['allocateReservation', { stay_code: 'A', property_id: 1 }],
  ['cancelReservation', { reservation_code: 'A' }],
  ['createTransaction', { reservation_code: 'AB' }],
  ['listReservations', { reservation_code: 'AB' }],
  ['sendMessage', { conversation_id: 'c1' }],
  ['sendMessage', { conversation_id: 'c12' }],
  ['createSpecialOffer', { conversation_id: 'c12', listing_id: '1' }],
  ['updateAvailabilities', { property_ids: [1] }],
  ['updatePrices', { channel_type: 'a', listing_id: '1' }],
  ['createTask', { property_id: 1 }],
  ['createTask', { property_id: 1, stay_code: 'A' }],
  ['updateTask', { id: 1 }],
  ['deleteTask', { id: 1 }],
];
const FOREIGN: readonly [GuardedId, object][] = [
  ['createReservation', { property_id: 2 }],
  ['createReservation', {}],
  ['updateReservation', { stay_code: 'B' }],
  ['updateReservation', { stay_code: 'unknown' }],
  ['updateReservation', {}],
  ['allocateReservation', { stay_code: 'A', property_id: 2 }],
  ['allocateReservation', { stay_code: 'Boxed', property_id: 1 }],
  ['cancelReservation', { reservation_code: 'B' }],
  // One of its rooms is not theirs.
  ['cancelReservation', { reservation_code: 'AB' }],
  ['createReview', { reservation_code: 'AB' }],
  ['createTransaction', { reservation_code: 'B' }],
  ['listReservations', {}],
  ['sendMessage', { conversation_id: 'c2' }],
  ['createSpecialOffer', { conversation_id: 'c12', listing_id: '2' }],
  ['updateAvailabilities', { property_ids: [1, 2] }],
  ['updateAvailabilities', { property_ids: [] }],
  ['updateAvailabilities', { property_ids: ['1'] }],
  ['updatePrices', { channel_type: 'a', listing_id: '2' }],
  // It sells both properties.
  ['updatePrices', { channel_type: 'a', listing_id: '12' }],
  ['updatePrices', { channel_type: 'b', listing_id: '1' }],
  ['createTask', { property_id: 1, stay_code: 'B' }],
  ['createTask', {}],
  ['updateTask', { id: 2 }],
  ['updateTask', { id: 1, property_id: 2 }],
  ['updateTask', { id: 1, property_id: 0 }],
  // These concern the whole account.
  ['createStaff', { name: 'Ann' }],
  ['updateStaff', { id: 1 }],
  ['createProperty', { name: 'Third' }],
  ['deleteWebhook', { id: 1 }],
  ['listStaffs', {}],
];

function cases(open: () => MirrorStore): void {
  const put = (table: Table, ...rows: object[]) =>
    open()
      .db.insertInto(table)
      .values(rows as never)
      .execute();
  const asked = (id: GuardedId, input: object, properties: readonly number[] = [1]) =>
    isWithin({ db: open().db, connection: 'local', properties }, id, input);

  before(async () => {
    const place = (id: number) => ({ ...facts, id, name: `House ${id}`, status: 'active' });
    await put('properties', place(1), place(2), { ...place(3), connection: 'other' });
    const sold = (property_id: number, listing: string) => ({ connection: 'local', property_id, listing });
    await put('property_listings', sold(1, 'a/1'), sold(2, 'a/2'), sold(1, 'a/12'), sold(2, 'a/12'));
    const stay = (stay_code: string, reservation_code: string, property_id: number | null) => {
      return { ...facts, stay_code, reservation_code, property_id, status: 'accepted' };
    };
    await put('stays', stay('A', 'A', 1), stay('B', 'B', 2), stay('Boxed', 'Boxed', 0));
    await put('stays', stay('AB-1', 'AB', 1), stay('AB-2', 'AB', 2));
    const talk = (conversation_id: string, ...about: number[]) => {
      return { ...facts, conversation_id, channel_type: 'a', property_ids: JSON.stringify(about) };
    };
    await put('conversations', talk('c1', 1), talk('c2', 2), talk('c12', 1, 2));
    const task = (id: number) => ({ ...facts, id, property_id: id, type: 'cleaning', status: 'pending' });
    await put('tasks', task(1), task(2));
  });

  it('lets through what names nothing but the properties of the person', async () => {
    const refused = [];
    for (const [id, input] of OWN) if (!(await asked(id, input))) refused.push([id, input]);
    assert.deepEqual(refused, []);
  });

  it('stops what names another one, what names nothing, and what concerns the whole account', async () => {
    const passed = [];
    for (const [id, input] of FOREIGN) if (await asked(id, input)) passed.push([id, input]);
    assert.deepEqual(passed, []);
  });

  it('stops everything for who sees none, and what is of another connection', async () => {
    const passed = [];
    for (const [id, input] of OWN) if (await asked(id, input, [])) passed.push([id, input]);
    assert.deepEqual(passed, []);
    assert.equal(await asked('createReservation', { property_id: 3 }, [1, 3]), false);
  });
}

onBothMirrors('what is within the properties of a person', cases);
