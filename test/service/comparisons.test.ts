import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ics, type Marketplace, startMarketplace } from '../channels/feeds/support/feedWorld.ts';
import { call, startTestService, type TestService } from '../support/service.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const EVENT = { uid: 'a@m.example', start: day(20), end: day(23), summary: 'Reserved' };

describe('calendars that a running service compares', () => {
  let marketplace: Marketplace;
  let service: TestService;
  let property: number;
  let comparison: string;
  before(async () => {
    marketplace = await startMarketplace();
    marketplace.says(ics([EVENT]));
    service = await startTestService({ STAYD_OUTBOUND_ALLOW: marketplace.address });
    property = (await service.v3('POST', '/properties', { name: 'Mill' })).property_id;
    await service.settled();
    await service.portal('POST', '/portal/reconcile', {});
  });
  after(async () => {
    await service.remove();
    await marketplace.close();
  });
  const findings = async () => (await service.portal('GET', '/portal/comparisons/findings')).findings;

  it('are added by those who may, and shown without their addresses', async () => {
    const body = { property_id: property, name: 'Airbnb', url: marketplace.url };
    const reader = (await service.portal('POST', '/portal/tokens', { name: 'r', scope: 'read' })).token as string;
    for (const token of [reader, null])
      assert.equal((await call(service, 'POST', '/portal/comparisons', { token, body })).http, 401);
    const refused = await call(service, 'POST', '/portal/comparisons', { body: { ...body, property_id: 99 } });
    assert.deepEqual([refused.http, refused.json.error.field], [404, 'property_id']);
    const made = await service.portal('POST', '/portal/comparisons', body);
    comparison = made.comparison_id;
    assert.deepEqual([made.outcome.read, made.outcome.differences], ['good', 1]);
    const listed = await service.portal('GET', '/portal/comparisons');
    assert.equal(listed.comparisons[0].findings, 1);
    const { entries } = await service.portal('GET', '/portal/audit');
    assert.match(JSON.stringify(entries), /add comparison/);
    assert.doesNotMatch(JSON.stringify([made, listed, entries]), /secret/);
  });

  it('are remembered over a restart, an alarm when they stay, and over when both sides agree', async () => {
    const [before] = await findings();
    await service.restart();
    await service.settled();
    assert.deepEqual((await findings())[0].finding_id, before.finding_id);
    await service.run(
      "update mirror.comparison_findings set first_seen_at = '2026-01-01T00:00:00.000Z', seen_reads = 5",
    );
    const { alarms } = await service.portal('GET', '/portal/status');
    assert.match(JSON.stringify(alarms), /has guests from .* a booking is missing there/);
    await service.v3('POST', '/reservations', {
      property_id: property,
      check_in_date: EVENT.start,
      check_out_date: EVENT.end,
      guest_name: 'Ann',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
    });
    await service.settled();
    const again = await service.portal('POST', `/portal/comparisons/${comparison}/read`, {});
    assert.equal(again.outcome.differences, 0);
    assert.deepEqual((await service.portal('GET', '/portal/status')).alarms, []);
  });

  it('are settled and removed', async () => {
    marketplace.says(ics([EVENT, { ...EVENT, uid: 'b@m.example', start: day(40), end: day(42) }]));
    await service.portal('POST', `/portal/comparisons/${comparison}/read`, {});
    const [finding] = await findings();
    await service.portal('POST', `/portal/comparisons/findings/${finding.finding_id}/settle`, {});
    assert.notEqual((await findings())[0].settled_at, null);
    await service.portal('DELETE', `/portal/comparisons/${comparison}`, {});
    assert.deepEqual(await findings(), []);
    const gone = await call(service, 'POST', `/portal/comparisons/${comparison}/read`, { body: {} });
    assert.equal(gone.http, 404);
  });
});
