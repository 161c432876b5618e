import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type OperationId, operationIds, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { receiveReview } from '../../src/core/reviews/receive.ts';
import { createRule } from '../../src/core/automation/manageRules.ts';
import { type Answer, startCore, type TestCore } from '../support/core.ts';
import { listOn } from '../support/listings.ts';
import { bookOnChannel, guestWrites, openConversation } from '../support/conversations.ts';

/** Rows of each list, and one more than two pages of two. */
const ROWS = 5;
const FAR = 1_000_000;

/** Every list with pages: its path, the name of its rows and what their order goes by, newest first. */
const LISTS: readonly [id: OperationId, rows: string, order: (row: any) => string | number][] = [
  ['listProperties', 'properties', (row) => row.id],
  ['listRoomTypes', 'room_types', (row) => row.id],
  ['listPropertyGroups', 'groups', (row) => row.id],
  ['listPropertyTags', 'tags', (row) => row.id],
  // Everybody's default tags are the oldest.
  ['listReservationTags', 'reservation_tags', (row) => row.id],
  ['listReservations', 'reservations', (row) => row.booked_at],
  ['listCalendarShareLinks', 'calendar_share_links', (row) => row.id],
  ['listConversations', 'conversations', (row) => row.last_message_at],
  ['listSpecialOffers', 'special_offers', (row) => row.create_time],
  ['listReviews', 'reviews', (row) => row.reservation_code],
  ['listChannelAccounts', 'channel_accounts', (row) => row.id],
  ['listListings', 'listings', (row) => row.id],
  ['listTasks', 'tasks', (row) => row.id],
  ['listStaffs', 'staffs', (row) => row.id],
  ['listTransactions', 'transactions', (row) => row.id],
  ['listKnowledgeBases', 'knowledge_bases', (row) => row.id],
  // What comes next is first.
  ['listAutomationActions', 'actions', (row) => -Date.parse(row.scheduled_at)],
];

