import { accountNotes } from './schema/account.ts';
import { automationNotes } from './schema/automations.ts';
import { bookingNotes } from './schema/bookings.ts';
import { bookNotes } from './schema/books.ts';
import { conversationNotes } from './schema/conversations.ts';
import { exportNotes } from './schema/exports.ts';
import { endpointNotes } from './schema/endpoints.ts';
import { historyNotes } from './schema/history.ts';
import { listingNotes } from './schema/listings.ts';
import { machineryNotes } from './schema/machinery.ts';
import { portfolioNotes } from './schema/portfolio.ts';
import { sweepNotes } from './schema/sweeps.ts';
import { reportNotes } from './schema/reports.ts';
import { sharedColumns, type TableNote } from './schema/table.ts';
import { workNotes } from './schema/work.ts';

/** Every table of the mirror, with a line for each column. */
export const mirrorSchema: readonly TableNote[] = [
  ...bookingNotes,
  ...listingNotes,
  ...conversationNotes,
  ...accountNotes,
  ...portfolioNotes,
  ...workNotes,
  ...automationNotes,
  ...historyNotes,
  ...reportNotes,
  ...exportNotes,
  ...bookNotes,
  ...machineryNotes,
  ...sweepNotes,
  ...endpointNotes,
];

/** The line for a column; undefined when nobody has written one. */
export function columnNote(table: string, column: string): string | undefined {
  return mirrorSchema.find((one) => one.table === table)?.columns[column] ?? sharedColumns[column];
}

/**
 * `docs/mirror-schema.md`: the tables, their columns and what they mean.
 * @param tables the tables of a migrated database, with their columns in order
 */
export function renderMirrorSchema(tables: readonly { name: string; columns: readonly string[] }[]): string {
  const parts = mirrorSchema
    .map(({ table, is }) => ({ is, found: tables.find((one) => one.name === table), table }))
    .map(({ table, is, found }) => [`## ${table}`, '', is, '', ...columnTable(table, found?.columns ?? [])].join('\n'));
  return `${[HEAD, ...parts].join('\n\n')}\n`;
}

const HEAD = [
  '# The mirror, table by table',
  '',
  'Made from `src/sync/schema`; do not edit. The tables are the same on SQLite and PostgreSQL. Names of columns are',
  'those of the wire. Money is whole minor units (cents) in columns that end in `_minor`; dates are `YYYY-MM-DD`,',
  'moments UTC text; yes and no are 1 and 0; lists and objects are JSON text.',
].join('\n');

function columnTable(table: string, columns: readonly string[]): string[] {
  return [
    '| column | meaning |',
    '|---|---|',
    ...columns.map((name) => `| \`${name}\` | ${columnNote(table, name) ?? ''} |`),
  ];
}
