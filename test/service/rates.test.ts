import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { call, startTestService, type TestService } from '../support/service.ts';

const EXAMPLE = readFileSync('config/rates/example.yaml', 'utf8');

describe('rate plans of a running service', () => {
  let service: TestService;
  let houses: number[];
  before(async () => {
    service = await startTestService();
    houses = [];
    for (const name of ['Sea House', 'Mill', 'Barn']) {
      houses.push((await service.v3('POST', '/properties', { name })).property_id);
    }
  });
  after(() => service.remove());

  const simple = (more: object = {}) => ({
    currency: 'EUR',
    base_price: 100,
    guests: { most: 4 },
    cancellation: 'flexible',
    ...more,
  });
  const stay = (more: object = {}) => ({
    property_id: houses[0],
    check_in_date: '2027-10-04',
    check_out_date: '2027-10-07',
    booked_on: '2027-05-01',
    adults: 2,
    ...more,
  });
  const put = (body: object, token?: string | null) =>
    call(service, 'PUT', '/portal/rate_plans', { body, ...(token !== undefined && { token }) });

  it('a file sets the plan of a property, and a stay has a price by it at once', async () => {
    const before = await call(service, 'POST', '/portal/rate_plans/quote', { body: stay() });
    assert.equal(before.http, 404);
    assert.match(before.json.error.message, /has no rate plan; set one on its page, or with stayd rates set/);
    const set = await service.portal('PUT', '/portal/rate_plans', { text: EXAMPLE, property_ids: [houses[0]] });
    assert.deepEqual([set.version, set.property_ids, set.plan.base_price], [1, [houses[0]], 120]);
    const answer = await service.portal('POST', '/portal/rate_plans/quote', stay({ children: [1, 7], pets: 1 }));
    assert.deepEqual(
      answer.quote.lines.map(({ name, quantity, unit, amount }: Record<string, unknown>) => [
        name,
        quantity,
        unit,
        amount,
      ]),
      [
        ['Nights', 3, 120, 360],
        ['Cleaning', 1, 80, 80],
        ['Pet', 3, 5, 15],
        ['City tax', 6, 2.5, 15],
      ],
    );
    assert.deepEqual(
      [answer.quote.total, answer.quote.first_payment, answer.quote.balance, answer.quote.deposit],
      [470, 141, 329, 250],
    );
    assert.deepEqual(answer.plan, { id: set.id, version: 1, name: 'Standard' });
    const refused = await service.portal('POST', '/portal/rate_plans/quote', stay({ adults: 9 }));
    assert.deepEqual([refused.quote, refused.refused[0].says], [null, 'There is room for 6 guests.']);
  });

  it('all mistakes of a file are told with their lines, and nothing is stored', async () => {
    const wrong = EXAMPLE.replace('base_price: 120 ', 'base_prise: 120 ')
      .replace('price: 150', 'price: 150.123')
      .replace('most: 6', 'most: no');
    const { http, json } = await put({ text: wrong, property_ids: [houses[1]] });
    assert.equal(http, 422);
    assert.match(json.error.message, /^line 5: base_prise is no known key; there are name, currency, base_price, /m);
    assert.match(json.error.message, /^line \d+: guests\.most must be of type number, not string$/m);
    const decimals = await put({ text: EXAMPLE.replace('price: 150', 'price: 150.123'), property_ids: [houses[1]] });
    assert.match(decimals.json.error.message, /^line 7: weekend\.price 150\.123 has more decimals than EUR has$/);
    const late = '  - { name: Late summer, from: 06-20, to: 09-20 }\n';
    const overlap = await put({ text: EXAMPLE.replace('stay:\n', `${late}stay:\n`), property_ids: [houses[1]] });
    assert.match(
      overlap.json.error.message,
      /line \d+: seasons\.2\.from shares nights with "Summer", which is as long/,
    );
    const broken = await put({ text: 'currency: [', property_ids: [houses[1]] });
    assert.match(broken.json.error.message, /^line \d/);
    const policy = await put({ plan: simple({ cancellation: 'soft' }), property_ids: [houses[1]] });
    assert.match(policy.json.error.message, /cancellation must be flexible, moderate, strict, or steps/);
    const foreign = await put({ plan: simple({ currency: 'USD' }), property_ids: [houses[1]] });
    assert.match(foreign.json.error.message, /currency: must be EUR, the currency of Mill/);
    assert.match((await put({ plan: simple() })).json.error.message, /property_ids: is required/);
    assert.equal((await put({ plan: simple(), property_ids: [999_999] })).http, 404);
    assert.equal((await call(service, 'GET', `/portal/rate_plans/${houses[1]}`)).http, 404);
  });

  it('properties share a plan, and one of them can leave it', async () => {
    const [, mill, barn] = houses;
    const both = await service.portal('PUT', '/portal/rate_plans', { plan: simple(), property_ids: [mill, barn] });
    assert.deepEqual(both.property_ids, [mill, barn]);
    const again = await service.portal('PUT', '/portal/rate_plans', { plan: simple(), property_ids: [mill, barn] });
    assert.equal(again.version, 1, 'nothing changed, so nothing was written');
    const dearer = simple({ base_price: 110 });
    const next = await service.portal('PUT', '/portal/rate_plans', { plan: dearer, property_ids: [mill, barn] });
    assert.deepEqual([next.id, next.version], [both.id, 2]);
    const own = await service.portal('PUT', '/portal/rate_plans', {
      plan: simple({ base_price: 90 }),
      property_ids: [mill],
    });
    assert.notEqual(own.id, both.id);
    const { rate_plans: plans } = await service.portal('GET', '/portal/rate_plans');
    assert.deepEqual(
      plans
        .slice(-2)
        .map((one: { property_ids: number[]; plan: { base_price: number } }) => [
          one.property_ids,
          one.plan.base_price,
        ]),
      [
        [[barn], 110],
        [[mill], 90],
      ],
    );
    await service.portal('DELETE', `/portal/rate_plans/${mill}`, {});
    assert.equal((await call(service, 'DELETE', `/portal/rate_plans/${mill}`, { body: {} })).http, 404);
  });

  it('of two who change a plan at the same time the second is told', async () => {
    const barn = houses[2];
    const { id, version } = await service.portal('GET', `/portal/rate_plans/${barn}`);
    const seen = { id, version };
    const first = await put({ plan: simple({ base_price: 120 }), property_ids: [barn], seen });
    const second = await put({ plan: simple({ base_price: 130 }), property_ids: [barn], seen });
    assert.deepEqual([first.http, second.http], [200, 409]);
    assert.match(second.json.error.message, /Somebody else has changed the plan/);
    assert.equal((await put({ plan: simple(), property_ids: [barn], seen: null })).http, 409);
  });

  it('a sub-account sees the plans of its properties alone, and a read token changes nothing', async () => {
    const [sea, , barn] = houses;
    const reader = (await service.portal('POST', '/portal/tokens', { name: 'r', scope: 'read' })).token as string;
    const sub = await service.portal('POST', '/portal/sub_accounts', { name: 'Keeper', property_ids: [barn] });
    const body = { name: 'k', scope: 'write', operator_id: sub.id };
    const keeper = (await service.portal('POST', '/portal/tokens', body)).token as string;
    for (const [token, property, http] of [
      [reader, barn, 401],
      [null, barn, 401],
      [keeper, sea, 404],
      [keeper, barn, 200],
    ] as const) {
      assert.equal(
        (await put({ plan: simple({ base_price: 77 }), property_ids: [property] }, token)).http,
        http,
        `${token}`,
      );
    }
    const { json } = await call(service, 'GET', '/portal/rate_plans', { token: keeper });
    assert.deepEqual(
      json.rate_plans.map((one: { property_ids: number[] }) => one.property_ids),
      [[barn]],
    );
    const asked = { token: keeper, body: stay() };
    assert.equal((await call(service, 'POST', '/portal/rate_plans/quote', asked)).http, 404);
    const { entries } = await service.portal('GET', '/portal/audit');
    const actions = entries.map((one: { action: string }) => one.action);
    assert.ok(actions.includes('set rate plan') && actions.includes('remove rate plan'));
  });
});
