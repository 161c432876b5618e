import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { Pool } from 'undici';
import { CallError } from '../../src/client/callError.ts';
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts';
import { readEnvelope } from '../../src/client/envelope.ts';
import { LONGEST_TEXT } from '../../src/client/longTexts.ts';
import { described } from '../../src/contract/dialect/profile.ts';
import { LONGEST_HOLD_MS } from '../../src/client/gate.ts';
import { retrying, waitBefore } from '../../src/client/retrying.ts';
import { startTally } from '../../src/client/tally.ts';
import { errorCodes, successCodes } from '../../src/contract/errors.ts';
import { openGate } from '../../src/sync/budget/gate.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { evenRandom } from '../support/mirror.ts';
import { makeStay } from '../support/rows.ts';
import { Truth } from '../support/truth.ts';

interface Setup {
  truth: Truth;
  client: Client;
  clock: ManualClock;
  tally: ReturnType<typeof startTally>;
}

async function setup(t: TestContext, over: Partial<ClientOptions> = {}): Promise<Setup> {
  const truth = new Truth();
  const baseUrl = await truth.listen();
  const clock = manualClock();
  const tally = startTally();
  const dispatcher = new Pool(baseUrl);
  t.after(async () => {
    await dispatcher.destroy();
    await truth.close();
  });
  const base = { baseUrl, token: () => 'token', profile: described, gate: openGate(clock), clock, tally };
  return { truth, clock, tally, client: createClient({ ...base, userAgent: 'test', dispatcher, ...over }) };
}

const lookup = { purpose: 'lookup' } as const;

/** Waits for a call while the clock runs. */
async function settled<T>(clock: ManualClock, call: Promise<T>): Promise<{ value?: T; error?: unknown }> {
  let result: { value?: T; error?: unknown } | undefined;
  call.then(
    (value) => (result = { value }),
    (error: unknown) => (result = { error }),
  );
  await clock.until(() => result !== undefined);
  return result ?? {};
}

test('a flat input is split into path, query and body by the contract', async (t) => {
  const { truth, client, clock } = await setup(t);
  await settled(clock, client.call('deleteWebhook', { id: 5 }, lookup));
  await settled(clock, client.call('listReservations', { reservation_code: 'A B&c', limit: 7 }, lookup));
  const made = await settled(clock, client.call('createWebhook', { url: 'http://x/y' }, lookup));
  assert.deepEqual(
    truth.asked.map(({ method, path, query }) => [method, path, query.toString()]),
    [
      ['DELETE', '/webhooks/5', ''],
      ['GET', '/reservations', 'limit=7&reservation_code=A+B%26c'],
      ['POST', '/webhooks', ''],
    ],
  );
  assert.match(made.value?.data.secret_token ?? '', /^whsec_/);
});

test('a deployment that spells a path segment differently is asked in its own words', async (t) => {
  const profile = { ...described, path_segments: { webhooks: 'hooks' } };
  const { truth, client, clock } = await setup(t, { profile });
  await settled(clock, client.call('listWebhooks', {}, lookup));
  assert.equal(truth.asked[0]?.path, '/hooks');
});

test('a secret that no header can carry is none', async (t) => {
  const { truth, client, clock } = await setup(t);
  truth.fault = () => ({ kind: 'data', data: { id: 1, secret_token: 'two\nlines' } });
  const { value } = await settled(clock, client.call('createWebhook', { url: 'http://x/y' }, lookup));
  assert.deepEqual(value?.data, { id: 1, secret_token: null });
});

test('rows keep unknown fields and either spelling; unknown values of open sets pass', async (t) => {
  const { truth, client, clock } = await setup(t);
  const { note: _, ...bare } = makeStay(1);
  const odd = { ...bare, remarks: 'late', status: 'waiting_for_godot', new_field: { deep: [1] } };
  truth.fault = () => ({ kind: 'data', data: { reservations: [odd], total: 1, more: true } });
  const { value } = await settled(clock, client.call('listReservations', {}, lookup));
  const [row] = value?.data.reservations ?? [];
  assert.equal(row?.status, 'waiting_for_godot');
  assert.equal(row?.note, 'late');
  assert.deepEqual(value?.raw[0]?.['new_field'], { deep: [1] });
});

test('a field of another type is unknown, and what is no row at all is named without its values', async (t) => {
  const { truth, client, clock } = await setup(t);
  const rows = [makeStay(1), { ...makeStay(2), number_of_guests: 'SECRET' }, 'nonsense', makeStay(4)];
  truth.fault = () => ({ kind: 'data', data: { reservations: rows, total: 4 } });
  const { value } = await settled(clock, client.call('listReservations', {}, lookup));
  assert.deepEqual(
    value?.data.reservations.map((row) => row.id),
    [1, 2, 4],
  );
  assert.equal(value?.data.reservations[1]?.number_of_guests, null);
  assert.deepEqual(value?.quarantined, [{ raw: 'nonsense', problem: 'not an object' }]);
});

