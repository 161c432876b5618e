import type { Instant } from '../../../kernel/dates.ts';
import type { Flag, Json, RawRow } from '../rowFacts.ts';

interface RoomTypesTable extends RawRow {
  connection: string;
  id: number;
  name: string | null;
  property_ids: Json | null;
  tags: Json | null;
}

interface PropertyGroupsTable extends RawRow {
  connection: string;
  id: number;
  name: string | null;
  property_ids: Json | null;
}

interface PropertyTagsTable extends RawRow {
  connection: string;
  id: number;
  name: string | null;
  color: string | null;
  property_ids: Json | null;
  room_type_ids: Json | null;
}

interface ReservationTagsTable extends RawRow {
  connection: string;
  id: number;
  tag_name: string | null;
  color: string | null;
  is_default: Flag | null;
}

interface CalendarShareLinksTable extends RawRow {
  connection: string;
  id: number;
  scope: string | null;
  property_ids: Json | null;
  url: string | null;
  created_at: Instant | null;
}

/** The tables that group properties and reservations, and share calendars. */
export interface PortfolioTables {
  room_types: RoomTypesTable;
  property_groups: PropertyGroupsTable;
  property_tags: PropertyTagsTable;
  reservation_tags: ReservationTagsTable;
  calendar_share_links: CalendarShareLinksTable;
}
