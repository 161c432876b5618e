import type { Instant, PlainDate } from '../kernel/dates.ts';
import type { Minor } from '../kernel/money.ts';
import type { Flag, Json, RawRow } from './rowFacts.ts';

export interface TasksTable extends RawRow {
  connection: string;
  id: number;
  type: string;
  status: string;
  property_id: number | null;
  stay_code: string | null;
  staff_id: number | null;
  staff_name: string | null;
  expected_date: PlainDate;
  expected_time: string | null;
  level: string | null;
  currency: string;
  fee_minor: Minor | null;
  note: string;
  created_at: Instant | null;
  updated_at: Instant | null;
}

export interface StaffsTable extends RawRow {
  connection: string;
  id: number;
  name: string;
  mobile: string;
  email: string | null;
  note: string;
  is_active: Flag;
}

export interface AutomationActionsTable extends RawRow {
  connection: string;
  plan_id: string;
  type: string;
  status: string;
  name: string;
  send_to: string | null;
  stay_code: string | null;
  property_id: number | null;
  channel_type: string | null;
  scheduled_at: Instant | null;
}

export interface KnowledgeBasesTable extends RawRow {
  connection: string;
  id: number;
  title: string;
  scope_property: string;
  scope_ids: Json;
  scope_channel: string;
  scope_channels: Json;
  is_enable: Flag;
  process_status: string;
}

/** Tables of tasks, staff, automation and knowledge. */
export interface WorkMirror {
  tasks: TasksTable;
  staffs: StaffsTable;
  automation_actions: AutomationActionsTable;
  knowledge_bases: KnowledgeBasesTable;
}
