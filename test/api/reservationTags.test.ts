import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { colors } from '../../src/contract/propertyTags.ts';
import { bookDirect } from '../../src/core/reservations/book.ts';
import { defaultTags } from '../../src/core/reservationTags/rules.ts';
import { type RequestOptions, START, startCore, type TestAccount, type TestCore } from '../support/core.ts';

interface Tag {
  id: number;
  tag_name: string;
  color: string;
  is_default: boolean;
}

describe('reservation tags over v3', () => {
  let core: TestCore;
  let other: TestAccount;
  let property: number;
  let month = 0;

  before(async () => {
    core = await startCore();
    other = await core.addAccount('other');
    property = (await core.call('createProperty', { title: 'Mill' })).property_id;
  });
  after(() => core.close());

  async function book(property_id = property, token?: string): Promise<string> {
    month += 1;
    const [year, ofYear] = [2027 + Math.floor(month / 12), String((month % 12) + 1).padStart(2, '0')];
    const booking = {
      property_id,
      check_in_date: `${year}-${ofYear}-05`,
      check_out_date: `${year}-${ofYear}-08`,
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
    };
    return (await core.call('createReservation', booking, token)).reservation_code;
  }
  const tagsOf = async (code: string): Promise<string[]> =>
    (await core.call('listReservations', { reservation_code: code })).reservations[0].tags;
  const list = async (query: object = {}, token?: string): Promise<Tag[]> =>
    (await core.call('listReservationTags', { limit: 100, ...query }, token)).reservation_tags;
  const named = async (name: string) => (await list()).find((tag) => tag.tag_name === name);
  const put = (code: string, tag_name: string) => core.call('addReservationTag', { stay_code: code, tag_name });
  const take = (code: string, tag_name: string) => core.call('removeReservationTag', { stay_code: code, tag_name });
  const eventsOf = async (work: () => Promise<unknown>) => {
    const before = (await core.events()).length;
    await work();
    return (await core.events()).slice(before);
  };
  const updated = (code: string) => ({
    event: 'reservation_updated',
    reservation_code: code,
    stay_code: code,
    property_id: property,
  });
  const refused = async (code: number, method: string, path: string, options: RequestOptions = {}) => {
    const before = await core.stored();
    const answer = await core.request(method, path, options);
    assert.equal(answer.error_code, code, answer.error_msg);
    assert.equal(await core.stored(), before, 'a refused request stored something');
    return answer;
  };

  it('POST answers the tag, as an object and field by field, its colour assigned; GET reads it back', async () => {
    const made = await core.call('createReservationTag', { tag_name: ' Band ' });
    const expected = { id: made.id, tag_name: 'Band', color: colors[0], is_default: false };
    assert.deepEqual(made, { reservation_tag: expected, ...expected });
    assert.deepEqual(await list({ id: made.id }), [expected]);
    const events = await eventsOf(() => core.call('createReservationTag', { tag_name: 'Silent' }));
    assert.deepEqual(events, [], 'no event tells of a tag that nothing has');
  });

  it('default tags are everybody’s, come last, and cannot be deleted: 404', async () => {
    for (const token of [core.own.token, other.token]) {
      const defaults = (await list({}, token)).filter((tag) => tag.is_default);
      assert.deepEqual(defaults, defaultTags.toReversed());
    }
    assert.ok((await list()).at(-1)?.is_default);
    for (const { id } of defaultTags) await refused(404, 'DELETE', `/reservation_tags/${id}`);
    assert.equal((await list({}, other.token)).length, defaultTags.length);
  });

  it('a name has 1 to 15 characters and is unique, default tags included, in any case of letters', async () => {
    await core.call('createReservationTag', { tag_name: 'Fifteen letters' });
    await refused(422, 'POST', '/reservation_tags', { body: { tag_name: 'Sixteen letters!' } });
    await refused(422, 'POST', '/reservation_tags', { body: { tag_name: '  ' } });
    await refused(422, 'POST', '/reservation_tags', { body: {} });
    for (const tag_name of ['Fifteen letters', 'FIFTEEN letters', 'VIP', 'vip']) {
      await refused(409, 'POST', '/reservation_tags', { body: { tag_name } });
    }
    await core.call('createReservationTag', { tag_name: 'Fifteen letters' }, other.token);
  });

  it('the keyword finds part of a name in any case, signs mean themselves; 51 characters are too many', async () => {
    for (const tag_name of ['Später da', '100% sure', 'a_b', 'axb'])
      await core.call('createReservationTag', { tag_name });
    const names = async (keyword: string) => (await list({ keyword })).map((tag) => tag.tag_name);
    assert.deepEqual(await names('SPÄTER'), ['Später da']);
    assert.deepEqual(await names('0% S'), ['100% sure']);
    assert.deepEqual(await names('a_b'), ['a_b']);
    assert.deepEqual(await names('check-'), ['Late check-out', 'Early check-in'], 'default tags too');
    assert.deepEqual(await names('nothing like it'), []);
    await refused(422, 'GET', `/reservation_tags?keyword=${'x'.repeat(51)}`);
  });

  it('pages run from the operator’s own, newest first, on into the default ones', async () => {
    const { token } = await core.addAccount('pages');
    const own: number[] = [];
    for (const tag_name of ['one', 'two', 'three'])
      own.unshift((await core.call('createReservationTag', { tag_name }, token)).id);
    const all = [...own, ...defaultTags.toReversed().map((tag) => tag.id)];
    for (let offset = 0; offset <= all.length; offset += 1) {
      const page = await core.call('listReservationTags', { offset, limit: 2 }, token);
      assert.deepEqual(
        page.reservation_tags.map((tag: Tag) => tag.id),
        all.slice(offset, offset + 2),
      );
      assert.equal(page.total, all.length);
    }
  });

  it('a tag put on a stay stands in its tags and is told once, without a sub_event; again, nothing happens', async () => {
    const code = await book();
    assert.deepEqual(await tagsOf(code), []);
    assert.deepEqual(await eventsOf(() => put(code, 'Fifteen letters')), [updated(code)]);
    assert.deepEqual(await eventsOf(() => put(code, 'VIP')), [updated(code)]);
    const again = await eventsOf(async () => {
      for (const name of ['fifteen LETTERS', 'vip', 'VIP']) await put(code, name);
    });
    assert.deepEqual(again, []);
    assert.deepEqual(await tagsOf(code), ['VIP', 'Fifteen letters']);
    const answer = await core.request('POST', `/reservations/${code}/tags`, { body: { tag_name: 'Band' } });
    assert.ok(!('data' in answer) || answer.data === undefined);
  });

  it('each room of a booking has tags of its own, and its event names the room', async () => {
    const second = (await core.call('createProperty', { title: 'Barn' })).property_id;
    const night = { check_in_date: '2029-05-01', check_out_date: '2029-05-02', rate: 100_00, commission: 0 };
    const { reservation_code } = await core.change(core.own.account, (change) =>
      bookDirect(change, {
        rooms: [
          { ...night, property_id: property, number_of_guests: 1 },
          { ...night, property_id: second, number_of_guests: 1 },
        ],
        guest: { name: 'B. Guest' },
        currency: 'EUR',
        booked_at: new Date(START).toISOString(),
      }),
    );
    const stay_code = `${reservation_code}-2`;
    const events = await eventsOf(() => put(stay_code, 'Upstairs'));
    assert.deepEqual(events, [{ event: 'reservation_updated', reservation_code, stay_code, property_id: second }]);
    const { reservations } = await core.call('listReservations', { reservation_code });
    const tags = Object.fromEntries(
      reservations.map((stay: { stay_code: string; tags: string[] }) => [stay.stay_code, stay.tags]),
    );
    assert.deepEqual(tags, { [`${reservation_code}-1`]: [], [stay_code]: ['Upstairs'] });
    await refused(404, 'POST', `/reservations/${reservation_code}/tags`, { body: { tag_name: 'x' } });
  });

  it('a name that no tag has makes one', async () => {
    const code = await book();
    await put(code, 'Brand new');
    const made = await named('Brand new');
    assert.equal(made?.is_default, false);
    assert.deepEqual(await tagsOf(code), ['Brand new']);
    await refused(422, 'POST', `/reservations/${code}/tags`, { body: { tag_name: 'Sixteen letters!' } });
    await refused(422, 'POST', `/reservations/${code}/tags`, { body: {} });
    await refused(400, 'POST', `/reservations/${code}/tags`);
  });

  it('DELETE with a body takes it off this stay and is told; what the stay has not is a 404', async () => {
    const [code, second] = [await book(), await book()];
    for (const one of [code, second]) await put(one, 'Leaves');
    await put(code, 'VIP');
    assert.deepEqual(await eventsOf(() => take(code, 'LEAVES')), [updated(code)]);
    assert.deepEqual(await eventsOf(() => take(code, 'VIP')), [updated(code)]);
    assert.deepEqual([await tagsOf(code), await tagsOf(second)], [[], ['Leaves']]);
    for (const tag_name of ['Leaves', 'VIP', 'Nobody knows it']) {
      await refused(404, 'DELETE', `/reservations/${code}/tags`, { body: { tag_name } });
    }
    await refused(400, 'DELETE', `/reservations/${code}/tags`);
    assert.ok(await named('Leaves'), 'the tag itself stays');
  });

  it('deleting a tag takes it off every reservation, and each is told', async () => {
    const codes = [await book(), await book(), await book()];
    for (const code of codes.slice(0, 2)) await put(code, 'Ends');
    await put(codes[0] ?? '', 'VIP');
    const id = (await named('Ends'))?.id;
    const events = await eventsOf(() => core.call('deleteReservationTag', { id }));
    assert.deepEqual(events, codes.slice(0, 2).map(updated));
    assert.deepEqual(await Promise.all(codes.map(tagsOf)), [['VIP'], [], []]);
    assert.equal(await named('Ends'), undefined);
    await refused(404, 'DELETE', `/reservation_tags/${id}`);
  });

  it('a new tag of a deleted one’s name is the same tag, and on no stay', async () => {
    const code = await book();
    await put(code, 'Returns');
    const before = await named('Returns');
    await core.call('deleteReservationTag', { id: before?.id });
    const again = await core.call('createReservationTag', { tag_name: 'RETURNS' });
    assert.deepEqual(again.reservation_tag, { ...before, tag_name: 'RETURNS' });
    assert.deepEqual(await tagsOf(code), []);
    await core.call('deleteReservationTag', { id: before?.id });
    await put(code, 'Returns');
    assert.deepEqual((await named('Returns'))?.id, before?.id, 'also by way of a stay');
  });

  it('there are 500 of an operator’s own at most, also by way of a stay; deleted ones make room', async () => {
    const { token } = await core.addAccount('full');
    const { property_id } = await core.call('createProperty', { title: 'House' }, token);
    const code = await book(property_id, token);
    let id = 0;
    for (let index = 0; index < 500; index += 1)
      id = (await core.call('createReservationTag', { tag_name: `T${index}` }, token)).id;
    const body = { tag_name: 'one more' };
    assert.match((await refused(422, 'POST', '/reservation_tags', { token, body })).error_msg, /^tag_name: .*500/);
    await refused(422, 'POST', `/reservations/${code}/tags`, { token, body });
    await core.call('addReservationTag', { stay_code: code, tag_name: 'T7' }, token);
    await core.call('addReservationTag', { stay_code: code, tag_name: 'VIP' }, token);
    await core.call('deleteReservationTag', { id }, token);
    await core.call('createReservationTag', body, token);
    assert.equal((await core.call('listReservationTags', {}, token)).total, 500 + defaultTags.length);
  });

  it('another’s tag is a 403, nobody’s a 404; another’s stay is as unknown as nobody’s', async () => {
    const { id } = await core.call('createReservationTag', { tag_name: 'Theirs' }, other.token);
    await refused(403, 'DELETE', `/reservation_tags/${id}`);
    await refused(404, 'DELETE', '/reservation_tags/999999');
    assert.deepEqual(await list({ id }), []);
    const code = await book();
    for (const method of ['POST', 'DELETE']) {
      for (const [path, token] of [
        [`/reservations/${code}/tags`, other.token],
        ['/reservations/5-NONE/tags', core.own.token],
      ] as const) {
        const { error_msg } = await refused(404, method, path, { token, body: { tag_name: 'x' } });
        assert.equal(error_msg, 'This resource is no longer available.');
      }
    }
  });

  it('a sub-account tags stays of its properties, and ends no tag that others have', async () => {
    const place = (await core.call('createProperty', { title: 'Of the sub' })).property_id;
    const sub = await core.addSubAccount(core.own.account, [place]);
    const [own, hidden] = [await book(place), await book()];
    await core.call('addReservationTag', { stay_code: own, tag_name: 'By sub' }, sub);
    await refused(404, 'POST', `/reservations/${hidden}/tags`, { token: sub, body: { tag_name: 'x' } });
    await put(hidden, 'By sub');
    const id = (await named('By sub'))?.id;
    await refused(401, 'DELETE', `/reservation_tags/${id}`, { token: sub });
    await take(hidden, 'By sub');
    await core.call('deleteReservationTag', { id }, sub);
    assert.deepEqual(await tagsOf(own), []);
  });
});
