import type { Instant, PlainDate } from '../../../kernel/dates.ts';
import type { CalendarDaysTable } from '../listings/tables.ts';
import type { Flag, Json } from '../rowFacts.ts';

/** A change that no event of upstream announces, by name; see feed/derived/names.ts. */
export interface DerivedEventsTable {
  connection: string;
  seq: number;
  position: number;
  at: Instant;
  name: string;
  resource: string;
  key: string;
  part: string | null;
  from_date: PlainDate | null;
  to_date: PlainDate | null;
  before: Json | null;
  after: Json | null;
}

/** The first moment for which the days of a calendar are known. */
interface DayStartsTable {
  connection: string;
  resource: string;
  key: string;
  from_date: PlainDate;
  to_date: PlainDate;
  since: Instant;
}

/** The values of days until a change, as ranges. */
interface DayHistory {
  connection: string;
  change_seq: number;
  from_date: PlainDate;
  to_date: PlainDate;
  valid_to: Instant;
}

interface Night {
  property_id: number;
  available: Flag;
  remarks: string | null;
}

type CalendarDay = Omit<CalendarDaysTable, 'connection' | 'date' | 'channel_type' | 'listing_id'>;

type AvailabilityHistoryTable = DayHistory & Night;
type CalendarHistoryTable = DayHistory & CalendarDay;

/** The moment before which something is no longer stored. */
interface HistoryBoundsTable {
  connection: string;
  kept: string;
  since: Instant;
}

/** A conversation whose oldest messages are no longer stored, and are not read in again. */
interface AgedConversationsTable {
  connection: string;
  conversation_id: string;
  since: Instant;
}

/** A row that the deleted part of the feed has announced, and has not announced as gone. */
interface AnnouncedRowsTable {
  connection: string;
  resource: string;
  key: string;
  /** '' where changes have null. */
  part: string;
}

/** One person, reservation or conversation whose personal values are erased whenever they are read. */
interface ErasuresTable {
  connection: string;
  /** Keyed hash. */
  subject: string;
  erasure_id: string;
  erased_at: Instant;
  /** 0: the erasure may be incomplete. */
  applied: Flag;
}

/** View: every state of every row that the mirror knows. */
interface StatesView {
  connection: string;
  resource: string;
  key: string;
  part: string | null;
  valid_from: Instant;
  valid_to: Instant | null;
  raw: Json;
}

interface DayStates {
  connection: string;
  date: PlainDate;
  valid_from: Instant | null;
  valid_to: Instant | null;
}

type AvailabilityStatesView = DayStates & Night;
type CalendarStatesView = DayStates & CalendarDay;

export interface HistoryTables {
  derived_events: DerivedEventsTable;
  day_starts: DayStartsTable;
  availability_history: AvailabilityHistoryTable;
  calendar_history: CalendarHistoryTable;
  history_bounds: HistoryBoundsTable;
  aged_conversations: AgedConversationsTable;
  announced_rows: AnnouncedRowsTable;
  erasures: ErasuresTable;
  erasure_keys: { connection: string; sealed: string };
  states: StatesView;
  availability_states: AvailabilityStatesView;
  calendar_states: CalendarStatesView;
}
