import type { TableNote } from '../sync/tables/tableNote.ts';

/** The table of feeds that a broker takes. */
export const brokerNotes: readonly TableNote[] = [
  {
    table: 'broker_feeds',
    is: 'How far the broker has taken the change feed; see docs/broker.md.',
    columns: {
      cursor: 'The last change in `changes` that the broker has acknowledged.',
      published: 'Changes that it has acknowledged so far.',
      published_at: 'When it acknowledged the last one (UTC).',
      failures: 'Failed attempts so far.',
      failing_since: 'The first failure since it last took something (UTC); null: it takes what comes.',
      problem: 'What hinders it.',
      claimed_by: 'The process that publishes.',
      claimed_until: 'Until when no other process does (UTC).',
    },
  },
];
