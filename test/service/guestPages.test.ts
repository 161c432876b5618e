import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ADA } from '../api/guest/support/guestWorld.ts';
import { call, startTestService, type TestService, until } from '../support/service.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('pages of guests of a running service', () => {
  let service: TestService;
  let code: string;
  let path: string;
  const own = () => `/portal/reservations/${code}/guest_page`;
  const see = (more = '') => fetch(`${service.url}${path}${more}`);
  const send = (what: string, fields: Record<string, string>) =>
    fetch(`${service.url}${path}/${what}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin' },
    });

  before(async () => {
    service = await startTestService();
    const { property_id } = await service.v3('POST', '/properties', { name: 'Sea House' });
    const guide = { guide: 'Wi-Fi: sea-guest', country: 'DE', phone: '+49 30 1' };
    assert.equal((await service.portal('PATCH', `/portal/guest_guides/${property_id}`, guide)).country, 'DE');
    const listed = (await service.portal('GET', '/portal/guest_guides')).guest_guides;
    assert.deepEqual([listed.length, listed[0].guide], [1, 'Wi-Fi: sea-guest']);
    ({ reservation_code: code } = await service.v3('POST', '/reservations', {
      property_id,
      check_in_date: day(0),
      check_out_date: day(3),
      guest_name: 'Ada Lovelace',
      number_of_guests: 2,
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 100,
    }));
    await service.v3('PATCH', `/reservations/${code}/check_in_details`, { lock_code: '47-11' });
  });
  after(() => service.remove());

  it('are made once, and refused for codes of nothing', async () => {
    assert.equal((await service.portal('GET', own())).url, null);
    const made = await service.portal('POST', own(), {});
    assert.deepEqual(made.registered, { guests: 0, of: 2 });
    assert.equal((await service.portal('POST', own(), {})).url, made.url);
    path = new URL(made.url).pathname;
    const page = await (await see()).text();
    for (const text of ['Sea House', '47-11', 'sea-guest', '€200.00']) assert.ok(page.includes(text), text);
    for (const method of ['GET', 'POST', 'DELETE']) {
      assert.equal((await call(service, method, '/portal/reservations/none/guest_page', {})).http, 404, method);
    }
    const wrong = { body: { country: 'Germany' } };
    assert.equal((await call(service, 'PATCH', '/portal/guest_guides/1', wrong)).json.error.field, 'country');
  });

  it('take registrations that survive a restart, and that the mirror never sees', async () => {
    const sent = await send('guest', { ...ADA, stay: code, once: 'a'.repeat(22) });
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, `${path}?lang=en&said=registered`]);
    await service.settled();
    await service.restart();
    assert.match(await (await see('?lang=de')).text(), /1 von 2 Gästen angemeldet[\s\S]*Ada/);
    const found = await service.portal('GET', `/portal/reservations/${code}/guest_registrations`);
    assert.equal(found.registrations[0].document_number, 'XK-998877');
    const csv = await service.portal('GET', `/portal/reservations/${code}/guest_registrations/csv`);
    assert.match(csv.csv, /XK-998877/);
    const audit = await service.portal('GET', '/portal/audit?action=read%20guest');
    assert.equal(audit.entries.length, 1);
    const reading = await service.portal('POST', '/portal/tokens', { account: 'demo', name: 'reads', scope: 'read' });
    const asReader = { token: reading.token };
    const denied = await call(service, 'GET', `/portal/reservations/${code}/guest_registrations`, asReader);
    assert.equal(denied.http, 401);
    assert.equal((await call(service, 'GET', own(), asReader)).http, 200);
    const tables = await service.rows(`select name from mirror.sqlite_master where type = 'table'`);
    for (const { name } of tables) {
      if (/fts|search|words/.test(String(name))) continue;
      const rows = JSON.stringify(await service.rows(`select * from mirror."${String(name)}"`));
      assert.doesNotMatch(rows, /XK-998877|St James/, String(name));
    }
  });

  it('end when they are renewed or revoked, and stay with the code when the stay moves', async () => {
    const earlier = path;
    path = new URL((await service.portal('POST', own(), { renew: true })).url).pathname;
    assert.equal((await fetch(`${service.url}${earlier}`)).status, 404);
    await service.v3('PATCH', `/reservations/${code}`, { check_out_date: day(5) });
    const until = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
    assert.ok((await (await see()).text()).includes(until.format(new Date(day(5)))));
    await service.portal('DELETE', own());
    const gone = await see();
    assert.deepEqual([gone.status, (await service.portal('GET', own())).url], [404, null]);
    assert.equal(gone.headers.get('cache-control'), 'no-store');
  });
});

const RULE = `
name: link
state: live
when: message from guest
if: { says: [page] }
quiet: "off"
secrets_within: 365 days
do:
  message: { text: "Your page: {{ stay.guest_page_url }}" }
`;

describe('the page for guests, a rule, and a conversation', () => {
  let service: TestService;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayd-rules-'));
    writeFileSync(join(folder, 'rules.yaml'), RULE);
    service = await startTestService({
      STAYD_AUTOMATIONS_RULES: folder,
      STAYD_AUTOMATIONS_PAID_BY_CHANNEL: 'marketplace_a',
    });
  });
  after(async () => {
    await service.remove();
    rmSync(folder, { recursive: true });
  });
  const act = (path: string, body: object) => service.portal('POST', `/portal/sandbox/${path}`, body);

  it('answer what the guest writes on it with its own link, which comes over HTTP from the core beside', async () => {
    const { property_id } = await service.v3('POST', '/properties', { title: 'Mill' });
    const { channel_account_id } = await act('channel_accounts', { channel_type: 'marketplace_a' });
    const { listing_id } = await act('listings', { channel_account_id, property_id, base_price: 100 });
    const [rule] = (await service.portal('GET', '/portal/automations')).rules;
    await until(
      () => Promise.resolve(Date.now() > Date.parse(rule.armed_at) + 1_100),
      () => 'the next second',
    );
    const { conversation_id, reservation_code } = await act('bookings', {
      channel_type: 'marketplace_a',
      listing_id,
      check_in_date: day(20),
      check_out_date: day(22),
      guest: { name: 'Ada Guest' },
    });
    const { url } = await service.portal('POST', `/portal/reservations/${reservation_code}/guest_page`, {});
    const page = `${service.url}${new URL(url).pathname}`;
    const form = new URLSearchParams({ text: 'Where is my page?', once: 'b'.repeat(22) });
    assert.equal((await fetch(`${page}/message`, { method: 'POST', body: form, redirect: 'manual' })).status, 303);
    const messages = async (): Promise<string[]> =>
      (await service.v3('GET', `/conversations/${conversation_id}`)).messages.map(
        (one: Record<string, string>) => `${one['sender_role']}: ${one['content']}`,
      );
    await until(async () => (await messages()).includes(`host: Your page: ${url}`), 'the answer of the rule');
    assert.ok((await messages()).includes('guest: Where is my page?'));
    assert.doesNotMatch(await (await fetch(page)).text(), /To be paid/, 'the channel takes the payment');
  });
});
