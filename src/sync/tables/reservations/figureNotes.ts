import type { TableNote } from '../tableNote.ts';

/** Notes on the tables that reports read beside the rows themselves; docs/reports.md explains the views on them. */
export const reportNotes: readonly TableNote[] = [
  {
    table: 'stay_figures',
    is: 'One stay in a short row: what reports ask of it.',
    analysts: {
      types: { received_minor: { money: 'payment_currency' }, balance_minor: { money: 'payment_currency' } },
    },
    columns: {
      stay_code: 'The stay.',
      reservation_code: 'The booking it belongs to.',
      property_id: 'Property; 0 in the reservation box.',
      channel_type: 'Channel it came from.',
      channel: 'The operator’s own source where there is one, else the channel.',
      status: 'State of the stay.',
      kind: 'paid (by guests, or at no known price), unpaid (at a price of zero) or owner (the owner’s own).',
      check_in_date: 'First night.',
      check_out_date: 'Day of leaving; not a night.',
      nights: 'Number of nights.',
      number_of_guests: 'Guests.',
      booked_date: 'The operator’s date of the booking.',
      cancelled_date: 'The operator’s date of the cancellation.',
      lead_days: 'Days from the booking to the first night.',
      currency: 'Currency of rate, rental, tax and commission.',
      rate_minor: 'Price of this stay with fees, in minor units.',
      rental_minor: 'What its nights cost without fees, in minor units.',
      tax_minor: 'Taxes, in minor units; of several rooms the part of this one.',
      commission_minor: 'Commission on this stay, in minor units.',
      payment_currency: 'Currency of the payment columns, which are those of the whole booking.',
      payment_total_minor: 'To be received for the booking, in minor units.',
      received_minor: 'Received for the booking, in minor units.',
      balance_minor: 'Still to be received for the booking, in minor units.',
    },
  },
  {
    table: 'stay_items',
    is: 'One kind of line of a stay’s price; the lines add up to the price.',
    analysts: { currencyIn: { table: 'stay_figures', by: ['connection', 'stay_code'] } },
    columns: {
      stay_code: 'The stay.',
      item: 'ACCOMMODATION, CLEANING_FEE, EXTRA_GUEST_FEE, PET_FEE, OTHER and others; taxes and commission are none.',
      amount_minor: 'What the guest pays for it, in minor units of the stay’s currency.',
    },
  },
  {
    table: 'property_listings',
    is: 'One posting of a property, as the property names it.',
    analysts: {},
    columns: {
      property_id: 'The property.',
      listing: '`<channel_type>/<listing_id>`.',
      currency: 'Currency of its prices, where upstream says so.',
    },
  },
  {
    table: 'dates',
    is: 'The calendar from 2000 to 2049, one row a day; the same for all connections.',
    analysts: { types: { day_before: 'date', year_before: 'date' } },
    columns: {
      date: 'The day.',
      day_number: 'Days since 1970-01-01.',
      day_before: 'The day before.',
      year_before: 'The same day a year before; of 29 February the 28th.',
      month: 'Its month, `YYYY-MM`.',
      month_days: 'How many days that month has.',
      weekday: '1 for Monday to 7 for Sunday.',
    },
  },
];
