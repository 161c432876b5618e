import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { serviceLogger } from '../../src/compose/log/serviceLog.ts';
import { LogLevels } from '../../src/kernel/log.ts';
import { guardedIds, type OperationId, operationIds, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { spellings } from '../../src/contract/spellings.ts';
import { createToken } from '../../src/core/accounts/create.ts';
import { openSecrets } from '../../src/core/webhooks/register.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import {
  type Belongings,
  type Fields,
  furnish,
  type Inputs,
  inputsAbout,
  OF_ACCOUNT,
  OF_PROPERTY,
  perform,
  requestOf,
} from '../support/fixtures.ts';
import { type RequestOptions, startCore, type TestCore } from '../support/core.ts';

/** The bytes of every file of the database, as they lie on the disk while it is open. */
function filesOf(core: TestCore): Buffer {
  const names = readdirSync(core.folder);
  assert.ok(names.includes('core.db-wal'), 'what was written last is looked at too');
  return Buffer.concat(names.map((name) => readFileSync(join(core.folder, name))));
}

const writes = guardedIds.filter((id) => operations[id].scope !== 'read');

describe('S7: a stolen database', () => {
  it('holds none of 1,000 tokens that were issued, which all work', async () => {
    const core = await startCore();
    // Only what is written matters here, not when it is safe.
    await sql`pragma synchronous = off`.execute(core.core.store.db);
    const tokens: string[] = [];
    for (let i = 0; i < 1_000; i += 1)
      tokens.push((await createToken(core.core, core.own.account, { name: 't', scope: 'read' })).token);
    const bytes = filesOf(core);
    const secrets = tokens.map((token) => token.slice('stayd_pat_'.length, -6));
    assert.equal(tokens.filter((token) => bytes.includes(token)).length, 0);
    assert.equal(secrets.filter((secret) => bytes.includes(secret)).length, 0, 'nor their random part alone');
    assert.equal(new Set(secrets).size, 1_000);
    for (const token of tokens) assert.match(token, /^stayd_pat_[0-9A-Za-z]{36}$/);
    for (const token of tokens.slice(0, 20))
      assert.equal((await core.request('GET', '/accounts/me', { token })).error_code, 200);
    assert.ok(bytes.includes('stayd_pat_…'), 'the search finds what is there');
    await core.close();
  });
});

describe('S9: secrets at rest', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.close());

  const rowOf = (id: number) =>
    core.core.store.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  it('no webhook secret stands in the files, in any of its forms', async () => {
    const made: { id: number; secret_token: string }[] = [];
    for (let i = 0; i < 20; i += 1) made.push(await core.call('createWebhook', { url: `https://hooks.example/${i}` }));
    const bytes = filesOf(core);
    for (const { secret_token } of made) {
      const key = Buffer.from(secret_token.slice('whsec_'.length), 'base64');
      for (const form of [
        secret_token,
        secret_token.slice('whsec_'.length, -1),
        key,
        key.toString('hex'),
        key.toString('base64url'),
      ]) {
        assert.ok(!bytes.includes(form));
      }
    }
    for (const { id, secret_token } of made) {
      assert.equal(openSecrets(core.core.sealer, await rowOf(id), core.clock.now()).secret, secret_token);
    }
    for (const { id } of made) assert.ok(bytes.includes((await rowOf(id)).secret), 'the search finds what is there');
    assert.ok(!bytes.includes('https://hooks.example/'), 'nor does an address, whose path can be a secret');
  });

  it('another key, another row or a changed text opens nothing', async () => {
    const a = await core.call('createWebhook', { url: 'https://hooks.example/a' });
    const b = await core.call('createWebhook', { url: 'https://hooks.example/b' });
    const row = await rowOf(a.id);
    const open =
      (change: object, key = core.core.sealer) =>
      () =>
        openSecrets(key, { ...row, ...change }, core.clock.now());
    assert.equal(open({})().secret, a.secret_token);
    assert.throws(open({}, sealer(systemRandom.bytes(32), systemRandom)), OperatorError);
    assert.throws(open({ secret: (await rowOf(b.id)).secret }), OperatorError);
    assert.throws(open({ secret: row.secret.slice(0, -2) + (row.secret.endsWith('AA') ? 'BB' : 'AA') }), OperatorError);
  });
});

