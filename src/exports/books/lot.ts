import type { PlainDate } from '../../kernel/dates.ts';
import type {
  BookAccountsTable,
  BookChannelsTable,
  BookExceptionsTable,
  BookPropertiesTable,
} from '../tables/bookTables.ts';
import type { GroupRows } from './groupRows.ts';

/** Groups whose rows are others now, and those that are gone. */
export interface BookLot {
  readonly groups: readonly GroupRows[];
  readonly removed: readonly string[];
}

/** What is kept of the books as a whole. */
export interface BookHead {
  readonly through: PlainDate;
  readonly groups: number;
  /** Groups that were written or taken away. */
  readonly changed: number;
  readonly entries: number;
  readonly accounts: readonly BookAccountsTable[];
  readonly properties: readonly BookPropertiesTable[];
  readonly channels: readonly BookChannelsTable[];
  readonly exceptions: readonly BookExceptionsTable[];
}
