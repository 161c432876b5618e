import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Outcome } from '../../src/imports/outcome.ts';
import { planFile } from '../../src/imports/planFile.ts';
import { readMapping } from '../../src/imports/readMapping.ts';
import { fileOf } from './support/files.ts';
import { hotelCsv, hotelMapping, hotelYaml, quirks } from './support/hotel.ts';

describe('the first pass over a file', () => {
  it('plans units from the rows that hold nights and adds up all of them', async () => {
    const seen: Outcome[] = [];
    const { plan, totals } = await planFile(fileOf(hotelCsv(quirks)), hotelMapping, {
      onOutcome: (outcome) => void seen.push(outcome),
    });
    assert.deepEqual(
      [...plan.units],
      [
        ['City Hotel', [1, 2, 3, 4, 5, 6]],
        ['Resort Hotel', [1, 2]],
      ],
    );
    assert.deepEqual([seen.length, totals.rows, totals.rejected.rows], [16, 16, 4]);
    assert.deepEqual(
      [1, 2, 5, 9, 14, 16, 15].map((row) => plan.unitOf(row, 'City Hotel')),
      [1, 2, 3, 4, 5, 6, 1],
    );
  });

  it('leaves bookings imported before where they are now', async () => {
    const file = fileOf(hotelCsv([{}, {}, {}, {}]));
    const { plan } = await planFile(file, hotelMapping, {
      known({ row, checkIn, checkOut }) {
        if (row === 1) return { unit: 3, checkIn, checkOut };
        return row === 2 ? 'nothing' : undefined;
      },
      others: [
        { pool: 'City Hotel', unit: 1, checkIn: '2016-07-05', checkOut: '2016-07-20' },
        { pool: 'Elsewhere', unit: 1, checkIn: '2016-07-05', checkOut: '2016-07-20' },
      ],
    });
    assert.deepEqual([...plan.units], [['City Hotel', [2, 3, 4]]]);
    assert.deepEqual(
      [1, 3, 4].map((row) => plan.unitOf(row, 'City Hotel')),
      [3, 2, 4],
    );
  });

  it('plans nothing when the file names the property', async () => {
    const mapping = readMapping(hotelYaml.replace('property_group:', 'property:'), 'm.yaml');
    const { plan, totals } = await planFile(fileOf(hotelCsv([{}, {}])), mapping);
    assert.deepEqual([plan.units.size, totals.held.bookings], [0, 2]);
  });

  it('fails before anything is begun when the file cannot be read to its end', async () => {
    const broken = Buffer.concat([Buffer.from(hotelCsv([{}])), Buffer.from([0xff, 0xfe])]);
    await assert.rejects(planFile(fileOf(broken), hotelMapping), /cannot be read on from about line/);
  });
});
