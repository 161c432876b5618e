import type { TableNote } from '../tableNote.ts';

const stateColumns = {
  valid_from: 'Since when the mirror knew it so (UTC, included).',
  valid_to: 'Until when (UTC, not included); null: it is so now.',
} as const;

const restrictionColumns = {
  price: 'Exact decimal text in the listing’s currency; null: none set.',
  inventory: 'Units for sale.',
  closed_on_arrival: '1: nobody may arrive.',
  closed_on_departure: '1: nobody may leave.',
  min_stay_on_arrival: 'Shortest stay for an arrival on the day.',
  max_stay_on_arrival: 'Longest stay for an arrival on the day.',
  min_stay_through: 'Shortest stay over the day.',
  max_stay_through: 'Longest stay over the day.',
  exact_stay_on_arrival: 'Only this many nights for an arrival on the day.',
  min_advance_reservation: 'At least so long before arrival: `xDxH`.',
  max_advance_reservation: 'At most so long before arrival: `xDxH`.',
} as const;

const rangeColumns = {
  change_seq: 'The change that ended it.',
  from_date: 'The first day of the range.',
  to_date: 'The last day of the range.',
  valid_to: 'Until when it was so (UTC).',
} as const;

/** Notes on history that can be queried by time, and on its limits. */
export const historyNotes: readonly TableNote[] = [
  {
    table: 'derived_events',
    is: 'One change that no event announces, under a name of its own; written with its change.',
    analysts: { types: { before: 'json', after: 'json' }, personal: ['before', 'after'] },
    columns: {
      seq: 'Its change in `changes`.',
      position: 'Counts the names of one change, from 0.',
      at: 'When the mirror learnt of it.',
      name: 'Its name; the list stands in mirror.md.',
      resource: 'As in changes.',
      key: 'As in changes.',
      part: 'As in changes.',
      from_date: 'For days of a calendar: the first; else null.',
      to_date: 'The last of them.',
      before: 'What was, JSON.',
      after: 'What is, JSON.',
    },
  },
  {
    table: 'states',
    is: 'View: every state of every row, the present one included. A time at which a row has no state is one when it was not known, or gone. Calendars have views of their own.',
    analysts: {},
    columns: {
      resource: 'As in changes.',
      key: 'As in changes.',
      part: 'As in changes.',
      ...stateColumns,
    },
  },
  {
    table: 'availability_states',
    is: 'View: every state of every night of a property.',
    analysts: { types: { available: 'flag' }, personal: ['remarks'] },
    columns: {
      property_id: 'Property.',
      date: 'Night.',
      ...stateColumns,
      available: '1: free.',
      remarks: 'The host’s remark.',
    },
  },
  {
    table: 'calendar_states',
    is: 'View: every state of every day of a listing’s calendar.',
    analysts: { types: { price: 'decimal', closed_on_arrival: 'flag', closed_on_departure: 'flag' } },
    columns: { listing: '`<channel_type>/<listing_id>`.', date: 'Day.', ...stateColumns, ...restrictionColumns },
  },
  {
    table: 'availability_history',
    is: 'What a range of nights was until a change; `availability_states` is easier to ask.',
    columns: { property_id: 'Property.', ...rangeColumns, available: '1: free.', remarks: 'The host’s remark.' },
  },
  {
    table: 'calendar_history',
    is: 'What a range of days was until a change; `calendar_states` is easier to ask.',
    columns: { listing: '`<channel_type>/<listing_id>`.', ...rangeColumns, ...restrictionColumns },
  },
  {
    table: 'day_starts',
    is: 'Since when a range of days is known.',
    columns: {
      resource: 'availability or calendar.',
      key: 'As in changes.',
      from_date: 'The first day of the range.',
      to_date: 'The last day of the range.',
      since: 'When it was first read (UTC).',
    },
  },
  {
    table: 'history_bounds',
    is: 'How far back something is kept, once retention has taken away what is older.',
    columns: { kept: 'What: versions, changes, events.', since: 'From this moment on (UTC).' },
  },
  {
    table: 'aged_conversations',
    is: 'A conversation that is over, of which retention has taken away what was said before a moment; it is not read in again.',
    columns: { conversation_id: 'Conversation.', since: 'From this moment on what was said is there (UTC).' },
  },
  {
    table: 'announced_rows',
    is: 'A row whose changes retention has deleted from the feed; reading it again is no news.',
    columns: { resource: 'As in changes.', key: 'As in changes.', part: 'As in changes; empty where that is null.' },
  },
  {
    table: 'erasures',
    is: 'One person, booking or conversation whose personal values are forgotten whenever they are read.',
    columns: {
      subject: 'Keyed hash; says nothing about who it is.',
      erasure_id: 'The erasure it belongs to.',
      erased_at: 'When that was (UTC).',
      applied: '0: it may not have been carried out to the end; the next start does.',
    },
  },
  {
    table: 'erasure_keys',
    is: 'The key of the hashes in `erasures`; `connection` is `*`: one for all.',
    columns: { sealed: 'The key, encrypted.' },
  },
  {
    table: 'sealings',
    is: 'One column whose values a version of before has kept in clear; `connection` is `*`: one for all.',
    columns: {
      name: 'Table and column.',
      state: 'sealing (the start goes through its rows), clearing (old bytes are still to be overwritten) or done.',
      cursor: 'Key of the last row that was looked at, JSON.',
      found: '1: something stood in clear.',
      proof: 'A known text, encrypted, by which a wrong key is found.',
    },
  },
];
