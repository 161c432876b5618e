import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  decimalText,
  exponentOf,
  fromWireAmount,
  isCurrency,
  splitByWeights,
  toMinor,
  wireAmount,
} from '../../src/kernel/money.ts';

/** A double holds every amount up to here with all its decimals (15 significant digits). */
const EXACT_ON_THE_WIRE = 999_999_999_999_999;
const anyCurrency = fc.constantFrom('EUR', 'JPY', 'KWD');
const anyMinor = fc.oneof(
  fc.integer({ min: -EXACT_ON_THE_WIRE, max: EXACT_ON_THE_WIRE }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
);

test('decimal text reads back as the same amount, over the whole safe range', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), anyCurrency, (minor, currency) => {
      const text = decimalText(minor, currency);
      const decimals = text.split('.')[1]?.length ?? 0;
      return toMinor(text, currency) === minor && decimals === exponentOf(currency);
    }),
  );
});

test('sums of JSON numbers are the sum of the amounts, whatever floating-point arithmetic adds', () => {
  const few = fc.array(fc.integer({ min: -100_000_000, max: 100_000_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(few, anyCurrency, (amounts, currency) => {
      const sum = amounts.reduce((total, minor) => total + wireAmount(minor, currency), 0);
      return fromWireAmount(sum, currency) === amounts.reduce((total, minor) => total + minor, 0);
    }),
  );
});

test('a decimal more than the currency has is no noise', () => {
  fc.assert(
    fc.property(anyMinor, fc.integer({ min: 1, max: 9 }), anyCurrency, (minor, digit, currency) => {
      const finer = minor / 1_000 / 10 ** exponentOf(currency) + digit / 10 ** (exponentOf(currency) + 1);
      const exact = toMinor(finer, currency);
      const isFine =
        Math.abs(finer * 10 ** exponentOf(currency) - Math.round(finer * 10 ** exponentOf(currency))) > 0.0001;
      return !isFine || fromWireAmount(finer, currency) === exact;
    }),
  );
  assert.equal(fromWireAmount(0.305, 'EUR'), undefined);
  assert.equal(fromWireAmount(0.1 + 0.2, 'EUR'), 30);
  assert.equal(fromWireAmount(0.5, 'JPY'), undefined);
});

test('the JSON number of the wire reads back as the same amount', () => {
  fc.assert(
    fc.property(anyMinor, anyCurrency, (minor, currency) => {
      const overTheWire: unknown = JSON.parse(JSON.stringify(wireAmount(minor, currency)));
      return typeof overTheWire === 'number' && toMinor(overTheWire, currency) === minor;
    }),
  );
});

test('toMinor: rows', () => {
  const rows: [string | number, string, number | undefined][] = [
    ['12.30', 'EUR', 1_230],
    ['12.3', 'EUR', 1_230],
    [12.3, 'EUR', 1_230],
    [0.1 + 0.2, 'EUR', undefined],
    ['12.300', 'EUR', 1_230],
    ['12.301', 'EUR', undefined],
    ['-0.01', 'EUR', -1],
    ['-0', 'EUR', 0],
    ['-0.00', 'EUR', 0],
    [-0, 'EUR', 0],
    ['0007', 'EUR', 700],
    ['1200', 'JPY', 1_200],
    ['1200.00', 'JPY', 1_200],
    ['1200.5', 'JPY', undefined],
    ['1.234', 'KWD', 1_234],
    ['1.2345', 'KWD', undefined],
    ['', 'EUR', undefined],
    ['.5', 'EUR', undefined],
    ['5.', 'EUR', undefined],
    ['+5', 'EUR', undefined],
    ['1,50', 'EUR', undefined],
    ['1 000', 'EUR', undefined],
    ['1e3', 'EUR', undefined],
    [1e21, 'EUR', undefined],
    [1e-7, 'EUR', undefined],
    [Number.NaN, 'EUR', undefined],
    [Number.POSITIVE_INFINITY, 'EUR', undefined],
    ['90071992547409.91', 'EUR', Number.MAX_SAFE_INTEGER],
    ['90071992547409.92', 'EUR', undefined],
    ['9'.repeat(400), 'EUR', undefined],
    ['12.34', 'MGA', 1_234],
    ['12.34', 'MRU', 1_234],
  ];
  for (const [amount, currency, minor] of rows) assert.equal(toMinor(amount, currency), minor, `${amount} ${currency}`);
});

test('decimalText: rows', () => {
  const rows: [number, string, string][] = [
    [-1_230, 'EUR', '-12.30'],
    [5, 'EUR', '0.05'],
    [-5, 'EUR', '-0.05'],
    [0, 'EUR', '0.00'],
    [-0, 'EUR', '0.00'],
    [7, 'JPY', '7'],
    [0, 'JPY', '0'],
    [1, 'KWD', '0.001'],
    [Number.MAX_SAFE_INTEGER, 'KWD', '9007199254740.991'],
  ];
  for (const [minor, currency, text] of rows) assert.equal(decimalText(minor, currency), text);
});

test('decimals are those of ISO 4217', () => {
  const rows: [string, number][] = [
    ['EUR', 2],
    ['USD', 2],
    ['HUF', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['VND', 0],
    ['ISK', 0],
    ['CLP', 0],
    ['XOF', 0],
    ['KWD', 3],
    ['BHD', 3],
    ['TND', 3],
    ['CLF', 4],
    ['MGA', 2],
    ['MRU', 2],
  ];
  for (const [currency, decimals] of rows) assert.equal(exponentOf(currency), decimals, currency);
  for (const unknown of ['', 'eur', 'EURO', 'XYZ', '__proto__', 'constructor']) {
    assert.equal(isCurrency(unknown), false, unknown);
    assert.throws(() => exponentOf(unknown), RangeError);
  }
});

const anyWeights = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 40 });

test('parts add up exactly, and each is within one unit of its exact share', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), anyWeights, (minor, weights) => {
      const parts = splitByWeights(minor, weights);
      const used = weights.some((weight) => weight > 0) ? weights : weights.map(() => 1);
      const total = used.reduce((sum, weight) => sum + BigInt(weight), 0n);
      assert.equal(parts.length, weights.length);
      assert.equal(
        parts.reduce((sum, part) => sum + BigInt(part), 0n),
        BigInt(minor),
      );
      for (const [index, part] of parts.entries()) {
        const difference = BigInt(part) * total - BigInt(minor) * BigInt(used[index] ?? 0);
        assert.ok(difference < total && difference > -total, `part ${index}`);
        assert.ok(!Object.is(part, -0));
        if (used[index] === 0) assert.equal(part, 0);
      }
    }),
  );
});

