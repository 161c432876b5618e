import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { guessMapping } from '../../src/imports/guess/guessMapping.ts';
import { openReservations } from '../../src/imports/readReservations.ts';
import { readMapping } from '../../src/imports/readMapping.ts';
import type { Booking, Outcome } from '../../src/imports/outcome.ts';
import { countTotals, type Totals } from '../../src/imports/totals.ts';
import { all } from './support/files.ts';

const PRESETS = new URL('../../config/imports/', import.meta.url);
const FILES = new URL('./files/', import.meta.url);

interface Read {
  totals: Totals;
  bookings: Booking[];
  refused: string[];
}

/** A file made after a portal's export, read by the mapping of that name. */
async function read(name: string): Promise<Read> {
  const mapping = readMapping(readFileSync(new URL(`${name}.yaml`, PRESETS), 'utf8'), `${name}.yaml`);
  const { outcomes } = await openReservations(fileURLToPath(new URL(`${name}.csv`, FILES)), mapping);
  const counter = countTotals();
  const list: Outcome[] = await all(outcomes);
  for (const outcome of list) counter.add(outcome);
  return {
    totals: counter.read(),
    bookings: list.filter((one) => one.kind === 'booking'),
    refused: list.flatMap((one) =>
      one.kind === 'rejection' ? one.problems.map(({ field, reason }) => `${one.line} ${field}: ${reason}`) : [],
    ),
  };
}

describe('a proposal', () => {
  it('names the mapping that comes with stayd and fits the file', async () => {
    const presets = readdirSync(PRESETS).map((file) => ({
      name: file.replace('.yaml', ''),
      mapping: readMapping(readFileSync(new URL(file, PRESETS), 'utf8'), file),
    }));
    for (const name of ['airbnb', 'booking', 'smoobu']) {
      const text = await guessMapping(fileURLToPath(new URL(`${name}.csv`, FILES)), presets);
      assert.deepEqual(text.match(/--mapping \S+/g), [`--mapping ${name}`]);
    }
  });
});

describe('the mapping that comes for', () => {
  it('each portal is a mapping, and has its file here', () => {
    const presets = readdirSync(PRESETS).map((file) => file.replace('.yaml', ''));
    const files = readdirSync(FILES).map((file) => file.replace('.csv', ''));
    assert.deepEqual(presets.toSorted(), [...files, 'hotel-bookings'].toSorted());
  });

  it('Airbnb takes the payout by its sign, and shows dates read wrongly', async () => {
    const { totals, bookings, refused } = await read('airbnb');
    assert.deepEqual(
      [totals.held.bookings, totals.held.amount, totals.cancelled.bookings, totals.cancelled.income],
      [3, { USD: '3235.55' }, 2, { USD: '212.40' }],
    );
    assert.deepEqual(refused, ['7 status: missing', '8 nights: nights do not match the dates']);
    assert.equal(totals.remarks['currency by its sign']?.value, '$ as USD');
    const [first, second] = bookings;
    assert.deepEqual(
      [first?.key, first?.place, first?.checkIn, first?.total, first?.commission, first?.income],
      [
        'HMAAAA1111',
        { property: 'Lake House, north shore' },
        '2026-03-05',
        104_055,
        0,
        { amount: 104_055, at: '2026-03-05' },
      ],
    );
    assert.deepEqual(
      [second?.checkIn, second?.guests, second?.infants, second?.channel, second?.phone],
      ['2026-04-18', 5, 1, 'Airbnb', '+44 7700 900101'],
    );
  });

  it('Booking.com takes price and commission in the currency they name, and asks about several rooms', async () => {
    const { totals, bookings, refused } = await read('booking');
    assert.deepEqual(refused, ['6 rooms: more than one room']);
    assert.deepEqual(
      [totals.held.bookings, totals.held.no_shows, totals.held.amount, totals.cancelled.bookings],
      [3, 1, { EUR: '1721.75' }, 1],
    );
    const [first, second] = bookings;
    assert.deepEqual(
      [first?.total, first?.commission, first?.place, first?.bookedAt],
      [23_175, 3_476, { group: 'Deluxe Apartment' }, '2026-01-14T10:11:12'],
    );
    assert.deepEqual([second?.total, second?.guests, second?.guestName], [131_000, 4, 'Ben Cole']);
    assert.deepEqual(totals.remarks['amount rounded'], {
      rows: 1,
      line: 2,
      field: 'commission',
      value: '34.7625 EUR to 34.76',
    });
  });

  it('Smoobu takes the columns of the account’s language, and no blocked period', async () => {
    const { totals, bookings, refused } = await read('smoobu');
    assert.deepEqual(refused, ['5 status: missing']);
    assert.deepEqual(
      [totals.held.bookings, totals.held.amount, totals.held.income, totals.cancelled.bookings],
      [2, { EUR: '1541.75' }, { EUR: '1356.99' }, 1],
    );
    const [first] = bookings;
    assert.deepEqual(
      [first?.key, first?.place, first?.channel, first?.commission, first?.checkOut, first?.email],
      ['70000001', { property: 'Haus am See' }, 'Booking.com', 18_476, '2026-03-09', 'anna@guest.example'],
    );
  });
});
