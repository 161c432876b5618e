import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { requireRoom } from '../../src/core/roomTypes/rules.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import { type RequestOptions, startCore, type TestAccount, type TestCore } from '../support/core.ts';

describe('room types over v3', () => {
  let core: TestCore;
  let other: TestAccount;

  before(async () => {
    core = await startCore();
    other = await core.addAccount('other');
  });
  after(() => core.close());

  const newProperty = async (title: string, token?: string): Promise<number> =>
    (await core.call('createProperty', { title }, token)).property_id;
  const make = async (name: string, property_ids?: readonly number[]): Promise<number> =>
    (await core.call('createRoomType', { name, ...(property_ids && { property_ids }) })).room_type_id;
  const refused = async (code: number, body: object, options: RequestOptions = {}) => {
    const before = await core.stored();
    const answer = await core.request('POST', '/room_types', { body, ...options });
    assert.equal(answer.error_code, code, answer.error_msg);
    assert.equal(await core.stored(), before, 'a refused request stored something');
    return answer;
  };

  it('POST answers the bare id; GET reads name and title, properties, channels and tags', async () => {
    const [a, b] = [await newProperty('A'), await newProperty('B')];
    const id = await make('Doubles', [b, a]);
    const { data } = await core.request('GET', `/room_types?id=${id}`);
    assert.deepEqual(data, {
      room_types: [
        {
          id,
          name: 'Doubles',
          title: 'Doubles',
          properties: [
            { id: a, name: 'A', title: 'A' },
            { id: b, name: 'B', title: 'B' },
          ],
          channels: [],
          tags: [],
        },
      ],
      total: 1,
    });
  });

  it('takes title for name, without properties or with an empty list', async () => {
    const made = await core.request('POST', '/room_types', { body: { title: 'By title', property_ids: [] } });
    assert.deepEqual(Object.keys(made.data), ['room_type_id']);
    const [read] = (await core.call('listRoomTypes', { id: made.data.room_type_id })).room_types;
    assert.deepEqual([read.name, read.properties], ['By title', []]);
  });

  it('a name has 1 to 100 characters and is unique in the account', async () => {
    await make('x'.repeat(100));
    assert.match((await refused(422, { title: 'x'.repeat(101) })).error_msg, /^title/);
    await refused(422, { title: '' });
    await refused(422, {});
    await refused(409, { title: 'X'.repeat(100) });
    await core.call('createRoomType', { name: 'x'.repeat(100) }, other.token);
  });

  it('a property belongs to one room type at most', async () => {
    const [a, b] = [await newProperty('Only'), await newProperty('Free')];
    await make('Has it', [a]);
    assert.match((await refused(409, { title: 'Wants it', property_ids: [b, a] })).error_msg, /another room type/);
    await make('Wants it', [b]);
  });

  it('another’s property is a 403, nobody’s a 404, also for a sub-account that does not see it', async () => {
    const theirs = await newProperty('Theirs', other.token);
    const hidden = await newProperty('Not for the sub');
    const sub = await core.addSubAccount(core.own.account, [await newProperty('For the sub')]);
    await refused(403, { title: 'x', property_ids: [theirs] });
    await refused(404, { title: 'x', property_ids: [999_999] });
    await refused(404, { title: 'x', property_ids: [hidden] }, { token: sub });
  });

  it('there are as many as the subscription has properties, not one more', async () => {
    const { token } = await core.addAccount('small', { property_quota: 2 });
    for (const name of ['one', 'two']) await core.call('createRoomType', { name }, token);
    const { error_msg } = await refused(420, { title: 'three' }, { token });
    assert.equal(error_msg, 'Property quota exhausted');
  });

  it('not on the Basic edition', async () => {
    const { account, token } = await core.addAccount('basic');
    await core.core.store.db
      .updateTable('accounts')
      .set({ edition: 'basic' })
      .where('account_id', '=', account.account_id)
      .execute();
    const says = 'Basic edition does not support this feature';
    assert.equal((await refused(420, { title: 'x' }, { token })).error_msg, says);
    assert.throws(
      () => requireRoom({ edition: 'basic', property_quota: 9 }, 0),
      (error) => error instanceof ApiError && error.code === 420 && error.message === says,
    );
    assert.doesNotThrow(() => requireRoom({ edition: 'pro', property_quota: 9 }, 8));
  });

  it('a sub-account sees types of its properties with these alone, and empty ones', async () => {
    const [a, b] = [await newProperty('Seen'), await newProperty('Unseen')];
    const [mixed, hidden, empty] = [await make('Mixed', [a, b]), await make('Hidden'), await make('Empty')];
    const c = await newProperty('Unseen too');
    await core.core.store.db
      .insertInto('room_type_properties')
      .values({ account_id: core.own.account.account_id, room_type_id: hidden, property_id: c })
      .execute();
    const sub = await core.addSubAccount(core.own.account, [a]);
    const { room_types } = await core.call('listRoomTypes', { limit: 100 }, sub);
    const seen = new Map<number, { id: number }[]>(
      room_types.map((one: { id: number; properties: { id: number }[] }) => [one.id, one.properties]),
    );
    assert.deepEqual(
      seen.get(mixed)?.map((one) => one.id),
      [a],
    );
    assert.ok(!seen.has(hidden));
    assert.deepEqual(seen.get(empty), []);
  });

  it('the list pages, newest first; another’s id is no row', async () => {
    const { token } = await core.addAccount('pages');
    const made: number[] = [];
    for (let index = 0; index < 3; index += 1)
      made.unshift((await core.call('createRoomType', { name: `R${index}` }, token)).room_type_id);
    const { room_types, total } = await core.call('listRoomTypes', { offset: 1, limit: 1 }, token);
    assert.deepEqual([room_types.map((one: { id: number }) => one.id), total], [[made[1]], 3]);
    assert.equal((await core.call('listRoomTypes', { id: made[0] })).total, 0);
  });
});
