import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { colors } from '../../src/contract/propertyTags.ts';
import {
  addMonths,
  datesOfMonth,
  dayState,
  MONTHS_AHEAD,
  monthOf,
  monthsAround,
} from '../../src/core/calendarShareLinks/rules.ts';
import { replacement, shownAmong } from '../../src/core/members.ts';
import { nameKey } from '../../src/core/names.ts';
import { defaultTags, LAST_DEFAULT_ID, pageOfSecond } from '../../src/core/reservationTags/rules.ts';
import { assignColor } from '../../src/core/tagColors.ts';
import { tagLife, tagState } from '../../src/core/tagStates.ts';
import { mayGo } from '../../src/kernel/transitions.ts';
import { dateOfDay } from '../../src/kernel/dates.ts';

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 20 });
const visible = fc.option(ids);
const date = fc.integer({ min: 18_000, max: 30_000 }).map(dateOfDay);

describe('a list that takes the place of another', () => {
  const after = (now: number[], given: number[], seen: number[] | null) => {
    const { added, removed } = replacement(now, given, seen);
    return [...now.filter((id) => !removed.includes(id)), ...added];
  };

  it('is afterwards what was given, as far as its giver sees', () => {
    fc.assert(
      fc.property(ids, ids, visible, (now, wish, seen) => {
        const given = shownAmong(wish, seen);
        const members = after(now, given, seen);
        assert.deepEqual(new Set(shownAmong(members, seen)), new Set(given));
        assert.equal(new Set(members).size, members.length, 'nothing twice');
      }),
    );
  });

  it('leaves what its giver does not see', () => {
    fc.assert(
      fc.property(ids, ids, ids, (now, wish, seen) => {
        const hidden = (members: readonly number[]) => members.filter((id) => !seen.includes(id));
        assert.deepEqual(hidden(after(now, shownAmong(wish, seen), seen)), hidden(now));
      }),
    );
  });
});

describe('the life of a tag', () => {
  it('cannot be made twice or ended twice, and comes back', () => {
    assert.deepEqual(
      [null, 'live' as const, 'deleted' as const].map((from) => mayGo(tagLife, from, 'create')),
      [true, false, true],
    );
    assert.deepEqual(
      [null, 'live' as const, 'deleted' as const].map((from) => mayGo(tagLife, from, 'delete')),
      [false, true, false],
    );
    assert.deepEqual([undefined, { deleted_at: null }, { deleted_at: '2026' }].map(tagState), [
      null,
      'live',
      'deleted',
    ]);
  });
});

describe('colours', () => {
  it('an assigned one is of the palette, and nobody else’s while one is free', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...colors), { maxLength: 30 }), (taken) => {
        const uses = (color: string) => taken.filter((one) => one === color).length;
        const given = assignColor(taken);
        assert.ok(colors.every((color) => uses(given) <= uses(color)));
      }),
    );
  });
});

describe('names', () => {
  it('are one in any case of letters and however accents are stored', () => {
    assert.equal(nameKey('Größe É'), nameKey('GRÖßE e\u0301'));
    assert.notEqual(nameKey('a b'), nameKey('ab'));
  });
});

describe('default tags', () => {
  it('have names that a tag can have, each once, colours of the palette, and numbers below all others', () => {
    assert.equal(new Set(defaultTags.map((tag) => nameKey(tag.tag_name))).size, defaultTags.length);
    assert.equal(new Set(defaultTags.map((tag) => tag.id)).size, defaultTags.length);
    for (const { id, tag_name, color, is_default } of defaultTags) {
      assert.ok(id >= 1 && id <= LAST_DEFAULT_ID);
      assert.ok(tag_name.length <= 15 && colors.some((one) => one === color) && is_default);
    }
  });

  it('a page over two lists is a page of the two as one', () => {
    const size = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(size, size, size, size, (first, second, offset, limit) => {
        const both = Array.from({ length: first + second }, (_, index) => index);
        const { from, to } = pageOfSecond(first, { offset, limit });
        const page = [...both.slice(0, first).slice(offset, offset + limit), ...both.slice(first).slice(from, to)];
        assert.deepEqual(page, both.slice(offset, offset + limit));
      }),
    );
  });
});

describe('months', () => {
  const month = date.map(monthOf);

  it('moved there and back are the same, and lie in order', () => {
    fc.assert(
      fc.property(month, fc.integer({ min: -100, max: 100 }), (from, count) => {
        assert.equal(addMonths(addMonths(from, count), -count), from);
        assert.equal(Math.sign(count), addMonths(from, count) > from ? 1 : addMonths(from, count) < from ? -1 : 0);
      }),
    );
  });

  it('hold each of their dates once and no other', () => {
    fc.assert(
      fc.property(date, (one) => {
        const dates = datesOfMonth(monthOf(one));
        assert.ok(dates.includes(one));
        assert.ok(dates.length >= 28 && dates.length <= 31);
        assert.ok(dates.every((other) => monthOf(other) === monthOf(one)));
      }),
    );
  });

  it('a visitor is never led out of the months that can be looked at', () => {
    fc.assert(
      fc.property(fc.option(fc.oneof(month, fc.string())), date, (asked, today) => {
        const { month: shown, previous, next } = monthsAround(asked ?? undefined, today);
        const [first, last] = [monthOf(today), addMonths(monthOf(today), MONTHS_AHEAD)];
        for (const one of [shown, previous ?? shown, next ?? shown]) assert.ok(one >= first && one <= last, one);
        assert.equal(previous === null, shown === first);
        assert.equal(next === null, shown === last);
      }),
    );
  });

  it('a day is past before today, whatever the calendar says', () => {
    assert.equal(dayState('2026-11-19', true, '2026-11-20'), 'past');
    assert.equal(dayState('2026-11-20', true, '2026-11-20'), 'free');
    assert.equal(dayState('2026-11-20', false, '2026-11-20'), 'taken');
  });
});
