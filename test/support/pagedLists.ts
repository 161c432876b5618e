import { createRule } from '../../src/core/automation/manageRules.ts';
import type { Change } from '../../src/core/context.ts';
import { receiveReview } from '../../src/core/reviews/receive.ts';
import { addDays } from '../../src/kernel/dates.ts';
import type { Input, OperationId, Operations } from '../../src/contract/index.ts';
import type { TestCore } from './core.ts';
import { listOn } from './listings.ts';
import { bookOnChannel, guestWrites, openConversation } from './conversations.ts';

/** Operations that answer pages. */
export type PagedId = {
  [Id in OperationId]: Input<Id> extends { offset: number; limit: number } ? Id : never;
}[keyof Operations];

/** What the lists are filled from. */
export interface PagedWorld {
  core: TestCore;
  property: number;
  conversation: string;
  otherConversation: string;
  group: number;
  tag: number;
  /** Makes names and dates differ. */
  next(): number;
}

/** A list, and what can happen to it. Rows are named by their keys. */
export interface PagedList {
  rows: string;
  key(row: any): string;
  /** What the list is asked for beside its page. */
  input(world: PagedWorld): Record<string, unknown>;
  add(world: PagedWorld): Promise<unknown>;
  /** Where rows change: sorts the row elsewhere, where the list is sorted by what changes. */
  change?(world: PagedWorld, key: string): Promise<unknown>;
  /** Takes the row off the list. */
  remove(world: PagedWorld, key: string): Promise<unknown>;
  /** Whether the row can be removed; left out: any can. */
  mayGo?(key: string, world: PagedWorld): boolean;
}

/** An account with what its lists hang on. */
export async function pagedWorld(core: TestCore): Promise<PagedWorld> {
  let count = 0;
  const next = () => (count += 1);
  // Room for a property of each reviewed booking.
  await core.change(core.own.account, ({ trx }) =>
    trx.updateTable('accounts').set({ property_quota: 10_000 }).execute(),
  );
  const { property_id: property } = await core.call('createProperty', { title: 'House of lists' });
  const conversation = await openConversation(core, { channel_type: 'booking_site' });
  const otherConversation = await openConversation(core, { channel_type: 'booking_site' });
  const { id: group } = await core.call('createPropertyGroup', { name: 'Group of lists' });
  const { id: tag } = await core.call('createPropertyTag', { name: 'Tag of lists' });
  const rule = { name: 'Hello', event: 'booking', hours: 24, action: { content: 'Hello' } } as const;
  const everywhere = { property_ids: null, channel_types: null, is_enabled: true };
  await createRule(
    core.core,
    { account: core.own.account, operator: null },
    { type: 'message', ...rule, ...everywhere },
  );
  return { core, property, conversation, otherConversation, group, tag, next };
}

const id = (row: { id: number | string }) => String(row.id);
const nothing = () => ({});
const inTrx = ({ core }: PagedWorld, work: (trx: Change['trx']) => Promise<unknown>) =>
  core.change(core.own.account, ({ trx }) => work(trx));

const YEAR = { start_date: '2026-01-01', end_date: '2026-12-31' };

/** A night of its own in the one property. */
function book({ core, property, next }: PagedWorld): Promise<{ reservation_code: string }> {
  const check_in_date = addDays('2026-12-01', 3 * next());
  return core.call('createReservation', {
    property_id: property,
    check_in_date,
    check_out_date: addDays(check_in_date, 2),
    guest_name: 'A. Guest',
    rate_amount: 300,
    commission_amount: 0,
    received_amount: 0,
  });
}

async function stayOf({ core }: PagedWorld, stay: string) {
  const { reservations } = await core.call('listReservations', { id: Number(stay) });
  return reservations[0];
}

/** Puts the member into a list of members, or takes it out. */
async function changeMembers(
  { core, group, tag }: PagedWorld,
  list: 'property_ids' | 'room_type_ids',
  change: (members: number[]) => number[],
): Promise<void> {
  if (list === 'property_ids') {
    const [row] = (await core.call('listPropertyGroups', { id: group })).groups;
    await core.call('updatePropertyGroup', { id: group, property_ids: change(row.property_ids) });
    return;
  }
  const [row] = (await core.call('listPropertyTags', { id: tag })).tags;
  await core.call('updatePropertyTag', { id: tag, room_type_ids: change(row.room_type_ids) });
}

