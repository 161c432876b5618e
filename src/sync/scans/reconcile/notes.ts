import type { TableNote } from '../../tables/tableNote.ts';

/** Notes on the tables by which the mirror stays correct. */
export const reconciliationNotes: readonly TableNote[] = [
  {
    table: 'reconciliations',
    is: 'One part of the source that is read again by itself, and how fresh what it holds is.',
    analysts: {},
    columns: {
      tier: 'The resource, and after a dot which part of it.',
      resource: 'What is read.',
      max_age_s: 'Seconds since `fresh_since` after which it counts as stale.',
      fresh_since: 'When the newest complete reading began; null: there was none.',
      state: 'waiting (never tried), running, done, failed, or suspect: something was missing and nothing deleted.',
      tried_at: 'When the newest attempt began.',
      finished_at: 'When it ended.',
      requests: 'Requests of that attempt.',
      rows: 'Rows it has read.',
      failures: 'Attempts in a row that did not read everything.',
      problem: 'Why.',
    },
  },
  {
    table: 'absences',
    is: 'Something that the source said is not there (404), so that it is not asked for over and over.',
    columns: {
      resource: 'What was asked for.',
      key: 'Which one.',
      found_at: 'When the source last said so.',
      times: 'How often in a row.',
      ask_again_at: 'Before that only an event leads to another question.',
    },
  },
  {
    table: 'lost_events',
    is: 'One change that a scan has found and whose event had not come: the proof of a measured loss; see mirror.md.',
    columns: {
      seq: 'The change in `changes`.',
      event: 'The kind of event that must have been sent.',
      sub_event: 'Which of them; empty: one without.',
      position:
        'From 0; a change of days has several rows where they were not all right until the same time, or some of their events came late.',
      resource: 'As in changes.',
      key: 'As in changes.',
      part: 'The stay or the message; null where the key says all.',
      days: 'Days that changed, `from:to` separated by commas; null where days do not matter.',
      since: 'The change happened after this moment (UTC): then the mirror was read and was right.',
      seen_at: 'And before this one: then the answer of the scan was applied.',
      seen_by: 'scan, catch_up or command.',
      scan_id: 'The scan in `scans`; null: a look-up that a scan had asked for.',
      state: 'waiting (the event may still be under way), lost, unproven (there may have been none), late.',
      event_id: 'The event that came after all; null: none has.',
      came_at: 'When it came.',
      late_ms: 'Milliseconds from its queueing until then, or from `seen_at` where it does not say when it was queued.',
    },
  },
  {
    table: 'sync_hours',
    is: 'What was measured of one thing in one hour; `v1_sync` is easier to ask.',
    columns: {
      hour: 'Its first moment (UTC).',
      measure:
        'events (received), reads (that events waited for), propagated (changes that events announced), found (that a scan found, their events lost), age (looks at the age of a part), requests, window (looks at a window of the limits).',
      subject: 'Kind of event, resource, part of the source, purpose and operation, or limit and seconds.',
      bucket: 'Of propagated and found: at most so many milliseconds. Of window: what it takes. Else 0.',
      count: 'How many.',
      total:
        'Sum: of reads the events, of propagated and found the milliseconds, of age the looks at which it was too old.',
      most: 'The greatest: of propagated and found in milliseconds, of age in seconds, of window what was used.',
    },
  },
  {
    table: 'read_times',
    is: 'When a read was sent: what rows with its number hold was true then or later.',
    columns: { number: 'The number of the read.', at: 'When it was sent (UTC); after an hour one a minute is kept.' },
  },
];
