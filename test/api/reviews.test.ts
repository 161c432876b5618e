import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type IncomingReview, receiveReview } from '../../src/core/reviews/receive.ts';
import type { ReservationCode } from '../../src/kernel/ids.ts';
import { startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { bookOnChannel, type ChannelStay } from '../support/conversations.ts';

const GOOD: IncomingReview = {
  score: 5,
  sub_score: [{ category: 'cleanliness', rating: 4, review_category_tags: ['spotless'] }],
  content: 'Lovely.',
  private_feedback: 'The tap drips.',
};

describe('reviews over v3', () => {
  let core: TestCore;
  let other: TestAccount;
  let houses = 0;

  before(async () => {
    core = await startCore();
    other = await core.addAccount('other');
  });
  after(() => core.close());

  const newHouse = async (token?: string): Promise<number> =>
    (await core.call('createProperty', { title: `House ${(houses += 1)}` }, token)).property_id;
  const booked = async (more: Partial<ChannelStay> = {}) =>
    bookOnChannel(core, { property_id: more.property_id ?? (await newHouse(more.account?.token)), ...more });
  const receive = (code: ReservationCode, incoming: Parameters<typeof receiveReview>[2]) =>
    core.change(core.own.account, (change) => receiveReview(change, code, incoming));
  const write = (code: string, body: object) => core.request('POST', `/reviews/${code}`, { body });
  const list = async (filters: Record<string, unknown> = {}): Promise<any[]> =>
    (await core.call('listReviews', filters)).reviews;
  const codes = async (filters: Record<string, unknown> = {}) =>
    (await list(filters)).map((one) => one.reservation_code);
  const one = async (code: string) => (await list({ reservation_code: code }))[0];
  const eventsOf = async (work: () => Promise<unknown>) => {
    const before = (await core.events()).length;
    await work();
    return (await core.events()).slice(before);
  };

  it('review_created when a record is first seen, without content too; review_updated for all that follows', async () => {
    const property_id = await newHouse();
    const code = await booked({ property_id });
    const fields = { reservation_code: code, stay_code: code, property_id };
    const events = await eventsOf(async () => {
      await receive(code, { review: null });
      assert.deepEqual(await one(code), {
        ...fields,
        channel_type: 'marketplace_a',
        listing_id: `listing-${property_id}`,
        check_in_date: '2026-11-10',
        check_out_date: '2026-11-14',
        host_review: null,
        guest_review: null,
        host_reply: null,
      });
      await receive(code, { review: GOOD });
      await receive(code, { review: GOOD });
      await receive(code, { review: null });
      await core.call('createReview', { reservation_code: code, host_reply_content: 'Thank you.' });
    });
    assert.deepEqual(events, [
      { event: 'review_created', ...fields },
      { event: 'review_updated', ...fields },
      { event: 'review_updated', ...fields },
    ]);
    const { guest_review, host_reply, host_review } = await one(code);
    const created_at = '2026-11-20T13:00:00+01:00';
    assert.deepEqual(guest_review, { ...GOOD, created_at });
    assert.deepEqual(host_reply, { score: null, sub_score: [], content: 'Thank you.', created_at });
    assert.equal(host_review, null);
  });

  it('private feedback exists on marketplace A alone, and is null when there is none', async () => {
    const [a, b, bare] = [await booked(), await booked({ channel_type: 'marketplace_b' }), await booked()];
    for (const code of [a, b]) await receive(code, { review: GOOD });
    await receive(bare, { review: { score: 4, content: 'Fine.' } });
    const feedback = async (code: string) => (await one(code)).guest_review.private_feedback;
    assert.deepEqual([await feedback(a), await feedback(b), await feedback(bare)], ['The tap drips.', null, null]);
  });

  it('each channel has its own range of scores', async () => {
    const ten: IncomingReview = { score: 10, content: 'Ten.' };
    const [c, a] = [await booked({ channel_type: 'marketplace_c' }), await booked()];
    await receive(c, { review: ten });
    assert.equal((await one(c)).guest_review.score, 10);
    await assert.rejects(receive(a, { review: ten }), RangeError);
    await assert.rejects(receive(c, { review: { score: 0.5, content: '' } }), RangeError);
    const wild = { score: null, content: '', sub_score: [{ category: 'value', rating: 11 }] };
    await assert.rejects(receive(c, { review: wild }), RangeError);
  });

  it('the host reviews a guest once; score, words and ratings read back', async () => {
    const code = await booked();
    const category_ratings = {
      overall_rating: 3,
      cleanliness: 4,
      communication: 5,
      respect_of_house_rules: 2,
      recommend: 1,
    };
    const events = await eventsOf(() => write(code, { host_review_content: 'Tidy.', category_ratings }));
    assert.deepEqual(
      events.map((event) => event['event']),
      ['review_created'],
    );
    const { host_review } = await one(code);
    assert.equal(host_review.score, 3, 'overall_rating is the score');
    assert.deepEqual(
      host_review.sub_score.map((sub: { category: string; rating: number }) => [sub.category, sub.rating]),
      [
        ['cleanliness', 4],
        ['communication', 5],
        ['respect_of_house_rules', 2],
        ['recommend', 1],
      ],
    );
    for (const again of [{ host_review_score: 5 }, { host_review_content: 'More.' }, { category_ratings: {} }]) {
      assert.equal((await write(code, again)).error_code, 400);
    }
    assert.deepEqual((await one(code)).host_review, host_review);
  });

  it('host_review_score wins over overall_rating; other channels take no ratings by category', async () => {
    const code = await booked({ channel_type: 'marketplace_b' });
    await write(code, { host_review_score: 4.5, category_ratings: { overall_rating: 1, cleanliness: 2 } });
    const { score, sub_score, content } = (await one(code)).host_review;
    assert.deepEqual([score, sub_score, content], [4.5, [], '']);
  });

  it('a reply answers the guest’s review, once', async () => {
    const code = await booked();
    assert.equal((await write(code, { host_reply_content: 'Thanks.' })).error_code, 400, 'nothing to reply to');
    await receive(code, { review: GOOD });
    assert.equal((await write(code, { host_reply_content: 'Thanks.' })).error_code, 200);
    assert.equal((await write(code, { host_reply_content: 'Again.' })).error_code, 400);
    const told = await core.core.store.db
      .selectFrom('channel_posts')
      .select('payload')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    assert.deepEqual(JSON.parse(told?.payload ?? ''), { kind: 'host_reply', reservation: code, content: 'Thanks.' });
  });

  for (const [what, body] of [
    ['nothing', {}],
    ['a score of 6', { host_review_score: 6 }],
    ['a negative score', { host_review_score: -1 }],
    ['a rating of 5.5', { category_ratings: { cleanliness: 5.5 } }],
    ['a recommendation of 2', { category_ratings: { recommend: 2 } }],
    ['half a recommendation', { category_ratings: { recommend: 0.5 } }],
    ['an empty reply', { host_reply_content: ' ' }],
  ] as const) {
    it(`${what}: 422, and nothing is written`, async () => {
      const code = await booked();
      const before = await core.stored();
      assert.equal((await write(code, body)).error_code, 422);
      assert.equal(await core.stored(), before);
    });
  }

  it('only a stay that has ended, was not cancelled, and came from a channel can be reviewed', async () => {
    const score = { host_review_score: 5 };
    const coming = await booked({ check_in_date: '2026-11-19', check_out_date: '2026-11-21' });
    const today = await booked({ check_in_date: '2026-11-18', check_out_date: '2026-11-20' });
    const direct = await booked({ channel_type: 'direct' });
    const off = await booked();
    await core.call('cancelReservation', { reservation_code: off });
    for (const code of [coming, direct, off]) assert.equal((await write(code, score)).error_code, 400);
    assert.equal((await write(today, score)).error_code, 200);
    const theirs = await booked({ account: other });
    for (const code of [theirs, '5-NOTHING']) {
      const { error_code, error_msg } = await write(code, score);
      assert.deepEqual([error_code, error_msg], [404, 'This resource is no longer available.']);
    }
  });

  it('three kinds of lists: reviewed unless asked otherwise, guest’s missing, host’s missing', async () => {
    const property_id = await newHouse();
    const dates = (month: number) => ({
      property_id,
      check_in_date: `2026-0${month}-01`,
      check_out_date: `2026-0${month}-03`,
    });
    const [empty, byGuest, byHost, both] = [
      await booked(dates(6)),
      await booked(dates(7)),
      await booked(dates(8)),
      await booked(dates(9)),
    ];
    await receive(empty, { review: null });
    for (const code of [byGuest, both]) await receive(code, { review: GOOD });
    for (const code of [byHost, both]) await write(code, { host_review_score: 5 });
    assert.deepEqual(await codes({ property_id }), [both, byGuest]);
    assert.deepEqual(await codes({ property_id, review_status: 'reviewed' }), [both, byGuest]);
    assert.deepEqual(await codes({ property_id, review_status: 'pending_guest_review' }), [byHost, empty]);
    assert.deepEqual(await codes({ property_id, review_status: 'pending_host_review' }), [byGuest, empty]);
    assert.deepEqual(await codes({ reservation_code: empty }), [empty], 'with a code any will do');
    assert.deepEqual(await codes({ reservation_code: empty, review_status: 'reviewed' }), []);
    assert.equal((await core.request('GET', '/reviews?review_status=none')).error_code, 422);
    const page = await core.call('listReviews', { property_id, offset: 1, limit: 1 });
    assert.deepEqual([page.reviews.map((row: any) => row.reservation_code), page.total], [[byGuest], 2]);
  });

  it('check-outs of the last 180 days unless asked otherwise; a code needs no dates; 180 days at most', async () => {
    const property_id = await newHouse();
    const dates = (from: string, to: string) => ({ property_id, check_in_date: from, check_out_date: to });
    const old = await booked(dates('2026-05-22', '2026-05-23'));
    const edge = await booked(dates('2026-05-23', '2026-05-24'));
    const last = await booked(dates('2026-11-19', '2026-11-20'));
    for (const code of [old, edge, last]) await receive(code, { review: GOOD });
    assert.deepEqual(await codes({ property_id }), [last, edge]);
    assert.deepEqual(await codes({ reservation_code: old }), [old]);
    assert.deepEqual(await codes({ property_id, end_check_out_date: '2026-05-23' }), [old]);
    assert.deepEqual(await codes({ property_id, start_check_out_date: '2026-05-24' }), [last, edge]);
    assert.deepEqual(
      await codes({ property_id, start_check_out_date: '2026-05-23' }),
      [edge, old],
      'no further than 180 days',
    );
    const asked = async (start: string, end: string) =>
      (await core.request('GET', `/reviews?start_check_out_date=${start}&end_check_out_date=${end}`)).error_code;
    assert.deepEqual(
      [
        await asked('2026-05-24', '2026-11-20'),
        await asked('2026-05-23', '2026-11-20'),
        await asked('2026-11-20', '2026-11-19'),
      ],
      [200, 422, 422],
    );
  });

  it('a sub-account sees and writes reviews of its properties alone; foreign filters answer an empty list', async () => {
    const property_id = await newHouse();
    const token = await core.addSubAccount(core.own.account, [property_id]);
    const mine = await booked({ property_id });
    const hidden = await booked();
    for (const code of [mine, hidden]) await receive(code, { review: GOOD });
    const seen = (await core.call('listReviews', {}, token)).reviews;
    assert.deepEqual(
      seen.map((row: any) => row.reservation_code),
      [mine],
    );
    assert.deepEqual((await core.call('listReviews', { reservation_code: hidden }, other.token)).reviews, []);
    const answer = await core.request('POST', `/reviews/${hidden}`, { token, body: { host_review_score: 5 } });
    assert.equal(answer.error_code, 404);
  });
});
