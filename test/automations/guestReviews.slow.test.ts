import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readRules } from '../../src/automations/rules/readRules.ts';
import { review } from '../../src/sandbox/write.ts';
import { cancel } from '../../src/sandbox/change.ts';
import { type Booked, type House, openHouse } from './support/house.ts';
import { recipe } from './support/recipes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RULE = recipe('review-guests').replace('3 days after check_out at 11:00', '1 hour after check_out');

describe('reviews of guests', () => {
  let house: House;
  let posted = 0;
  before(async () => {
    house = await openHouse({ rules: '' });
  });
  beforeEach(() => {
    posted = 0;
    house.spoils = (method, path) => {
      if (method === 'POST' && path.startsWith('/v3/reviews/')) posted += 1;
      return undefined;
    };
  });
  after(() => house.close());
  const hostReview = async ({ reservation_code: code }: Booked) =>
    (await house.host('GET', `/reviews?reservation_code=${code}`)).data.reviews[0]?.host_review ?? null;
  const ends = async ({ reservation_code: code }: Booked) =>
    (await house.plans())
      .filter((one) => one.stay_code === code)
      .map(({ state, reason }) => [state, reason].filter(Boolean).join(' '));
  /** A stay of one night that ends tomorrow, and the hours until an hour after it. */
  const stays = async () => {
    const made = await house.book({ inDays: 0, nights: 1 });
    await house.reaches('review-guests', 'planned', made.reservation_code);
    return made;
  };
  const leaves = async () => {
    house.time.skipTo(house.time.elapsed() + 26 * HOUR);
    await house.pass(2 * MINUTE);
  };

  it('review-guests reviews a good guest once, and puts one with a tag before a person', async () => {
    await house.use(RULE);
    const good = await stays();
    await leaves();
    const review = await hostReview(good);
    assert.deepEqual(
      [review.score, review.content],
      [5, 'Ada was a wonderful guest at Sea View: friendly, careful and always welcome.'],
    );
    assert.ok(review.sub_score.some((one: any) => one.category === 'recommend' && one.rating === 1));
    const bad = await stays();
    await house.host('POST', `/reservations/${bad.reservation_code}/tags`, { tag_name: 'noise' });
    await leaves();
    assert.deepEqual([await ends(bad), await hostReview(bad)], [['awaiting_approval condition'], null]);
    const [waiting] = (await house.automations.pending({ limit: 9 })) as { plan_id: string; text: string }[];
    assert.match(waiting?.text ?? '', /^Ada was a wonderful guest/);
    await house.automations.approve(waiting?.plan_id ?? '', { text: 'Ada was a guest.' });
    await house.reaches('review-guests', 'sent', bad.reservation_code);
    assert.equal((await hostReview(bad)).content, 'Ada was a guest.');
    assert.equal(posted, 2);
    const { rows } = await house.automations.test({ since: '2026-11-20T00:00:00.000Z', limit: 50 });
    assert.ok(rows.some(({ would, text }) => would === 'act' && text?.startsWith('Ada was a wonderful guest')));
  });

  it('answers the review of a guest too, once, and tells nothing of what was said in private', async () => {
    await house.use(
      RULE.replace('1 hour after check_out', '{ change: review }').replace('friendly', '{{ review.score }} of 5'),
    );
    const made = await house.book({ inDays: -4, nights: 2 });
    await house.pass(5_000);
    const named = { channel_type: house.listing.channel_type, channel_id: made.channel_id };
    const said = { score: 4, content: 'Lovely.', private_feedback: 'SENTINEL drips' };
    await house.change((change) => review(change, named, said));
    await house.reaches('review-guests', 'sent', made.reservation_code);
    await house.pass(MINUTE);
    const { content } = await hostReview(made);
    assert.ok(content.includes('4 of 5') && !content.includes('SENTINEL'), content);
    assert.equal(posted, 1);
  });

  it('not when the host has, not before the stay is over, not when the days are over', async () => {
    await house.use(RULE);
    const reviewed = await stays();
    house.core.spoilDeliveries({ drop: 1, double: 0, reorder: 0, delay_ms: 0 });
    house.time.skipTo(house.time.elapsed() + 20 * HOUR);
    await house.host('POST', `/reviews/${reviewed.reservation_code}`, {
      host_review_score: 4,
      host_review_content: 'Nice.',
    });
    await leaves();
    house.core.spoilDeliveries({ drop: 0, double: 0, reorder: 0, delay_ms: 0 });
    assert.deepEqual([await ends(reviewed), posted], [['skipped has_review'], 0]);
    await house.use(RULE.replace('1 hour after check_out', '1 day before check_out at 11:00\nif_past: send_now'));
    const early = await house.book({ inDays: 0, nights: 1 });
    await house.pass(40 * MINUTE);
    assert.deepEqual([await ends(early), posted], [['planned not_over'], 0]);
    await house.change((change) =>
      cancel(change, { channel_type: house.listing.channel_type, channel_id: early.channel_id }),
    );
    await house.use(RULE.replace('1 hour after', '3 days after').replace('score: 5', 'score: 5\n    within_days: 2'));
    const late = await stays();
    house.time.skipTo(house.time.elapsed() + 95 * HOUR);
    await house.pass(2 * MINUTE);
    assert.deepEqual([await ends(late), posted], [['skipped too_late'], 0]);
  });

  it('any rule of times knows whether the host has, and so does its dry run', async () => {
    await house.use(`
name: review-guests
state: live
when: 1 hour after check_out
not_after: 2 days
if: { reviewed: false }
do: { task: { type: other, on: 1 day after today, note: "Review the guest" } }
`);
    const done = await stays();
    house.time.skipTo(house.time.elapsed() + 20 * HOUR);
    await house.host('POST', `/reviews/${done.reservation_code}`, {
      host_review_score: 4,
      host_review_content: 'Nice.',
    });
    await leaves();
    const open = await stays();
    await leaves();
    assert.deepEqual([await ends(done), await ends(open)], [['skipped condition'], ['sent']]);
    const { rows } = await house.automations.test({ since: '2026-11-20T00:00:00.000Z', limit: 500 });
    const would = ({ reservation_code: code }: Booked) => rows.find(({ about }) => about === code)?.would;
    assert.deepEqual([would(done), would(open)], ['not act', 'act']);
  });

  it('an answer that is cut off is looked for, and what nobody knows waits for a person', async () => {
    await house.use(RULE);
    const { spoils } = house;
    const spoilt = (faults: object) => {
      house.spoils = (method, path) => {
        spoils?.(method, path);
        return method === 'POST' && path.startsWith('/v3/reviews/') ? faults : undefined;
      };
    };
    spoilt({ cut: 100 });
    const heard = await stays();
    await leaves();
    await house.reaches('review-guests', 'sent', heard.reservation_code);
    assert.equal(posted, 1);
    spoilt({ proxyPage: 100 });
    const unheard = await stays();
    await leaves();
    await house.pass(5 * MINUTE);
    assert.deepEqual([await ends(unheard), await hostReview(unheard), posted], [['unknown uncertain'], null, 2]);
  });

  it('looks for earlier stays also where only the condition for doing without a person asks', async () => {
    const unless = (wanted: string) => RULE.replace(/held_unless: .*/, `held_unless: { returning: ${wanted} }`);
    await house.use(unless('true'));
    const known = await stays();
    await leaves();
    assert.deepEqual(await ends(known), ['sent']);
    await house.use(unless('false'));
    const again = await stays();
    await leaves();
    assert.deepEqual(await ends(again), ['awaiting_approval condition']);
  });

  it('a text that everybody can read holds no secret, and needs its time', () => {
    const known = { hooks: [], secretFields: [], ai: false };
    const problems = (text: string) =>
      readRules([{ name: 'rules.yaml', text }], known).mistakes.map(({ problem }) => problem);
    assert.deepEqual(problems(RULE), []);
    assert.match(problems(RULE.replace('friendly', '{{ stay.lock_code }}')).join(), /is a secret/);
    assert.match(
      problems(RULE.replace('1 hour after check_out', '1 hour after booking')).join(),
      /guest_review needs a time/,
    );
  });
});
