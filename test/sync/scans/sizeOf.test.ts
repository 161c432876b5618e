import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Peek, sizeOf } from '../../../src/sync/scans/sizeOf.ts';

const PAGE = 100;

function list(rows: number, { total = null as number | null, heedsOffsets = true } = {}) {
  const asked = { requests: 0 };
  const peek = async (offset: number, limit: number): Promise<Peek> => {
    asked.requests += 1;
    const from = heedsOffsets ? offset : 0;
    const keys = Array.from({ length: Math.max(0, Math.min(limit, rows - from)) }, (_, index) => `${from + index}`);
    return { total, keys };
  };
  return { asked, size: () => sizeOf(peek) };
}

test('a list that says how long it is, is believed after one request', async () => {
  const one = list(7, { total: 70_000 });
  assert.equal(await one.size(), 70_000);
  assert.equal(one.asked.requests, 1);
});

test('one that does not is measured: never too short, hardly too long, in few requests', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 1_000_000 })),
      async (rows) => {
        const { asked, size } = list(rows);
        const found = await size();
        assert.ok(found !== null && found >= rows, `${found} of ${rows}`);
        assert.ok(found <= rows + Math.max(PAGE, rows * 0.02) + 1, `${found} of ${rows}`);
        if (rows < PAGE) assert.equal(found, rows);
        assert.ok(asked.requests <= 20, `${asked.requests} requests`);
      },
    ),
  );
});

test('where offsets are not heeded, nothing but reading tells', async () => {
  const { asked, size } = list(250, { heedsOffsets: false });
  assert.equal(await size(), null);
  assert.equal(asked.requests, 3);
});
