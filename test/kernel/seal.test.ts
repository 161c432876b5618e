import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import test from 'node:test';
import fc from 'fast-check';
import { OperatorError } from '../../src/kernel/errors.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';

const KEY = Buffer.alloc(32, 1);
const CONTEXT = 'webhook:01K5';
const SECRET = 'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=';
const ours = sealer(KEY, systemRandom);

const damaged = (thrown: unknown) => thrown instanceof OperatorError && thrown.message.includes('changed or damaged');

test('what was sealed opens, whatever it and its context hold', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (plain, context) => {
      const text = ours.seal(plain, context);
      return /^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/.test(text) && ours.open(text, context) === plain;
    }),
  );
});

test('it is AES-256-GCM under a nonce of 12 bytes and a tag of 16, with the context as additional data', () => {
  const bytes = Buffer.from(ours.seal(SECRET, CONTEXT).split('.')[2] ?? '', 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', KEY, bytes.subarray(0, 12)).setAAD(Buffer.from(CONTEXT));
  decipher.setAuthTag(bytes.subarray(12, 28));
  assert.equal(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString(), SECRET);
});

test('sealing the same twice gives two texts; neither holds the secret', () => {
  const texts = new Set(Array.from({ length: 1_000 }, () => ours.seal(SECRET, CONTEXT)));
  assert.equal(texts.size, 1_000);
  for (const text of texts) assert.ok(!text.includes('whsec') && !text.includes(SECRET.slice(6)));
});

test('any change of any character, and any cut, is noticed', () => {
  for (const plain of ['', 'a', 'ab', SECRET]) {
    const text = ours.seal(plain, CONTEXT);
    let refused = 0;
    for (let index = 0; index < text.length; index += 1) {
      for (const replacement of ['A', 'B', 'g', '0', '1', '-', '=', '.', ' ', 'é', '']) {
        const forged = text.slice(0, index) + replacement + text.slice(index + 1);
        if (forged === text) continue;
        assert.throws(() => ours.open(forged, CONTEXT), OperatorError, `${index} ${replacement}`);
        refused += 1;
      }
      assert.throws(() => ours.open(text.slice(0, index), CONTEXT), OperatorError);
    }
    assert.ok(refused > text.length * 9);
    assert.throws(() => ours.open(`${text}A`, CONTEXT), OperatorError);
    assert.throws(() => ours.open(`${text}\n`, CONTEXT), OperatorError);
  }
});

test('each byte of nonce, tag and cipher is covered', () => {
  const [version, keyId, payload = ''] = ours.seal(SECRET, CONTEXT).split('.');
  const bytes = Buffer.from(payload, 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged[index] = (forged[index] ?? 0) ^ (1 << bit);
      const text = [version, keyId, forged.toString('base64url')].join('.');
      assert.throws(() => ours.open(text, CONTEXT), damaged, `byte ${index} bit ${bit}`);
    }
  }
});

test('another key is told apart from damage, and both keys are named', () => {
  const theirs = sealer(Buffer.alloc(32, 2), systemRandom);
  assert.notEqual(theirs.keyId, ours.keyId);
  assert.throws(
    () => ours.open(theirs.seal(SECRET, CONTEXT), CONTEXT),
    (thrown: unknown) =>
      thrown instanceof OperatorError &&
      thrown.message.includes(theirs.keyId) &&
      thrown.message.includes(ours.keyId) &&
      thrown.hint !== undefined &&
      !damaged(thrown),
  );
  const relabelled = theirs.seal(SECRET, CONTEXT).replace(theirs.keyId, ours.keyId);
  assert.throws(() => ours.open(relabelled, CONTEXT), damaged);
});

test('a secret opens in its own context only', () => {
  const text = ours.seal(SECRET, CONTEXT);
  for (const context of ['', 'webhook:01K6', 'webhook:01K5 ', 'token:01K5']) {
    assert.throws(() => ours.open(text, context), damaged, context);
  }
});

test('errors do not repeat the secret, the key or the sealed text', () => {
  const text = ours.seal(SECRET, CONTEXT);
  for (const attempt of [text.slice(0, -1), text.replace(ours.keyId, '00000000'), SECRET, `v1.${SECRET}`]) {
    try {
      ours.open(attempt, CONTEXT);
      assert.fail('opened');
    } catch (thrown) {
      const said = thrown instanceof OperatorError ? `${thrown.message} ${thrown.hint}` : '';
      assert.ok(said.includes(CONTEXT), String(thrown));
      assert.ok(!said.includes(SECRET) && !said.includes(attempt) && !said.includes(KEY.toString('base64')));
    }
  }
});

test('a key of any other length is refused at the start', () => {
  for (const length of [0, 16, 31, 33, 64]) {
    assert.throws(() => sealer(Buffer.alloc(length), systemRandom), OperatorError, `${length} bytes`);
  }
});

test('the caller may wipe its copy of the key', () => {
  const bytes = Buffer.from(KEY);
  const made = sealer(bytes, systemRandom);
  bytes.fill(0);
  assert.equal(ours.open(made.seal(SECRET, CONTEXT), CONTEXT), SECRET);
});