test('only 0 and 200 in the body are success, whatever integer is there', () => {
  const answer = (body: unknown) => ({ status: 200, header: () => undefined, body: Buffer.from(JSON.stringify(body)) });
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.constantFrom(0, 200, 400, 401, 420, 429, 500)), (code) => {
      const read = () => readEnvelope('getAccount', answer({ error_code: code, error_msg: 'x', data: { a: 1 } }));
      if (successCodes.has(code)) assert.deepEqual(read(), { a: 1 });
      else assert.throws(read, CallError);
    }),
  );
  for (const body of [
    {},
    { data: {} },
    { error_code: '200' },
    { error_code: 200.5 },
    { error_code: null },
    [],
    null,
    'x',
  ]) {
    assert.throws(() => readEnvelope('getAccount', answer(body)), CallError, JSON.stringify(body));
  }
});

test('an answer cut at any byte is a failure, never half an answer', () => {
  const whole = Buffer.from(
    JSON.stringify({ request_id: 'r', error_code: 200, error_msg: 'Done.', data: { name: 'ö' } }),
  );
  for (let bytes = 0; bytes < whole.length; bytes += 1) {
    const cut = { status: 200, header: () => undefined, body: whole.subarray(0, bytes) };
    assert.throws(
      () => readEnvelope('getAccount', cut),
      (error) => error instanceof CallError && error.kind === 'transport',
    );
  }
});

test('every described code has its remedy, an undescribed one is tried again', async (t) => {
  const { truth, client, clock } = await setup(t);
  for (const code of [...Object.keys(errorCodes).map(Number), 999]) {
    truth.fault = () => ({ kind: 'code', code });
    const { error } = await settled(clock, client.call('getAccount', {}, lookup));
    assert.ok(error instanceof CallError);
    const expected = errorCodes[code as keyof typeof errorCodes]?.client ?? 'retry';
    assert.deepEqual([error.code, error.kind, error.client], [code, 'api', expected]);
    await clock.run(61_000);
  }
});

test('reads are tried again with growing waits and upward jitter; writes and hopeless calls are not', async (t) => {
  const { truth, client, clock, tally } = await setup(t);
  const waits: number[] = [];
  const patient = retrying(client, { clock, random: evenRandom, attempts: 4, onRetry: (_, ms) => waits.push(ms) });
  truth.fault = () => ({ kind: 'html' });
  const { error } = await settled(clock, patient.call('getAccount', {}, lookup));
  assert.ok(error instanceof CallError && error.kind === 'transport');
  assert.equal(truth.count('/accounts/me'), 4);
  assert.deepEqual(waits, [1_125, 2_250, 4_500]);
  await settled(clock, patient.call('createWebhook', { url: 'http://x' }, lookup));
  assert.equal(truth.count('/webhooks'), 1);
  truth.fault = () => ({ kind: 'code', code: 404 });
  await settled(clock, patient.call('getAccount', {}, lookup));
  assert.equal(truth.count('/accounts/me'), 5);
  assert.equal(tally.total('lookup'), 6);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.option(fc.nat(10_000_000), { nil: undefined }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, retryAfter, fraction) => {
        const wait = waitBefore(attempt, retryAfter, { ...evenRandom, fraction: () => fraction });
        const asked = Math.min(retryAfter ?? 0, LONGEST_HOLD_MS);
        const base = Math.max(Math.min(1_000 * 2 ** (attempt - 1), 300_000), asked);
        assert.ok(wait >= base && wait <= Math.ceil(base * 1.25));
      },
    ),
  );
});

test('R22: a text that is far too long is cut and says so; the longest that can be meant is left, and all else too', async (t) => {
  const { truth, client, clock } = await setup(t);
  const [long, meant] = ['🏠'.repeat(600_000), 'y'.repeat(LONGEST_TEXT)];
  truth.put({ ...makeStay(1, { note: long }), more: { list: [long, meant, 'short'] } } as ReturnType<typeof makeStay>);
  const { value, error } = await settled(clock, client.call('listReservations', { limit: 100 }, lookup));
  assert.equal(error, undefined);
  const row = value?.raw[0] ?? {};
  const note = String(row['note']);
  assert.ok(note.startsWith('🏠🏠') && note.endsWith('… [cut: this text had 1200000 characters]'), note.slice(-60));
  assert.ok(note.length < 101_000);
  const { list } = row['more'] as { list: string[] };
  assert.deepEqual([list[0]?.length, list[1] === meant, list[2]], [note.length, true, 'short']);
  assert.equal(value?.data.reservations[0]?.note, note);
});

test('a drip of an answer is given up after a minute', async (t) => {
  const { truth, client, clock } = await setup(t);
  let release: () => void = () => {};
  const until = new Promise<void>((resolve) => (release = resolve));
  truth.fault = () => ({ kind: 'late', until });
  const start = clock.now();
  const { error } = await settled(clock, client.call('getAccount', {}, lookup));
  release();
  assert.ok(error instanceof CallError && error.client === 'retry');
  assert.ok(clock.now() - start >= 60_000 && clock.now() - start < 61_000);
});

test('the token goes into the header of the profile and into nothing else', async (t) => {
  let asked = 0;
  const profile = { ...described, tokenHeader: 'x-their-token' };
  const { client, clock } = await setup(t, { profile, token: () => `token ${(asked += 1)}` });
  const { error } = await settled(clock, client.call('getAccount', {}, lookup));
  assert.equal(error, undefined);
  assert.equal(asked, 1);
});
