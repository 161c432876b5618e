import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FakeStripe } from '../support/fakeStripe.ts';
import { call, startTestService, type TestService, until } from '../support/service.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const PLAN = {
  name: 'Standard',
  currency: 'EUR',
  base_price: 100,
  guests: { most: 4 },
  fees: [
    { name: 'Cleaning', amount: 50, per: 'stay' },
    { name: 'Sauna', amount: 20, per: 'stay', optional: true },
  ],
  security_deposit: 200,
  payment: { at_booking_percent: 40, balance_days: 30 },
  cancellation: 'moderate',
};
/** Sends who has not paid yet the link of their booking; a task shows it without a mailbox. */
const RULE = `
name: pay-link
state: live
when: booking
if: { status: [wait_pay], channel: [direct] }
do:
  task: { type: reception, note: "Send {{ stay.booking_page_url }}" }
`;
const GUEST = {
  name: 'Clara <b>Hofmann</b>',
  email: 'clara@example.com',
  phone: '+49 170 1234567',
  country: 'DE',
  message: 'We come late.',
  accept: '1',
};

describe('the page where guests book', () => {
  let stripe: FakeStripe;
  let service: TestService;
  let property: number;
  let page: { id: number; url: string };
  let path: string;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayd-rules-'));
    writeFileSync(join(folder, 'rules.yaml'), RULE);
    stripe = await FakeStripe.start();
    service = await startTestService({
      STAYD_OUTBOUND_ALLOW: stripe.address,
      STAYD_PAYMENTS_STRIPE_URL: stripe.url,
      STAYD_AUTOMATIONS_RULES: folder,
    });
    ({ property_id: property } = await service.v3('POST', '/properties', { title: 'Sea House' }));
    await service.portal('PUT', '/portal/rate_plans', { property_ids: [property], plan: PLAN });
    await service.portal('PATCH', '/portal/payments', { transfer_text: 'Sea Ltd\nDE02 1203 0000 0000 2020 51' });
    await service.portal('PUT', '/portal/payments/stripe', { key: stripe.key, webhook_secret: stripe.webhookSecret });
    page = await service.portal('POST', '/portal/booking_pages', {
      name: 'Sea',
      property_ids: [property],
      rules: 'No smoking.',
    });
    path = new URL(page.url).pathname;
  });
  after(async () => {
    await service.remove();
    await stripe.close();
    rmSync(folder, { recursive: true });
  });

  const get = (at: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}${at}`, { headers: { 'accept-language': 'en', ...headers }, redirect: 'manual' });
  const post = (at: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${service.url}${at}`, {
      method: 'POST',
      headers: { 'accept-language': 'en', ...headers },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  const quoteAt = async (from: number, to: number, more: Record<string, string> = {}) => {
    const fields = {
      property: String(property),
      from: day(from),
      to: day(to),
      adults: '2',
      children: '4',
      pets: '0',
      ...more,
    };
    const answer = await post(`${path}/quotes`, fields);
    assert.equal(answer.status, 303, await answer.text());
    return String(answer.headers.get('location')).replace(/\?.*/, '');
  };
  const shown = (code: string) => service.portal('GET', `/portal/bookings/${code}`);
  const codeOf = (text: string) => /<code>(5-[^<]+)<\/code>/.exec(text)?.[1] ?? '';

  it('shows free nights to everybody with the address, with strict headers, in two languages', async () => {
    const answer = await get(path);
    const text = await answer.text();
    assert.equal(answer.status, 200);
    assert.match(text, /<html lang="en">[\s\S]*Book Sea House/);
    assert.match(text, /application\/ld\+json[\s\S]*LodgingBusiness/);
    const policy = String(answer.headers.get('content-security-policy'));
    assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|script-src/);
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.match(String(answer.headers.get('x-robots-tag')), /noindex/);
    assert.equal(answer.headers.get('set-cookie'), null);
    assert.match(
      await (await get(path, { 'accept-language': 'de-AT,en;q=0.5' })).text(),
      /<html lang="de">[\s\S]*Anreise/,
    );
    assert.match(await (await get(`${path}?lang=de`)).text(), /<html lang="de">/);
    assert.match(await (await get(`${path}?lang=en`, { 'accept-language': 'de' })).text(), /<html lang="en">/);
    for (const at of [`/book/${'x'.repeat(32)}`, '/book/short', `/book/of/${'y'.repeat(32)}`, `${path}/quotes/none`])
      assert.equal((await get(at)).status, 404, at);
  });

  it('names what is wrong beside the fields, and keeps what was typed', async () => {
    const answer = await post(`${path}/quotes`, {
      property: String(property),
      from: day(40),
      to: 'soon',
      adults: '0',
      children: 'x',
    });
    const text = await answer.text();
    assert.equal(answer.status, 422);
    assert.match(text, /id="to-wrong"[\s\S]*id="adults-wrong"[\s\S]*id="children-wrong"/);
    assert.match(text, new RegExp(`value="${day(40)}"`));
    assert.match(text, /aria-invalid="true"/);
    const long = await post(`${path}/quotes`, { property: String(property), from: day(40), to: day(42), adults: '9' });
    assert.equal(long.status, 409);
    assert.match(await long.text(), /There is room for 4 guests/);
    const at = await quoteAt(40, 42);
    const wrong = await post(at, { ...GUEST, email: 'nonsense', accept: '', method: '' });
    const said = await wrong.text();
    assert.equal(wrong.status, 422);
    assert.match(said, /id="email-wrong"[\s\S]*id="method-wrong"[\s\S]*id="accept-wrong"/);
    assert.match(said, /Clara &lt;b&gt;Hofmann/);
    assert.equal((await service.rows('select count(*) as n from core.direct_bookings'))[0]?.['n'], 0);
  });

  it('leads from the price to a booking by transfer, which a person confirms', async () => {
    const at = await quoteAt(100, 103, { extra: 'Sauna' });
    const quote = await (await get(at)).text();
    assert.match(quote, /€370\.00/);
    assert.match(quote, /Sauna[\s\S]*Cleaning|Cleaning[\s\S]*Sauna/);
    assert.match(quote, /100% of what you paid goes back/);
    assert.match(quote, /"@type":"Offer","price":"370\.00"/);
    const booked = await post(at, { ...GUEST, method: 'transfer' });
    assert.equal(booked.status, 303, await booked.text());
    const mine = String(booked.headers.get('location'));
    const text = await (await get(mine)).text();
    assert.match(text, /Your nights are held/);
    assert.match(text, /€148\.00[\s\S]*DE02 1203 0000/);
    assert.doesNotMatch(text, /Clara|clara@example/, 'the page shows nobody');
    const code = codeOf(text);
    const again = await post(at, { ...GUEST, method: 'transfer' });
    assert.equal(again.headers.get('location'), mine, 'sent twice it is the same booking');
    const { reservations } = await service.v3('GET', `/reservations?reservation_code=${code}`);
    assert.equal(reservations[0].status, 'wait_pay');
    assert.equal(reservations[0].guest_name, GUEST.name);
    assert.equal(reservations[0].channel_remarks, 'We come late.');
    const taken = await post(`${path}/quotes`, {
      property: String(property),
      from: day(101),
      to: day(103),
      adults: '2',
    });
    assert.equal(taken.status, 409);
    assert.match(await taken.text(), /not free[\s\S]*Free nearby[\s\S]*href="\/book\//);
    await service.portal('POST', `/portal/bookings/${code}/paid`, {});
    assert.match(await (await get(mine)).text(), /Your booking is confirmed/);
    assert.equal((await call(service, 'POST', `/portal/bookings/${code}/paid`, { body: { amount: 1.234 } })).http, 422);
    await service.settled();
    const rows = await service.rows(
      `select status, received_minor from mirror.stays where reservation_code = '${code}'`,
    );
    assert.deepEqual(
      rows.map((row) => row['status']),
      ['accepted'],
    );
  });

  it('leads to the page of the provider, and hears of the payment by its signed notice', async () => {
    const at = await quoteAt(120, 123);
    const booked = await post(at, { ...GUEST, method: 'stripe' });
    const mine = String(booked.headers.get('location'));
    const text = await (await get(mine)).text();
    assert.match(text, /href="https:\/\/checkout\.stripe\.example\/c\/pay\/cs_test_/);
    const code = codeOf(text);
    const [session] = [...stripe.sessions.keys()];
    const account = (await service.rows('select account_id from core.accounts'))[0]?.['account_id'];
    const tell = (sent: { body: string; headers: Record<string, string> }) =>
      fetch(`${service.url}/payments/stripe/${String(account)}`, { method: 'POST', ...sent });
    stripe.pay(String(session));
    assert.equal((await tell(stripe.notice(String(session), { secret: 'whsec_wrong' }))).status, 400);
    assert.equal((await shown(code)).status, 'wait_pay');
    assert.equal((await tell(stripe.notice(String(session)))).status, 200);
    assert.equal((await tell(stripe.notice(String(session)))).status, 200);
    assert.equal((await shown(code)).status, 'accepted');
    assert.equal((await shown(code)).received, 140);
    assert.match(await (await get(mine)).text(), /Your booking is confirmed[\s\S]*Pay €210\.00 by card/);
    // The page of the stay, for the same guest, leads here.
    const { url } = await service.portal('POST', `/portal/reservations/${code}/guest_page`, {});
    const stay = await (await get(new URL(url).pathname)).text();
    assert.match(stay, /€210\.00/);
    assert.ok(stay.includes(`href="${service.url}${mine.replace(/\?.*/, '')}"`), 'the link to pay');
    const pay = await post(`${mine.replace(/\?.*/, '')}/pay`, { purpose: 'due' });
    assert.equal(pay.status, 303);
    assert.match(await (await get(mine)).text(), /Go to the payment page \(€210\.00\)/);
  });

  it('hears of a payment when the guest comes back, and after a restart in the middle', async () => {
    const at = await quoteAt(130, 133);
    const mine = String((await post(at, { ...GUEST, method: 'stripe' })).headers.get('location')).replace(/\?.*/, '');
    const code = codeOf(await (await get(mine)).text());
    stripe.pay([...stripe.sessions.keys()].at(-1) ?? '');
    assert.match(await (await get(`${mine}?back=1`)).text(), /Your booking is confirmed/);
    const other = await quoteAt(140, 143);
    const second = String((await post(other, { ...GUEST, method: 'stripe' })).headers.get('location')).replace(
      /\?.*/,
      '',
    );
    const secondCode = codeOf(await (await get(second)).text());
    await service.stop();
    stripe.pay([...stripe.sessions.keys()].at(-1) ?? '');
    await service.run(`update core.direct_payments set next_look_at = 1 where state = 'open'`);
    await service.restart();
    await until(async () => (await shown(secondCode)).status === 'accepted', 'the payment to be noted');
    assert.equal((await shown(secondCode)).received, 140);
    assert.equal((await shown(code)).received, 140);
  });

  it('gives back by the policy after a cancellation, by itself', async () => {
    const at = await quoteAt(150, 153);
    const mine = String((await post(at, { ...GUEST, method: 'stripe' })).headers.get('location')).replace(/\?.*/, '');
    const code = codeOf(await (await get(mine)).text());
    stripe.pay([...stripe.sessions.keys()].at(-1) ?? '');
    await get(`${mine}?back=1`);
    await service.v3('DELETE', `/reservations/${code}`);
    await service.portal('POST', `/portal/bookings/${code}/look`, {});
    await until(async () => (await shown(code)).refunds[0]?.state === 'done', 'the refund');
    assert.equal((await shown(code)).received, 0);
    assert.match(await (await get(mine)).text(), /This booking was cancelled[\s\S]*Given back: €140\.00/);
  });

  it('has a link that a rule sends to who has not paid yet', async () => {
    const [rule] = (await service.portal('GET', '/portal/automations')).rules;
    await until(
      () => Promise.resolve(Date.now() > Date.parse(rule.armed_at) + 1_100),
      () => 'the second after the rule began',
    );
    const at = await quoteAt(180, 182);
    const mine = String((await post(at, { ...GUEST, method: 'transfer' })).headers.get('location')).replace(/\?.*/, '');
    const notes = async (): Promise<string[]> =>
      (await service.v3('GET', '/tasks?limit=100')).tasks.map((task: { note: string }) => task.note);
    await until(async () => (await notes()).includes(`Send ${service.url}${mine}`), 'the task of the rule');
  });

  it('is cancelled by its guest, who has read what goes back', async () => {
    const at = await quoteAt(160, 163);
    const mine = String((await post(at, { ...GUEST, method: 'stripe' })).headers.get('location')).replace(/\?.*/, '');
    const code = codeOf(await (await get(mine)).text());
    assert.match(await (await get(`${mine}/cancel`)).text(), /You have paid nothing yet/);
    stripe.pay([...stripe.sessions.keys()].at(-1) ?? '');
    // The provider has not told yet, and the guest did not come back by its page.
    assert.match(await (await get(`${mine}/cancel`)).text(), /All that you have paid goes back to you: €140\.00/);
    assert.match(await (await get(mine)).text(), /href="[^"]*\/cancel\?lang=en">Cancel this booking/);
    // The page that was open before the payment.
    const old = await post(`${mine}/cancel`, { refund: '0' });
    assert.equal(old.status, 409);
    assert.match(await old.text(), /Nothing was cancelled[\s\S]*All that you have paid goes back to you: €140\.00/);
    assert.equal((await post(`${mine}/cancel`, {})).status, 409);
    assert.equal((await post(`${mine}/cancel`, { refund: '14000' }, { 'sec-fetch-site': 'cross-site' })).status, 404);
    assert.equal((await shown(code)).status, 'accepted');
    assert.equal((await get(`${mine}/cancel?lang=de`)).headers.get('content-type')?.startsWith('text/html'), true);
    const done = await Promise.all(Array.from({ length: 5 }, () => post(`${mine}/cancel`, { refund: '14000' })));
    assert.deepEqual(
      done.map(({ status }) => status),
      [303, 303, 303, 303, 303],
    );
    await until(async () => (await shown(code)).refunds[0]?.state === 'done', 'the refund');
    assert.equal((await shown(code)).refunds.length, 1);
    assert.equal((await shown(code)).received, 0);
    const text = await (await get(mine)).text();
    assert.match(text, /This booking was cancelled[\s\S]*Given back: €140\.00/);
    assert.doesNotMatch(text, /Cancel this booking/);
    const { entries } = await service.portal('GET', '/portal/audit?action=cancel%20by%20guest');
    assert.deepEqual(
      entries.map((entry: { subject: string; new_values: object }) => [entry.subject, entry.new_values]),
      [[code, { refund: 14_000, kept: 0 }]],
    );
    await quoteAt(160, 163);
  });

  it('is not cancelled by its guest where the host wants to be asked, or once the day has come', async () => {
    const at = await quoteAt(170, 173);
    const mine = String((await post(at, { ...GUEST, method: 'transfer' })).headers.get('location')).replace(/\?.*/, '');
    const code = codeOf(await (await get(mine)).text());
    const refused = async () => {
      assert.match(await (await get(mine)).text(), /write to your host/);
      assert.equal((await get(`${mine}/cancel`)).status, 303);
      assert.equal((await post(`${mine}/cancel`, { refund: '0' })).status, 303);
      assert.equal((await shown(code)).status, 'wait_pay');
    };
    await service.portal('PATCH', '/portal/payments', { guests_cancel: false });
    await refused();
    await service.portal('PATCH', '/portal/payments', { guests_cancel: true });
    await service.run(`update core.stays set check_in_date = '${day(0)}' where reservation_code = '${code}'`);
    await refused();
  });

  it('refuses forms of other sites and too many of them, and ends when it is revoked', async () => {
    const fields = { property: String(property), from: day(200), to: day(201), adults: '2' };
    assert.equal((await post(`${path}/quotes`, fields, { 'sec-fetch-site': 'cross-site' })).status, 404);
    const at = await quoteAt(200, 201);
    const mine = String((await post(at, { ...GUEST, method: 'transfer' })).headers.get('location'));
    let status = 0;
    for (let times = 0; times < 80 && status !== 429; times += 1) ({ status } = await post(`${path}/quotes`, fields));
    assert.equal(status, 429);
    await service.portal('DELETE', `/portal/booking_pages/${page.id}`);
    assert.equal((await get(path)).status, 404);
    assert.equal((await get(at)).status, 404);
    assert.equal((await get(mine)).status, 200, 'bookings that were made stay');
    const [revoked] = (await service.portal('GET', '/portal/booking_pages')).booking_pages;
    assert.equal(revoked.url, null);
  });

  it('belongs to who may manage it, and shows no secret', async () => {
    const reader = (await service.portal('POST', '/portal/tokens', { name: 'r', scope: 'read' })).token as string;
    const body = { name: 'X', property_ids: [property] };
    assert.equal((await call(service, 'POST', '/portal/booking_pages', { body, token: reader })).http, 401);
    assert.equal(
      (await call(service, 'PUT', '/portal/payments/stripe', { body: { key: null }, token: reader })).http,
      401,
    );
    assert.equal((await call(service, 'GET', '/portal/payments', { token: null })).http, 401);
    const settings = await call(service, 'GET', '/portal/payments', { token: reader });
    assert.equal(settings.http, 200);
    assert.doesNotMatch(settings.text, /sk_test_|whsec_/);
    assert.equal(settings.json.stripe.mode, 'test');
    const wrong = await call(service, 'PUT', '/portal/payments/stripe', { body: { key: 'pk_test_abc' } });
    assert.equal(wrong.http, 422);
    assert.equal(wrong.json.error.field, 'stripe_key');
    assert.doesNotMatch(wrong.text, /pk_test_abc/);
  });
});
