import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { unknownIn } from '../../src/api/http/strict.ts';
import { operationIds, operations } from '../../src/contract/index.ts';
import { startCore, type TestCore } from '../support/core.ts';

const STRICT = { prefer: 'respond-async, handling=strict' };

describe('fields that nobody reads', () => {
  let core: TestCore;
  let entry: number;
  before(async () => {
    core = await startCore();
    entry = await core
      .call('createTransaction', {
        direction: 'income',
        amount: 10,
        currency: 'EUR',
        item_id: (await core.call('listIncomeItems', {})).income_items[0].id,
        payment_method_id: (await core.call('listIncomeMethods', {})).income_methods[0].id,
        action_at: '2026-11-20T12:00:00Z',
      })
      .then(({ transaction_id }) => transaction_id);
  });
  after(() => core.close());

  const refused: [
    what: string,
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body: object | undefined,
    names: RegExp,
  ][] = [
    ['a filter that is misspelt', 'GET', '/reservations?statuss=accepted', undefined, /^statuss: .*\bstatus\b/],
    ['several', 'GET', '/properties?colour=1&page=2', undefined, /^colour, page: /],
    ['a field that cannot change', 'PATCH', '/transactions/ID', { direction: 'expense', note: 'n' }, /^direction: /],
    ['a field inside a list', 'POST', '/listings/prices', prices({ amout: 3 }), /^entries\.0\.amout: /],
    ['a body where there is none', 'GET', '/accounts/me?x=1', undefined, /^x: .*it takes none/],
  ];
  for (const [what, method, path, body, names] of refused) {
    it(`${what}: refused with Prefer: handling=strict, ignored without`, async () => {
      const url = path.replace('ID', String(entry));
      const strict = await core.request(method, url, { headers: STRICT, ...(body && { body }) });
      assert.equal(strict.error_code, 422);
      assert.match(strict.error_msg, names);
      const usual = await core.request(method, url, body ? { body } : {});
      assert.doesNotMatch(usual.error_msg, /not a field/);
    });
  }

  it('that are known by their second spelling, or stand in an object of any fields, are no strangers', async () => {
    const made = await core.request('POST', '/properties', { headers: STRICT, body: { title: 'By title' } });
    assert.equal(made.error_code, 200, made.error_msg);
    const { error_code } = await core.request('POST', '/properties', { headers: STRICT, body: { name: 'By name' } });
    assert.equal(error_code, 200);
  });

  it('are answered with the preference that was followed', async () => {
    const headers = { 'service-access-token': core.own.token };
    const answer = await core.app.inject({ url: '/v3/accounts/me', headers: { ...headers, ...STRICT } });
    assert.equal(answer.headers['preference-applied'], 'handling=strict');
    const lenient = await core.app.inject({
      url: '/v3/accounts/me?x=1',
      headers: { ...headers, prefer: 'handling=lenient' },
    });
    assert.equal(lenient.json().error_code, 200);
    assert.equal(lenient.headers['preference-applied'], undefined);
  });

  it('are not among those of any example', () => {
    for (const id of operationIds) {
      const { example, body, params, query } = operations[id];
      if (!body || !example) continue;
      const elsewhere = new Set([...Object.keys(params.shape), ...Object.keys(query.shape)]);
      const own = Object.fromEntries(Object.entries(example).filter(([name]) => !elsewhere.has(name)));
      assert.deepEqual(unknownIn(body, own), [], id);
    }
  });

  it('given twice, or larger than any number here, say what to do', async () => {
    const twice = await core.request('GET', '/properties?limit=1&limit=2');
    assert.deepEqual([twice.error_code, twice.error_msg], [422, 'limit: is given 2 times; send it once']);
    const large = await core.request('GET', '/properties?id=9007199254740993');
    assert.deepEqual([large.error_code, large.error_msg], [422, 'id: must be at most 9007199254740991']);
    assert.equal((await core.request('GET', '/properties?id=9007199254740991')).error_code, 200);
    const inBody = await core.request('PATCH', `/transactions/${entry}`, { body: { item_id: '9007199254740993' } });
    assert.match(inBody.error_msg, /^item_id: must be at most 9007199254740991/);
  });

  it('are amounts off by floating-point noise, which is rounded to the currency', async () => {
    await core.call('updateTransaction', { id: entry, amount: 0.1 + 0.2 });
    const [row] = (await core.call('listTransactions', { id: entry })).transactions;
    assert.equal(row.amount, 0.3);
    const fine = await core.request('PATCH', `/transactions/${entry}`, { body: { amount: 0.305 } });
    assert.equal(fine.error_code, 422);
  });
});

function prices(more: object): object {
  const entry = { channel_type: 'marketplace_a', listing_id: 'L1', start_date: '2027-01-01', end_date: '2027-01-02' };
  return { entries: [{ ...entry, amount: 3, ...more }] };
}

describe('what the HTTP parser refuses', () => {
  let core: TestCore;
  let port: number;
  before(async () => {
    core = await startCore();
    await core.app.listen({ host: '127.0.0.1', port: 0 });
    port = (core.app.server.address() as AddressInfo).port;
  });
  after(() => core.close());

  function raw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
      socket.on('error', reject);
    });
  }
  const to = (method: string, path: string, more = '') =>
    raw(`${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n${more}\r\n`);
  const parts = (answer: string) => ({
    status: Number(answer.split(' ', 2)[1]),
    body: JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>,
  });

  it('comes in the envelope under /v3: methods that there are not, and headers that are too long', async () => {
    for (const method of ['FOO', 'PROPFIND', 'PUT']) {
      const { status, body } = parts(await to(method, '/v3/properties'));
      const known = method === 'FOO' ? 404 : body['error_code'];
      assert.deepEqual([status, body['error_code']], [200, known], method);
      assert.ok(typeof body['request_id'] === 'string' && Number(known) >= 400, method);
    }
    const { status, body } = parts(await to('GET', '/v3/properties', `X-Long: ${'a'.repeat(40_000)}\r\n`));
    assert.deepEqual([status, body['error_code']], [200, 400]);
    assert.match(String(body['error_msg']), /headers .*16,?384 bytes/);
  });

  it('comes with its own status elsewhere', async () => {
    assert.equal(parts(await to('FOO', '/portal/status')).status, 400);
    assert.equal(parts(await to('GET', '/portal/status', `X-Long: ${'a'.repeat(40_000)}\r\n`)).status, 431);
  });
});
