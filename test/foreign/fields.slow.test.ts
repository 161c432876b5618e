import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldFault } from './upstream/faults.ts';
import { type ForeignWorld, inForeign } from './world.ts';

/** Of every kind of row something, by the names of the description; where another dialect has another name it is not met. */
const spoilt: Readonly<Partial<Record<FieldFault['resource'], string>>> = {
  property: 'name title channels tags',
  room_type: 'properties channels',
  group: 'name property_ids',
  tag: 'color',
  reservation_tag: 'is_default',
  calendar_share_link: 'created_at property_ids',
  channel_account: 'auth_status created_at',
  listing: 'cover url inventory metadata',
  custom_channel: 'name',
  dictionary_item: 'name',
  reservation:
    'status stay_status number_of_guests booked_at rates rates.rate rates.total_rate.amount payment check_in_details ' +
    'check_in_details.deposit channel_details custom_channel guests custom_fields tags conversation_id in_reservation_box',
  calendar_day: 'price inventory restrictions',
  conversation: 'last_message_at guest',
  fullConversation: 'activities note guest',
  message: 'sender_role display_type content timestamp created_at sources attachment',
  special_offer: 'price currency status check_in_date',
  review: 'guest_review host_review host_reply channel_type',
  transaction: 'amount currency direction action_at status property_id',
  task: 'type status fee expected staff_id',
  staff: 'name is_active',
  action: 'type scheduled_at name',
  knowledge_base: 'title is_enable scope',
};

const ways: readonly FieldFault['as'][] = ['missing', 'null', 'other type', 'text', 'unknown word'];

/** Each field in another way than the one before, in every second row, so that whole rows stand beside. */
function faultsOf(first: number): FieldFault[] {
  const fields = Object.entries(spoilt).flatMap(([resource, names]) =>
    names.split(' ').map((field) => ({ resource: resource as FieldFault['resource'], field, each: 2 })),
  );
  return fields.map((one, index) => ({ ...one, as: ways[(first + index) % ways.length] ?? 'missing' }));
}

async function readAgain(world: ForeignWorld): Promise<void> {
  const results = await world.reconcile();
  assert.deepEqual(
    results.filter(({ state }) => state !== 'done').map(({ resource, problem }) => `${resource}: ${problem}`),
    [],
  );
  await world.quiet();
}

/** Of the ways with which the first field begins. */
const turns = [0, 2];

for (const dialect of ['described', 'hostex'] as const) {
  describe(`a service that speaks ${dialect} and spoils its rows`, () => {
    it('costs no row that has its key, however a field is spoilt, and is right once it is well again', () =>
      inForeign({ dialect, seed: 8 }, async (world) => {
        const { faults } = world.upstream;
        for (const first of turns) {
          faults.fields = faultsOf(first);
          await readAgain(world);
          assert.deepEqual(await world.quarantined(), []);
          assert.notDeepEqual(await world.differences(), []);
        }
        faults.fields = [];
        await readAgain(world);
        assert.deepEqual(await world.quarantined(), []);
        assert.deepEqual(await world.differences(), []);
      }));

    it('costs itself alone where it sends odd messages, and nothing where only their content is odd', () =>
      inForeign({ dialect, seed: 8 }, async (world) => {
        const { truth, faults } = world.upstream;
        const [first, second, third, fourth] = truth.fullConversations.all();
        assert.ok(first && second && third && fourth);
        faults.oddMessages = new Map([
          [first.id, 'without id'],
          [second.id, 'content null'],
          [third.id, 'attachment object'],
          [fourth.id, 'no object'],
        ]);
        for (const { id } of [first, second, third, fourth]) world.business.write(id);
        await world.pass(5);
        await world.reconcile();
        const aside = await world.quarantined();
        assert.deepEqual([...new Set(aside.map(({ resource }) => resource))], ['message']);
        assert.ok(
          aside.every(({ problem }) => problem === 'message_id: missing'),
          JSON.stringify(aside),
        );
        // Neither the fullConversations nor what was known of them is gone.
        const gone = await world.rows(`select conversation_id from conversations where deleted_at is not null`);
        assert.deepEqual(gone, []);
        faults.oddMessages = new Map();
        await readAgain(world);
        assert.deepEqual(await world.quarantined(), []);
        assert.deepEqual(await world.differences(), []);
      }));
  });
}