describe('S39: files', () => {
  it('are their owner’s alone, whatever the umask', async () => {
    const before = process.umask(0);
    const core = await startCore();
    try {
      await core.call('createProperty', { title: 'Mill' });
      const modes = Object.fromEntries(
        readdirSync(core.folder).map((name) => [name, statSync(join(core.folder, name)).mode & 0o777]),
      );
      assert.deepEqual(modes, { 'core.db': 0o600, 'core.db-wal': 0o600, 'core.db-shm': 0o600 });
    } finally {
      process.umask(before);
      await core.close();
    }
  });
});

describe('S12: a read-only token', () => {
  let core: TestCore;
  let inputs: Inputs;
  before(async () => {
    core = await startCore();
    inputs = inputsAbout(await furnish(core, core.own));
  });
  after(() => core.close());

  for (const id of writes) {
    it(`cannot ${id}: 401, also that of a sub-account, and nothing changes`, async () => {
      const sub = await core.addSubAccount(core.own.account, [], 'read');
      const before = await core.stored();
      for (const token of [core.own.readToken, sub]) {
        const answer = await perform(core, id, inputs[id], token);
        assert.deepEqual([answer.error_code, answer.error_msg], [401, 'Not authorized for this action']);
      }
      assert.equal(await core.stored(), before);
    });
  }

  it('reads everything a writable one reads', async () => {
    for (const id of guardedIds.filter((one) => !writes.includes(one))) {
      const read = await perform(core, id, inputs[id], core.own.readToken);
      const written = await perform(core, id, inputs[id], core.own.token);
      assert.deepEqual([read.error_code, read.data], [200, written.data], id);
    }
  });
});

