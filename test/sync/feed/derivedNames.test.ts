import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DayValues } from '../../../src/sync/tables/listings/calendar.ts';
import { derivedOfDays } from '../../../src/sync/apply/calendarChanges.ts';
import { derivedNotes } from '../../../src/sync/feed/derived/names.ts';
import { derivedFrom } from '../../../src/sync/feed/derived/rows.ts';
import { addDays, datesFromTo } from '../../../src/kernel/dates.ts';

const only = (resource: string, before: object, after: object) =>
  derivedFrom(resource, { ...before }, { ...after }).map(({ name, before: was, after: is }) => [name, was, is]);

const withCategory = (category: string | null) => ({
  channel_details: { marketplace_a: { cancellation_policy_category: category } },
});

test('a cancellation category that appears is told from one that changes', () => {
  const appeared = [['cancellation_category_appeared', null, 'firm']];
  assert.deepEqual(only('reservation', withCategory(null), withCategory('firm')), appeared);
  assert.deepEqual(only('reservation', { channel_details: null }, withCategory('firm')), appeared);
  assert.deepEqual(only('reservation', withCategory('firm'), withCategory('flexible')), [
    ['cancellation_category_changed', 'firm', 'flexible'],
  ]);
  assert.deepEqual(only('reservation', withCategory('firm'), { channel_details: null }), [
    ['cancellation_category_changed', 'firm', null],
  ]);
  assert.deepEqual(only('reservation', withCategory('firm'), withCategory('firm')), []);
  const [other] = only('reservation', { channel_details: null }, { channel_details: { marketplace_b: { a: 1 } } });
  assert.equal(other?.[0], 'channel_details_changed');
});

test('an offer is accepted, declined, expired or withdrawn', () => {
  for (const status of ['accepted', 'declined', 'expired', 'withdrawn']) {
    const expected = [[`offer_${status}`, 'active', status]];
    assert.deepEqual(only('special_offer', { status: 'active' }, { status }), expected);
  }
  const [odd] = only('special_offer', { status: 'active' }, { status: 'toString' });
  assert.equal(odd?.[0], 'offer_status_changed');
});

test('a channel that is disconnected, and connected again, is told by name', () => {
  const told = (before: string, after: string) =>
    only('channel_account', { auth_status: before }, { auth_status: after })[0]?.[0];
  assert.equal(told('active', 'disconnected'), 'channel_disconnected');
  assert.equal(told('exception', 'disconnected'), 'channel_disconnected');
  assert.equal(told('disconnected', 'active'), 'channel_connected');
  assert.equal(told('active', 'exception'), 'channel_status_changed');
  assert.equal(told('active', 'active'), undefined);
});

const values = fc.record({
  price: fc.constantFrom('100', '120', null),
  inventory: fc.constantFrom(0, 1),
  closed_on_arrival: fc.constantFrom(0 as const, 1 as const),
  min_stay_through: fc.constantFrom(null, 2, 3),
}) as unknown as fc.Arbitrary<DayValues>;

test('the names of calendar days say exactly what differs on which day', () => {
  const start = '2028-02-20';
  const days = fc.array(fc.record({ before: values, after: values, known: fc.boolean() }), { maxLength: 25 });
  fc.assert(
    fc.property(days, (all) => {
      const changed = all
        .map(({ before, after, known }, index) => ({ date: addDays(start, index), before, after, known }))
        .filter((one) => one.known);
      const told = new Map<string, string>();
      for (const { name, before, after, from = '', to = '' } of derivedOfDays(changed)) {
        for (const date of datesFromTo(from, to)) {
          for (const field of Object.keys(after as object)) {
            const place = `${date} ${field}`;
            assert.ok(!told.has(place), 'once only');
            const group = field === 'price' || field === 'inventory' ? `${field}_changed` : 'restrictions_changed';
            assert.equal(name, group);
            told.set(
              place,
              JSON.stringify([Reflect.get(before as object, field), Reflect.get(after as object, field)]),
            );
          }
        }
      }
      const real = changed.flatMap(({ date, before, after }) =>
        Object.keys(after).flatMap((field) => {
          const pair = [Reflect.get(before, field), Reflect.get(after, field)] as unknown[];
          return pair[0] === pair[1] ? [] : [[`${date} ${field}`, JSON.stringify(pair)] as const];
        }),
      );
      assert.equal(told.size, real.length);
      for (const [place, pair] of real) assert.equal(told.get(place), pair, place);
    }),
  );
});

test('docs/mirror.md tells every derived event, in the words of the program', () => {
  const page = readFileSync(new URL('../../../docs/mirror.md', import.meta.url), 'utf8');
  for (const [name, { resource, when, holds }] of Object.entries(derivedNotes)) {
    const row = `| \`${name}\` | \`${resource}\` | ${when} | ${holds} |`;
    assert.ok(page.includes(row), `missing: ${row}`);
  }
});
