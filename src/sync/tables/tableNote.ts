import type { AnalystNote } from './analystNote.ts';

/** A description of a mirror table for people who query it. */
export interface TableNote {
  table: string;
  /** One line: the meaning of a row. */
  is: string;
  /** One line per column, in the order of the table. `connection` and the row's facts are explained once for all. */
  columns: Readonly<Record<string, string>>;
  /** The view of it for BI tools. Absent if the table only serves the work of stayd: then there is no view. */
  analysts?: AnalystNote;
}

/** Columns that mean the same in every table. */
export const sharedColumns: Readonly<Record<string, string>> = {
  connection: 'Which mirrored account the row belongs to; first in every key.',
  read_number: 'Number of the newest read that saw the row; reads are numbered when they are sent.',
  first_seen_at: 'When the row was first read.',
  changed_at: 'When a read last found it different (or gone).',
  deleted_at: 'When it was found to be gone upstream; null while it is there.',
  raw: 'The row as it came, as JSON, unknown fields included; personal values are references to `guests`.',
};
