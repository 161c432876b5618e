import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OperationId } from '../../src/contract/index.ts';
import { defaultTags } from '../../src/core/reservationTags/rules.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

/** Every list by each of its filters, as the main account and as a sub-account that sees one of two properties. */
function queries(place: () => Promise<StoreLocation | undefined>): void {
  let core: TestCore;
  let sub: string;
  let [a, b]: [number, number] = [0, 0];
  let ids: { type: number; hiddenType: number; group: number; hiddenGroup: number; tag: number; hiddenTag: number };
  before(async () => {
    core = await startCore(await place());
    a = (await core.call('createProperty', { title: 'A' })).property_id;
    b = (await core.call('createProperty', { title: 'B' })).property_id;
    const [type, hiddenType] = [
      (await core.call('createRoomType', { name: 'Type A', property_ids: [a] })).room_type_id,
      (await core.call('createRoomType', { name: 'Type B', property_ids: [b] })).room_type_id,
    ];
    const make = async (id: OperationId, name: string, more: object) => (await core.call(id, { name, ...more })).id;
    ids = {
      type,
      hiddenType,
      group: await make('createPropertyGroup', 'Both', { property_ids: [a, b] }),
      hiddenGroup: await make('createPropertyGroup', 'Only B', { property_ids: [b] }),
      tag: await make('createPropertyTag', 'Both', { property_ids: [b], room_type_ids: [type, hiddenType] }),
      hiddenTag: await make('createPropertyTag', 'Only B', { room_type_ids: [hiddenType] }),
    };
    sub = await core.addSubAccount(core.own.account, [a]);
  });
  after(() => core.close());

  const read = async (id: OperationId, list: string, input: object, token?: string) => {
    const data = await core.call(id, { ...input }, token);
    assert.equal(data.total, data[list].length);
    return data[list].map((row: { id: number }) => row.id);
  };

  it('lists answer what matches, and to a sub-account what it sees', async () => {
    const { type, hiddenType, group, hiddenGroup, tag, hiddenTag } = ids;
    const rows: [id: OperationId, list: string, input: object, main: number[], sub: number[]][] = [
      ['listProperties', 'properties', { group_id: group }, [b, a], [a]],
      ['listProperties', 'properties', { tag_id: tag }, [b], []],
      ['listRoomTypes', 'room_types', {}, [hiddenType, type], [type]],
      ['listRoomTypes', 'room_types', { tag_id: tag }, [hiddenType, type], [type]],
      ['listRoomTypes', 'room_types', { id: hiddenType }, [hiddenType], []],
      ['listPropertyGroups', 'groups', {}, [hiddenGroup, group], [group]],
      ['listPropertyTags', 'tags', {}, [hiddenTag, tag], [tag]],
      ['listReservationTags', 'reservation_tags', { keyword: 'CHECK' }, [4, 3], [4, 3]],
    ];
    for (const [id, list, input, main, ofSub] of rows) {
      assert.deepEqual(await read(id, list, input), main, id);
      assert.deepEqual(await read(id, list, input, sub), ofSub, `${id} of the sub-account`);
    }
    assert.equal((await core.call('listReservationTags')).total, defaultTags.length);
    const [seen] = (await core.call('listPropertyTags', { id: tag }, sub)).tags;
    assert.deepEqual([seen.property_ids, seen.room_type_ids], [[], [type]]);
  });

  it('changes and deletions reach the rows they mean', async () => {
    const { group, tag, type, hiddenType } = ids;
    await core.call('updatePropertyGroup', { id: group, property_ids: [] }, sub);
    assert.deepEqual((await core.call('listPropertyGroups', { id: group })).groups[0].property_ids, [b]);
    await core.call('updatePropertyTag', { id: tag, name: 'Other', room_type_ids: [type] });
    assert.deepEqual(await read('listRoomTypes', 'room_types', { tag_id: tag }), [type]);
    await core.call('deletePropertyTag', { id: tag });
    const again = await core.call('createPropertyTag', { name: 'OTHER', room_type_ids: [hiddenType] });
    assert.deepEqual([again.id, again.property_ids], [tag, []]);
    await core.call('deletePropertyGroup', { id: group });
    assert.deepEqual(await read('listProperties', 'properties', { group_id: group }), []);
  });

  it('links open, are seen by whom they concern, and end', async () => {
    const both = await core.call('createCalendarShareLink', { scope: 'partial', property_ids: [a, b] });
    const own = await core.call('createCalendarShareLink', { scope: 'partial', property_ids: [a] }, sub);
    const entire = await core.call('createCalendarShareLink', { scope: 'entire' });
    assert.deepEqual(await read('listCalendarShareLinks', 'calendar_share_links', {}, sub), [own.id]);
    const all = [entire.id, own.id, both.id];
    assert.deepEqual(await read('listCalendarShareLinks', 'calendar_share_links', {}), all);
    const visit = (url: string) => core.app.inject({ method: 'GET', url: new URL(url).pathname });
    assert.match((await visit(entire.url)).body, /<h2>A<\/h2>[^]*<h2>B<\/h2>/);
    assert.match((await visit(own.url)).body, /<h1>A<\/h1>/);
    await core.call('deleteCalendarShareLink', { id: own.id }, sub);
    assert.equal((await visit(own.url)).statusCode, 404);
  });
}

describe('the portfolio on SQLite', () => queries(async () => undefined));

describeOnPostgres('the portfolio on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  queries(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});
