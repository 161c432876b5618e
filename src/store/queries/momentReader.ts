/** A database at one moment: every query sees the same rows, whatever others write meanwhile. Read-only. */
export interface Moment {
  /** Runs a query; `text` has `$1`, `$2` … for its values. */
  rows<Row>(text: string, values: readonly string[]): Promise<Row[]>;
  /** Ends the moment and closes the database. */
  close(): Promise<void>;
}
