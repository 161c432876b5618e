import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type {
  BookAccountsTable,
  BookChannelsTable,
  BookExceptionsTable,
  BookPropertiesTable,
} from '../tables/bookTables.ts';
import type { GroupRows } from './groupRows.ts';

/** Groups with new rows, and groups that are gone. */
export interface BookLot {
  readonly groups: readonly GroupRows[];
  readonly removed: readonly string[];
}

/** The stored data of the books as a whole. */
export interface BookHead {
  readonly through: PlainDate;
  /** The newest change of the feed that they include. */
  readonly seq: number;
  readonly basis: string;
  /** The time of the last change in the mirror to a source of the books; null if there is none. */
  readonly changedAt: Instant | null;
  /** Number of groups that were written or removed. */
  readonly changed: number;
  readonly entries: number;
  readonly accounts: readonly BookAccountsTable[];
  readonly properties: readonly BookPropertiesTable[];
  readonly channels: readonly BookChannelsTable[];
  readonly exceptions: readonly BookExceptionsTable[];
}
