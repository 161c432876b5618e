import type { Kysely } from 'kysely';
import { createTable } from './tables.ts';

// Why: people are told of alarms, of the day ahead and of what rules notice, by mail, chat or push. What was told is
// remembered, so that a restart tells nothing twice, and a notice that could not be sent is sent later.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'notice_places',
    columns: {
      place_id: 'text!',
      name: 'text!',
      kind: 'text!',
      settings: 'text!',
      shown: 'text!',
      language: 'text!',
      hears: 'text!',
      quiet: 'text',
      wakes: 'integer!',
      briefing_at: 'text',
      persons: 'integer!',
      state: 'text!',
      briefed_on: 'text',
      claimed_until: 'text',
      next_at: 'text',
      succeeded_at: 'text',
      failing_since: 'text',
      problem: 'text',
      created_at: 'text!',
    },
    key: ['place_id'],
    indexes: [{ name: 'notice_places_name', columns: ['connection', 'name'], unique: true }],
  });
  await createTable(db, {
    name: 'notices',
    columns: {
      notice_id: 'text!',
      place_id: 'text!',
      about: 'text!',
      topic: 'text!',
      title: 'text!',
      text: 'text!',
      link: 'text',
      state: 'text!',
      attempts: 'integer!',
      next_at: 'text!',
      problem: 'text',
      created_at: 'text!',
      ended_at: 'text',
    },
    key: ['notice_id'],
    indexes: [
      { name: 'notices_about', columns: ['connection', 'place_id', 'about'], unique: true },
      { name: 'notices_waiting', columns: ['connection', 'place_id', 'next_at'], where: "state = 'waiting'" },
      { name: 'notices_end', columns: ['connection', 'ended_at'] },
    ],
  });
  await createTable(db, {
    name: 'notice_alarms',
    columns: {
      alarm_key: 'text!',
      alarm: 'text!',
      says: 'text!',
      remedy: 'text',
      seen_at: 'text!',
      gone_at: 'text',
      told_at: 'text',
    },
    key: ['alarm_key'],
    narrow: true,
  });
}