/** Every operation with pages. A new one does not compile without a row here. */
export const pagedLists: Record<PagedId, PagedList> = {
  listProperties: {
    rows: 'properties',
    key: id,
    input: ({ group }) => ({ group_id: group }),
    async add(world) {
      const { property_id } = await world.core.call('createProperty', { title: `House ${world.next()}` });
      await changeMembers(world, 'property_ids', (members) => [...members, property_id]);
    },
    remove: (world, key) =>
      changeMembers(world, 'property_ids', (members) => members.filter((one) => String(one) !== key)),
  },
  listRoomTypes: {
    rows: 'room_types',
    key: id,
    input: ({ tag }) => ({ tag_id: tag }),
    async add(world) {
      const { room_type_id } = await world.core.call('createRoomType', { name: `Type ${world.next()}` });
      await changeMembers(world, 'room_type_ids', (members) => [...members, room_type_id]);
    },
    remove: (world, key) =>
      changeMembers(world, 'room_type_ids', (members) => members.filter((one) => String(one) !== key)),
  },
  listPropertyGroups: {
    rows: 'groups',
    key: id,
    input: nothing,
    add: ({ core, next }) => core.call('createPropertyGroup', { name: `Group ${next()}` }),
    change: ({ core, next }, key) => core.call('updatePropertyGroup', { id: Number(key), name: `Group ${next()}` }),
    remove: ({ core }, key) => core.call('deletePropertyGroup', { id: Number(key) }),
    mayGo: (key, { group }) => key !== String(group),
  },
  listPropertyTags: {
    rows: 'tags',
    key: id,
    input: nothing,
    add: ({ core, next }) => core.call('createPropertyTag', { name: `Tag ${next()}` }),
    change: ({ core, next }, key) => core.call('updatePropertyTag', { id: Number(key), name: `Tag ${next()}` }),
    remove: ({ core }, key) => core.call('deletePropertyTag', { id: Number(key) }),
    mayGo: (key, { tag }) => key !== String(tag),
  },
  listReservationTags: {
    rows: 'reservation_tags',
    key: id,
    input: nothing,
    add: ({ core, next }) => core.call('createReservationTag', { tag_name: `Tag ${next()}` }),
    remove: ({ core }, key) => core.call('deleteReservationTag', { id: Number(key) }),
    // Everybody's default tags have the least numbers.
    mayGo: (key) => Number(key) > 99,
  },
  listReservations: {
    rows: 'reservations',
    key: id,
    input: () => ({ status: 'accepted', start_check_out_date: '2026-01-01' }),
    add: book,
    async change(world, key) {
      const { stay_code, check_in_date, check_out_date } = await stayOf(world, key);
      const moved = addDays(check_in_date, 1);
      const dates = moved < check_out_date ? { check_in_date: moved } : { check_in_date: addDays(check_in_date, -1) };
      await world.core.call('updateReservation', { stay_code, ...dates });
      // As of a booking that a channel tells late.
      const booked_at = `${addDays('2026-03-01', (world.next() * 37) % 200)}T12:00:00.000Z`;
      await inTrx(world, (trx) => trx.updateTable('stays').set({ booked_at }).where('id', '=', Number(key)).execute());
    },
    async remove(world, key) {
      const { reservation_code } = await stayOf(world, key);
      await world.core.call('cancelReservation', { reservation_code });
    },
  },
  listCalendarShareLinks: {
    rows: 'calendar_share_links',
    key: id,
    input: nothing,
    add: ({ core, property }) => core.call('createCalendarShareLink', { scope: 'partial', property_ids: [property] }),
    remove: ({ core }, key) => core.call('deleteCalendarShareLink', { id: Number(key) }),
  },
  listConversations: {
    rows: 'conversations',
    key: (row) => row.conversation_id,
    input: nothing,
    async add({ core }) {
      await core.clock.advance(1_000);
      await guestWrites(core, await openConversation(core));
    },
    async change({ core }, key) {
      await core.clock.advance(1_000);
      await guestWrites(core, key);
    },
    remove: (world, key) =>
      inTrx(world, async (trx) => {
        await trx.deleteFrom('messages').where('conversation_id', '=', key).execute();
        await trx.deleteFrom('conversations').where('conversation_id', '=', key).execute();
      }),
    mayGo: (key, { conversation, otherConversation }) => key !== conversation && key !== otherConversation,
  },
  getConversation: {
    rows: 'messages',
    key: (row) => row.message_id,
    input: ({ conversation }) => ({ conversation_id: conversation }),
    async add({ core, conversation }) {
      await core.clock.advance(1_000);
      await guestWrites(core, conversation);
    },
    // A channel that corrects when a message was sent.
    change: (world, key) =>
      inTrx(world, (trx) =>
        trx
          .updateTable('messages')
          .set({ sent_at: `2026-11-01T00:00:${String(world.next() % 60).padStart(2, '0')}.000Z` })
          .where('message_id', '=', key)
          .execute(),
      ),
    remove: (world, key) => inTrx(world, (trx) => trx.deleteFrom('messages').where('message_id', '=', key).execute()),
  },
  listSpecialOffers: {
    rows: 'special_offers',
    key: id,
    input: ({ conversation }) => ({ conversation_id: conversation }),
    add: ({ core, conversation }) =>
      core.call('createSpecialOffer', {
        conversation_id: conversation,
        listing_id: 'L',
        check_in_date: '2027-02-01',
        check_out_date: '2027-02-04',
        price: 9,
        number_of_adults: 1,
      }),
    remove: (world, key) =>
      inTrx(world, (trx) => trx.deleteFrom('special_offers').where('special_offer_id', '=', key).execute()),
  },
  listReviews: {
    rows: 'reviews',
    key: (row) => row.reservation_code,
    input: nothing,
    async add({ core, next }) {
      const { property_id } = await core.call('createProperty', { title: `Reviewed ${next()}` });
      const code = await bookOnChannel(core, { property_id });
      await core.change(core.own.account, (change) =>
        receiveReview(change, code, { review: { score: 5, content: 'Good.' } }),
      );
    },
    // Moves it within the window of check-outs by which it is found.
    change: (world, key) =>
      inTrx(world, (trx) =>
        trx
          .updateTable('stays')
          .set({ check_out_date: addDays('2026-09-01', world.next() % 60) })
          .where('reservation_code', '=', key as never)
          .execute(),
      ),
    remove: (world, key) =>
      inTrx(world, (trx) =>
        trx
          .deleteFrom('reviews')
          .where('reservation_code', '=', key as never)
          .execute(),
      ),
  },
  listChannelAccounts: {
    rows: 'channel_accounts',
    key: id,
    input: () => ({ channel_type: 'marketplace_a' }),
    add: ({ core, property }) => listOn(core, 'marketplace_a', property),
    remove: (world, key) =>
      inTrx(world, (trx) =>
        trx
          .updateTable('channel_accounts')
          .set({ channel_type: 'marketplace_c' })
          .where('id', '=', Number(key))
          .execute(),
      ),
  },
  listListings: {
    rows: 'listings',
    key: id,
    input: () => ({ channel_type: 'marketplace_b' }),
    add: ({ core, property }) => listOn(core, 'marketplace_b', property),
    remove: (world, key) =>
      inTrx(world, (trx) =>
        trx.updateTable('listings').set({ channel_type: 'marketplace_c' }).where('id', '=', Number(key)).execute(),
      ),
  },
  listTransactions: {
    rows: 'transactions',
    key: id,
    input: () => YEAR,
    async add({ core, property }) {
      const [item] = (await core.call('listIncomeItems')).income_items;
      const [method] = (await core.call('listIncomeMethods')).income_methods;
      const entry = { direction: 'income', amount: 1, currency: 'EUR', property_id: property };
      await core.call('createTransaction', { ...entry, item_id: item.id, payment_method_id: method.id });
    },
    change: ({ core, next }, key) =>
      core.call('updateTransaction', { id: Number(key), action_at: addDays('2026-02-01', next() % 200) }),
    remove: ({ core }, key) => core.call('deleteTransaction', { id: Number(key) }),
  },
  listAutomationActions: {
    rows: 'actions',
    key: (row) => row.plan_id,
    input: () => ({ type: 'message' }),
    add: book,
    // As a change of the stay does.
    change: (world, key) =>
      inTrx(world, (trx) =>
        trx
          .updateTable('automation_plans')
          .set({ scheduled_at: `${addDays('2026-11-21', world.next() % 9)}T12:00:00.000Z` })
          .where('plan_id', '=', key)
          .execute(),
      ),
    remove: ({ core }, key) => core.call('deleteAutomationAction', { plan_id: key }),
  },
  listKnowledgeBases: {
    rows: 'knowledge_bases',
    key: id,
    input: nothing,
    add: ({ core, next }) => core.call('createKnowledgeBase', { content: `Text ${next()}` }),
    change: ({ core, next }, key) => core.call('updateKnowledgeBase', { id: Number(key), content: `Text ${next()}` }),
    remove: ({ core }, key) => core.call('deleteKnowledgeBase', { id: Number(key) }),
  },
  listTasks: {
    rows: 'tasks',
    key: id,
    input: () => ({ type: 'cleaning' }),
    add: ({ core, next }) =>
      core.call('createTask', { type: 'cleaning', expected_date: addDays('2026-12-01', next() % 90), currency: 'EUR' }),
    change: ({ core, next }, key) =>
      core.call('updateTask', { id: Number(key), expected_date: addDays('2026-12-01', next() % 90) }),
    remove: ({ core }, key) => core.call('deleteTask', { id: Number(key) }),
  },
  listStaffs: {
    rows: 'staffs',
    key: id,
    input: nothing,
    add: ({ core, next }) => core.call('createStaff', { name: `Ada ${next()}`, mobile: '+49 1701234567' }),
    change: ({ core, next }, key) => core.call('updateStaff', { id: Number(key), name: `Ada ${next()}` }),
    remove: ({ core }, key) => core.call('deleteStaff', { id: Number(key) }),
  },
};
