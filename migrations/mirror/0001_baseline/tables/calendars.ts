import type { Table } from '../../../tables.ts';

/** Nights of properties and days of listings. */
export const calendars: readonly Table[] = [
  {
    name: 'availability_reads',
    columns: {
      property_id: 'bigint!',
      read_number: 'bigint!',
      first_seen_at: 'text!',
      changed_at: 'text!',
      complete_read_at: 'text',
    },
    key: ['property_id'],
    narrow: true,
  },
  {
    name: 'availability_days',
    columns: { property_id: 'bigint!', date: 'text!', available: 'bigint!', remarks: 'text' },
    key: ['property_id', 'date'],
    narrow: true,
    indexes: [
      { name: 'availability_days_closed', columns: ['connection', 'property_id', 'date'], where: 'available = 0' },
    ],
  },
  {
    name: 'calendar_reads',
    columns: {
      listing: 'text!',
      read_number: 'bigint!',
      first_seen_at: 'text!',
      changed_at: 'text!',
      complete_read_at: 'text',
    },
    key: ['listing'],
    narrow: true,
  },
  {
    name: 'calendar_days',
    columns: {
      listing: 'text!',
      date: 'text!',
      channel_type: 'text!',
      listing_id: 'text!',
      price: 'text',
      inventory: 'bigint',
      closed_on_arrival: 'bigint',
      closed_on_departure: 'bigint',
      min_stay_on_arrival: 'bigint',
      max_stay_on_arrival: 'bigint',
      min_stay_through: 'bigint',
      max_stay_through: 'bigint',
      exact_stay_on_arrival: 'bigint',
      min_advance_reservation: 'text',
      max_advance_reservation: 'text',
    },
    key: ['listing', 'date'],
    narrow: true,
  },
];
