import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { loadProfile } from '../../../src/compose/profiles/profiles.ts';
import { type Dialect, dialectOfCaller, dialectOfServer } from '../../../src/contract/dialect/dialect.ts';
import { described, type Profile, profileSchema } from '../../../src/contract/dialect/profile.ts';
import { eventKinds, events } from '../../../src/contract/events.ts';
import { operationIds, operations } from '../../../src/contract/index.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { valueOf } from './arbitrary.ts';

const hostex = loadProfile({ profiles: './profiles' }, 'hostex');
const everything = profileSchema.parse({
  words: {
    channel: { marketplace_a: ['one', 'uno'], direct: 'self', ical: 'marketplace_x' },
    reservation_status: { accepted: 'confirmed', cancelled: ['canceled', 'voided'] },
    stay_status: { in_house: 'checked_in' },
    task_type: { other: 'misc' },
    sender_role: { host: 'owner' },
  },
  methods: { updateStayStatus: 'POST' },
  fields: {
    property: { name: 'names.inner.shown', address: 'names.address' },
    reservation: { 'rates.rate': 'price', guest_name: 'note', note: 'guest_name', number_of_guests: { form: 'text' } },
    staff: { mobile: 'contact.mobile', email: 'contact.email' },
  },
});

/** Moments lose their offset in some dialects, where everything is the operator's time. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null).replaceAll('+00:00"', '"'));
}

/** A profile whose core leaves nothing out: what is left out does not come back. */
function complete(profile: Profile): Profile {
  return { ...profile, additions: true, serving: described.serving };
}

type Part = 'params' | 'query' | 'body' | 'data';

function there(caller: Dialect, server: Dialect, id: (typeof operationIds)[number], part: Part, value: unknown) {
  const [first, second] = part === 'data' ? [server, caller] : [caller, server];
  const theirs = first.operations[id][part]?.(structuredClone(value)) ?? structuredClone(value);
  return second.operations[id][part]?.(theirs) ?? theirs;
}

for (const [name, profile] of Object.entries({ hostex, everything })) {
  describe(`what is said in another dialect and heard again is the same: ${name}`, () => {
    const caller = dialectOfCaller(profile);
    const server = dialectOfServer(complete(profile));
    for (const id of operationIds) {
      const operation: Operation = operations[id];
      const parts = { params: operation.params, query: operation.query, body: operation.body, data: operation.data };
      const translated = (Object.keys(parts) as Part[]).filter((part) => caller.operations[id][part]);
      if (translated.length === 0) continue;
      it(`${id}: ${translated.join(', ')}`, () => {
        for (const part of translated) {
          const schema = parts[part];
          assert.ok(schema);
          fc.assert(
            fc.property(valueOf(schema), (value) => {
              const again = there(caller, server, id, part, value) ?? {};
              // A request may gain what the dialect always says.
              const known = Object.keys(value ?? {});
              const gained = Object.entries(again).filter(([field]) => part === 'data' || known.includes(field));
              assert.deepEqual(comparable(Object.fromEntries(gained)), comparable(value ?? {}));
            }),
            { numRuns: 30 },
          );
        }
      });
    }

    it('events', () => {
      for (const kind of eventKinds) {
        fc.assert(
          fc.property(valueOf(events[kind].fields), (fields) => {
            const payload = { event: kind, event_id: '1', ...(fields as object) };
            const said = structuredClone(payload);
            server.event?.(said);
            caller.event?.(said);
            assert.deepEqual(said, payload);
          }),
          { numRuns: 30 },
        );
      }
    });
  });
}

describe('a deployment that speaks as the description', () => {
  it('costs nothing: no part of any operation is translated, and no event', () => {
    for (const dialect of [dialectOfCaller(described), dialectOfServer(described)]) {
      assert.equal(dialect.event, undefined);
      for (const id of operationIds) {
        const { path, method, ...parts } = dialect.operations[id];
        assert.deepEqual([path, method], [operations[id].path, operations[id].method]);
        assert.deepEqual(
          Object.values(parts).filter((part) => part !== undefined),
          [],
          id,
        );
      }
    }
  });
});

describe('words and methods', () => {
  it('states are translated in rows, filters and bodies, and a method is what the profile says', () => {
    const { operations: said } = dialectOfCaller(everything);
    assert.deepEqual(said.listReservations.query?.({ status: 'accepted' }), { status: 'confirmed' });
    const heard = said.listReservations.data?.({ reservations: [{ status: 'voided', stay_status: 'checked_in' }] });
    assert.deepEqual(heard, { reservations: [{ status: 'cancelled', stay_status: 'in_house' }] });
    assert.deepEqual(said.updateStayStatus.body?.({ stay_status: 'in_house' }), { stay_status: 'checked_in' });
    assert.equal(said.updateStayStatus.method, 'POST');
    assert.equal(dialectOfServer(everything).operations.updateStayStatus.method, 'POST');
  });
});

