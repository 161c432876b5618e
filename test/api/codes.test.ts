import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { URL_LIMIT } from '../../src/api/http/server.ts';
import { codesOf } from '../../src/contract/errors.ts';
import { operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import type { ErrorCode } from '../../src/kernel/errors.ts';
import {
  FURTHER_TOKEN_HEADER,
  type RequestOptions,
  startCore,
  type TestAccount,
  TRUSTED_PROXY,
} from '../support/core.ts';

/** One request and what it must be answered. Whatever fails leaves nothing behind: no row, no event. */
interface Row {
  what: string;
  ask: [method: string, path: string, options?: RequestOptions];
  code: number;
  /** The message word for word, or its form. */
  says?: string | RegExp;
}

const core = await startCore();
const other = await core.addAccount('other');
after(() => core.close());

function rows(title: string, list: readonly Row[]): void {
  describe(title, () => {
    for (const { what, ask, code, says } of list) {
      it(`${what}: ${code}`, async () => {
        const before = await core.stored();
        const answer = await core.request(...ask);
        assert.deepEqual([answer.error_code, answer.http], [code, 200], answer.error_msg);
        assert.match(answer.request_id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
        if (typeof says === 'string') assert.equal(answer.error_msg, says);
        else if (says) assert.match(answer.error_msg, says);
        if (code === 200) return;
        const asked = operationAt(ask[0], ask[1]);
        if (asked) assert.ok(codesOf(asked).includes(answer.error_code as ErrorCode), `${code} is not declared`);
        assert.ok(!('data' in answer) || answer.data === undefined, 'a failure carries no data');
        assert.equal(await core.stored(), before, 'a refused request stored something');
      });
    }
  });
}

/** The operation that a request reaches, if it reaches one. */
function operationAt(method: string, address: string): Operation | undefined {
  if (`/v3${address}`.length > URL_LIMIT) return undefined;
  const parts = (address.split('?')[0] ?? '').split('/');
  const matches = ({ path }: Operation) => {
    const names = path.split('/');
    return names.length === parts.length && names.every((name, at) => name.startsWith('{') || name === parts[at]);
  };
  return Object.values(operations).find((one) => one.method === method && matches(one));
}

const booking = (property_id: unknown, more: object = {}) => ({
  property_id,
  check_in_date: '2027-03-05',
  check_out_date: '2027-03-08',
  guest_name: 'A. Guest',
  rate_amount: 300,
  commission_amount: 0,
  received_amount: 0,
  ...more,
});

interface Belongings {
  property: number;
  second: number;
  staff: number;
  code: string;
  transaction: number;
  webhook: number;
  items: Record<'income_items' | 'expense_items' | 'income_methods' | 'expense_methods', number>;
  channel: number;
}

/** One of everything that has an id. */
async function furnish({ account, token }: TestAccount): Promise<Belongings> {
  const { property_id: property } = await core.call('createProperty', { name: 'Sea House' }, token);
  const { reservation_code: code } = await core.call(
    'createReservation',
    booking(property, { channel_id: 'HELD1', received_amount: 20 }),
    token,
  );
  const { income_items } = await core.call('listIncomeItems', {}, token);
  const { expense_items } = await core.call('listExpenseItems', {}, token);
  const { income_methods } = await core.call('listIncomeMethods', {}, token);
  const { expense_methods } = await core.call('listExpenseMethods', {}, token);
  const items = {
    income_items: income_items[0].id,
    expense_items: expense_items[0].id,
    income_methods: income_methods[0].id,
    expense_methods: expense_methods[0].id,
  };
  const entry = {
    direction: 'income',
    amount: 5,
    item_id: items.income_items,
    payment_method_id: items.income_methods,
  };
  const { transaction_id: transaction } = await core.call(
    'createTransaction',
    { ...entry, property_id: property, currency: 'EUR' },
    token,
  );
  const { id: webhook } = await core.call('createWebhook', { url: 'https://hooks.example/a' }, token);
  const { property_id: second } = await core.call('createProperty', { name: 'Second House' }, token);
  const { staff_id: staff } = await core.call('createStaff', { name: 'Ada', mobile: '+49 1701234567' }, token);
  const channel = await core.change(account, async ({ trx }) => {
    const id = 900 + transaction;
    await trx.insertInto('custom_channels').values({ account_id: account.account_id, id, name: 'Own site' }).execute();
    return id;
  });
  return { property, second, staff, code, transaction, webhook, items, channel };
}

const mine = await furnish(core.own);
const theirs = await furnish(other);
const entry = {
  direction: 'income',
  amount: 12.5,
  item_id: mine.items.income_items,
  payment_method_id: mine.items.income_methods,
  property_id: mine.property,
  currency: 'EUR',
};
const task = { type: 'cleaning', expected_date: '2026-12-01', currency: 'EUR', staff_id: theirs.staff };
const UNKNOWN_ID = 999_999;
const GONE = 'This resource is no longer available.';
const YEAR = 'start_date=2026-01-01&end_date=2026-12-31';

async function accountIn(state: object, name: string): Promise<string> {
  const { account, token } = await core.addAccount(name);
  await core.core.store.db.updateTable('accounts').set(state).where('account_id', '=', account.account_id).execute();
  return token;
}

const expired = await accountIn({ subscription: 'expired' }, 'expired');
const suspended = await accountIn({ subscription: 'suspended' }, 'suspended');
const basic = await accountIn({ edition: 'basic' }, 'basic');
const revoked = await core.addAccount('revoked').then(async ({ account, token }) => {
  const db = core.core.store.db;
  await db
    .updateTable('tokens')
    .set({ revoked_at: account.created_at })
    .where('account_id', '=', account.account_id)
    .execute();
  return token;
});
const full = await core.addAccount('full', { property_quota: 1 });
await core.call('createProperty', { name: 'The only one' }, full.token);

const { token } = core.own;
const NOBODY = 'Invalid access token';

rows('who is asking', [
  { what: 'no token', ask: ['GET', '/accounts/me', { token: null }], code: 401, says: NOBODY },
  { what: 'an empty token', ask: ['GET', '/accounts/me', { token: '' }], code: 401, says: NOBODY },
  { what: 'an unknown token', ask: ['GET', '/accounts/me', { token: `${token}x` }], code: 401, says: NOBODY },
  { what: 'a revoked token', ask: ['GET', '/accounts/me', { token: revoked }], code: 401, says: NOBODY },
  {
    what: 'a token without its scheme',
    ask: ['GET', '/accounts/me', { token: null, headers: { authorization: token } }],
    code: 401,
  },
  { what: 'a token in the query', ask: ['GET', `/accounts/me?access_token=${token}`, { token: null }], code: 401 },
  {
    what: 'a bearer token',
    ask: ['GET', '/accounts/me', { token: null, headers: { authorization: `Bearer ${token}` } }],
    code: 200,
  },
  {
    what: 'the scheme in any case',
    ask: ['GET', '/accounts/me', { token: null, headers: { authorization: `bearer ${token}` } }],
    code: 200,
  },
  {
    what: 'the own header beats a good bearer',
    ask: ['GET', '/accounts/me', { token: 'no', headers: { authorization: `Bearer ${token}` } }],
    code: 401,
  },
  {
    what: 'the own header beats a bad bearer',
    ask: ['GET', '/accounts/me', { headers: { authorization: 'Bearer no' } }],
    code: 200,
  },
  {
    what: 'a further configured header',
    ask: ['GET', '/accounts/me', { token: null, headers: { [FURTHER_TOKEN_HEADER]: token } }],
    code: 200,
  },
  {
    what: 'the described header before a further one',
    ask: ['GET', '/accounts/me', { token: 'no', headers: { [FURTHER_TOKEN_HEADER]: token } }],
    code: 401,
  },
  {
    what: 'a further header before the bearer',
    ask: [
      'GET',
      '/accounts/me',
      { token: null, headers: { [FURTHER_TOKEN_HEADER]: 'no', authorization: `Bearer ${token}` } },
    ],
    code: 401,
  },
  {
    what: 'a header nobody configured',
    ask: ['GET', '/accounts/me', { token: null, headers: { 'x-access-token': token } }],
    code: 401,
  },
  {
    what: 'a lapsed subscription',
    ask: ['GET', '/accounts/me', { token: expired }],
    code: 420,
    says: 'Subscription expired',
  },
  {
    what: 'a suspended account',
    ask: ['GET', '/accounts/me', { token: suspended }],
    code: 420,
    says: 'Account suspended',
  },
  {
    what: 'the Basic edition',
    ask: ['GET', '/accounts/me', { token: basic }],
    code: 420,
    says: 'Basic edition does not support this feature',
  },
  {
    what: 'a read-only token that writes',
    ask: ['POST', '/properties', { token: core.own.readToken, body: { title: 'No' } }],
    code: 401,
    says: 'Not authorized for this action',
  },
]);

rows('the order of checks', [
  { what: 'who before what: unknown path', ask: ['GET', '/nothing', { token: null }], code: 401 },
  { what: 'who before what: wrong method', ask: ['PUT', '/properties', { token: null }], code: 401 },
  { what: 'who before what: garbage', ask: ['POST', '/properties', { token: null, raw: '{' }], code: 401 },
  {
    what: 'who before what: too large',
    ask: ['POST', '/properties', { token: null, raw: Buffer.alloc(2_097_152, 32) }],
    code: 401,
  },
  {
    what: 'who before what: a path that is no text',
    ask: ['GET', '/reservations/%E0%A4%A', { token: null }],
    code: 401,
  },
  {
    what: 'who before what: too long an address',
    ask: ['GET', `/properties?x=${'y'.repeat(9_000)}`, { token: null }],
    code: 401,
  },
  { what: 'account before scope', ask: ['POST', '/properties', { token: expired, raw: '{' }], code: 420 },
  {
    what: 'scope before the body',
    ask: ['POST', '/properties', { token: core.own.readToken, raw: '{' }],
    code: 401,
    says: /^Not authorized/,
  },
  {
    what: 'scope before whose',
    ask: ['DELETE', `/transactions/${theirs.transaction}`, { token: core.own.readToken }],
    code: 401,
  },
  {
    what: 'the body before whose',
    ask: ['PATCH', `/transactions/${theirs.transaction}`, { body: { amount: 'x' } }],
    code: 422,
  },
  {
    what: 'whose before the rule',
    ask: ['POST', '/reservations', { body: booking(theirs.property, { rate_amount: 1.234 }) }],
    code: 403,
  },
  {
    what: 'whose source before the decimals of a new booking',
    ask: [
      'POST',
      '/reservations',
      { body: booking(mine.property, { custom_channel_id: theirs.channel, rate_amount: 1.234 }) },
    ],
    code: 403,
    says: /^custom_channel_id/,
  },
  {
    what: 'whose source before the dates of a changed booking',
    ask: [
      'PATCH',
      `/reservations/${mine.code}`,
      { body: { custom_channel_id: theirs.channel, check_in_date: '2027-03-08' } },
    ],
    code: 403,
    says: /^custom_channel_id/,
  },
  {
    what: 'whose item before the decimals of a new entry',
    ask: ['POST', '/transactions', { body: { ...entry, item_id: theirs.items.income_items, amount: 0.001 } }],
    code: 403,
    says: /^item_id/,
  },
  {
    what: 'whose method before the decimals of a changed entry',
    ask: [
      'PATCH',
      `/transactions/${mine.transaction}`,
      { body: { payment_method_id: theirs.items.income_methods, amount: 0.001 } },
    ],
    code: 403,
    says: /^payment_method_id/,
  },
  {
    what: 'a missing currency before whose property',
    ask: ['POST', '/transactions', { body: { ...entry, property_id: theirs.property, currency: undefined } }],
    code: 422,
    says: /^currency/,
  },
  {
    what: 'whose property before the dates of any',
    ask: [
      'POST',
      '/availabilities',
      { body: { property_ids: [mine.property, theirs.property], available: false, dates: ['2020-01-01'] } },
    ],
    code: 403,
    says: /^property_id/,
  },
  {
    what: 'whose staff before the property of the stay',
    ask: ['POST', '/tasks', { body: { ...task, stay_code: mine.code, property_id: mine.second } }],
    code: 403,
    says: /^staff_id/,
  },
  {
    what: 'the property of the stay, with nobody’s staff',
    ask: ['POST', '/tasks', { body: { ...task, stay_code: mine.code, property_id: mine.second, staff_id: 0 } }],
    code: 422,
    says: /^property_id/,
  },
]);

rows('what cannot be read', [
  {
    what: 'garbage',
    ask: ['POST', '/properties', { raw: '{"title":' }],
    code: 400,
    says: 'The body is not valid JSON.',
  },
  {
    what: 'an array',
    ask: ['POST', '/properties', { raw: '[{"title":"a"}]' }],
    code: 400,
    says: 'The body must be a JSON object.',
  },
  { what: 'null', ask: ['POST', '/properties', { raw: 'null' }], code: 400 },
  { what: 'text', ask: ['POST', '/properties', { raw: '"title"' }], code: 400 },
  { what: 'no body', ask: ['POST', '/properties'], code: 400, says: 'The request has no body; send a JSON object.' },
  {
    what: 'no body, though JSON was announced',
    ask: ['POST', '/properties', { headers: { 'content-type': 'application/json' } }],
    code: 400,
  },
  {
    what: 'a form',
    ask: ['POST', '/properties', { raw: 'title=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    code: 400,
    says: 'Send the body as application/json.',
  },
  {
    what: 'a form that holds JSON',
    ask: ['POST', '/properties', { raw: '{"title":"a"}', headers: { 'content-type': 'text/plain' } }],
    code: 400,
  },
  {
    what: 'a content type that is none',
    ask: ['POST', '/properties', { raw: '{"title":"a"}', headers: { 'content-type': ';;' } }],
    code: 400,
  },
  {
    what: 'JSON under a name of its own',
    ask: [
      'PATCH',
      `/webhooks/${mine.webhook}`,
      { raw: '{}', headers: { 'content-type': 'application/merge-patch+json; charset=utf-8' } },
    ],
    code: 200,
  },
  {
    what: 'two MiB',
    ask: ['POST', '/properties', { raw: JSON.stringify({ title: 'a'.repeat(2_097_152) }) }],
    code: 400,
    says: /larger than 1048576/,
  },
  {
    what: 'an address of 9,000 characters',
    ask: ['GET', `/properties?x=${'y'.repeat(9_000)}`],
    code: 400,
    says: /address is longer/,
  },
  {
    what: 'a reservation code of 9,000 characters',
    ask: ['GET', `/reservations/${'y'.repeat(9_000)}`],
    code: 400,
    says: /address is longer/,
  },
  { what: 'an address of 8,000 characters', ask: ['GET', `/properties?x=${'y'.repeat(8_000)}`], code: 200 },
  { what: 'an unknown path', ask: ['GET', '/nothing'], code: 404 },
  { what: 'the bare prefix', ask: ['GET', ''], code: 404 },
  { what: 'a path in other letters', ask: ['GET', '/Properties'], code: 404 },
  { what: 'a path with a slash too many', ask: ['GET', '/properties/'], code: 404 },
  { what: 'a wrong method', ask: ['PUT', '/properties', { body: {} }], code: 404 },
  { what: 'another wrong method', ask: ['DELETE', '/properties'], code: 404 },
  { what: 'a code that is no text', ask: ['DELETE', '/reservations/%E0%A4%A'], code: 404, says: GONE },
  {
    what: 'a code of 2,000 characters',
    ask: ['DELETE', `/reservations/5-${'A'.repeat(2_000)}`],
    code: 404,
    says: GONE,
  },
]);

const twice = { reservation_code: mine.code, stay_code: mine.code };

rows('parameters that exclude or need each other', [
  {
    what: 'both names of a code in a filter',
    ask: ['GET', `/transactions?${YEAR}&reservation_code=A&stay_code=A`],
    code: 400,
    says: /^stay_code/,
  },
  {
    what: 'both names of a code in a body',
    ask: ['POST', '/transactions', { body: { ...entry, property_id: undefined, ...twice } }],
    code: 400,
    says: /^stay_code/,
  },
  {
    what: 'a reservation and a property',
    ask: ['POST', '/transactions', { body: { ...entry, reservation_code: mine.code } }],
    code: 400,
    says: /^property_id/,
  },
  {
    what: 'a stay and a property',
    ask: ['POST', '/transactions', { body: { ...entry, stay_code: mine.code } }],
    code: 400,
    says: /^property_id/,
  },
  {
    what: 'a lone start_check_in_date',
    ask: ['GET', '/reservations?start_check_in_date=2027-01-01'],
    code: 400,
    says: /^start_check_in_date/,
  },
  { what: 'a lone end_check_in_date', ask: ['GET', '/reservations?end_check_in_date=2027-01-01'], code: 400 },
  { what: 'a lone start_check_out_date', ask: ['GET', '/reservations?start_check_out_date=2027-01-01'], code: 200 },
  { what: 'a lone end_check_out_date', ask: ['GET', '/reservations?end_check_out_date=2027-01-01'], code: 200 },
  {
    what: 'two spellings, two values',
    ask: ['PATCH', `/reservations/${mine.code}`, { body: { note: 'a', remarks: 'b' } }],
    code: 400,
    says: /note and remarks/,
  },
  { what: 'name and title, two values', ask: ['POST', '/properties', { body: { name: 'a', title: 'b' } }], code: 400 },
  {
    what: 'two spellings of one value',
    ask: ['PATCH', `/reservations/${mine.code}`, { body: { note: 'a', remarks: 'a' } }],
    code: 200,
  },
]);

rows('lists and their windows', [
  { what: 'limit 101', ask: ['GET', '/properties?limit=101'], code: 422, says: /^limit/ },
  { what: 'limit 0', ask: ['GET', '/properties?limit=0'], code: 422, says: /^limit/ },
  { what: 'limit in words', ask: ['GET', '/properties?limit=ten'], code: 422, says: /^limit/ },
  { what: 'limit twice', ask: ['GET', '/properties?limit=1&limit=2'], code: 422, says: /^limit/ },
  { what: 'limit 1.5', ask: ['GET', '/properties?limit=1.5'], code: 422, says: /^limit/ },
  { what: 'offset -1', ask: ['GET', '/properties?offset=-1'], code: 422, says: /^offset/ },
  { what: 'limit 100', ask: ['GET', '/properties?limit=100'], code: 200 },
  { what: 'far past the end', ask: ['GET', '/properties?offset=999999999'], code: 200 },
  { what: 'an id beyond all numbers', ask: ['GET', '/properties?id=99999999999999999999'], code: 422, says: /^id/ },
  { what: '366 days', ask: ['GET', '/transactions?start_date=2027-01-01&end_date=2028-01-01'], code: 200 },
  {
    what: '367 days',
    ask: ['GET', '/transactions?start_date=2027-01-01&end_date=2028-01-02'],
    code: 422,
    says: /^end_date/,
  },
  {
    what: 'the start after the end',
    ask: ['GET', '/transactions?start_date=2027-01-02&end_date=2027-01-01'],
    code: 422,
    says: /^start_date/,
  },
  { what: 'one day', ask: ['GET', '/transactions?start_date=2027-01-01&end_date=2027-01-01'], code: 200 },
  { what: 'no dates', ask: ['GET', '/transactions'], code: 422, says: 'start_date: is required unless id is given' },
  { what: 'no end', ask: ['GET', '/transactions?start_date=2027-01-01'], code: 422, says: /^end_date: is required/ },
  { what: 'an id and no dates', ask: ['GET', `/transactions?id=${mine.transaction}`], code: 200 },
  {
    what: 'a date that does not exist',
    ask: ['GET', '/transactions?start_date=2027-02-29&end_date=2027-03-01'],
    code: 422,
    says: /^start_date/,
  },
  {
    what: 'a date in other form',
    ask: ['GET', '/transactions?start_date=01.02.2027&end_date=2027-03-01'],
    code: 422,
    says: /^start_date/,
  },
  {
    what: 'the last date there is',
    ask: ['GET', '/transactions?start_date=9999-12-01&end_date=9999-12-31'],
    code: 200,
  },
  {
    what: 'the first year there is',
    ask: ['GET', '/transactions?start_date=0100-01-01&end_date=0100-12-31'],
    code: 200,
  },
  { what: 'an enum that is wrong', ask: ['GET', `/transactions?${YEAR}&direction=out`], code: 422, says: /^direction/ },
  { what: 'an order that is unknown', ask: ['GET', '/reservations?order_by=guest_name'], code: 422, says: /^order_by/ },
  { what: 'a status that is unknown', ask: ['GET', '/reservations?status=gone'], code: 422, says: /^status/ },
  {
    what: 'check-ins that end before they start',
    ask: ['GET', '/reservations?start_check_in_date=2027-01-02&end_check_in_date=2027-01-01'],
    code: 422,
    says: /^start_check_in_date/,
  },
  {
    what: 'check-outs that end before they start',
    ask: ['GET', '/reservations?start_check_out_date=2027-01-02&end_check_out_date=2027-01-01'],
    code: 422,
    says: /^start_check_out_date/,
  },
  {
    what: 'check-outs to the end of time',
    ask: ['GET', '/reservations?start_check_out_date=2020-01-01&end_check_out_date=9999-12-31'],
    code: 200,
  },
  {
    what: 'no properties',
    ask: ['GET', '/availabilities?start_date=2026-12-01&end_date=2026-12-02'],
    code: 422,
    says: 'property_ids: is required',
  },
  {
    what: 'properties that are no ids',
    ask: ['GET', '/availabilities?property_ids=1,x&start_date=2026-12-01&end_date=2026-12-02'],
    code: 422,
    says: /^property_ids/,
  },
  {
    what: '101 properties',
    ask: [
      'GET',
      `/availabilities?property_ids=${Array.from({ length: 101 }, (_, i) => i + 1).join()}&start_date=2026-12-01&end_date=2026-12-02`,
    ],
    code: 422,
    says: /^property_ids/,
  },
  {
    what: 'availability the other way round',
    ask: ['GET', '/availabilities?property_ids=1&start_date=2026-12-02&end_date=2026-12-01'],
    code: 422,
    says: /^start_date/,
  },
  {
    what: 'a year back',
    ask: ['GET', '/availabilities?property_ids=1&start_date=2025-11-20&end_date=2025-11-21'],
    code: 200,
  },
  {
    what: 'more than a year back',
    ask: ['GET', '/availabilities?property_ids=1&start_date=2025-11-19&end_date=2025-11-21'],
    code: 422,
    says: /^start_date/,
  },
  {
    what: 'three years ahead',
    ask: ['GET', '/availabilities?property_ids=1&start_date=2029-11-19&end_date=2029-11-20'],
    code: 200,
  },
  {
    what: 'more than three years ahead',
    ask: ['GET', '/availabilities?property_ids=1&start_date=2029-11-19&end_date=2029-11-21'],
    code: 422,
    says: /^end_date/,
  },
]);

const required = (path: string, body: Record<string, unknown>, names: readonly string[]): Row[] =>
  names.map((name) => ({
    what: `${path} without ${name}`,
    ask: ['POST', path, { body: { ...body, [name]: undefined } }],
    code: 422,
    says: new RegExp(`^${name}: is required`),
  }));

const book = (more: object): Row['ask'] => ['POST', '/reservations', { body: booking(mine.property, more) }];
const change = (body: object): Row['ask'] => ['PATCH', `/reservations/${mine.code}`, { body }];
const details = (body: object): Row['ask'] => ['PATCH', `/reservations/${mine.code}/check_in_details`, { body }];
const spend = (more: object): Row['ask'] => ['POST', '/transactions', { body: { ...entry, ...more } }];

rows('fields of bodies', [
  ...required('/reservations', booking(mine.property), Object.keys(booking(0))),
  ...required('/transactions', entry, ['direction', 'amount', 'item_id', 'payment_method_id', 'currency']),
  ...required('/webhooks', {}, ['url']),
  {
    what: '/properties without its title',
    ask: ['POST', '/properties', { body: {} }],
    code: 422,
    says: 'title: is required',
  },
  { what: 'an empty title', ask: ['POST', '/properties', { body: { title: ' ' } }], code: 422, says: /^title/ },
  { what: 'an empty name', ask: ['POST', '/properties', { body: { name: ' ' } }], code: 422, says: /^name/ },
  {
    what: 'a title of 101 characters',
    ask: ['POST', '/properties', { body: { title: 'x'.repeat(101) } }],
    code: 422,
    says: /^title/,
  },
  { what: 'a note of 501 characters', ask: change({ remarks: 'x'.repeat(501) }), code: 422, says: /^remarks/ },
  { what: 'a note of 500 characters', ask: change({ note: 'x'.repeat(500) }), code: 200 },
  {
    what: 'a night that does not exist',
    ask: book({ check_in_date: '2027-02-29' }),
    code: 422,
    says: /^check_in_date/,
  },
  { what: 'leaving before arriving', ask: book({ check_out_date: '2027-03-04' }), code: 422, says: /^check_out_date/ },
  { what: 'no night at all', ask: book({ check_out_date: '2027-03-05' }), code: 422, says: /^check_out_date/ },
  {
    what: 'a stay of 8,000 years',
    ask: book({ check_in_date: '2028-03-05', check_out_date: '9999-12-31' }),
    code: 422,
    says: /^check_out_date/,
  },
  {
    what: 'moving the arrival behind the departure',
    ask: change({ check_in_date: '2027-03-08' }),
    code: 422,
    says: /^check_out_date/,
  },
  {
    what: 'moving the departure by 8,000 years',
    ask: change({ check_out_date: '9999-12-31' }),
    code: 422,
    says: /^check_out_date/,
  },
  { what: 'euros with three decimals', ask: book({ rate_amount: 1.005 }), code: 422, says: /^rate_amount/ },
  { what: 'yen with a decimal', ask: book({ currency: 'JPY', rate_amount: 100.5 }), code: 422, says: /^rate_amount/ },
  {
    what: 'dinars with four decimals',
    ask: book({ currency: 'KWD', rate_amount: 1.0005 }),
    code: 422,
    says: /^rate_amount/,
  },
  {
    what: 'commission with three decimals',
    ask: book({ commission_amount: 0.001 }),
    code: 422,
    says: /^commission_amount/,
  },
  { what: 'received with three decimals', ask: book({ received_amount: 0.001 }), code: 422, says: /^received_amount/ },
  { what: 'a negative rate', ask: book({ rate_amount: -1 }), code: 422, says: /^rate_amount/ },
  { what: 'a rate of a million', ask: book({ rate_amount: 1_000_000 }), code: 422, says: /^rate_amount/ },
  { what: 'a rate in words', ask: book({ rate_amount: '300' }), code: 422, says: /^rate_amount/ },
  { what: 'a currency nobody has', ask: book({ currency: 'XXQ' }), code: 422, says: /^currency/ },
  { what: 'a currency in small letters', ask: book({ currency: 'eur' }), code: 422, says: /^currency/ },
  { what: 'no guests', ask: book({ number_of_guests: 0 }), code: 422, says: /^number_of_guests/ },
  { what: 'a hundred guests', ask: book({ number_of_guests: 100 }), code: 422, says: /^number_of_guests/ },
  { what: 'a reference with a dash', ask: book({ channel_id: 'A-1' }), code: 422, says: /^channel_id/ },
  { what: 'a reference of 33 characters', ask: book({ channel_id: 'A'.repeat(33) }), code: 422, says: /^channel_id/ },
  {
    what: 'an hour that does not exist',
    ask: details({ arrival_at: { hour: 24, minute: 0 } }),
    code: 422,
    says: /^arrival_at\.hour/,
  },
  {
    what: 'a time that is none',
    ask: details({ lock_code_visible_after: '24:00' }),
    code: 422,
    says: /^lock_code_visible_after/,
  },
  { what: 'a negative deposit', ask: details({ deposit: -1 }), code: 422, says: /^deposit/ },
  { what: 'a deposit beyond exact numbers', ask: details({ deposit: 1e300 }), code: 422, says: /^deposit/ },
  { what: 'a requirement that is unknown', ask: details({ id_required: 'perhaps' }), code: 422, says: /^id_required/ },
  { what: 'an amount of nothing', ask: spend({ amount: 0 }), code: 422, says: /^amount/ },
  { what: 'a negative amount', ask: spend({ amount: -5 }), code: 422, says: /^amount/ },
  { what: 'an amount in words', ask: spend({ amount: '12.50' }), code: 422, says: /^amount/ },
  { what: 'an entry of euros with three decimals', ask: spend({ amount: 0.001 }), code: 422, says: /^amount/ },
  { what: 'an entry of yen with a decimal', ask: spend({ amount: 10.5, currency: 'JPY' }), code: 422, says: /^amount/ },
  { what: 'an entry of dinars with three decimals', ask: spend({ amount: 10.125, currency: 'KWD' }), code: 200 },
  {
    what: 'an entry of dinars with four decimals',
    ask: spend({ amount: 10.1255, currency: 'KWD' }),
    code: 422,
    says: /^amount/,
  },
  { what: 'a direction that is unknown', ask: spend({ direction: 'out' }), code: 422, says: /^direction/ },
  { what: 'a moment that is none', ask: spend({ action_at: 'yesterday' }), code: 422, says: /^action_at/ },
  {
    what: 'a moment in the year 275760',
    ask: spend({ action_at: '+275760-09-13T00:00:00Z' }),
    code: 422,
    says: /^action_at/,
  },
  {
    what: 'a moment before our era',
    ask: spend({ action_at: '-000044-03-15T00:00:00Z' }),
    code: 422,
    says: /^action_at/,
  },
  {
    what: 'noon of the last day of the year 9999',
    ask: spend({ action_at: '9999-12-31T12:00:00Z' }),
    code: 422,
    says: /^action_at/,
  },
  {
    what: 'the last moment of the year 9999, but in the west',
    ask: spend({ action_at: '9999-12-31T23:59:59-10:00' }),
    code: 422,
    says: /^action_at/,
  },
  {
    what: 'another currency than the reservation’s',
    ask: spend({ property_id: undefined, reservation_code: mine.code, currency: 'USD' }),
    code: 422,
    says: /^currency/,
  },
  {
    what: 'a url that is none',
    ask: ['POST', '/webhooks', { body: { url: 'hooks.example' } }],
    code: 422,
    says: /^url/,
  },
  {
    what: 'a url of another kind',
    ask: ['POST', '/webhooks', { body: { url: 'file:///etc/passwd' } }],
    code: 422,
    says: /^url/,
  },
  {
    what: 'an event that is unknown',
    ask: ['POST', '/webhooks', { body: { url: 'https://a.example', events: ['all'] } }],
    code: 422,
    says: /^events/,
  },
]);

rows('what is taken as it comes', [
  {
    what: 'ids as numeric strings',
    ask: spend({ property_id: String(mine.property), item_id: String(entry.item_id) }),
    code: 200,
  },
  {
    what: 'a property as a numeric string',
    ask: ['POST', '/reservations', { body: booking(String(mine.property), { channel_id: 'HELD1' }) }],
    code: 200,
  },
  {
    what: 'an id that is not quite numeric',
    ask: spend({ property_id: `${mine.property} ` }),
    code: 422,
    says: /^property_id/,
  },
  { what: 'an id with a point', ask: spend({ property_id: `${mine.property}.5` }), code: 422, says: /^property_id/ },
  { what: 'unknown body keys', ask: spend({ colour: 'red', id: 77, account_id: 'x' }), code: 200 },
  { what: 'unknown query keys', ask: ['GET', '/properties?colour=red'], code: 200 },
]);

const FOREIGN: Row[] = [
  {
    what: 'a property',
    ask: ['POST', '/reservations', { body: booking(theirs.property) }],
    code: 403,
    says: 'property_id belongs to another operator.',
  },
  { what: 'a property of an entry', ask: spend({ property_id: theirs.property }), code: 403 },
  { what: 'an item of an entry', ask: spend({ item_id: theirs.items.income_items }), code: 403 },
  { what: 'a method of an entry', ask: spend({ payment_method_id: theirs.items.income_methods }), code: 403 },
  {
    what: 'a method of a booking',
    ask: book({
      check_in_date: '2027-03-08',
      check_out_date: '2027-03-09',
      received_amount: 1,
      income_method_id: theirs.items.income_methods,
    }),
    code: 403,
  },
  {
    what: 'a source of a booking',
    ask: book({ check_in_date: '2027-03-08', check_out_date: '2027-03-09', custom_channel_id: theirs.channel }),
    code: 403,
  },
  { what: 'a source of a change', ask: change({ custom_channel_id: theirs.channel }), code: 403 },
  {
    what: 'an entry to change',
    ask: ['PATCH', `/transactions/${theirs.transaction}`, { body: { amount: 1 } }],
    code: 403,
  },
  { what: 'an entry to delete', ask: ['DELETE', `/transactions/${theirs.transaction}`], code: 403 },
  { what: 'a webhook to change', ask: ['PATCH', `/webhooks/${theirs.webhook}`, { body: {} }], code: 403 },
  { what: 'a webhook to delete', ask: ['DELETE', `/webhooks/${theirs.webhook}`], code: 403 },
  { what: 'a reservation to cancel', ask: ['DELETE', `/reservations/${theirs.code}`], code: 404, says: GONE },
  {
    what: 'a stay to change',
    ask: ['PATCH', `/reservations/${theirs.code}`, { body: { note: 'x' } }],
    code: 404,
    says: GONE,
  },
  {
    what: 'a stay’s details',
    ask: ['PATCH', `/reservations/${theirs.code}/check_in_details`, { body: {} }],
    code: 404,
    says: GONE,
  },
  {
    what: 'a reservation of an entry',
    ask: spend({ property_id: undefined, reservation_code: theirs.code }),
    code: 404,
    says: GONE,
  },
];
rows('what is another operator’s', FOREIGN);

rows('what is nobody’s', [
  {
    what: 'a property',
    ask: ['POST', '/reservations', { body: booking(UNKNOWN_ID) }],
    code: 404,
    says: /^property_id/,
  },
  { what: 'the property 0', ask: ['POST', '/reservations', { body: booking(0) }], code: 404, says: /^property_id/ },
  { what: 'an item', ask: spend({ item_id: UNKNOWN_ID }), code: 404, says: /^item_id/ },
  {
    what: 'an item of the other direction',
    ask: spend({ item_id: mine.items.expense_items }),
    code: 404,
    says: /^item_id/,
  },
  {
    what: 'a method of the other direction',
    ask: spend({ payment_method_id: mine.items.expense_methods }),
    code: 404,
    says: /^payment_method_id/,
  },
  { what: 'a source', ask: change({ custom_channel_id: UNKNOWN_ID }), code: 404, says: /^custom_channel_id/ },
  { what: 'an entry', ask: ['DELETE', `/transactions/${UNKNOWN_ID}`], code: 404 },
  { what: 'an entry by a word', ask: ['DELETE', '/transactions/all'], code: 422, says: /^id/ },
  { what: 'a webhook', ask: ['DELETE', `/webhooks/${UNKNOWN_ID}`], code: 404 },
  { what: 'a reservation', ask: ['DELETE', '/reservations/5-NOBODY'], code: 404, says: GONE },
  { what: 'a stay', ask: ['PATCH', '/reservations/5-NOBODY', { body: {} }], code: 404, says: GONE },
]);

describe('filters on ids of others', () => {
  const lists: [path: string, name: string][] = [
    [`/properties?id=${theirs.property}`, 'properties'],
    [`/reservations?property_id=${theirs.property}&start_check_out_date=2020-01-01`, 'reservations'],
    [`/reservations?reservation_code=${theirs.code}`, 'reservations'],
    [`/transactions?id=${theirs.transaction}`, 'transactions'],
    [`/transactions?${YEAR}&property_id=${theirs.property}`, 'transactions'],
    [`/transactions?${YEAR}&reservation_code=${theirs.code}`, 'transactions'],
    [`/transactions?${YEAR}&stay_code=${theirs.code}`, 'transactions'],
    [`/transactions?${YEAR}&item_id=${theirs.items.income_items}`, 'transactions'],
    [`/availabilities?property_ids=${theirs.property}&start_date=2026-12-01&end_date=2026-12-02`, 'properties'],
  ];
  for (const [path, name] of lists) {
    it(`${path.replaceAll(/=[^&]+/g, '')}: an empty list`, async () => {
      const { error_code, data } = await core.request('GET', path);
      assert.deepEqual([error_code, data[name], data.total ?? 0], [200, [], 0]);
      const seen = await core.request('GET', path, { token: other.token });
      assert.ok(seen.data[name].length > 0, 'its owner finds it');
    });
  }
});

rows('what is taken, or used up', [
  { what: 'a name that is taken', ask: ['POST', '/properties', { body: { title: 'Sea House' } }], code: 409 },
  {
    what: 'a name that is taken, in blanks',
    ask: ['POST', '/properties', { body: { title: ' Sea House ' } }],
    code: 409,
  },
  {
    what: 'a name that only another operator has',
    ask: ['POST', '/properties', { body: { title: 'The only one' } }],
    code: 200,
  },
  {
    what: 'one property too many',
    ask: ['POST', '/properties', { token: full.token, body: { title: 'Second' } }],
    code: 420,
    says: 'Property quota exhausted',
  },
  { what: 'taken nights', ask: book({ check_in_date: '2027-03-07', check_out_date: '2027-03-09' }), code: 409 },
]);

describe('a booking of a channel', () => {
  it('cannot be cancelled as a direct one: 404 with its text', async () => {
    const code = 'HMABC123';
    const { reservation_code } = await core.call(
      'createReservation',
      booking(mine.property, { check_in_date: '2027-10-01', check_out_date: '2027-10-02' }),
    );
    const { db } = core.core.store;
    await core.core.store.transaction(async (trx) => {
      const row = await trx
        .selectFrom('reservations')
        .selectAll()
        .where('reservation_code', '=', reservation_code)
        .executeTakeFirstOrThrow();
      await trx
        .insertInto('reservations')
        .values({ ...row, reservation_code: code as typeof row.reservation_code, channel_id: code })
        .execute();
      await trx
        .updateTable('stays')
        .set({ reservation_code: code as typeof row.reservation_code })
        .where('reservation_code', '=', reservation_code)
        .execute();
    });
    const answer = await core.request('DELETE', `/reservations/${code}`);
    assert.deepEqual(
      [answer.error_code, answer.error_msg],
      [404, 'Only manually created reservations can be cancelled through this endpoint.'],
    );
    const { status } = await db
      .selectFrom('stays')
      .select('status')
      .where('reservation_code', '=', code as never)
      .executeTakeFirstOrThrow();
    assert.equal(status, 'accepted');
  });
});

describe('plain HTTP', () => {
  const https = { 'x-forwarded-proto': 'https' };
  const peers: [who: string, options: RequestOptions, served: boolean][] = [
    ['this machine', { remoteAddress: '127.0.0.1' }, true],
    ['this machine by another of its addresses', { remoteAddress: '127.8.8.8' }, true],
    ['this machine over IPv6', { remoteAddress: '::1' }, true],
    ['this machine as IPv6 sees IPv4', { remoteAddress: '::ffff:127.0.0.1' }, true],
    ['a neighbour', { remoteAddress: '192.168.1.7' }, false],
    ['a stranger', { remoteAddress: '203.0.113.7' }, false],
    ['a stranger as IPv6 sees IPv4', { remoteAddress: '::ffff:203.0.113.7' }, false],
    ['a stranger who says it was https', { remoteAddress: '203.0.113.7', headers: https }, false],
    [
      'a stranger who says to be this machine',
      { remoteAddress: '203.0.113.7', headers: { 'x-forwarded-for': '127.0.0.1', ...https } },
      false,
    ],
    ['the trusted proxy, of https', { remoteAddress: TRUSTED_PROXY, headers: https }, true],
    ['the trusted proxy as IPv6 sees IPv4', { remoteAddress: `::ffff:${TRUSTED_PROXY}`, headers: https }, true],
    ['the trusted proxy, of http', { remoteAddress: TRUSTED_PROXY, headers: { 'x-forwarded-proto': 'http' } }, false],
    ['the trusted proxy, of nothing', { remoteAddress: TRUSTED_PROXY }, false],
    ['a neighbour of the trusted proxy', { remoteAddress: '10.9.9.8', headers: https }, false],
  ];
  for (const [who, options, served] of peers) {
    it(`${who} is ${served ? 'served' : 'refused with 403 and no envelope, and nothing is stored'}`, async () => {
      const before = await core.stored();
      for (const path of served ? ['/accounts/me'] : ['/accounts/me', '/nothing', '/reservations/%E0%A4%A']) {
        const answer = await core.request('GET', path, options);
        if (served) assert.deepEqual([answer.http, answer.error_code], [200, 200]);
        else {
          assert.equal(answer.http, 403);
          assert.ok(!answer.text.includes('request_id') && !answer.text.includes('error_code'), answer.text);
        }
      }
      if (!served)
        assert.equal((await core.request('POST', '/properties', { body: { title: 'No' }, ...options })).http, 403);
      assert.equal(await core.stored(), before);
    });
  }
});
