import type { Instant } from '../../kernel/dates.ts';

/** JSON as text. */
export type Json = string;
/** 0 or 1. */
export type Flag = number;

/** The property id of a stay whose property is unknown. */
export const NO_PROPERTY = 0;

/** The columns of every mirrored row. */
export interface RowFacts {
  /** The number of the newest read that saw this row; an answer with a lower one is too late. */
  read_number: number;
  first_seen_at: Instant;
  changed_at: Instant;
  /** Set when the row is gone upstream. */
  deleted_at: Instant | null;
}

/** A row of an answer, with personal values replaced by references. */
export interface RawRow extends RowFacts {
  raw: Json;
}
