import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { backupName, backupsAmong, noLongerKept } from '../../src/compose/backup/schedule/names.ts';

const at = (text: string) => backupName(Date.parse(text), 'tar.gz');

describe('backups at their place', () => {
  it('are known by their names, newest first, and other files are left alone', () => {
    const [older, newer] = [at('2027-03-05T03:15:00Z'), at('2027-03-06T03:15:00Z')];
    assert.equal(older, 'stayd-20270305T031500Z.tar.gz');
    const others = ['erasures.log', 'stayd.tar.gz', `${older}.partial`, 'x-stayd-20270305T031500Z.dump', 'holiday.jpg'];
    assert.deepEqual(backupsAmong([older, ...others, newer]), [
      { name: newer, made_at: '2027-03-06T03:15:00.000Z' },
      { name: older, made_at: '2027-03-05T03:15:00.000Z' },
    ]);
  });

  it('of two a day over two years: seven days, four weeks and twelve months are kept', () => {
    const names = Array.from({ length: 730 }, (_, day) => Date.UTC(2026, 0, 1 + day)).flatMap((midnight) => [
      backupName(midnight + 3 * 3_600_000, 'dump'),
      backupName(midnight + 15 * 3_600_000, 'dump'),
    ]);
    const all = backupsAmong(names);
    const over = new Set(noLongerKept(all, { days: 7, weeks: 4, months: 12 }, 'UTC').map(({ name }) => name));
    const kept = all.filter(({ name }) => !over.has(name)).map(({ made_at }) => made_at.slice(0, 13));
    // The afternoon is the last of each day; 2027-12-31 was a Friday.
    const wanted = {
      days: '2027-12-31 2027-12-30 2027-12-29 2027-12-28 2027-12-27 2027-12-26 2027-12-25',
      weeks: '2027-12-19 2027-12-12',
      months:
        '2027-11-30 2027-10-31 2027-09-30 2027-08-31 2027-07-31 2027-06-30 2027-05-31 2027-04-30 2027-03-31 2027-02-28 2027-01-31',
    };
    const days = Object.values(wanted).join(' ').split(' ');
    assert.deepEqual(
      kept,
      days.map((day) => `${day}T15`),
    );
  });

  it('a day is one of the zone', () => {
    // Two moments of 1 March in Auckland, on two days of UTC.
    const all = backupsAmong([at('2027-02-28T12:00:00Z'), at('2027-03-01T10:00:00Z')]);
    const keep = { days: 2, weeks: 0, months: 0 };
    assert.equal(noLongerKept(all, keep, 'Pacific/Auckland').length, 1);
    assert.equal(noLongerKept(all, keep, 'UTC').length, 0);
  });

  it('the newest always stays, no period loses all of its backups, and to ask again removes nothing more', () => {
    const moments = fc.uniqueArray(fc.integer({ min: 0, max: 900 * 24 }), { minLength: 1, maxLength: 200 });
    const keeping = fc.record({
      days: fc.integer({ min: 1, max: 40 }),
      weeks: fc.integer({ min: 0, max: 40 }),
      months: fc.integer({ min: 0, max: 40 }),
    });
    fc.assert(
      fc.property(moments, keeping, (hours, keep) => {
        const all = backupsAmong(hours.map((hour) => backupName(Date.UTC(2026, 0, 1, hour), 'tar.gz')));
        const over = new Set(noLongerKept(all, keep, 'Europe/Berlin'));
        const kept = all.filter((one) => !over.has(one));
        assert.equal(kept[0], all[0]);
        assert.ok(kept.length <= keep.days + keep.weeks + keep.months + 1);
        assert.ok(kept.length >= Math.min(keep.days, new Set(all.map(({ made_at }) => made_at.slice(0, 10))).size - 1));
        assert.deepEqual(noLongerKept(kept, keep, 'Europe/Berlin'), []);
      }),
    );
  });
});
