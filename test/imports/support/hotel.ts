import { readFileSync } from 'node:fs';
import { readMapping } from '../../../src/imports/readMapping.ts';

const shipped = new URL('../../../config/imports/hotel-bookings.yaml', import.meta.url);

export const hotelYaml = readFileSync(shipped, 'utf8');
export const hotelMapping = readMapping(hotelYaml, 'hotel-bookings.yaml');

/** The columns of the hotel data with a plain row in them: two guests, two nights, checked out. */
const plain = {
  hotel: 'City Hotel',
  is_canceled: '0',
  lead_time: '7',
  arrival_date_year: '2016',
  arrival_date_month: 'July',
  arrival_date_week_number: '28',
  arrival_date_day_of_month: '4',
  stays_in_weekend_nights: '0',
  stays_in_week_nights: '2',
  adults: '2',
  children: '0',
  babies: '0',
  meal: 'BB',
  country: 'PRT',
  market_segment: 'Online TA',
  distribution_channel: 'TA/TO',
  is_repeated_guest: '0',
  previous_cancellations: '0',
  previous_bookings_not_canceled: '0',
  reserved_room_type: 'A',
  assigned_room_type: 'A',
  booking_changes: '0',
  deposit_type: 'No Deposit',
  agent: '9',
  company: 'NULL',
  days_in_waiting_list: '0',
  customer_type: 'Transient',
  adr: '100.5',
  required_car_parking_spaces: '0',
  total_of_special_requests: '0',
  reservation_status: 'Check-Out',
  reservation_status_date: '2016-07-06',
};
export type HotelRow = Partial<typeof plain>;

export function hotelCsv(rows: readonly HotelRow[]): string {
  const lines = rows.map((row) => Object.values({ ...plain, ...row }).join(','));
  return `${[Object.keys(plain).join(','), ...lines].join('\n')}\n`;
}

const resort = { hotel: 'Resort Hotel' };
const cancelled = { is_canceled: '1', reservation_status: 'Canceled', reservation_status_date: '2016-06-30' };

/** Every quirk of the real file, each once or twice; the comments are what must come of it. */
export const quirks: HotelRow[] = [
  {}, // row 1: EUR 201.00, 2 nights
  {}, // row 2: the same once more is another booking
  { ...resort, country: 'NULL', distribution_channel: 'Undefined', agent: 'NULL' }, // row 3
  { ...resort, country: 'CN', children: 'NA', adr: '5400' }, // row 4: EUR 10800.00
  { country: 'TMP', adr: '0' }, // row 5: held, no amount
  { ...cancelled, deposit_type: 'Non Refund', adr: '62.35' }, // row 6: cancelled, income 124.70
  { ...cancelled, deposit_type: 'Non Refund', adr: '0' }, // row 7: cancelled, nothing to receive
  { ...cancelled, deposit_type: 'Refundable', adr: '80' }, // row 8: cancelled, no income
  { ...cancelled, is_canceled: '1', reservation_status: 'No-Show', reservation_status_date: '2016-07-04' }, // row 9: holds
  { stays_in_week_nights: '0' }, // row 10: zero nights
  { adults: '0' }, // row 11: no guests
  { stays_in_week_nights: '0', adults: '0', children: 'NA', adr: '0' }, // row 12: both, one rejection
  { adr: '-6.38' }, // row 13: negative rate
  { adults: '0', children: '2', babies: '1' }, // row 14: children alone are guests
  { arrival_date_month: 'February', arrival_date_day_of_month: '29', stays_in_weekend_nights: '1' }, // row 15
  { lead_time: '737', adr: '33.33' }, // row 16: EUR 66.66
];
