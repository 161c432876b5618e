import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import test from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  sameSecret,
  signingKey,
  signWebhook,
  SIGNATURE_TOLERANCE_SECONDS,
  type SignedDelivery,
  verifyWebhook,
} from '../../src/kernel/signature.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const KEY = signingKey(SECRET);
const NOW = 1_790_000_000;
const BODY = '{"event":"reservation_updated","event_id":"01K5","reservation_code":"5-ABCD","note":"Zürich ☂"}';
const ID = '01K5XS7M4E3V9QH2T6B8N0C1DZ';

function signed(overrides: Partial<SignedDelivery> = {}, key = KEY): SignedDelivery {
  return {
    id: ID,
    timestamp: String(NOW),
    signature: signWebhook(key, ID, NOW, BODY),
    body: Buffer.from(BODY),
    ...overrides,
  };
}

const verifies = (delivery: SignedDelivery, key = KEY, atSeconds = NOW) =>
  verifyWebhook(key, delivery, atSeconds * 1_000);

function flipBit(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

test('S1: 10,000 single-bit mutations of body, id, timestamp and signature: 0 accepted', () => {
  assert.equal(verifies(signed()), true);
  const parts = ['body', 'id', 'timestamp', 'signature'] as const;
  let tried = 0;
  let accepted = 0;
  for (let round = 0; tried < 10_000; round += 1) {
    for (const part of parts) {
      const genuine = signed();
      const bytes = Buffer.from(genuine[part]);
      const mutated = flipBit(bytes, round % (bytes.length * 8));
      // Header values reach us as latin1 text, so every single-bit change of their bytes stays one.
      const delivery = { ...genuine, [part]: part === 'body' ? mutated : mutated.toString('latin1') };
      tried += 1;
      if (verifies(delivery)) accepted += 1;
    }
  }
  assert.deepEqual({ tried, accepted }, { tried: 10_000, accepted: 0 });
});

test('S1: the bytes count, not the JSON: a re-serialised body is refused', () => {
  const pretty = JSON.stringify(JSON.parse(BODY), null, 1);
  const reordered = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(BODY) as object).toReversed()));
  for (const body of [pretty, reordered, ` ${BODY}`, `${BODY}\n`, `\uFEFF${BODY}`]) {
    assert.equal(verifies(signed({ body: Buffer.from(body) })), false, body);
  }
});

test('S2: accepted at ±299 and ±300 s, refused at ±301 s', () => {
  assert.equal(SIGNATURE_TOLERANCE_SECONDS, 300);
  const rows: [number, boolean][] = [
    [0, true],
    [299, true],
    [-299, true],
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
    [86_400, false],
    [-86_400, false],
  ];
  for (const [offset, expected] of rows) assert.equal(verifies(signed(), KEY, NOW + offset), expected, `${offset} s`);
});

test('S2: milliseconds of our clock do not move the window', () => {
  assert.equal(verifyWebhook(KEY, signed(), (NOW + 300) * 1_000 + 999), true);
  assert.equal(verifyWebhook(KEY, signed(), (NOW + 301) * 1_000), false);
});

test('a signed time has one spelling', () => {
  for (const timestamp of [`0${NOW}`, `+${NOW}`, ` ${NOW}`, `${NOW}.0`, `${NOW}e0`, '', '0', '-1', 'NaN', `${NOW}\n`]) {
    assert.equal(verifies(signed({ timestamp })), false, JSON.stringify(timestamp));
  }
});

test('S3: empty, short and long inputs are refused and never throw', () => {
  const genuine = signed().signature;
  const odd = ['', ' ', 'v1', 'v1,', genuine.slice(0, -1), `${genuine}=`, genuine.repeat(50), 'x'.repeat(100_000)];
  for (const signature of odd) assert.equal(verifies(signed({ signature })), false);
  for (const id of ['', ' ', 'x'.repeat(100_000)]) assert.equal(verifies(signed({ id })), false);
  for (const body of [Buffer.alloc(0), Buffer.alloc(1_000_000)]) assert.equal(verifies(signed({ body })), false);
});

