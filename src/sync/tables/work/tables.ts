import type { Instant, PlainDate } from '../../../kernel/dates.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { Flag, Json, RawRow } from '../rowFacts.ts';

interface TasksTable extends RawRow {
  connection: string;
  id: number;
  type: string | null;
  status: string | null;
  property_id: number | null;
  stay_code: string | null;
  staff_id: number | null;
  staff_name: string | null;
  expected_date: PlainDate | null;
  expected_time: string | null;
  level: string | null;
  currency: string | null;
  fee_minor: Minor | null;
  note: string | null;
  created_at: Instant | null;
  updated_at: Instant | null;
}

interface StaffsTable extends RawRow {
  connection: string;
  id: number;
  name: string | null;
  mobile: string | null;
  email: string | null;
  note: string | null;
  is_active: Flag | null;
}

interface AutomationActionsTable extends RawRow {
  connection: string;
  plan_id: string;
  type: string | null;
  status: string | null;
  name: string | null;
  send_to: string | null;
  stay_code: string | null;
  property_id: number | null;
  channel_type: string | null;
  scheduled_at: Instant | null;
}

interface KnowledgeBasesTable extends RawRow {
  connection: string;
  id: number;
  title: string | null;
  scope_property: string | null;
  scope_ids: Json | null;
  scope_channel: string | null;
  scope_channels: Json | null;
  is_enable: Flag | null;
  process_status: string | null;
}

/** Tables of tasks, staff, automation and knowledge. */
export interface WorkMirror {
  tasks: TasksTable;
  staffs: StaffsTable;
  automation_actions: AutomationActionsTable;
  knowledge_bases: KnowledgeBasesTable;
}
