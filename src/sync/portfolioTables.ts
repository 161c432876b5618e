import type { Instant } from '../kernel/dates.ts';
import type { Flag, Json, RawRow } from './rowFacts.ts';

interface RoomTypesTable extends RawRow {
  connection: string;
  id: number;
  name: string;
  property_ids: Json;
  tags: Json;
}

interface PropertyGroupsTable extends RawRow {
  connection: string;
  id: number;
  name: string;
  property_ids: Json;
}

interface PropertyTagsTable extends RawRow {
  connection: string;
  id: number;
  name: string;
  color: string;
  property_ids: Json;
  room_type_ids: Json;
}

interface ReservationTagsTable extends RawRow {
  connection: string;
  id: number;
  tag_name: string;
  color: string;
  is_default: Flag;
}

interface CalendarShareLinksTable extends RawRow {
  connection: string;
  id: number;
  scope: string;
  property_ids: Json;
  url: string;
  created_at: Instant | null;
}

/** What orders properties and reservations, and shows calendars to others. */
export interface PortfolioTables {
  room_types: RoomTypesTable;
  property_groups: PropertyGroupsTable;
  property_tags: PropertyTagsTable;
  reservation_tags: ReservationTagsTable;
  calendar_share_links: CalendarShareLinksTable;
}
