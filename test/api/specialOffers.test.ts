import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { offerStatuses, type OfferStatus } from '../../src/contract/specialOffers.ts';
import { receiveOfferAnswer } from '../../src/core/specialOffers/receive.ts';
import { requireMove } from '../../src/core/requireMove.ts';
import { expiryOf, offerLife, statusAt } from '../../src/core/specialOffers/rules.ts';
import { arrowsOf, mayGo, next, triggersOf } from '../../src/kernel/transitions.ts';
import { changeShelfStatus } from '../../src/core/channels/listings.ts';
import { listOn } from '../support/listings.ts';
import { startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { openConversation } from '../support/conversations.ts';

const HOUR = 3_600_000;

describe('special offers over v3', () => {
  let core: TestCore;
  let other: TestAccount;
  let property: number;
  let conversation: string;

  before(async () => {
    core = await startCore();
    other = await core.addAccount('other');
    property = (await core.call('createProperty', { title: 'Sea House' })).property_id;
    conversation = await newConversation();
  });
  after(() => core.close());

  const newConversation = (channel_type = 'marketplace_a') =>
    openConversation(core, {
      channel_type,
      inquiry: {
        listing_id: 'L1',
        property_id: property,
        check_in_date: '2027-01-10',
        check_out_date: '2027-01-12',
        number_of_guests: 3,
      },
    });
  const terms = {
    listing_id: 'L1',
    check_in_date: '2027-02-01',
    check_out_date: '2027-02-04',
    price: 321.5,
    number_of_adults: 2,
    number_of_children: 1,
  };
  const make = async (id: string, more: object = {}): Promise<string> =>
    (await core.call('createSpecialOffer', { conversation_id: id, ...terms, ...more })).id;
  const offers = async (id: string) => (await core.call('listSpecialOffers', { conversation_id: id })).special_offers;
  const statusOf = async (id: string, offer: string) =>
    (await offers(id)).find((one: { id: string }) => one.id === offer)?.status;
  const withdraw = (id: string, offer: string) =>
    core.request('DELETE', `/conversations/${id}/special_offers/${offer}`);
  const answer = (offer: string, what: 'accept' | 'decline') =>
    core.change(core.own.account, (change) => receiveOfferAnswer(change, offer, what));

  it('an offer is active for 24 hours and reads back with its terms, newest first', async () => {
    const before = (await core.events()).length;
    const first = await make(conversation);
    const second = await make(conversation, { number_of_children: 0, price: 100 });
    const now = core.clock.now();
    const [newest, oldest] = await offers(conversation);
    assert.deepEqual([newest.id, oldest.id], [second, first]);
    const { create_time, expire_time, ...rest } = oldest;
    assert.deepEqual(rest, {
      id: first,
      offer_type: 'special_offer',
      status: 'active',
      listing_id: 'L1',
      check_in_date: '2027-02-01',
      check_out_date: '2027-02-04',
      nights: 3,
      number_of_guests: 3,
      price: 321.5,
      currency: 'EUR',
    });
    assert.deepEqual([Date.parse(create_time), Date.parse(expire_time)], [now, now + 24 * HOUR]);
    const { messages } = await core.call('getConversation', { conversation_id: conversation });
    assert.deepEqual([messages[0].display_type, messages[0].sender_role], ['SpecialOffer', 'host']);
    const events = (await core.events()).slice(before);
    assert.deepEqual(
      events.map((event) => event['event']),
      ['message_created', 'message_created'],
    );
    const page = await core.call('listSpecialOffers', { conversation_id: conversation, offset: 1, limit: 1 });
    assert.deepEqual([page.special_offers[0].id, page.total], [first, 2]);
  });

  it('an active offer can be withdrawn, once', async () => {
    const offer = await make(conversation);
    assert.equal((await withdraw(conversation, offer)).error_code, 200);
    assert.equal(await statusOf(conversation, offer), 'withdrawn');
    assert.equal((await withdraw(conversation, offer)).error_code, 400);
  });

  it('24 hours later it is expired, whether or not anything has run, and can neither be withdrawn nor accepted', async () => {
    const offer = await make(conversation);
    await core.clock.advance(24 * HOUR - 1);
    assert.equal(await statusOf(conversation, offer), 'active');
    await core.clock.advance(1);
    assert.equal(await statusOf(conversation, offer), 'expired');
    assert.equal((await withdraw(conversation, offer)).error_code, 400);
    await assert.rejects(answer(offer, 'accept'), /expired/);
    assert.equal(await statusOf(conversation, offer), 'expired');
  });

  it('the guest accepts or declines; the same answer again changes nothing, another one is refused', async () => {
    const one = await make(conversation);
    assert.equal(await answer(one, 'accept'), 'accepted');
    assert.equal(await answer(one, 'accept'), 'accepted');
    await assert.rejects(answer(one, 'decline'), /accepted/);
    const two = await make(conversation);
    assert.equal(await answer(two, 'decline'), 'declined');
    assert.deepEqual([await statusOf(conversation, one), await statusOf(conversation, two)], ['accepted', 'declined']);
    assert.equal((await withdraw(conversation, two)).error_code, 400);
  });

  it('a booking-site offer takes a rate plan and a currency', async () => {
    const site = await newConversation('booking_site');
    await make(site, { rate_plan_id: 'flex', currency: 'USD' });
    assert.equal((await offers(site))[0].currency, 'USD');
  });

  it('a pre-approval is at the standard price, for the dates of the inquiry, on marketplace A only', async () => {
    const id = await newConversation();
    const { id: offer } = await core.call('createPreapproval', { conversation_id: id });
    const [made] = await offers(id);
    assert.deepEqual(
      [
        made.id,
        made.offer_type,
        made.status,
        made.price,
        made.check_in_date,
        made.check_out_date,
        made.number_of_guests,
      ],
      [offer, 'preapproval', 'active', null, '2027-01-10', '2027-01-12', 3],
    );
    const without = await openConversation(core);
    assert.equal((await core.request('POST', `/conversations/${without}/preapprovals`)).error_code, 400);
    for (const channel of ['booking_site', 'marketplace_b']) {
      const site = await newConversation(channel);
      assert.equal((await core.request('POST', `/conversations/${site}/preapprovals`)).error_code, 400, channel);
    }
  });

  for (const [what, more, code] of [
    ['no listing', { listing_id: undefined }, 422],
    ['no adults', { number_of_adults: 0 }, 422],
    ['adults left out', { number_of_adults: undefined }, 422],
    ['no price', { price: undefined }, 422],
    ['a price of nothing', { price: 0 }, 422],
    ['a price of half a cent', { price: 10.005 }, 422],
    ['no night', { check_out_date: '2027-02-01' }, 422],
    ['a date that does not exist', { check_in_date: '2027-02-30' }, 422],
    ['a day that is over', { check_in_date: '2026-11-01' }, 422],
    ['a currency that is none', { currency: 'EURO' }, 422],
  ] as const) {
    it(`${what}: ${code}, and nothing is offered`, async () => {
      const before = await core.stored();
      const answered = await core.request('POST', `/conversations/${conversation}/special_offers`, {
        body: { ...terms, ...more },
      });
      assert.equal(answered.error_code, code, answered.error_msg);
      assert.equal(await core.stored(), before);
    });
  }

  it('where the account’s listings are known, an offer is of one: a foreign one 403, an unknown one 404, a deleted one 400', async () => {
    const own = await core.addAccount('listed', { currency: 'CHF' });
    const { property_id } = await core.call('createProperty', { title: 'Alp' }, own.token);
    const conversation_id = await openConversation(core, { account: own });
    const offer = async (listing_id: string, more: object = {}) =>
      core.request('POST', `/conversations/${conversation_id}/special_offers`, {
        token: own.token,
        body: { ...terms, listing_id, ...more },
      });
    assert.equal((await offer('anything')).error_code, 200, 'nothing is known of the channel');
    const listed = await listOn(core, 'marketplace_a', property_id, { currency: 'USD' }, own);
    const far = await core.addAccount('far');
    const theirs = (await core.call('createProperty', { title: 'Theirs' }, far.token)).property_id;
    const foreign = await listOn(core, 'marketplace_a', theirs, {}, far);
    const elsewhere = await listOn(core, 'marketplace_b', property_id, {}, own);
    const codes = [];
    for (const listing_id of [listed.listing_id, foreign.listing_id, elsewhere.listing_id, 'anything']) {
      codes.push((await offer(listing_id)).error_code);
    }
    assert.deepEqual(codes, [200, 403, 404, 404]);
    const { special_offers } = await core.call('listSpecialOffers', { conversation_id }, own.token);
    assert.equal(special_offers[0].currency, 'USD', 'the listing’s');
    await core.change(own.account, (change) => changeShelfStatus(change, listed.id, 'delete'));
    assert.equal((await offer(listed.listing_id)).error_code, 400);
  });

  it('other channels know no offers: 400; whose conversation and offer it is comes first', async () => {
    const b = await newConversation('marketplace_b');
    assert.equal((await core.request('POST', `/conversations/${b}/special_offers`, { body: terms })).error_code, 400);
    assert.deepEqual(await offers(b), []);
    const theirs = await openConversation(core, { account: other });
    const offer = (await core.call('createSpecialOffer', { conversation_id: theirs, ...terms }, other.token)).id;
    assert.equal((await withdraw(conversation, offer)).error_code, 403);
    assert.equal((await withdraw(theirs, offer)).error_code, 403);
    assert.equal((await withdraw(conversation, 'nothing')).error_code, 404);
    const elsewhere = await make(await newConversation());
    assert.equal((await withdraw(conversation, elsewhere)).error_code, 404);
    assert.equal(
      (await core.request('POST', `/conversations/${theirs}/special_offers`, { body: terms })).error_code,
      403,
    );
  });
});

describe('the life of an offer', () => {
  const triggers = triggersOf(offerLife);

  it('no sequence of triggers and waiting reaches a state or a move outside the table', () => {
    const steps = fc.array(
      fc.record({ wait: fc.integer({ min: 0, max: 30 * HOUR }), trigger: fc.constantFrom(...triggers) }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, (sequence) => {
        let now = 1_760_000_000_000;
        let status: OfferStatus = next(offerLife, null, 'make');
        const expires_at = expiryOf(now);
        for (const { wait, trigger } of sequence) {
          now += wait;
          const from: OfferStatus = statusAt({ status, expires_at }, now);
          if (mayGo(offerLife, from, trigger)) status = next(offerLife, from, trigger);
          else assert.throws(() => requireMove(offerLife, from, trigger), /offer is/);
          assert.ok(offerStatuses.includes(statusAt({ status, expires_at }, now)));
          if (from !== 'active') assert.equal(statusAt({ status, expires_at }, now), from, 'an end is the end');
        }
      }),
    );
  });

  it('every state but the first is an end, and every state can be reached', () => {
    assert.deepEqual(new Set(arrowsOf(offerLife).map((row) => row.to)), new Set(offerStatuses));
    assert.deepEqual([...new Set(arrowsOf(offerLife).map((row) => row.from))], [null, 'active']);
  });
});
