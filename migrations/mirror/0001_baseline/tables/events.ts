import type { Table } from '../../../tables.ts';

/** Events, and the keys that they made dirty. */
export const events: readonly Table[] = [
  {
    name: 'inbox',
    columns: {
      event_id: 'text!',
      event: 'text!',
      received_at: 'text!',
      resource: 'text',
      key: 'text',
      mark_number: 'bigint!',
      state: 'text!',
      change_seq: 'bigint',
      closed_at: 'text',
      body: 'text',
    },
    key: ['event_id'],
    narrow: true,
    indexes: [
      { name: 'inbox_pending', columns: ['connection', 'resource', 'key', 'event_id'], where: "state = 'pending'" },
      {
        name: 'inbox_idle',
        columns: ['connection', 'resource', 'key', 'event_id'],
        where: "state = 'done' and change_seq is null",
      },
    ],
  },
  {
    name: 'dirty_keys',
    columns: {
      resource: 'text!',
      key: 'text!',
      mark_number: 'bigint!',
      origin: 'text!',
      first_marked_at: 'text!',
      last_marked_at: 'text!',
      marks: 'bigint!',
      attempts: 'bigint!',
      confirming: 'bigint!',
      next_at: 'text!',
      due_by: 'text!',
      claimed_until: 'text',
      claimed_by: 'text',
      state: 'text!',
      problem: 'text',
      hint: 'text',
      hint_from: 'text',
      hint_to: 'text',
    },
    key: ['resource', 'key'],
    narrow: true,
  },
  {
    name: 'absences',
    columns: { resource: 'text!', key: 'text!', found_at: 'text!', times: 'bigint!', ask_again_at: 'text!' },
    key: ['resource', 'key'],
  },
  {
    name: 'quarantine',
    columns: {
      resource: 'text!',
      key: 'text!',
      problem: 'text!',
      first_seen_at: 'text!',
      last_seen_at: 'text!',
      times: 'bigint!',
      raw: 'text',
    },
    key: ['resource', 'key'],
  },
];
