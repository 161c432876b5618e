import { accountNotes } from '../../sync/tables/account/notes.ts';
import { automationNotes } from '../../automations/tableNotes.ts';
import { reservationNotes } from '../../sync/tables/reservations/notes.ts';
import { bookNotes } from '../../exports/tables/bookNotes.ts';
import { conversationNotes } from '../../sync/tables/conversations/notes.ts';
import { exportNotes } from '../../exports/tables/exportNotes.ts';
import { endpointNotes } from '../../endpoints/tableNotes.ts';
import { historyNotes } from '../../sync/tables/rows/notes.ts';
import { brokerNotes } from '../../broker/tableNotes.ts';
import { comparisonNotes } from '../../comparisons/tableNotes.ts';
import { noticeNotes } from '../../notices/tableNotes.ts';
import { listingNotes } from '../../sync/tables/listings/notes.ts';
import { machineryNotes } from '../../sync/tables/connection/notes.ts';
import { portfolioNotes } from '../../sync/tables/portfolio/notes.ts';
import { reconciliationNotes } from '../../sync/scans/reconcile/notes.ts';
import { reportNotes } from '../../sync/tables/reservations/figureNotes.ts';
import { sharedColumns, type TableNote } from '../../sync/tables/tableNote.ts';
import { workNotes } from '../../sync/tables/work/notes.ts';

/** Every table of the mirror, with a line for each column. */
export const mirrorSchema: readonly TableNote[] = [
  ...reservationNotes,
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
  ...reconciliationNotes,
  ...endpointNotes,
  ...noticeNotes,
  ...comparisonNotes,
  ...brokerNotes,
];

/** Returns the line for a column, or undefined. */
export function columnNote(table: string, column: string): string | undefined {
  return mirrorSchema.find((one) => one.table === table)?.columns[column] ?? sharedColumns[column];
}

/**
 * Renders `docs/mirror-schema.md`: the tables, their columns and the meanings.
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
  'Made from the notes beside each table; do not edit. The tables are the same on SQLite and PostgreSQL. Names of columns are',
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
