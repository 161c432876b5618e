import assert from 'node:assert/strict';
import type { Asked } from '../../src/reports/question.ts';
import { CONNECTION } from '../support/mirror.ts';
import type { Check } from './support/figures.ts';

const NIGHTS = 'calendar_nights sold_nights unpaid_nights owner_nights hold_nights block_nights';
const PERCENTS = 'occupancy_calendar_pct occupancy_adjusted_pct occupancy_total_pct';

/** Two days without a night of house 8, in a month without any and in one with some. */
const CLOSED = ['2027-06-05', '2028-02-01'];

export const demandFigures: Record<string, Check> = {
  async 'occupancy: all properties of a leap February, two currencies apart'({ figures }) {
    const columns = `period currency ${NIGHTS} ${PERCENTS} currency_nights rental_minor adr_minor`;
    const rows = await figures('occupancy', columns, { from: '2028-02', to: '2028-02' });
    // Calendar: 2 properties × 29. Sold: LEAP 27, 28, 29 = 3; ROOMS 2 + 2; DOLLAR 2; BOXED 1: 10. Blocks: 1 and 2.
    // 10 ÷ 58 = 17.24 %, 10 ÷ (58 − 2) = 17.86 %, (10 + 2) ÷ 58 = 20.69 %.
    // EUR rental: LEAP 3 × 85.00 = 255.00; ROOMS-1 171.43 and ROOMS-2 128.58 of 200.00 and 150.01, as 300.01 is of
    // 350.01; BOXED 80.00: 635.01 over 8 nights = 79.376.
    const all = [58, 10, 0, 0, 0, 2, 17.24, 17.86, 20.69];
    assert.deepEqual(rows, [
      ['2028-02', 'EUR', ...all, 8, 63501, 7938],
      ['2028-02', 'USD', ...all, 2, 25000, 12500],
    ]);
  },

  async 'occupancy: each property, with blocks, and ADR and RevPAR in all variants'({ figures }) {
    const money = 'adr_minor adr_with_fees_minor adr_with_taxes_minor revpar_calendar_minor revpar_adjusted_minor';
    const columns = `property_id property currency ${NIGHTS} ${PERCENTS} rental_minor ${money}`;
    const rows = await figures('occupancy', columns, { from: '2028-02', to: '2028-02', property: 'all' });
    // House 7: LEAP 3 + ROOMS-1 2 = 5 nights of 29; 5 ÷ (29 − 2 blocks) = 18.52 %; 7 ÷ 29 = 24.14 %. Rental 255.00 +
    // 171.43 = 426.43: ÷ 5 = 85.286, ÷ 29 = 14.704, ÷ 27 = 15.793. With fees 3 × 100 + 200 = 500: ÷ 5. Taxes 28.00 ÷
    // 4 nights × 3 = 21.00: 521 ÷ 5. House 8: ROOMS-2 2 nights at 128.58 rental and 150.01; DOLLAR 2.
    // The box has no calendar.
    assert.deepEqual(rows, [
      [0, '(reservation box)', 'EUR', 0, 1, 0, 0, 0, 0, null, null, null, 8000, 8000, 8000, 8000, null, null],
      [7, 'House 7', 'EUR', 29, 5, 0, 0, 0, 2, 17.24, 18.52, 24.14, 42643, 8529, 10000, 10420, 1470, 1579],
      [8, 'House 8', 'EUR', 29, 4, 0, 0, 0, 0, 13.79, 13.79, 13.79, 12858, 6429, 7501, 7501, 443, 443],
      [8, 'House 8', 'USD', 29, 4, 0, 0, 0, 0, 13.79, 13.79, 13.79, 25000, 12500, 12500, 12500, 862, 862],
    ]);
  },

  async 'occupancy: holds, gifts and owners’ stays are no nights sold, and months without sales have a row'({
    figures,
  }) {
    const columns = `property_id currency ${NIGHTS} ${PERCENTS} rental_minor adr_minor`;
    const rows = await figures('occupancy', columns, { from: '2028-03', to: '2028-03', property: [7, 8] });
    // House 7: LEAP 1 + THIRDS 3 = 4 of 31 = 12.90 %; GIFT 1 unpaid; WAITS 2 held: 4 ÷ (31 − 2) = 13.79 %;
    // (4 + 1 + 2) ÷ 31 = 22.58 %; rental 85 + 100 = 185. House 8: OWNER 3: 0 ÷ 28, 3 ÷ 31 = 9.68 %.
    assert.deepEqual(rows, [
      [7, 'EUR', 31, 4, 1, 0, 2, 0, 12.9, 13.79, 22.58, 18500, 4625],
      [8, null, 31, 0, 0, 3, 0, 0, 0, 0, 9.68, null, null],
    ]);
  },

  async 'occupancy: a property that is gone counts in months in which it had nights, with its blocks of these'({
    figures,
    world,
  }) {
    const columns = `period property_id currency ${NIGHTS}`;
    const gone = (at: string | null) =>
      world.store.db.updateTable('properties').set({ deleted_at: at }).where('id', '=', 8).execute();
    const asked: Asked = { from: '2027-02', to: '2028-03', property: 'all' };
    const before = await figures('occupancy', columns, asked);
    const { db } = world.store;
    const kept = await db
      .selectFrom('availability_days')
      .selectAll()
      .where('property_id', '=', 8)
      .where('date', 'in', CLOSED)
      .execute();
    await gone('2028-04-01T00:00:00Z');
    const remove = () => db.deleteFrom('availability_days').where('property_id', '=', 8).where('date', 'in', CLOSED);
    await remove().execute();
    const blocks = CLOSED.map((date) => ({ connection: CONNECTION, property_id: 8, date, available: 0 }));
    await db.insertInto('availability_days').values(blocks).execute();
    try {
      const rows = await figures('occupancy', columns, asked);
      const of8 = (list: unknown[][]) => list.filter((row) => row[1] === 8);
      assert.deepEqual(of8(rows), [
        ['2028-02', 8, 'EUR', 29, 4, 0, 0, 0, 1],
        ['2028-02', 8, 'USD', 29, 4, 0, 0, 0, 1],
        ['2028-03', 8, null, 31, 0, 0, 3, 0, 0],
      ]);
      assert.equal(
        of8(before).length,
        15,
        'a property that is there has a row a month, and two where two currencies are',
      );
      assert.deepEqual(
        rows.filter((row) => row[1] !== 8),
        before.filter((row) => row[1] !== 8),
      );
    } finally {
      await gone(null);
      await remove().execute();
      if (kept.length > 0) await db.insertInto('availability_days').values(kept).execute();
    }
  },

  async 'occupancy: a year and all time are made of whole months from the first night to the last'({ figures }) {
    const columns = 'period currency calendar_nights sold_nights rental_minor';
    // From February 2027 (334 days of the year) to March 2028 (31 + 29 + 31 days): 2 × 334 and 2 × 91. In 2027 BEFORE
    // sold 3 nights for 300; in 2028 EUR 635.01 and 185.00.
    assert.deepEqual(await figures('occupancy', columns, { by: 'year' }), [
      ['2027', 'EUR', 668, 3, 30000],
      ['2028', 'EUR', 182, 14, 82001],
      ['2028', 'USD', 182, 14, 25000],
    ]);
    assert.deepEqual(await figures('occupancy', columns, { by: 'all' }), [
      ['all', 'EUR', 850, 17, 112001],
      ['all', 'USD', 850, 17, 25000],
    ]);
  },

  async 'on-the-books: what was booked by a date and not yet cancelled, beside the same time last year'({ figures }) {
    const columns =
      'month currency nights rental_minor adr_minor stly_nights stly_rental_minor pace_nights pace_nights_pct pace_rental_minor stly364_nights stly364_rental_minor';
    // T = 3 Feb 2028. EUR in February: LEAP 3 at 85, BOXED 1 at 80, and CANCELLED 4 at 125, which was cancelled only
    // on the 15th: 8 nights, 835. ROOMS came on the 4th. March: LEAP 85 and THIRDS 100. A year before, on 3 Feb 2027:
    // BEFORE 3 for 300, and BEFORE-OFF 2 for 180, cancelled on the 5th. 3 ÷ 5 = 60 %. 364 days before is 4 Feb 2027.
    assert.deepEqual(await figures('on-the-books', columns, { as_of: '2028-02-03' }), [
      ['2028-02', 'EUR', 8, 83500, 10438, 5, 48000, 3, 60, 35500, 5, 48000],
      ['2028-02', 'USD', 2, 25000, 12500, 0, 0, 2, null, 25000, 0, 0],
      ['2028-03', 'EUR', 4, 18500, 4625, 0, 0, 4, null, 18500, 0, 0],
    ]);
  },

  async 'on-the-books: a year before 29 February is the 28th, and the day of booking is the operator’s'({ figures }) {
    const columns = 'month currency nights rental_minor stly_nights stly_rental_minor';
    // CANCELLED is off. EUR: LEAP 255, ROOMS 171.43 + 128.58, BOXED 80. On 28 Feb 2027 only BEFORE stood.
    const leap = await figures('on-the-books', columns, { as_of: '2028-02-29', to: '2028-02' });
    assert.deepEqual(leap, [
      ['2028-02', 'EUR', 8, 63501, 3, 30000],
      ['2028-02', 'USD', 2, 25000, 0, 0],
    ]);
    // LEAP was booked on the 11th where the operator is, though it was the 10th in UTC; February 2028 begins a year
    // and twelve months after T, so only the window of the year after shows it: none does yet.
    assert.deepEqual(await figures('on-the-books', columns, { as_of: '2027-02-10', property: [7] }), [
      ['2027-02', 'EUR', 3, 30000, 0, 0],
    ]);
    const booked = await figures('on-the-books', 'month nights', { as_of: '2027-03-01', property: [7] });
    assert.deepEqual(booked, [['2028-02', 3]]);
  },

  async 'pickup: nights booked and cancelled within 1, 7 and 30 days'({ figures }) {
    const columns =
      'days month currency gross_nights cancelled_nights net_nights gross_rental_minor cancelled_rental_minor net_rental_minor';
    // T = 5 Feb 2028. Within 7 days: DOLLAR, BOXED, ROOMS. Within 30 also THIRDS (10 Jan) and CANCELLED (20 Jan).
    assert.deepEqual(await figures('pickup', columns, { as_of: '2028-02-05' }), [
      [7, '2028-02', 'EUR', 5, 0, 5, 38001, 0, 38001],
      [7, '2028-02', 'USD', 2, 0, 2, 25000, 0, 25000],
      [30, '2028-02', 'EUR', 9, 0, 9, 88001, 0, 88001],
      [30, '2028-02', 'USD', 2, 0, 2, 25000, 0, 25000],
      [30, '2028-03', 'EUR', 3, 0, 3, 10000, 0, 10000],
    ]);
    // On the 15th CANCELLED goes. Within 30 days it came and went: in the gross, in the cancelled, nothing in the net.
    assert.deepEqual(await figures('pickup', columns, { as_of: '2028-02-15', property: [8] }), [
      [1, '2028-02', 'EUR', 0, 4, -4, 0, 50000, -50000],
      [7, '2028-02', 'EUR', 0, 4, -4, 0, 50000, -50000],
      [30, '2028-02', 'EUR', 6, 4, 2, 62858, 50000, 12858],
      [30, '2028-02', 'USD', 2, 0, 2, 25000, 0, 25000],
    ]);
  },

  async 'pickup is the difference of what stood on the books'({ figures }) {
    const on = async (as_of: string) =>
      new Map(
        (await figures('on-the-books', 'month currency nights rental_minor', { as_of })).map((row) => [
          `${String(row[0])} ${String(row[1])}`,
          [Number(row[2]), Number(row[3])],
        ]),
      );
    const now = await on('2028-02-15');
    // 8, 15 and 16 January: the window of months is that of T, so only rows from February on are compared.
    for (const [days, before] of [
      [1, '2028-02-14'],
      [7, '2028-02-08'],
      [30, '2028-01-16'],
    ] as const) {
      const then = await on(before);
      const columns = 'days month currency net_nights net_rental_minor';
      const picked = (await figures('pickup', columns, { as_of: '2028-02-15' })).filter((row) => row[0] === days);
      for (const key of new Set([...now.keys(), ...then.keys()])) {
        const row = picked.find((one) => `${String(one[1])} ${String(one[2])}` === key);
        const [nights = 0, rental = 0] = now.get(key) ?? [];
        const [nightsThen = 0, rentalThen = 0] = then.get(key) ?? [];
        const expected = [nights - nightsThen, rental - rentalThen];
        assert.deepEqual(row?.slice(3) ?? [0, 0], expected, `${days} days, ${key}`);
      }
    }
  },

  async 'booking-window: one booking counts once; the median lies between the middle two'({ figures }) {
    const columns = 'period bookings median_days mean_days days_2_3 days_8_14 days_31_60 days_366';
    // February 2028: BOXED 3 days, ROOMS 10, DOLLAR 11, LEAP 381 (11 Feb 2027 to 27 Feb 2028): middle (10 + 11) ÷ 2,
    // mean 405 ÷ 4 = 101.25. March: THIRDS 10 Jan to 5 Mar: 55. 2027: BEFORE 5 Jan to 26 Feb: 52.
    assert.deepEqual(await figures('booking-window', columns), [
      ['2027-02', 1, 52, 52, 0, 0, 1, 0],
      ['2028-02', 4, 10.5, 101.3, 1, 2, 0, 1],
      ['2028-03', 1, 55, 55, 0, 0, 1, 0],
    ]);
    // All six: 3, 10, 11, 52, 55, 381: (11 + 52) ÷ 2; mean 512 ÷ 6 = 85.33.
    assert.deepEqual(await figures('booking-window', columns, { by: 'all' }), [['all', 6, 31.5, 85.3, 1, 2, 2, 1]]);
  },

  async 'channel-mix: share of nights, commission and net ADR, custom channels by their name'({ figures }) {
    const columns =
      'channel currency stays nights nights_pct gross_minor commission_minor commission_pct net_minor net_adr_minor';
    // February 2028, 10 nights. LEAP: 3 of its 4 nights at 100.00, and of the commission of 40.01 the first night has
    // 10.01: 30.01. (300.00 − 30.01) ÷ 3 = 89.997. DOLLAR 250 − 25. ROOMS 350.01 over 4 nights = 87.5025.
    assert.deepEqual(await figures('channel-mix', columns, { from: '2028-02', to: '2028-02' }), [
      ['Friends', 'EUR', 2, 4, 40, 35001, 0, 0, 35001, 8750],
      ['marketplace_a', 'EUR', 1, 3, 30, 30000, 3001, 10, 26999, 9000],
      ['marketplace_a', 'USD', 1, 2, 20, 25000, 2500, 10, 22500, 11250],
      ['direct', 'EUR', 1, 1, 10, 8000, 0, 0, 8000, 8000],
    ]);
  },

  async 'channel-mix: the nights of a stay have all of its commission together'({ figures }) {
    const rows = await figures('channel-mix', 'period commission_minor', { property: [7], by: 'all' });
    // LEAP has 40.01; the rest of House 7 was booked without any.
    assert.equal(
      rows.reduce((sum, row) => sum + Number(row[1]), 0),
      4001,
    );
  },

  async 'cancellations: by the month of booking, owners’ stays and requests left out'({ figures }) {
    const columns =
      'period currency bookings cancelled_bookings cancelled_pct nights lost_nights lost_nights_pct revenue_minor lost_minor lost_pct kept_minor';
    // January 2027: BEFORE 3 nights for 300, BEFORE-OFF 2 for 180: 2 ÷ 5, 180 ÷ 480. February 2027: LEAP. January 2028:
    // THIRDS 3 for 100, CANCELLED 4 for 500 of which 50 were received: 4 ÷ 7, 500 ÷ 600. February 2028: ROOMS (one
    // booking of 4 nights), BOXED, and GIFT; DOLLAR apart.
    assert.deepEqual(await figures('cancellations', columns), [
      ['2027-01', 'EUR', 2, 1, 50, 5, 2, 40, 48000, 18000, 37.5, 0],
      ['2027-02', 'EUR', 1, 0, 0, 4, 0, 0, 40000, 0, 0, 0],
      ['2028-01', 'EUR', 2, 1, 50, 7, 4, 57.14, 60000, 50000, 83.33, 5000],
      ['2028-02', 'EUR', 3, 0, 0, 6, 0, 0, 43001, 0, 0, 0],
      ['2028-02', 'USD', 1, 0, 0, 2, 0, 0, 25000, 0, 0, 0],
    ]);
  },
};
