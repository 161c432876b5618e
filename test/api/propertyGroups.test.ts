import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RequestOptions, startCore, type TestAccount, type TestCore } from '../support/core.ts';

describe('property groups over v3', () => {
  let core: TestCore;
  let other: TestAccount;
  let foreign: number;
  let [a, b, c]: [number, number, number] = [0, 0, 0];

  before(async () => {
    core = await startCore();
    other = await core.addAccount('other');
    foreign = (await core.call('createProperty', { title: 'Theirs' }, other.token)).property_id;
    [a, b, c] = [await newProperty('A'), await newProperty('B'), await newProperty('C')];
  });
  after(() => core.close());

  const newProperty = async (title: string): Promise<number> =>
    (await core.call('createProperty', { title })).property_id;
  const group = async (id: number, token?: string) => (await core.call('listPropertyGroups', { id }, token)).groups[0];
  const make = async (name: string, property_ids?: readonly number[]): Promise<number> =>
    (await core.call('createPropertyGroup', { name, ...(property_ids && { property_ids }) })).id;
  const refused = async (code: number, method: string, path: string, options: RequestOptions = {}) => {
    const before = await core.stored();
    const answer = await core.request(method, path, options);
    assert.equal(answer.error_code, code, answer.error_msg);
    assert.equal(await core.stored(), before, 'a refused request stored something');
    return answer;
  };

  it('POST answers the group, as an object and field by field; GET reads it back', async () => {
    const made = await core.call('createPropertyGroup', { name: '  North  ', property_ids: [b, a, b] });
    const expected = { id: made.id, name: 'North', property_ids: [a, b] };
    assert.deepEqual(made, { group: expected, ...expected });
    assert.deepEqual(await group(made.id), expected);
    assert.deepEqual((await core.call('createPropertyGroup', { name: 'Empty' })).property_ids, []);
  });

  it('a name is unique in the account, in any case of letters, and free in another', async () => {
    await make('Größe');
    for (const name of ['Größe', 'GRÖSSE'.replace('SS', 'ß'), 'gro\u0308ße']) {
      await refused(409, 'POST', '/groups', { body: { name } });
    }
    const id = await make('Else');
    await refused(409, 'PATCH', `/groups/${id}`, { body: { name: 'GRÖßE' } });
    await core.call('updatePropertyGroup', { id, name: 'ELSE' });
    assert.equal((await group(id)).name, 'ELSE', 'its own name in other letters');
    await core.call('createPropertyGroup', { name: 'Größe' }, other.token);
  });

  it('PATCH replaces the whole list; an empty one detaches all; what is left out stays', async () => {
    const id = await make('List', [a, b]);
    await core.call('updatePropertyGroup', { id, property_ids: [b, c] });
    assert.deepEqual((await group(id)).property_ids, [b, c]);
    await core.call('updatePropertyGroup', { id, name: 'List 2' });
    assert.deepEqual(await group(id), { id, name: 'List 2', property_ids: [b, c] });
    await core.call('updatePropertyGroup', { id });
    assert.deepEqual(await group(id), { id, name: 'List 2', property_ids: [b, c] });
    await core.call('updatePropertyGroup', { id, property_ids: [] });
    assert.deepEqual((await group(id)).property_ids, []);
  });

  it('numeric strings pass for ids', async () => {
    const id = await make('Strings');
    await core.request('PATCH', `/groups/${id}`, { body: { property_ids: [String(a)] } });
    assert.deepEqual((await group(id)).property_ids, [a]);
  });

  it('DELETE detaches properties and leaves them; the second is a 404, its name is free', async () => {
    const id = await make('Gone', [a]);
    await core.call('deletePropertyGroup', { id });
    assert.deepEqual(await core.call('listPropertyGroups', { id }), { groups: [], total: 0 });
    await refused(404, 'DELETE', `/groups/${id}`);
    await refused(404, 'PATCH', `/groups/${id}`, { body: { name: 'x' } });
    const [property] = (await core.call('listProperties', { id: a })).properties;
    assert.ok(!property.groups.some((one: { id: number }) => one.id === id));
    assert.notEqual(await make('Gone'), id);
  });

  it('a property may be in several groups, shows them, and is found by each', async () => {
    const property = await newProperty('In two');
    const [first, second] = [await make('First', [property, a]), await make('Second', [property])];
    const [shown] = (await core.call('listProperties', { id: property })).properties;
    assert.deepEqual(shown.groups, [
      { id: first, name: 'First' },
      { id: second, name: 'Second' },
    ]);
    const ids = async (filter: object) =>
      (await core.call('listProperties', { ...filter })).properties.map((one: { id: number }) => one.id);
    assert.deepEqual(await ids({ group_id: first }), [property, a]);
    assert.deepEqual(await ids({ group_id: second }), [property]);
    assert.deepEqual(await ids({ group_id: second, id: a }), []);
    assert.deepEqual(await ids({ group_id: 999_999 }), []);
  });

  it('another’s id in the path or the body is a 403, nobody’s a 404', async () => {
    const id = await make('Mine', [a]);
    const { id: theirs } = await core.call('createPropertyGroup', { name: 'Theirs' }, other.token);
    for (const method of ['PATCH', 'DELETE']) {
      await refused(403, method, `/groups/${theirs}`, { body: {} });
      await refused(404, method, '/groups/999999', { body: {} });
    }
    await refused(403, 'POST', '/groups', { body: { name: 'x', property_ids: [a, foreign] } });
    await refused(403, 'PATCH', `/groups/${id}`, { body: { property_ids: [foreign] } });
    await refused(404, 'PATCH', `/groups/${id}`, { body: { property_ids: [999_999] } });
    assert.deepEqual(await core.call('listPropertyGroups', { id: theirs }), { groups: [], total: 0 });
  });

  it('fields out of bounds are named', async () => {
    const wrong: [body: object, field: string][] = [
      [{}, 'name'],
      [{ name: '  ' }, 'name'],
      [{ name: 'x'.repeat(51) }, 'name'],
      [{ name: 7 }, 'name'],
      [{ name: 'x', property_ids: 7 }, 'property_ids'],
      [{ name: 'x', property_ids: ['seven'] }, 'property_ids'],
    ];
    for (const [body, field] of wrong) {
      const { error_msg } = await refused(422, 'POST', '/groups', { body });
      assert.ok(error_msg.startsWith(field), error_msg);
    }
    await make('y'.repeat(50));
  });

  it('the list pages, newest first', async () => {
    const { token } = await core.addAccount('pages');
    const made: number[] = [];
    for (let index = 0; index < 25; index += 1)
      made.unshift((await core.call('createPropertyGroup', { name: `G${index}` }, token)).id);
    const page = async (query: object) => {
      const { groups, total } = await core.call('listPropertyGroups', query as never, token);
      return { ids: groups.map((one: { id: number }) => one.id), total };
    };
    assert.deepEqual(await page({}), { ids: made.slice(0, 20), total: 25 });
    assert.deepEqual(await page({ offset: 20 }), { ids: made.slice(20), total: 25 });
    assert.deepEqual(await page({ offset: 30 }), { ids: [], total: 25 });
  });

  describe('a sub-account', () => {
    let sub: string;
    before(async () => {
      sub = await core.addSubAccount(core.own.account, [a]);
    });

    it('sees groups of its properties with these alone, and empty ones', async () => {
      const mixed = await make('Mixed', [a, b]);
      const hidden = await make('Hidden', [b]);
      const empty = await make('Nothing');
      assert.deepEqual((await group(mixed, sub)).property_ids, [a]);
      assert.equal(await group(hidden, sub), undefined);
      assert.deepEqual((await group(empty, sub)).property_ids, []);
      await refused(404, 'PATCH', `/groups/${hidden}`, { token: sub, body: { name: 'x' } });
      await refused(404, 'DELETE', `/groups/${hidden}`, { token: sub });
    });

    it('replaces what it sees; properties it does not see stay', async () => {
      const id = await make('Shared', [b]);
      await core.call('updatePropertyGroup', { id, property_ids: [a, b] });
      await core.call('updatePropertyGroup', { id, property_ids: [] }, sub);
      assert.deepEqual((await group(id)).property_ids, [b]);
      await refused(404, 'PATCH', `/groups/${id}`, { token: sub, body: { property_ids: [a] } });
      await core.call('updatePropertyGroup', { id, property_ids: [a, b] });
      await refused(404, 'PATCH', `/groups/${id}`, { token: sub, body: { property_ids: [c] } });
    });

    it('neither renames nor ends a group with properties that it does not see', async () => {
      const id = await make('Both', [a, b]);
      for (const [method, body] of [['PATCH', { name: 'x' }] as const, ['DELETE', undefined] as const]) {
        const { error_msg } = await refused(401, method, `/groups/${id}`, { token: sub, ...(body && { body }) });
        assert.equal(error_msg, 'Not authorized for this action');
      }
      const own = await make('Own', [a]);
      await core.call('updatePropertyGroup', { id: own, name: 'Own 2' }, sub);
      await core.call('deletePropertyGroup', { id: own }, sub);
    });
  });
});
