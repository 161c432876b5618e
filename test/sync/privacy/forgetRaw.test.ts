import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Fields } from '../../../src/client/fields.ts';
import { type Forgetting, forgetRaw, namingStrings } from '../../../src/sync/privacy/erasure/forgetRaw.ts';

const reference = fc.constantFrom('S/booker', 'S/10', 'S/11').map((text) => ({ $guest: text }));
const value = fc.oneof(
  reference,
  fc.constantFrom('Anna Smith', 'Dear Anna Smith!', 'x'),
  fc.integer(),
  fc.constant(null),
);
const raw = fc.record({
  guest_name: value,
  note: fc.option(fc.constantFrom('about Anna Smith', 'quiet')),
  deep: fc.record({ list: fc.array(value), one: value }),
  guests: fc.array(fc.record({ id: fc.constantFrom(10, 11), name: value, id_images: fc.array(reference) })),
  total: fc.integer(),
});
const forgetting = fc.record({
  owners: fc.oneof(
    fc.constant('all' as const),
    fc.subarray(['booker', '10', '11']).map((owners) => new Set(owners)),
  ),
  text: fc.boolean(),
  strings: fc.constantFrom([], ['Anna Smith']),
});

test('forgetting takes out all references to whom it is about, all their names, and nothing else', () => {
  fc.assert(
    fc.property(raw, forgetting, (row, what) => {
      const left = forgetRaw('reservation', row as Fields, what as Forgetting);
      const text = JSON.stringify(left);
      for (const owner of ['booker', '10', '11']) {
        const isGone = what.owners === 'all' || what.owners.has(owner);
        if (isGone) assert.ok(!text.includes(`S/${owner}`));
      }
      for (const name of what.strings) assert.ok(!text.includes(name));
      if (what.text) assert.ok(left['note'] === null || left['note'] === undefined);
      assert.equal(left['total'], row.total);
      assert.equal((left['guests'] as unknown[]).length, row.guests.length);
      const nobody = what.owners !== 'all' && what.owners.size === 0;
      if (nobody && !what.text && what.strings.length === 0) assert.equal(text, JSON.stringify(row));
    }),
  );
});

test('forgetting again changes nothing', () => {
  fc.assert(
    fc.property(raw, forgetting, (row, what) => {
      const once = forgetRaw('reservation', row as Fields, what as Forgetting);
      assert.deepEqual(forgetRaw('reservation', once, what as Forgetting), once);
    }),
  );
});

test('texts too short to name anybody are not looked for, and longer ones come first', () => {
  assert.deepEqual(namingStrings(['Li', null, 'Anna', 'Anna Smith', ' x ', 5]), ['Anna Smith', 'Anna']);
});