describe('two operators: every operation about what is another’s', async () => {
  const core = await startCore();
  after(() => core.close());
  const owner = await core.addAccount(`${OF_ACCOUNT} owner`);
  const mine = await furnish(core, owner);
  const stranger = core.own;
  await core.call('createProperty', { title: 'of the stranger' });
  const ended = await core.addAccount('ended');
  await core.core.store.db
    .updateTable('tokens')
    .set({ revoked_at: '2026-01-01T00:00:00.000Z' })
    .where('account_id', '=', ended.account.account_id)
    .execute();
  const property = await core.call('createProperty', { title: 'of the sub-account' }, owner.token);
  const sub = await core.addSubAccount(owner.account, [property.property_id]);
  const subReads = await core.addSubAccount(owner.account, [property.property_id], 'read');

  /** What every identity is answered: a code, or the codes that may be. Reading is an empty list where it is not refused. */
  const identities: [who: string, token: string | null, forbidden: readonly string[], codes: readonly number[]][] = [
    ['the other operator', stranger.token, [OF_PROPERTY, OF_ACCOUNT], [200, 403, 404]],
    ['the other operator, read-only', stranger.readToken, [OF_PROPERTY, OF_ACCOUNT], [200, 401, 403, 404]],
    ['a sub-account without that property', sub, [OF_PROPERTY], [200, 401, 404]],
    ['the same, read-only', subReads, [OF_PROPERTY], [200, 401, 404]],
    ['nobody', null, [OF_PROPERTY, OF_ACCOUNT], [401]],
    ['an ended token', ended.token, [OF_PROPERTY, OF_ACCOUNT], [401]],
  ];
  const inputs = inputsAbout(mine);
  /** Lists that are asked for the owner's ids. Operations that name nothing of the owner's. What the whole account has. */
  const BY_ID: readonly OperationId[] = [
    'listProperties',
    'listReservations',
    'listAvailabilities',
    'listListings',
    'listTransactions',
    'listRoomTypes',
    'listPropertyGroups',
    'listPropertyTags',
    'listCalendarShareLinks',
    'listConversations',
    'listReviews',
    'listKnowledgeBases',
    'listTasks',
    'listStaffs',
  ];
  /** The description says so: automation is listed for the whole account, sub-accounts included. */
  const LISTED_FOR_SUBS: readonly OperationId[] = ['listAutomationActions'];
  /** Reads of one thing, which is somebody's or nobody's. */
  const BY_PATH: readonly OperationId[] = ['getConversation', 'listSpecialOffers', 'getKnowledgeBase'];
  const OWN_BUSINESS: readonly OperationId[] = ['createProperty', 'createWebhook', 'createReservationTag'];

  /** The whole account sees them; who has not registered one has no hand in it. */
  const OF_THE_CREATOR: readonly OperationId[] = ['updateWebhook', 'deleteWebhook'];

  for (const [who, token, forbidden, codes] of identities) {
    for (const id of guardedIds) {
      if (OWN_BUSINESS.includes(id)) continue;
      it(`${id} by ${who}: nothing leaks, nothing changes`, async () => {
        const before = await core.stored();
        const answer = await perform(core, id, inputs[id], token);
        const isForbidden = codes.includes(200) && (BY_PATH.includes(id) || OF_THE_CREATOR.includes(id));
        const expected = isForbidden ? [401, 403, 404] : codes;
        assert.ok(expected.includes(answer.error_code), `${answer.error_code} ${answer.error_msg}`);
        const isListed = LISTED_FOR_SUBS.includes(id) && (token === sub || token === subReads);
        for (const sentinel of isListed ? [] : forbidden) assert.ok(!answer.text.includes(sentinel), answer.text);
        if (token === null || token === ended.token) assert.equal(answer.error_msg, 'Invalid access token');
        if (BY_ID.includes(id)) {
          const rows = Object.values<unknown>(answer.data ?? {});
          assert.ok(
            rows.every((part) => part === 0 || (Array.isArray(part) && part.length === 0)),
            answer.text,
          );
        }
        if (operations[id].scope !== 'read') {
          assert.notEqual(answer.error_code, 200);
          assert.equal(await core.stored(), before);
        }
      });
    }
  }

  it('lists without filters hold nothing of the other’s either', async () => {
    for (const path of [
      '/properties',
      '/reservations?start_check_out_date=2020-01-01',
      '/transactions?start_date=2026-01-01&end_date=2026-12-31',
      '/webhooks',
      '/conversations',
      '/reviews',
      '/listings',
      '/channel_accounts',
      '/custom_channels',
      '/room_types',
      '/groups',
      '/tags',
      '/reservation_tags',
      '/calendar_share_links',
      '/income_items',
      '/tasks',
      '/staffs',
      '/knowledge_bases',
      '/accounts/me',
    ]) {
      const { text, error_code } = await core.request('GET', path, { token: stranger.token });
      assert.equal(error_code, 200);
      assert.ok(!text.includes(OF_PROPERTY) && !text.includes(OF_ACCOUNT), text);
      assert.ok(!(await core.request('GET', path, { token: sub })).text.includes(OF_PROPERTY), path);
    }
  });

  it('its owner reads every sentinel: the search would find what leaks', async () => {
    const texts = await Promise.all(
      guardedIds
        .filter((id) => operations[id].scope === 'read')
        .map(async (id) => (await perform(core, id, { ...inputs[id], keyword: '' }, owner.token)).text),
    );
    const all = texts.join();
    for (const word of [
      'house',
      'guest',
      '@guest.example',
      '12',
      'note',
      'creator',
      '4711',
      'entry',
      'type',
      'group',
      'tag',
      'writer',
      'message',
      'review',
      'staff',
      'task',
      'knowledge',
    ])
      assert.ok(all.includes(OF_PROPERTY + (word.startsWith('@') ? '' : ' ') + word), word);
    for (const word of ['owner', 'site', 'tag', 'rule']) assert.ok(all.includes(`${OF_ACCOUNT} ${word}`), word);
  });
});

