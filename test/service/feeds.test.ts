import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ics, type Marketplace, startMarketplace } from '../channels/feeds/support/feedWorld.ts';
import { call, startTestService, type TestService } from '../support/service.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('calendar feeds of a running service', () => {
  let market: Marketplace;
  let service: TestService;
  let property: number;
  let feed: number;
  before(async () => {
    market = await startMarketplace();
    service = await startTestService({ STAYD_OUTBOUND_ALLOW: market.address });
    ({ property_id: property } = await service.v3('POST', '/properties', { name: 'Sea House' }));
  });
  after(async () => {
    await service.remove();
    await market.close();
  });

  const closed = async () => {
    const path = `/availabilities?property_ids=${property}&start_date=${day(1)}&end_date=${day(60)}`;
    const { properties } = await service.v3('GET', path);
    return properties[0].availabilities.filter((one: { available: boolean }) => !one.available).length;
  };

  it('refuse an address that cannot be read, with the reason, and store nothing', async () => {
    market.says({ status: 404 });
    const refused = [
      [market.url, /it answers 404/],
      ['http://169.254.169.254/latest', /the address must begin with https:\/\/.*outbound\.allow/],
      ['https://localhost/c.ics', /the address leads into a private network; name its host:port in outbound\.allow/],
      ['https://a:b@rooms.example/c.ics', /the address must hold no name and password/],
      ['https://rooms.example:81/c.ics', /the address must have the port 443 or 8443/],
      ['nonsense', /the address must be a whole address such as https/],
    ] as const;
    for (const [url, why] of refused) {
      const answer = await call(service, 'POST', '/portal/feeds', { body: { property_id: property, name: 'A', url } });
      assert.equal(answer.http, 422, url);
      assert.match(answer.json.error.message, why);
      assert.equal(answer.json.error.field, 'url');
    }
    assert.deepEqual((await service.portal('GET', '/portal/feeds')).feeds, []);
  });

  it('become reservations and closed nights at once, in the mirror too', async () => {
    market.says(
      ics([
        { uid: 'a@m', start: day(10), end: day(13), summary: 'Reserved' },
        { uid: 'b@m', start: day(20), end: day(22) },
      ]),
    );
    const made = await service.portal('POST', '/portal/feeds', {
      property_id: property,
      name: 'Channel',
      url: market.url,
    });
    feed = made.id;
    assert.deepEqual(made.outcome, { read: 'good', events: 2, booked: 1, altered: 0, cancelled: 0, nights_closed: 2 });
    assert.equal(await closed(), 5);
    const path = `/availabilities?property_ids=${property}&start_date=${day(20)}&end_date=${day(20)}`;
    const remarks = async () => (await service.v3('GET', path)).properties[0].availabilities[0].remarks;
    assert.equal(await remarks(), 'Channel');
    await service.portal('PATCH', `/portal/feeds/${feed}`, { name: 'Market' });
    assert.equal(await remarks(), 'Market');
    await service.portal('PATCH', `/portal/feeds/${feed}`, { name: 'Channel' });
    await service.settled();
    const stays = await service.rows(`select channel_type, check_in_date from mirror.stays`);
    assert.deepEqual(stays, [{ channel_type: 'ical', check_in_date: day(10) }]);
    const shown = await service.portal('GET', `/portal/feeds/${feed}`);
    assert.deepEqual(
      shown.entries.map((one: Record<string, unknown>) => [one['kind'], one['start_date']]),
      [
        ['reservation', day(10)],
        ['block', day(20)],
      ],
    );
    assert.doesNotMatch(JSON.stringify(shown), /s=secret/, 'its address is a secret');
    const again = await call(service, 'POST', '/portal/feeds', {
      body: { property_id: property, name: 'B', url: market.url },
    });
    assert.equal(again.http, 409);
  });

  it('tell in the list how many nights may be sold twice, until somebody has looked', async () => {
    const listed = async () => (await service.portal('GET', '/portal/feeds')).feeds[0].clashes;
    const known = [
      { uid: 'a@m', start: day(10), end: day(13), summary: 'Reserved' },
      { uid: 'b@m', start: day(20), end: day(22) },
    ];
    assert.deepEqual(await listed(), { events: 0, nights: 0 });
    const stay = { property_id: property, check_in_date: day(50), check_out_date: day(53), guest_name: 'Ann' };
    const amounts = { rate_amount: 1, commission_amount: 0, received_amount: 0 };
    const { reservation_code } = await service.v3('POST', '/reservations', { ...stay, ...amounts });
    market.says(
      ics([...known, { uid: 'd@m', start: day(49), end: day(51) }, { uid: 'e@m', start: day(52), end: day(54) }]),
    );
    await service.portal('POST', `/portal/feeds/${feed}/read`);
    assert.deepEqual(await listed(), { events: 2, nights: 4 });
    const { entries } = await service.portal('GET', `/portal/feeds/${feed}`);
    for (const { entry, needs_a_look: needs } of entries)
      if (needs) await service.portal('POST', `/portal/feeds/${feed}/entries/${entry}/settle`);
    assert.deepEqual(await listed(), { events: 0, nights: 0 });
    await service.v3('DELETE', `/reservations/${reservation_code}`);
    market.says(ics(known));
    for (const at of ['2026-01-01T00:00:00.000Z', null]) {
      await service.portal('POST', `/portal/feeds/${feed}/read`);
      if (at) await service.run(`update core.feed_entries set missing_since = '${at}' where missing_since is not null`);
    }
    assert.equal(await closed(), 5);
  });

  it('take the source that a person names, and refuse others with a list', async () => {
    const patch = (source: string) => call(service, 'PATCH', `/portal/feeds/${feed}`, { body: { source } });
    assert.equal((await patch('airbnb')).json.source, 'airbnb');
    assert.equal((await patch('automatic')).json.source, 'generic');
    const refused = await patch('elsewhere');
    assert.equal(refused.http, 422);
    assert.match(refused.json.error.message, /source: must be one of airbnb, booking_com, vrbo, generic, automatic/);
  });

  it('are read by the service itself, also after a restart in the middle', async () => {
    await service.stop();
    market.says(
      ics([
        { uid: 'a@m', start: day(10), end: day(13), summary: 'Reserved' },
        { uid: 'c@m', start: day(30), end: day(35) },
      ]),
    );
    // Its turn came while the service did not run.
    await service.run('update core.feeds set next_read_at = 1');
    await service.restart();
    const asked = market.asked.length;
    for (let look = 0; look < 600 && (await closed()) !== 10; look += 1) await service.portal('GET', '/portal/feeds');
    assert.equal(await closed(), 10, 'the new nights are closed, those that are missing not free yet');
    assert.ok(market.asked.length >= asked);
  });

  it('show our calendar at an address that is a secret, and say who fetched it', async () => {
    const { calendar_url: url } = await service.portal('GET', `/portal/feeds/${feed}`);
    const { pathname } = new URL(url);
    const first = await fetch(`${service.url}${pathname}`, { headers: { 'user-agent': 'Marketplace/2' } });
    assert.equal(first.headers.get('content-type'), 'text/calendar; charset=utf-8');
    assert.match(await first.text(), /^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/);
    const etag = String(first.headers.get('etag'));
    const second = await fetch(`${service.url}${pathname}`, { headers: { 'if-none-match': etag } });
    assert.deepEqual([second.status, await second.text()], [304, '']);
    const { fetched } = await service.portal('GET', `/portal/feeds/${feed}`);
    assert.equal(fetched.by, 'Marketplace/2');
    assert.equal((await fetch(`${service.url}/feeds/${'x'.repeat(32)}.ics`)).status, 404);
    assert.equal((await fetch(`${service.url}/feeds/../healthz`)).status, 200);
    const renewed = await service.portal('PATCH', `/portal/feeds/${feed}`, { new_token: true });
    assert.notEqual(renewed.calendar_url, url);
    assert.equal((await fetch(`${service.url}${pathname}`)).status, 404, 'the old address is dead at once');
  });

  it('say in the status what is wrong with them, and what to do', async () => {
    const alarms = async () =>
      (await service.portal('GET', '/portal/status')).alarms.filter((one: { alarm: string }) =>
        one.alarm.includes('feed'),
      );
    assert.deepEqual(await alarms(), []);
    market.says({ status: 410 });
    assert.deepEqual((await service.portal('POST', `/portal/feeds/${feed}/read`)).outcome, {
      read: 'failed',
      problem: 'it answers 410',
    });
    assert.deepEqual(await alarms(), [], 'once is nothing');
    await service.run(`update core.feeds set good_at = '2026-01-01T00:00:00.000Z'`);
    const [alarm] = await alarms();
    assert.match(alarm.says, /"Channel" of Sea House was not read since 2026-01-01[\s\S]*it answers 410/);
    assert.match(alarm.remedy, /address has changed/);
    assert.equal(await closed(), 10, 'and nothing is free by it');
  });

  it('belong to who sees the property, and a token to read changes none', async () => {
    const other = (await service.v3('POST', '/properties', { name: 'Hill House' })).property_id as number;
    const tokenOf = async (propertyIds: number[]) => {
      const sub = await service.portal('POST', '/portal/sub_accounts', { name: 'Keeper', property_ids: propertyIds });
      const body = { name: 'keeper', scope: 'write', operator_id: sub.id };
      return (await service.portal('POST', '/portal/tokens', body)).token as string;
    };
    const reader = (await service.portal('POST', '/portal/tokens', { name: 'r', scope: 'read' })).token as string;
    const [its, stranger] = [await tokenOf([property]), await tokenOf([other])];
    const path = `/portal/feeds/${feed}`;
    const of = async (token: string | null) => {
      const draft = { property_id: property, name: 'Mine', url: market.url };
      const answers = [
        await call(service, 'GET', path, { token }),
        await call(service, 'PATCH', path, { token, body: { name: 'Channel' } }),
        await call(service, 'POST', `${path}/read`, { token, body: {} }),
        await call(service, 'POST', '/portal/feeds', { token, body: draft }),
      ];
      return answers.map(({ http }) => http);
    };
    // The last one: the address answers 410 since the test before.
    assert.deepEqual(await of(its), [200, 200, 200, 422]);
    assert.deepEqual(await of(stranger), [404, 404, 404, 404]);
    assert.deepEqual(await of(reader), [200, 401, 401, 401]);
    assert.deepEqual(await of(null), [401, 401, 401, 401]);
    const { feeds } = (await call(service, 'GET', '/portal/feeds', { token: stranger })).json;
    assert.deepEqual(feeds, []);
    assert.equal((await call(service, 'DELETE', path, { token: stranger })).http, 404);
  });

  it('are removed with what they closed; reservations stay', async () => {
    await service.portal('DELETE', `/portal/feeds/${feed}`);
    assert.equal(await closed(), 3);
    market.says(ics([{ uid: 'z@m', start: day(40), end: day(44), summary: 'Reserved' }]));
    const { id } = await service.portal('POST', '/portal/feeds', { property_id: property, name: 'C', url: market.url });
    assert.equal(await closed(), 7);
    await service.portal('DELETE', `/portal/feeds/${id}`, { cancel_reservations: true });
    assert.equal(await closed(), 3, 'or are cancelled with it, if asked so');
    assert.equal((await call(service, 'GET', `/portal/feeds/${feed}`)).http, 404);
    assert.deepEqual(await service.rows('select count(*) as n from core.feed_closures'), [{ n: 0 }]);
  });
});