describe('every list', () => {
  let core: TestCore;
  let conversation: string;
  /** Codes of reviewed bookings, in the order of their reviews. */
  const reviewed: string[] = [];

  before(async () => {
    core = await startCore();
    for (let index = 0; index < ROWS; index += 1) {
      await furnish(index);
      await core.clock.advance(1_000);
    }
    const rule = { name: 'Hello', event: 'check_in', hours: -24, action: { content: 'Hello' } } as const;
    const everywhere = { property_ids: null, channel_types: null, is_enabled: true };
    const own = { account: core.own.account, operator: null };
    await createRule(core.core, own, { type: 'message', ...rule, ...everywhere });
  });
  after(() => core.close());

  /** One of everything that is listed. */
  async function furnish(index: number): Promise<void> {
    const { property_id } = await core.call('createProperty', { title: `House ${index}` });
    await core.call('createRoomType', { name: `Type ${index}` });
    await core.call('createPropertyGroup', { name: `Group ${index}` });
    await core.call('createPropertyTag', { name: `Tag ${index}` });
    await core.call('createReservationTag', { tag_name: `Tag ${index}` });
    await core.call('createReservation', {
      property_id,
      check_in_date: `2026-12-0${index + 1}`,
      check_out_date: `2026-12-1${index}`,
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 10,
    });
    await core.call('createCalendarShareLink', { scope: 'partial', property_ids: [property_id] });
    conversation = await openConversation(core, { channel_type: 'booking_site' });
    await guestWrites(core, conversation);
    await listOn(core, 'marketplace_a', property_id);
    const code = await bookOnChannel(core, { property_id });
    reviewed.push(code);
    await core.change(core.own.account, (change) =>
      receiveReview(change, code, { review: { score: 5, content: 'Good.' } }),
    );
    await core.call('createTask', { type: 'cleaning', expected_date: '2026-12-01', currency: 'EUR', property_id });
    await core.call('createStaff', { name: `Ada ${index}`, mobile: '+49 1701234567' });
    await core.call('createKnowledgeBase', { content: `Text ${index}` });
    if (index === ROWS - 1) await makeOffers();
  }

  /** All of one conversation. */
  async function makeOffers(): Promise<void> {
    const dates = { check_in_date: '2027-02-01', check_out_date: '2027-02-04' };
    for (let offers = 0; offers < ROWS; offers += 1) {
      await core.clock.advance(1_000);
      await core.call('createSpecialOffer', {
        conversation_id: conversation,
        listing_id: 'L',
        ...dates,
        price: 9,
        number_of_adults: 1,
      });
    }
  }

  function page(id: OperationId, query: Record<string, string | number>): Promise<Answer> {
    const { path, query: takes } = operations[id] as Operation;
    const dates = 'start_date' in takes.shape && id === 'listTransactions' ? YEAR : {};
    const text = new URLSearchParams(
      Object.entries({ ...dates, ...query }).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return core.request('GET', `${path.replace('{conversation_id}', conversation)}?${text.toString()}`);
  }
  const YEAR = { start_date: '2026-01-01', end_date: '2026-12-31' };

  it('is one of those with pages or of those without', () => {
    const paged = operationIds.filter((id) => 'offset' in operations[id].query.shape && id !== 'getConversation');
    assert.deepEqual(paged.toSorted(), LISTS.map(([id]) => id).toSorted());
  });

  for (const [id, rows, order] of LISTS) {
    it(`${rows}: pages by offset and limit hold each row once, in order, and past the end none; the total is of all`, async () => {
      const whole = (await page(id, { limit: 100 })).data;
      assert.ok(whole.total >= ROWS, `${id} has only ${whole.total} rows`);
      assert.deepEqual(Object.keys(whole).toSorted(), [rows, 'total'].toSorted());
      const paged: unknown[] = [];
      for (let offset = 0; offset < whole.total; offset += 2) {
        const { data } = await page(id, { offset, limit: 2 });
        assert.ok(data[rows].length <= 2);
        assert.equal(data.total, whole.total);
        paged.push(...data[rows]);
      }
      assert.deepEqual(paged, whole[rows]);
      for (const offset of [whole.total, FAR]) {
        const { error_code, data } = await page(id, { offset });
        assert.deepEqual([error_code, data], [200, { [rows]: [], total: whole.total }]);
      }
      const keys = whole[rows].map((row: any) =>
        id === 'listReviews' ? reviewed.indexOf(row.reservation_code) : order(row),
      );
      const falling = keys.toSorted((a: number, b: number) => (a < b ? 1 : -1));
      assert.deepEqual(keys, falling);
      assert.ok(new Set(keys).size >= ROWS, 'the order is told apart');
    });

    it(`${rows}: ${id === 'listKnowledgeBases' ? 10 : 20} rows unless asked otherwise, 100 at most`, async () => {
      const { data } = await page(id, {});
      assert.ok(data[rows].length <= (id === 'listKnowledgeBases' ? 10 : 20));
      assert.equal((await page(id, { limit: 100 })).error_code, 200);
      for (const limit of [101, 0, -1]) {
        const { error_code, error_msg } = await page(id, { limit });
        assert.deepEqual([error_code, error_msg.split(':')[0]], [422, 'limit']);
      }
    });
  }

  it('without pages come whole, with their count: dictionaries, custom channels, webhooks', async () => {
    await core.call('createWebhook', { url: 'https://hooks.example' });
    for (const rows of [
      'income_items',
      'expense_items',
      'income_methods',
      'expense_methods',
      'custom_channels',
      'webhooks',
    ]) {
      const { data } = await core.request('GET', `/${rows}?limit=1`);
      assert.deepEqual(Object.keys(data).toSorted(), [rows, 'total'].toSorted());
      assert.ok(data[rows].length > 0);
      assert.equal(data.total, data[rows].length, rows);
    }
  });
});