test('the units left over go to the largest remainders, the earlier share first among equals', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), anyWeights, (minor, weights) => {
      const used = weights.some((weight) => weight > 0) ? weights : weights.map(() => 1);
      const total = used.reduce((sum, weight) => sum + weight, 0);
      const shares = splitByWeights(minor, weights).map((part, index) => {
        const remainder = Number((BigInt(minor) * BigInt(used[index] ?? 0)) % BigInt(total));
        const extra = part - Number((BigInt(minor) * BigInt(used[index] ?? 0)) / BigInt(total));
        return { index, remainder, extra };
      });
      const ranked = shares.toSorted((a, b) => b.remainder - a.remainder || a.index - b.index);
      const left = shares.reduce((sum, share) => sum + share.extra, 0);
      ranked.forEach((share, rank) => assert.equal(share.extra, rank < left ? 1 : 0));
    }),
  );
});

test('splitByWeights: rows', () => {
  const rows: [number, number[], number[]][] = [
    [100, [1, 1, 1], [34, 33, 33]],
    [-100, [1, 1, 1], [-34, -33, -33]],
    [1, [1, 1], [1, 0]],
    [-1, [1, 1], [-1, 0]],
    [5, [0, 0], [3, 2]],
    [10, [0, 1, 0], [0, 10, 0]],
    [100, [50, 30, 20], [50, 30, 20]],
    [101, [1, 2], [34, 67]],
    [0, [3, 4], [0, 0]],
    [7, [9], [7]],
    [0, [], []],
  ];
  for (const [minor, weights, parts] of rows) assert.deepEqual(splitByWeights(minor, weights), parts);
});

test('an amount cannot be split over nobody, nor by weights that are no whole numbers from zero up', () => {
  assert.throws(() => splitByWeights(1, []), RangeError);
  for (const weights of [
    [-1, 2],
    [1.5, 1],
    [Number.NaN, 1],
  ])
    assert.throws(() => splitByWeights(1, weights), RangeError);
});
