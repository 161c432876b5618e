import type { TableNote } from './table.ts';

/** How the mirror keeps itself true. */
export const sweepNotes: readonly TableNote[] = [
  {
    table: 'sweeps',
    is: 'One part of the source that is read again by itself, and how fresh what it holds is.',
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
];