describe('hostex', () => {
  const caller = dialectOfCaller(hostex);
  const server = dialectOfServer(hostex);
  const heard = (id: (typeof operationIds)[number], data: unknown) => caller.operations[id].data?.(data);

  it('channels: each of its names is one of ours, and unknown ones pass', () => {
    const words = 'airbnb vrbo homeaway booking.com booking ctrip hostex_direct booking_site agoda trip.com tiktok';
    const reservations = words.split(' ').map((channel_type) => ({ channel_type }));
    const { reservations: ours } = heard('listReservations', { reservations }) as any;
    assert.deepEqual(
      ours.map((row: any) => row.channel_type),
      'marketplace_a marketplace_b marketplace_b marketplace_c marketplace_c regional_marketplace direct booking_site agoda trip.com tiktok'.split(
        ' ',
      ),
    );
  });

  it('channels stand in paths, in lists of words, as names of fields, and in events', () => {
    assert.equal(caller.operations.getMarketplaceARules.path, '/listings/airbnb/price_and_rules');
    assert.equal(server.operations.updateMarketplaceBRules.path, '/listings/vrbo/price_and_rules');
    assert.deepEqual(caller.operations.listKnowledgeBases.query?.({ channel_types: 'marketplace_a,direct' }), {
      channel_types: 'airbnb,hostex_direct',
      offset: 0,
      limit: 100,
    });
    const details = { airbnb: { cancellation_policy_category: 'firm' } };
    const { reservations } = heard('listReservations', { reservations: [{ channel_details: details }] }) as any;
    assert.equal(reservations[0].channel_details.marketplace_a.cancellation_policy_category, 'firm');
    const event = { event: 'listing_calendar_updated', channel_type: 'ctrip', listing_id: 'L1' };
    caller.event?.(event);
    assert.equal(event.channel_type, 'regional_marketplace');
    assert.deepEqual(
      caller.operations.updatePrices.body?.({ entries: [{ channel_type: 'marketplace_c', listing_id: 'L' }] }),
      { entries: [{ channel_type: 'booking.com', listing_id: 'L' }] },
    );
  });

  it('a conversation as it answers one is one of ours', () => {
    const conversation = heard('getConversation', {
      id: 'T1',
      channel_type: 'hostex_direct',
      activities: [{ property: { id: 1, title: 'Mill', room_type: { id: 2, title: 'Double' } } }],
      messages: [
        { id: 'm1', created_at: '2027-03-01T10:00:00+00:00', attachment: null },
        { id: 'm2', created_at: '2027-03-01T10:00:00+00:00', attachment: { url: 'https://x/y' }, new_field: 1 },
      ],
    }) as any;
    assert.equal(conversation.conversation_id, 'T1');
    assert.equal(conversation.channel_type, 'direct');
    assert.deepEqual(conversation.activities[0].property, {
      id: 1,
      name: 'Mill',
      room_type: { id: 2, name: 'Double' },
    });
    assert.deepEqual(conversation.messages, [
      { message_id: 'm1', timestamp: '2027-03-01T10:00:00+00:00', attachments: [] },
      { message_id: 'm2', timestamp: '2027-03-01T10:00:00+00:00', attachments: [{ url: 'https://x/y' }], new_field: 1 },
    ]);
  });

  it('what is our own beside theirs stays as it is, a null and a missing field too', () => {
    const row = { id: 1, name: 'our word', title: 'theirs' };
    assert.deepEqual(heard('listProperties', { properties: [row] }), { properties: [row] });
    assert.deepEqual(heard('listProperties', { properties: [{ id: 1, title: null }, { id: 2 }, null, 7, 'x', []] }), {
      properties: [{ id: 1, name: null }, { id: 2 }, null, 7, 'x', []],
    });
    for (const odd of [null, undefined, [], 'x', 5, { properties: 'none' }]) heard('listProperties', odd);
  });

  it('a core leaves out what the dialect does not have', () => {
    const stay = {
      id: 1,
      stay_code: 'S',
      stay_status: 'in_house',
      check_in_details: { deposit: 1, deposit_details: null },
    };
    const said = server.operations.listReservations.data?.({ reservations: [stay], total: 1, next_cursor: null });
    assert.deepEqual(said, { reservations: [{ stay_code: 'S', check_in_details: { deposit: 1 } }] });
    const event = { event: 'reservation_created', event_id: 'E', property_id: 1, reservation_code: 'R' };
    server.event?.(event);
    assert.deepEqual(event, { event: 'reservation_created', reservation_code: 'R' });
  });
});