describe('S11: mass assignment', () => {
  let core: TestCore;
  let mine: Belongings;
  before(async () => {
    core = await startCore();
    mine = await furnish(core, core.own);
  });
  after(() => core.close());

  /** Another value of the same kind. */
  function altered(value: unknown): unknown {
    if (typeof value === 'number') return value + 1_000;
    if (typeof value === 'boolean') return !value;
    if (typeof value === 'string') return `altered ${value}`;
    if (Array.isArray(value)) return ['altered', ...value];
    return value === null ? 'altered' : { ...(value as object), altered: true };
  }

  const editable = (id: OperationId): string[] => {
    const shape = Object.keys((operations[id].body ?? { shape: {} }).shape);
    return [...shape, ...spellings.filter((pair) => shape.includes(pair.name)).map((pair) => pair.second)];
  };

  const INTERNAL = [
    'account_id',
    'operator_id',
    'owner',
    'total_rate',
    'manageable',
    'secret',
    'secret_token',
    'deleted_at',
    'visible',
    'now',
    'core',
  ];

  const updates: [id: OperationId, ids: () => Fields, entry: () => Promise<Fields>][] = [
    [
      'updateReservation',
      () => ({ stay_code: mine.code }),
      async () => (await core.request('GET', `/reservations?reservation_code=${mine.code}`)).data.reservations[0],
    ],
    [
      'updateCheckInDetails',
      () => ({ stay_code: mine.code }),
      async () => (await core.request('GET', `/reservations?reservation_code=${mine.code}`)).data.reservations[0],
    ],
    [
      'updateTransaction',
      () => ({ id: mine.transaction }),
      async () => (await core.request('GET', `/transactions?id=${mine.transaction}`)).data.transactions[0],
    ],
    [
      'updateTask',
      () => ({ id: mine.task }),
      async () => (await core.request('GET', `/tasks?id=${mine.task}`)).data.tasks[0],
    ],
    [
      'updateStaff',
      () => ({ id: mine.staff }),
      async () => (await core.request('GET', `/staffs?id=${mine.staff}`)).data.staffs[0],
    ],
    [
      'updateKnowledgeBase',
      () => ({ id: mine.knowledge }),
      async () => (await core.request('GET', `/knowledge_bases/${mine.knowledge}`)).data,
    ],
    [
      'updateWebhook',
      () => ({ id: mine.webhook }),
      async () => (await core.request('GET', '/webhooks')).data.webhooks[0],
    ],
  ];
  for (const [id, ids, entryOf] of updates) {
    it(`${id}: no field of the answer and none of the tables can be written unless it is described`, async () => {
      const entry = await entryOf();
      const allowed = editable(id);
      const posted = [
        ...Object.entries(entry).map(([name, value]) => [name, altered(value)] as const),
        ...INTERNAL.map((name) => [name, 'altered'] as const),
      ];
      const fixed = posted.filter(([name]) => !allowed.includes(name));
      assert.ok(fixed.length > 4);
      const [method, path] = requestOf(id, ids());
      const before = await core.stored('audit');
      for (const body of [...fixed.map(([name, value]) => ({ [name]: value })), Object.fromEntries(fixed)]) {
        assert.equal((await core.request(method, path, { body })).error_code, 200, JSON.stringify(body));
      }
      for (const raw of POISON) await core.request(method, path, { raw });
      assert.equal(await core.stored('audit'), before);
      assert.equal(Reflect.get({}, 'polluted'), undefined);
    });
  }

  const POISON = [
    '{"__proto__":{"amount":777,"note":"polluted","url":"https://evil.example","polluted":true}}',
    '{"constructor":{"prototype":{"note":"polluted","polluted":true}}}',
    '{"constructor":"note","prototype":{"note":"polluted"}}',
  ];

  it('creating: ids, owners, states and times are the service’s own', async () => {
    const forged = {
      id: 77_777,
      account_id: 'evil',
      operator_id: 7,
      status: 'inactive',
      created_at: '2000-01-01T00:00:00Z',
      ...Object.fromEntries(INTERNAL.map((name) => [name, 'evil'])),
    };
    const { db } = core.core.store;
    const { property_id } = await core.call('createProperty', {
      ...forged,
      title: 'Forged',
      address: 'evil',
      time_zone: 'Asia/Tokyo',
      currency: 'JPY',
    });
    const property = await db
      .selectFrom('properties')
      .selectAll()
      .where('name', '=', 'Forged')
      .executeTakeFirstOrThrow();
    assert.deepEqual(property, {
      account_id: core.own.account.account_id,
      id: property_id,
      name: 'Forged',
      status: 'active',
      address: '',
      longitude: '',
      latitude: '',
      time_zone: 'Europe/Berlin',
      currency: 'EUR',
      created_at: '2026-11-20T12:00:00.000Z',
      check_in_time: null,
      check_out_time: null,
    });
    const made = await core.call('createReservation', {
      ...forged,
      ...inputsAbout(mine).createReservation,
      reservation_code: 'EVIL',
      stay_code: 'EVIL',
      booked_at: '2000-01-01T00:00:00Z',
      creator: 'evil',
      channel_type: 'marketplace_a',
      lock_code: 'evil',
      tags: ['evil'],
      payment: { received_amount: 1_000 },
    });
    const { reservations } = await core.call('listReservations', { reservation_code: made.reservation_code });
    const { status, channel_type, creator, booked_at, check_in_details, tags, payment } = reservations[0];
    assert.deepEqual(
      [status, channel_type, creator, booked_at, check_in_details.lock_code, tags, payment.received_amount],
      ['accepted', 'direct', 'own', '2026-11-20T13:00:00+01:00', null, [], 1],
    );
    const { transaction_id } = await core.call('createTransaction', {
      ...forged,
      ...inputsAbout(mine).createTransaction,
      operator_name: 'evil',
      link_type: 'operator',
    });
    const entry = await db
      .selectFrom('transactions')
      .selectAll()
      .where('id', '=', transaction_id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(
      [entry.account_id, entry.property_id, entry.created_at],
      [core.own.account.account_id, mine.property, '2026-11-20T12:00:00.000Z'],
    );
    assert.notEqual(entry.operator_id, 7);
    const { id, secret_token } = await core.call('createWebhook', { ...forged, url: 'https://hooks.example/forged' });
    const webhook = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    assert.deepEqual(
      [webhook.account_id, webhook.manageable, webhook.signature_only, webhook.deleted_at],
      [core.own.account.account_id, 1, 0, null],
    );
    assert.equal(openSecrets(core.core.sealer, webhook, core.clock.now()).secret, secret_token);
  });
});

describe('S38: what parsers disagree about', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.close());

  const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
  const deep = nested('[', ']', 100_000);
  const bodies: [what: string, raw: string, code: number][] = [
    ['a key twice: the last counts', '{"title":"first","title":"Second"}', 200],
    ['a key twice, of which the first is wrong', '{"title":7,"title":"Third"}', 200],
    ['__proto__', '{"title":"Fourth","__proto__":{"polluted":true,"name":"x"}}', 200],
    ['__proto__ alone', '{"__proto__":{"title":"x","name":"x"}}', 422],
    ['constructor.prototype', '{"title":"Fifth","constructor":{"prototype":{"polluted":true}}}', 200],
    ['__proto__ as a list', '{"title":"Sixth","__proto__":[]}', 200],
    ['32 deep', `{"title":"Seventh","x":${nested('[', ']', 31)}}`, 200],
    ['20,000 deep', `{"title":"No","x":${nested('[', ']', 20_000)}}`, 422],
    ['20,000 objects deep', `{"title":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`, 422],
    ['33 deep', `{"title":"No","x":${nested('[', ']', 32)}}`, 422],
    ['lists 100,000 deep', `{"title":"No","x":${deep}}`, 422],
    ['lists 100,000 deep in both spellings', `{"title":${deep},"name":${deep}}`, 422],
    ['objects 100,000 deep', `{"title":"No","x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, 422],
    ['lists 100,000 deep and not closed', '['.repeat(100_000), 400],
    ['100,000 keys', `{"title":"Eighth",${Array.from({ length: 100_000 }, (_, i) => `"${i}":1`).join()}}`, 200],
    ['a number beyond numbers', '{"title":1e999}', 422],
    ['NUL and half a surrogate pair in a name', '{"title":"a\\u0000b\\ud800"}', 200],
  ];
  for (const [what, raw, code] of bodies) {
    it(`${what}: ${code}`, async () => {
      const globals = Object.getOwnPropertyNames(Object.prototype).join();
      const answer = await core.request('POST', '/properties', { raw });
      assert.deepEqual([answer.error_code, answer.http], [code, 200], answer.error_msg);
      assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), globals);
      assert.deepEqual([Reflect.get({}, 'polluted'), Reflect.get([], 'polluted')], [undefined, undefined]);
    });
  }

  it('kept what was meant', async () => {
    const { properties } = await core.call('listProperties', { limit: 100 });
    const names = properties.map((one: { name: string }) => one.name).toReversed();
    assert.deepEqual(names, ['Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'a\uFFFDb\uFFFD']);
  });

  it('the same in paths and queries', async () => {
    for (const path of [
      '/properties?__proto__=1&constructor=2',
      '/properties?__proto__[polluted]=1',
      '/properties?limit[__proto__]=1',
    ]) {
      assert.equal((await core.request('GET', path)).error_code, 200, path);
    }
    for (const code of ['__proto__', 'constructor', 'toString']) {
      assert.equal((await core.request('DELETE', `/reservations/${code}`)).error_code, 404);
      assert.equal((await core.request('GET', `/${code}`)).error_code, 404);
    }
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });
});

/** A core whose log lines are kept; `serviceLogger` is the one that the service runs with. */
async function startLogged(): Promise<{ core: TestCore; lines: () => string[] }> {
  let text = '';
  const log = serviceLogger(new LogLevels('debug,access=silent'), { write: (line: string) => void (text += line) });
  const core = await startCore(undefined, log);
  return { core, lines: () => text.split('\n').slice(0, -1) };
}

/** Operations fail, not requests: the tables they need are gone, those of tokens are there. */
async function breakCore(core: TestCore): Promise<void> {
  for (const table of [
    'nights',
    'guests',
    'stays',
    'reservations',
    'transactions',
    'webhooks',
    'properties',
    'custom_channels',
    'dictionary_items',
    'room_types',
    'property_groups',
    'property_tags',
    'reservation_tags',
    'calendar_share_links',
    'listings',
    'channel_accounts',
    'tasks',
    'staffs',
    'automation_plans',
    'knowledge_bases',
  ]) {
    await sql`drop table ${sql.table(table)}`.execute(core.core.store.db);
  }
}

/** getAccount answers from what authentication has read. */
const FAILING = guardedIds.filter((id) => id !== 'getAccount');

describe('S8: canaries', () => {
  const CANARY = 'CANARY';
  let count = 0;
  /** Unique in each place, 32 letters and digits at most, so that it passes for a channel_id too. */
  const canary = () => `${CANARY}${(count += 1)}`;

  /** Every field that an operation takes, each with a canary of its own. */
  function canaries(id: OperationId): Fields {
    const { params, query, body }: Operation = operations[id];
    const names = [params, query, body].flatMap((part) => Object.keys(part?.shape ?? {}));
    // A tag's name may be anything but long, and its operation takes nothing else that could be wrong.
    return Object.fromEntries(names.map((name) => [name, name === 'tag_name' ? canary().repeat(3) : canary()]));
  }

  const secretHeaders = () => ({
    authorization: `Bearer ${canary()}`,
    cookie: `session=${canary()}`,
    'user-agent': canary(),
    'x-other-token': canary(),
    'x-forwarded-for': canary(),
    [`x-${canary().toLowerCase()}`]: canary(),
  });

  it('stand in no error body and in no log line', async () => {
    const { core, lines } = await startLogged();
    const mine = await furnish(core, core.own);
    const bodies: string[] = [];
    const ask = async (method: string, path: string, options: RequestOptions = {}) => {
      const answer = await core.request(method, path, {
        ...options,
        headers: { ...secretHeaders(), ...options.headers },
      });
      assert.notEqual(answer.error_code, 200, `${method} ${path} was meant to fail`);
      bodies.push(answer.text);
      return answer;
    };
    for (const id of operationIds) {
      const all = canaries(id);
      const valid = inputsAbout(mine)[id];
      await ask(...withToken(requestOf(id, { ...valid, ...all }), null));
      await ask(...withToken(requestOf(id, { ...valid, ...all }), canary()));
      if (Object.keys(all).length > 0) await ask(...requestOf(id, { ...valid, ...all }));
      // One wrong field at a time, so that each is the one the message is about.
      for (const [name, value] of Object.entries(all)) {
        const answer = await core.request(...requestOf(id, { ...valid, [name]: value }));
        if (answer.error_code !== 200) bodies.push(answer.text);
      }
    }
    await ask('POST', '/properties', { raw: `{"title":"${canary()}` });
    await ask('POST', '/properties', { raw: `"${canary()}"` });
    await ask('POST', '/properties', { raw: `${canary()}{}` });
    await ask('POST', '/properties', { raw: '{"title":"a"}', headers: { 'content-type': `text/${canary()}` } });
    await ask('POST', '/properties', { raw: '{"title":"a"}', headers: { 'content-type': `;${canary()}` } });
    await ask('POST', '/properties', { body: { title: canary(), name: canary() } });
    await ask('POST', '/properties', { raw: canary().repeat(300_000) });
    await ask('GET', `/${canary()}?${canary()}=${canary()}`);
    await ask('GET', `/properties?limit=${canary()}`);
    await ask('DELETE', `/reservations/${canary()}%E0%A4%A`);
    await ask('GET', `/properties?x=${canary().repeat(1_000)}`);
    await ask('GET', '/accounts/me', { remoteAddress: '203.0.113.7', token: canary() });
    assert.deepEqual(lines(), [], 'nothing of this is the operator’s concern');

    await breakCore(core);
    for (const id of FAILING) {
      const [method, path, options] = requestOf(id, inputsAbout(mine, canary())[id]);
      const answer = await core.request(method, path, {
        ...options,
        headers: { 'user-agent': canary(), cookie: canary() },
      });
      assert.deepEqual([answer.error_code, answer.error_msg], [500, 'Server error.'], id);
      bodies.push(answer.text);
    }
    assert.equal(lines().length, FAILING.length, 'one line for each failure');
    assert.ok(count > 400, `only ${count} canaries`);
    assert.ok(bodies.length > 150, `only ${bodies.length} bodies`);
    const everything = `${bodies.join('\n')}\n${lines().join('\n')}`;
    assert.deepEqual(everything.match(new RegExp(`.{0,80}${CANARY}.{0,40}`, 'gi')) ?? [], []);
    for (const secret of [core.own.token, core.own.readToken]) assert.ok(!everything.includes(secret));
    await core.close();
  });

  const withToken = (
    [method, path, options]: ReturnType<typeof requestOf>,
    token: string | null,
  ): ReturnType<typeof requestOf> => [method, path, { ...options, token }];
});

