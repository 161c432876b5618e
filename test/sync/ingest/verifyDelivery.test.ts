import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { envelope } from '../../../src/contract/events.ts';
import { signingKey, signWebhook } from '../../../src/kernel/signature.ts';
import { readEvent } from '../../../src/sync/ingest/readEvent.ts';
import { deliveryCheck, type DeliveryProof, type Verdict } from '../../../src/sync/ingest/verifyDelivery.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const body = Buffer.from('{"event":"x","event_id":"A1"}');

function headers(over: Record<string, string | undefined> = {}, at = NOW): Record<string, string | undefined> {
  const timestamp = Math.floor(at / 1_000);
  return {
    'their-token': secret,
    'webhook-id': 'A1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook(signingKey(secret), 'A1', timestamp, body),
    ...over,
  };
}

const noToken = { 'their-token': undefined };
const noSignature = { 'webhook-signature': undefined };
const wrongToken = { 'their-token': `${secret} ` };
const wrongId = { 'webhook-id': 'A2' };
const rows: [DeliveryProof, Record<string, string | undefined>, Verdict][] = [
  ['token', {}, 'proven'],
  ['token', noSignature, 'proven'],
  ['token', noToken, 'without_token'],
  ['token', wrongToken, 'wrong_token'],
  ['token', { ...noToken, ...noSignature }, 'unproven'],
  ['token', { ...noToken, ...noSignature, 'another-token': secret }, 'other_header'],
  ['signature', {}, 'proven'],
  ['signature', noToken, 'proven'],
  ['signature', noSignature, 'unsigned'],
  ['signature', wrongId, 'wrong_signature'],
  ['signature', { ...noToken, ...wrongId }, 'wrong_signature'],
  ['signature', { 'webhook-timestamp': 'soon' }, 'wrong_signature'],
  ['signature', headers({}, NOW - 3_600_000), 'late_signature'],
  ['both', {}, 'proven'],
  ['both', noToken, 'without_token'],
  ['both', noSignature, 'unsigned'],
  ['both', wrongToken, 'wrong_token'],
  ['both', { ...wrongToken, ...noSignature }, 'wrong_token'],
  ['both', wrongId, 'wrong_signature'],
];
for (const [proof, over, verdict] of rows) {
  test(`proof by ${proof}, other ${Object.keys(over).join()}: ${verdict}`, () => {
    assert.equal(deliveryCheck(proof, 'their-token', [secret])(body, headers(over), NOW), verdict);
  });
}

test('an old and a new secret both count; without any nothing does', () => {
  const other = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
  assert.equal(deliveryCheck('both', 'their-token', [other, secret])(body, headers(), NOW), 'proven');
  assert.equal(deliveryCheck('both', 'their-token', [other])(body, headers(), NOW), 'wrong_token');
  assert.equal(deliveryCheck('token', 'their-token', [])(body, headers(), NOW), 'no_secret');
});

test('a signature counts for 300 seconds in either direction', () => {
  const check = deliveryCheck('signature', 'their-token', [secret]);
  for (const [seconds, accepted] of [
    [299, true],
    [-299, true],
    [301, false],
    [-301, false],
  ] as const) {
    assert.equal(check(body, headers({}, NOW + seconds * 1_000), NOW) === 'proven', accepted, String(seconds));
  }
});

test('no change of a single bit of the body is accepted', () => {
  const check = deliveryCheck('signature', 'their-token', [secret]);
  for (let bit = 0; bit < body.length * 8; bit += 1) {
    const forged = Buffer.from(body);
    forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(check(forged, headers(), NOW), 'wrong_signature');
  }
});

test('whatever the body holds, it is taken in exactly when the contract calls it an event', () => {
  const ids = fc.oneof(fc.string({ maxLength: 70 }), fc.stringMatching(/^[0-9A-Za-z]{1,66}$/), fc.integer());
  const bodies = fc.oneof(
    fc.json().map((text) => text),
    fc.record({ event: fc.string({ maxLength: 3 }), event_id: ids }).map((fields) => JSON.stringify(fields)),
    fc.string(),
  );
  fc.assert(
    fc.property(bodies, (text) => {
      const taken = readEvent(Buffer.from(text));
      assert.equal(taken !== undefined, isEvent(text));
    }),
    { numRuns: 2_000 },
  );
});

/** Elsewhere events have no id, and no time. */
const loose = envelope.omit({ timestamp: true }).extend({ event_id: envelope.shape.event_id.nullish() });

function isEvent(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return !Array.isArray(value) && loose.safeParse(value).success;
  } catch {
    return false;
  }
}
