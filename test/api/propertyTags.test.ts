import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { colors } from '../../src/contract/propertyTags.ts';
import { type RequestOptions, startCore, type TestAccount, type TestCore } from '../support/core.ts';

describe('property tags over v3', () => {
  let core: TestCore;
  let other: TestAccount;
  let [a, b]: [number, number] = [0, 0];
  let doubles: number;
  let singles: number;

  before(async () => {
    core = await startCore();
    other = await core.addAccount('other');
    [a, b] = [await newProperty('A'), await newProperty('B')];
    doubles = (await core.call('createRoomType', { name: 'Doubles', property_ids: [a] })).room_type_id;
    singles = (await core.call('createRoomType', { name: 'Singles', property_ids: [b] })).room_type_id;
  });
  after(() => core.close());

  const newProperty = async (title: string, token?: string): Promise<number> =>
    (await core.call('createProperty', { title }, token)).property_id;
  const tag = async (id: number, token?: string) => (await core.call('listPropertyTags', { id }, token)).tags[0];
  const make = async (name: string, more: object = {}): Promise<number> =>
    (await core.call('createPropertyTag', { name, ...more })).id;
  const refused = async (code: number, method: string, path: string, options: RequestOptions = {}) => {
    const before = await core.stored();
    const answer = await core.request(method, path, options);
    assert.equal(answer.error_code, code, answer.error_msg);
    assert.equal(await core.stored(), before, 'a refused request stored something');
    return answer;
  };

  it('POST answers the tag, as an object and field by field; GET reads it back', async () => {
    const more = { color: '#FFA410', property_ids: [b, a], room_type_ids: [doubles] };
    const made = await core.call('createPropertyTag', { name: 'Sea view', ...more });
    const expected = {
      id: made.id,
      name: 'Sea view',
      color: '#FFA410',
      property_ids: [a, b],
      room_type_ids: [doubles],
    };
    assert.deepEqual(made, { tag: expected, ...expected });
    assert.deepEqual(await tag(made.id), expected);
  });

  it('a colour left out is assigned, each of the palette before one comes again', async () => {
    const { token } = await core.addAccount('colours');
    const assigned: string[] = [];
    for (let index = 0; index < 8; index += 1)
      assigned.push((await core.call('createPropertyTag', { name: `T${index}` }, token)).color);
    assert.deepEqual(assigned, [...colors, colors[0]]);
  });

  it('only colours of the palette are taken, as they are written', async () => {
    const id = await make('Coloured');
    for (const color of ['#000000', 'red', '#fd587b', '']) {
      assert.match((await refused(422, 'POST', '/tags', { body: { name: 'x', color } })).error_msg, /^color/);
      assert.match((await refused(422, 'PATCH', `/tags/${id}`, { body: { color } })).error_msg, /^color/);
    }
    for (const color of colors) {
      await core.call('updatePropertyTag', { id, color });
      assert.equal((await tag(id)).color, color);
    }
  });

  it('a name has 1 to 15 characters and is unique in the account, in any case of letters', async () => {
    await make('Fifteen letters');
    await refused(422, 'POST', '/tags', { body: { name: 'Sixteen letters!' } });
    await refused(422, 'POST', '/tags', { body: { name: ' ' } });
    await refused(422, 'POST', '/tags', { body: {} });
    await refused(409, 'POST', '/tags', { body: { name: 'FIFTEEN LETTERS' } });
    const id = await make('Another');
    await refused(409, 'PATCH', `/tags/${id}`, { body: { name: 'fifteen Letters' } });
    await core.call('updatePropertyTag', { id, name: 'ANOTHER' });
    await core.call('createPropertyTag', { name: 'Another' }, other.token);
  });

  it('PATCH replaces each list as a whole; an empty one detaches all; what is left out stays', async () => {
    const id = await make('Lists', { property_ids: [a], room_type_ids: [doubles] });
    const lists = async () => {
      const { property_ids, room_type_ids } = await tag(id);
      return [property_ids, room_type_ids];
    };
    await core.call('updatePropertyTag', { id, property_ids: [b] });
    assert.deepEqual(await lists(), [[b], [doubles]]);
    await core.call('updatePropertyTag', { id, room_type_ids: [singles, doubles] });
    assert.deepEqual(await lists(), [[b], [doubles, singles]]);
    await core.call('updatePropertyTag', { id, property_ids: [] });
    assert.deepEqual(await lists(), [[], [doubles, singles]]);
    await core.call('updatePropertyTag', { id, room_type_ids: [] });
    assert.deepEqual(await lists(), [[], []]);
  });

  it('properties and room types show their tags and are found by them', async () => {
    const id = await make('Shown', { property_ids: [a], room_type_ids: [singles] });
    const shown = { id, name: 'Shown', color: (await tag(id)).color };
    const { properties } = await core.call('listProperties', { tag_id: id });
    assert.deepEqual(
      properties.map((one: { id: number }) => one.id),
      [a],
    );
    assert.deepEqual(properties[0].tags.at(-1), shown);
    const { room_types } = await core.call('listRoomTypes', { tag_id: id });
    assert.deepEqual(
      room_types.map((one: { id: number }) => one.id),
      [singles],
    );
    assert.deepEqual(room_types[0].tags.at(-1), shown);
  });

  it('DELETE detaches a tag and leaves what carried it; a new one of its name is the same tag, without carriers', async () => {
    const id = await make('Lake', { color: '#7175FA', property_ids: [a], room_type_ids: [doubles] });
    await core.call('deletePropertyTag', { id });
    assert.equal(await tag(id), undefined);
    await refused(404, 'DELETE', `/tags/${id}`);
    await refused(404, 'PATCH', `/tags/${id}`, { body: { name: 'x' } });
    const [property] = (await core.call('listProperties', { id: a })).properties;
    assert.ok(!property.tags.some((one: { id: number }) => one.id === id));
    const again = await core.call('createPropertyTag', { name: 'LAKE', property_ids: [b] });
    const expected = { id, name: 'LAKE', color: '#7175FA', property_ids: [b], room_type_ids: [] };
    assert.deepEqual(again.tag, expected);
    assert.deepEqual(await tag(id), expected);
    await refused(409, 'POST', '/tags', { body: { name: 'Lake' } });
  });

  it('of several deleted tags of one name the last comes back', async () => {
    const first = await make('Twice');
    await core.call('deletePropertyTag', { id: first });
    const second = await make('Renamed');
    await core.call('updatePropertyTag', { id: second, name: 'Twice' });
    await core.clock.advance(1_000);
    await core.call('deletePropertyTag', { id: second });
    assert.equal(await make('Twice'), second);
  });

  it('there are 500 at most; deleted ones make room', async () => {
    const { token } = await core.addAccount('full');
    let id = 0;
    for (let index = 0; index < 500; index += 1)
      id = (await core.call('createPropertyTag', { name: `T${index}` }, token)).id;
    const { error_msg } = await refused(422, 'POST', '/tags', { token, body: { name: 'one more' } });
    assert.match(error_msg, /^name: .*500/);
    await core.call('deletePropertyTag', { id }, token);
    await core.call('createPropertyTag', { name: 'one more' }, token);
    await refused(422, 'POST', '/tags', { token, body: { name: 'T499' } });
    assert.equal((await core.call('listPropertyTags', {}, token)).total, 500);
  });

  it('another’s id in the path or the body is a 403, nobody’s a 404', async () => {
    const id = await make('Mine');
    const property = await newProperty('Theirs', other.token);
    const { room_type_id } = await core.call('createRoomType', { name: 'Theirs' }, other.token);
    const theirs = (await core.call('createPropertyTag', { name: 'Theirs' }, other.token)).id;
    for (const method of ['PATCH', 'DELETE']) {
      await refused(403, method, `/tags/${theirs}`, { body: {} });
      await refused(404, method, '/tags/999999', { body: {} });
    }
    const bodies: [body: object, code: number][] = [
      [{ property_ids: [property] }, 403],
      [{ room_type_ids: [room_type_id] }, 403],
      [{ property_ids: [999_999] }, 404],
      [{ room_type_ids: [999_999] }, 404],
    ];
    for (const [body, code] of bodies) {
      await refused(code, 'PATCH', `/tags/${id}`, { body });
      await refused(code, 'POST', '/tags', { body: { name: 'x', ...body } });
    }
    assert.deepEqual((await core.call('listProperties', { tag_id: theirs })).total, 0);
  });

  it('a sub-account sees and changes what its own carry, and ends nothing that others carry too', async () => {
    const sub = await core.addSubAccount(core.own.account, [a]);
    const mixed = await make('Mixed', { property_ids: [a, b], room_type_ids: [doubles, singles] });
    const hidden = await make('Hidden', { property_ids: [b], room_type_ids: [singles] });
    const byType = await make('By type', { room_type_ids: [doubles] });
    const seen = await tag(mixed, sub);
    assert.deepEqual([seen.property_ids, seen.room_type_ids], [[a], [doubles]]);
    assert.equal(await tag(hidden, sub), undefined);
    assert.deepEqual((await tag(byType, sub)).room_type_ids, [doubles]);
    await refused(404, 'DELETE', `/tags/${hidden}`, { token: sub });
    await refused(401, 'DELETE', `/tags/${mixed}`, { token: sub });
    await refused(401, 'PATCH', `/tags/${mixed}`, { token: sub, body: { color: colors[3] } });
    await refused(404, 'PATCH', `/tags/${mixed}`, { token: sub, body: { room_type_ids: [singles] } });
    await core.call('updatePropertyTag', { id: mixed, property_ids: [], room_type_ids: [] }, sub);
    const left = await tag(mixed);
    assert.deepEqual([left.property_ids, left.room_type_ids], [[b], [singles]]);
    await core.call('deletePropertyTag', { id: byType }, sub);
  });
});