describe('S33: log injection', () => {
  const LINES = 'x\r\n{"level":50,"msg":"forged"}\n\u2028\u0085\u001b[2Kforged';

  it('line breaks in fields, paths, queries and headers add no line', async () => {
    const { core, lines } = await startLogged();
    const mine = await furnish(core, core.own);
    await breakCore(core);
    for (const id of FAILING) {
      const [method, path, options] = requestOf(id, {
        ...inputsAbout(mine, LINES)[id],
        ...(id === 'createWebhook' || id === 'updateWebhook' ? { url: 'https://hooks.example/a%0d%0aforged' } : {}),
      });
      const answer = await core.request(method, path, {
        ...options,
        headers: { 'user-agent': LINES, 'x-request-id': LINES },
      });
      assert.equal(answer.error_code, 500, `${id} ${answer.error_msg}`);
    }
    await core.request('DELETE', `/reservations/${encodeURIComponent(LINES)}`);
    assert.equal(lines().length, FAILING.length + 1);
    for (const line of lines()) {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string };
      assert.deepEqual([level, msg], [50, 'an operation failed unexpectedly']);
      assert.ok(!line.includes('forged'));
    }
    await core.close();
  });

  it('and where such a text is logged, it stays inside its line', () => {
    let text = '';
    const log = serviceLogger(new LogLevels('info'), { write: (line: string) => void (text += line) });
    log.error(
      {
        err: new Error(LINES),
        path: LINES,
        headers: { authorization: 'Bearer secret', 'service-access-token': 'secret' },
        made: { token: 'secret' },
      },
      LINES,
    );
    assert.equal(text.split('\n').length, 2);
    assert.ok(
      Buffer.from(text.slice(0, -1)).every((byte) => byte >= 0x20),
      'no control character',
    );
    assert.ok(!text.includes('secret'));
    assert.equal((JSON.parse(text) as { msg: string }).msg, LINES);
  });
});
