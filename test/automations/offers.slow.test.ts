import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { answerOffer, inquire } from '../../src/sandbox/write.ts';
import { addDays } from '../../src/kernel/dates.ts';
import { type House, openHouse, START } from './support/house.ts';
import { recipe } from './support/recipes.ts';

const MINUTE = 60_000;
const soon = (name: string) => recipe(name).replace('wait: 10 minutes', 'wait: 1 minute');

describe('offers to who asks', () => {
  let house: House;
  let posted = 0;
  before(async () => {
    house = await openHouse({ rules: '' });
  });
  beforeEach(() => {
    posted = 0;
    house.spoils = (method, path) => {
      if (method === 'POST' && /\/(special_offers|preapprovals)$/.test(path)) posted += 1;
      return undefined;
    };
  });
  after(() => house.close());
  let made = 0;
  const day = (inDays: number) => addDays(new Date(START + house.time.elapsed()).toISOString().slice(0, 10), inDays);
  const asks = async (nights: number, message = 'Is it free?') => {
    made += 1;
    const dates = { check_in_date: day(20 * made), check_out_date: day(20 * made + nights) };
    const { conversation_id } = await house.change((change) =>
      inquire(change, {
        ...house.listing,
        ...dates,
        number_of_guests: 2,
        guest: { name: 'Ada Guest' },
        message,
      }),
    );
    return { conversation_id, ...dates };
  };
  const offers = async (conversation: string) =>
    (await house.host('GET', `/conversations/${conversation}/special_offers`)).data.special_offers;
  const ends = async (conversation: string) => {
    const rows = await house.daemon.store.db
      .selectFrom('automation_plans')
      .select(['state', 'reason'])
      .where('conversation_id', '=', conversation)
      .orderBy('plan_id')
      .execute();
    return rows.map(({ state, reason }) => [state, reason].filter(Boolean).join(' '));
  };

  it('preapprove-inquiries and offer-for-a-week act on what they are for, once for the same dates', async () => {
    await house.use(soon('preapprove-inquiries'));
    const short = await asks(3);
    const night = await asks(1);
    await house.pass(3 * MINUTE);
    const [one, ...more] = await offers(short.conversation_id);
    assert.deepEqual([one.offer_type, one.check_in_date, more.length], ['preapproval', short.check_in_date, 0]);
    assert.deepEqual(
      [await offers(night.conversation_id), await ends(night.conversation_id)],
      [[], ['skipped condition']],
    );
    await house.write(short.conversation_id, 'And is there a lift?');
    await house.pass(3 * MINUTE);
    assert.equal((await offers(short.conversation_id)).length, 1, 'not a second time');
    await house.use(soon('offer-for-a-week'));
    const week = await asks(7);
    await house.pass(3 * MINUTE);
    const [offer] = await offers(week.conversation_id);
    assert.deepEqual([offer.offer_type, offer.price, offer.number_of_guests], ['special_offer', 567, 2]);
    assert.equal(posted, 2);
  });

  it('not for nights that are taken by now, and not when it is no inquiry any more', async () => {
    await house.use(soon('preapprove-inquiries'));
    const taken = await asks(3);
    await house.host('POST', '/availabilities', {
      property_ids: [house.property_id],
      available: false,
      start_date: taken.check_in_date,
      end_date: taken.check_in_date,
    });
    const booked = await asks(3);
    const { data } = await house.host('POST', `/conversations/${booked.conversation_id}/preapprovals`);
    await house.change((change) => answerOffer(change, { special_offer_id: data.id, answer: 'accept' }));
    await house.pass(3 * MINUTE);
    assert.deepEqual(await ends(taken.conversation_id), ['skipped nights_taken']);
    assert.deepEqual([(await offers(booked.conversation_id)).length, posted], [1, 0]);
    assert.match((await ends(booked.conversation_id)).join(), /^skipped (condition|no_inquiry|answered)$/);
  });

  it('a rule in test offers nothing; what was made by hand is not made again', async () => {
    await house.use(soon('preapprove-inquiries').replace('state: live', 'state: test'));
    const tried = await asks(2);
    await house.pass(3 * MINUTE);
    assert.deepEqual([await ends(tried.conversation_id), await offers(tried.conversation_id)], [['tested'], []]);
    await house.use(soon('preapprove-inquiries').replace('wait:', 'cancel_if_host_replied: false\nwait:'));
    const offered = await asks(2);
    await house.host('POST', `/conversations/${offered.conversation_id}/preapprovals`);
    await house.pass(3 * MINUTE);
    assert.deepEqual([await ends(offered.conversation_id), posted], [['skipped has_offer'], 0]);
  });

  it('an answer that is cut off is looked for; what nobody knows is not made again by any rule', async () => {
    const { spoils } = house;
    const spoilt = (faults: object) => {
      house.spoils = (method, path) => {
        spoils?.(method, path);
        return /\/(special_offers|preapprovals)$/.test(path) && method === 'POST' ? faults : undefined;
      };
    };
    await house.use(soon('offer-for-a-week'));
    spoilt({ cut: 100 });
    const heard = await asks(8);
    await house.pass(3 * MINUTE);
    assert.deepEqual([await ends(heard.conversation_id), posted], [['sent'], 1]);
    spoilt({ proxyPage: 100 });
    const unheard = await asks(9);
    await house.pass(5 * MINUTE);
    assert.deepEqual([await ends(unheard.conversation_id), posted], [['unknown uncertain'], 2]);
    spoilt({});
    await house.use(soon('preapprove-inquiries').replace('name: preapprove-inquiries', 'name: another'));
    await house.write(unheard.conversation_id, 'Hello?');
    await house.pass(3 * MINUTE);
    assert.deepEqual([(await ends(unheard.conversation_id)).at(-1), posted], ['skipped has_offer', 2]);
  });
});
