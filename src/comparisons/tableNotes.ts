import type { TableNote } from '../sync/tables/tableNote.ts';

/** The tables of calendars that are compared with the mirror. */
export const comparisonNotes: readonly TableNote[] = [
  {
    table: 'comparisons',
    is: 'Calendars at marketplaces that are compared with properties of the mirror. Nothing is booked by them.',
    columns: {
      comparison_id: 'Identifier.',
      property_id: 'The property of the mirror.',
      name: 'The marketplace, as people call it; unique for a property.',
      source: 'The habits by which events are read: airbnb, booking_com, vrbo, generic.',
      url: 'Sealed address of the calendar.',
      host: 'Host of the address.',
      created_at: 'When it was added.',
      next_read_at: 'When it is read next.',
      tried_at: 'The last attempt.',
      good_at: 'The last good read.',
      failures: 'Failed reads in a row.',
      problem: 'Why the last read failed; null: it did not.',
      events: 'Events of the last good read.',
    },
  },
  {
    table: 'comparison_findings',
    is: 'Nights of which only one side knows: the calendar at a marketplace, or the mirror.',
    columns: {
      comparison_id: 'The comparison.',
      finding_id: 'Identifier.',
      subject: 'What it is about: the stay, or the nights of the event.',
      known_to: '`calendar` or `mirror`.',
      stay_code: 'The stay; null if only the calendar knows.',
      start_date: 'The first night.',
      end_date: 'The day after the last night.',
      is_sold: '1: guests come; 0: the calendar only says that the nights are closed.',
      first_seen_at: 'The first read that showed it.',
      seen_reads: 'Good reads in a row that showed it.',
      settled_at: 'When a person said that it is known; null: nobody has.',
    },
  },
];
