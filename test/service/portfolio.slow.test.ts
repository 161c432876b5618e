import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, startTestService, type TestService } from '../support/service.ts';

describe('what orders properties and reservations, from the core to the mirror', () => {
  let service: TestService;
  let property: number;
  let stay: string;

  before(async () => {
    service = await startTestService();
    property = (await service.v3('POST', '/properties', { title: 'Mill' })).property_id;
    const booking = {
      property_id: property,
      check_in_date: '2027-03-05',
      check_out_date: '2027-03-08',
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
    };
    stay = (await service.v3('POST', '/reservations', booking)).reservation_code;
    await service.settled();
  });
  after(() => service.remove());

  const mirrored = (columns: string, table: string) =>
    service.rows(`select ${columns} from mirror.${table} where deleted_at is null order by id`);

  it('a tag put on a stay arrives by its event alone', async () => {
    await service.v3('POST', `/reservations/${stay}/tags`, { tag_name: 'Band' });
    await service.v3('POST', `/reservations/${stay}/tags`, { tag_name: 'VIP' });
    await service.settled();
    const tags = async () => (await service.rows('select tags from mirror.stays'))[0]?.['tags'];
    assert.equal(await tags(), '["VIP","Band"]');
    await service.v3('DELETE', `/reservations/${stay}/tags`, { tag_name: 'VIP' });
    await service.settled();
    assert.equal(await tags(), '["Band"]');
  });

  it('the rest sends no event: one reconcile brings it, another takes it away, and verify is clean after each', async () => {
    const lists = { property_ids: [property] };
    const { room_type_id } = await service.v3('POST', '/room_types', { title: 'Doubles', ...lists });
    const group = await service.v3('POST', '/groups', { name: 'North', ...lists });
    const carriers = { ...lists, room_type_ids: [room_type_id] };
    const tag = await service.v3('POST', '/tags', { name: 'Sea view', ...carriers });
    const link = await service.v3('POST', '/calendar_share_links', { scope: 'partial', ...lists });
    await service.portal('POST', '/portal/reconcile', {});
    const of = JSON.stringify(lists.property_ids);
    assert.deepEqual(await mirrored('id, name, property_ids, tags', 'room_types'), [
      { id: room_type_id, name: 'Doubles', property_ids: of, tags: '["Sea view"]' },
    ]);
    assert.deepEqual(await mirrored('id, name, property_ids', 'property_groups'), [
      { id: group.id, name: 'North', property_ids: of },
    ]);
    assert.deepEqual(await mirrored('id, name, color, property_ids, room_type_ids', 'property_tags'), [
      { id: tag.id, name: 'Sea view', color: tag.color, property_ids: of, room_type_ids: `[${room_type_id}]` },
    ]);
    const own = await service.rows('select tag_name from mirror.reservation_tags where is_default = 0');
    assert.deepEqual(own, [{ tag_name: 'Band' }]);
    assert.deepEqual(await mirrored('id, scope, property_ids', 'calendar_share_links'), [
      { id: link.id, scope: 'partial', property_ids: of },
    ]);
    const shown = await service.portal('GET', `/mirror/calendar_share_link/${link.id}`);
    assert.equal(shown.rows[0].row.url, link.url, 'which the database keeps encrypted');
    assert.deepEqual(await mirrored('tags, groups', 'properties'), [{ tags: '["Sea view"]', groups: '["North"]' }]);
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);

    await service.v3('DELETE', `/groups/${group.id}`);
    await service.v3('DELETE', `/tags/${tag.id}`);
    await service.v3('DELETE', `/calendar_share_links/${link.id}`);
    await service.portal('POST', '/portal/reconcile', {});
    for (const table of ['property_groups', 'property_tags', 'calendar_share_links'])
      assert.deepEqual(await mirrored('id', table), [], table);
    assert.deepEqual(await mirrored('tags, groups', 'properties'), [{ tags: '[]', groups: '[]' }]);
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
  });

  it('a shared calendar is given out under the address of the service, and opens there without a token', async () => {
    const { url } = await service.v3('POST', '/calendar_share_links', { scope: 'entire' });
    assert.ok(url.startsWith(`${service.url}/share/`), url);
    const page = await call(service, 'GET', new URL(url).pathname, { token: null });
    assert.deepEqual([page.http, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.match(page.text, /<title>Mill<\/title>/);
  });

  it('and under public_url where the configuration has one', async () => {
    await service.restart({ STAYD_PUBLIC_URL: 'https://rooms.example/' });
    const { url } = await service.v3('POST', '/calendar_share_links', { scope: 'entire' });
    assert.match(url, /^https:\/\/rooms\.example\/share\/[\w-]{32}$/);
  });
});
