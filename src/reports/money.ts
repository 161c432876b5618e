import { count, CURRENCY, day, detail, money, PERIOD, PLACE, type Report, SPAN, SPANS, text } from './report.ts';

const ITEMS =
  'Items are the lines of the price of each stay, as the channel names them. They add up to the price; where a stay has no lines it is ACCOMMODATION. Where lines are of a whole booking with several rooms, each room has its part of every line.';
const REVENUE_OF = 'Accepted stays of paying guests. Taxes, commission and fees outside the price are left out.';

/** Reports of money: earned, received, and still to come. */
export const moneyReports: readonly Report[] = [
  {
    name: 'revenue-by-stay-date',
    view: 'v1_revenue_by_stay_date',
    title: 'revenue by item, in the month of the nights',
    notes: [
      ITEMS,
      REVENUE_OF,
      'Each item of a stay is split evenly over its nights, cents that do not divide going to the first ones. A fee for the whole stay counts so too.',
    ],
    columns: [
      SPAN,
      PERIOD,
      text('item', 'Kind of line.'),
      CURRENCY,
      { name: 'stays', unit: 'count', is: 'Stays that have it.' },
      money('amount', 'What guests pay for it.'),
    ],
    filters: { dates: 'period', by: SPANS, property: 'view' },
    order: ['period', 'item', 'currency'],
  },
  {
    name: 'revenue-by-booked-date',
    view: 'v1_revenue_by_booked_date',
    title: 'revenue by item, in the month of the booking',
    notes: [
      ITEMS,
      REVENUE_OF,
      'The whole amount counts at the operator’s date of the booking; stays without one, and stays without nights, are left out. What was cancelled since is not in it.',
    ],
    columns: [
      SPAN,
      PERIOD,
      text('item', 'Kind of line.'),
      CURRENCY,
      { name: 'stays', unit: 'count', is: 'Stays that have it.' },
      money('amount', 'What guests pay for it.'),
    ],
    filters: { dates: 'period', by: SPANS, property: 'view' },
    order: ['period', 'item', 'currency'],
  },
  {
    name: 'cash-book',
    view: 'v1_cash_book',
    title: 'money received and paid, by method and currency',
    notes: [
      'Entries of the ledger by the operator’s date on which they took place, under the method of payment.',
      'Left out: outstanding entries, which take place in the future, and deleted ones. Deposits count only if they were entered.',
    ],
    columns: [
      SPAN,
      PERIOD,
      text('method', 'Method of payment.'),
      CURRENCY,
      count('receipts', 'Entries of income.'),
      money('received', 'Their sum.'),
      count('payments', 'Entries of expense.'),
      money('paid', 'Their sum.'),
      money('net', 'received − paid.'),
    ],
    filters: { dates: 'period', by: SPANS, property: 'view' },
    order: ['period', 'method', 'currency'],
  },
  {
    name: 'balances',
    view: 'v1_balances',
    title: 'bookings not fully paid, or overpaid, by arrival',
    notes: [
      'One row a booking, with the figures of the booking as a whole. Paid up bookings are left out, and cancelled ones.',
      'A booking with rooms in several properties has no property, and is not found by one.',
      'To be received is the price less the commission, as upstream says; of channels that bill it later (`channels.<name>.commission`) the whole price, once books are kept.',
    ],
    columns: [
      day('check_in_date', 'First night.'),
      detail(day('check_out_date', 'Day of leaving.')),
      text('reservation_code', 'The booking.'),
      ...PLACE.map((column) => (column.name === 'property_id' ? detail(column) : column)),
      text('channel', 'The operator’s own source, or the channel.'),
      detail({ name: 'rooms', unit: 'count', is: 'Stays of the booking.' }),
      detail(day('booked_date', 'When it was booked.')),
      { ...CURRENCY, is: 'Currency of the payment.' },
      money('total', 'To be received.'),
      money('received', 'Received.'),
      money('balance', 'Still to be received.'),
      money('over_received', 'received − total, where that is above zero.'),
    ],
    filters: { dates: 'check_in_date', property: 'column' },
    order: ['check_in_date', 'reservation_code'],
  },
];
