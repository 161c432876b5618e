import assert from 'node:assert/strict';
import type { Check } from './support/figures.ts';

export const moneyFigures: Record<string, Check> = {
  async 'revenue-by-stay-date: items fall on the nights, and add up to the price'({ figures }) {
    const columns = 'period item currency stays amount_minor';
    // February 2028. ACCOMMODATION: LEAP 3 × 85, ROOMS 171.43 + 128.58, BOXED 80; CLEANING_FEE: LEAP 3 × 15, ROOMS
    // 28.57 + 21.43. March: LEAP 85 and 15, THIRDS 100.
    assert.deepEqual(await figures('revenue-by-stay-date', columns, { from: '2028' }), [
      ['2028-02', 'ACCOMMODATION', 'EUR', 4, 63501],
      ['2028-02', 'ACCOMMODATION', 'USD', 1, 25000],
      ['2028-02', 'CLEANING_FEE', 'EUR', 3, 9500],
      ['2028-03', 'ACCOMMODATION', 'EUR', 2, 18500],
      ['2028-03', 'CLEANING_FEE', 'EUR', 1, 1500],
    ]);
  },

  async 'revenue-by-booked-date: the whole amount in the operator’s month of the booking'({ figures }) {
    const columns = 'period item currency stays amount_minor';
    // LEAP was booked in February 2027, THIRDS in January 2028; ROOMS, BOXED and DOLLAR in February 2028.
    assert.deepEqual(await figures('revenue-by-booked-date', columns), [
      ['2027-01', 'ACCOMMODATION', 'EUR', 1, 30000],
      ['2027-02', 'ACCOMMODATION', 'EUR', 1, 34000],
      ['2027-02', 'CLEANING_FEE', 'EUR', 1, 6000],
      ['2028-01', 'ACCOMMODATION', 'EUR', 1, 10000],
      ['2028-02', 'ACCOMMODATION', 'EUR', 3, 38001],
      ['2028-02', 'ACCOMMODATION', 'USD', 1, 25000],
      ['2028-02', 'CLEANING_FEE', 'EUR', 2, 5000],
    ]);
  },

  async 'revenue is the same by stay date and by booked date, over all time'({ figures }) {
    const columns = 'item currency amount_minor';
    const byStay = await figures('revenue-by-stay-date', columns, { by: 'all' });
    assert.deepEqual(byStay, await figures('revenue-by-booked-date', columns, { by: 'all' }));
  },

  async 'cash-book: paid entries by the operator’s date, method and currency'({ figures }) {
    const columns = 'period method currency receipts received_minor payments paid_minor net_minor';
    // The first entry is of 1 October where the operator is. The outstanding one is left out.
    assert.deepEqual(await figures('cash-book', columns), [
      ['2026-10', 'Card', 'EUR', 1, 5025, 0, 0, 5025],
      ['2026-10', 'Cash', 'EUR', 1, 10000, 1, 3000, 7000],
      ['2026-10', 'Cash', 'USD', 1, 2000, 0, 0, 2000],
    ]);
  },

  async 'balances: accepted bookings that are not paid up, or overpaid, by arrival'({ figures }) {
    const columns =
      'check_in_date reservation_code property rooms currency total_minor received_minor balance_minor over_received_minor';
    // ROOMS is one booking: 350.01 to be received, 400 received. THIRDS: 100 and 40. CANCELLED owes nothing.
    assert.deepEqual(await figures('balances', columns), [
      ['2028-02-14', 'ROOMS', '(several)', 2, 'EUR', 35001, 40000, 0, 4999],
      ['2028-03-05', 'THIRDS', 'House 7', 1, 'EUR', 10000, 4000, 6000, 0],
    ]);
    assert.deepEqual(await figures('balances', 'reservation_code', { property: [7], from: '2028-03-05' }), [
      ['THIRDS'],
    ]);
    assert.deepEqual(await figures('balances', 'reservation_code', { to: '2028-03-04' }), [['ROOMS']]);
  },
};