test('S3: fuzz: nothing throws, nothing verifies', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', 'v1,', String(NOW), ID));
  fc.assert(
    fc.property(text, text, text, fc.uint8Array(), fc.uint8Array(), (id, timestamp, signature, body, key) => {
      const delivery = { id, timestamp, signature, body: Buffer.from(body) };
      return !verifyWebhook(Buffer.from(key), delivery, NOW * 1_000);
    }),
    { numRuns: 1_000 },
  );
});

test('S3: sameSecret is equality of bytes, except that nothing equals an unset secret', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const equal = Buffer.from(a).equals(Buffer.from(b)) && b !== '';
      return sameSecret(a, b) === equal && sameSecret(b, b) === (b !== '');
    }),
  );
  assert.equal(sameSecret('', ''), false);
});

test('an empty key verifies nothing: anyone could have signed with it', () => {
  for (const secret of ['', 'whsec_', 'whsec_****']) {
    const key = signingKey(secret);
    assert.equal(verifies(signed({}, key), key), false, secret);
  }
});

test('S4: during a rotation a delivery verifies with either key, in either order, every time', () => {
  let verified = 0;
  for (let round = 0; round < 500; round += 1) {
    const [before, after] = [randomBytes(32), randomBytes(32)];
    const both = [signed({}, after).signature, signed({}, before).signature];
    for (const signature of [both.join(' '), both.toReversed().join(' ')]) {
      for (const key of [before, after]) if (verifies(signed({ signature }), key)) verified += 1;
      assert.equal(verifies(signed({ signature }), randomBytes(32)), false);
    }
  }
  assert.equal(verified, 2_000);
});

test('keys: decoded bytes behind whsec_, UTF-8 bytes of any other secret', () => {
  assert.deepEqual(KEY, Buffer.alloc(32, 7));
  assert.deepEqual(signingKey('pässword'), Buffer.from('pässword'));
  const expected = createHmac('sha256', 'pässword').update(`${ID}.${NOW}.${BODY}`).digest('base64');
  assert.equal(signWebhook(signingKey('pässword'), ID, NOW, BODY), `v1,${expected}`);
});

test('oracle: the standardwebhooks package signs the same', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 24, maxLength: 64 }),
      fc.uuid(),
      fc.integer({ min: 1, max: 4_000_000_000 }),
      fc.json(),
      (bytes, id, seconds, body) => {
        const secret = `whsec_${Buffer.from(bytes).toString('base64')}`;
        const theirs = new Webhook(secret).sign(id, new Date(seconds * 1_000), body);
        return theirs === signWebhook(signingKey(secret), id, seconds, body);
      },
    ),
  );
});

test('oracle: either side verifies what the other signed, and refuses the same forgeries', () => {
  const oracle = new Webhook(SECRET);
  // The package reads the system clock, so this test signs for the present.
  const seconds = Math.floor(Date.now() / 1_000);
  const ours = signWebhook(KEY, ID, seconds, BODY);
  const rows: [string, number, string, boolean][] = [
    [ours, seconds, BODY, true],
    [`v1,AAAA ${ours}`, seconds, BODY, true],
    [`v1a,AAAA ${ours}`, seconds, BODY, true],
    [ours, seconds, `${BODY} `, false],
    [ours, seconds + 1, BODY, false],
    [ours.slice(3), seconds, BODY, false],
    [ours.replace('v1,', 'v2,'), seconds, BODY, false],
    [signWebhook(KEY, ID, seconds - 400, BODY), seconds - 400, BODY, false],
  ];
  for (const [signature, timestamp, body, expected] of rows) {
    const headers = { 'webhook-id': ID, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
    const theirs = accepts(() => oracle.verify(body, headers, { jsonParse: false }));
    const delivery = { id: ID, timestamp: String(timestamp), signature, body: Buffer.from(body) };
    assert.deepEqual([theirs, verifies(delivery, KEY, seconds)], [expected, expected], signature);
  }
});

function accepts(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}
