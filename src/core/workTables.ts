import type { ChannelScope, ProcessStatus, PropertyScope } from '../contract/knowledgeBases.ts';
import type { RuleEvent } from '../contract/automationActions.ts';
import type { TaskLevel, TaskStatus, TaskType } from '../contract/tasks.ts';
import type { Instant, PlainDate } from '../kernel/dates.ts';
import type { AccountId, StayCode } from '../kernel/ids.ts';
import type { Currency, Minor } from '../kernel/money.ts';

type Flag = 0 | 1;
/** JSON as text. */
type Json = string;

export interface TaskRow {
  account_id: AccountId;
  id: number;
  type: TaskType;
  status: TaskStatus;
  property_id: number | null;
  stay_code: StayCode | null;
  staff_id: number | null;
  expected_date: PlainDate;
  /** `HH:mm:ss` in the property's zone. */
  expected_time: string | null;
  level: TaskLevel | null;
  currency: Currency;
  fee: Minor | null;
  note: string;
  created_at: Instant;
  updated_at: Instant;
}

export interface StaffRow {
  account_id: AccountId;
  id: number;
  name: string;
  mobile: string;
  email: string | null;
  note: string;
  is_active: Flag;
  /** 1: in all properties; 0: in those of `staff_properties`. */
  everywhere: Flag;
  created_at: Instant;
  deleted_at: Instant | null;
}

export type RuleType = 'message' | 'review' | 'task';

export interface AutomationRuleRow {
  account_id: AccountId;
  id: number;
  type: RuleType;
  name: string;
  event: RuleEvent;
  /** Hours after the event; negative: before it. */
  hours: number;
  /** JSON list; null: all. */
  property_ids: Json | null;
  channel_types: Json | null;
  /** The action, in the form of its type. */
  action: Json;
  is_enabled: Flag;
  /** Start of the rule's present form. The rule ignores earlier moments. */
  active_since: Instant;
  created_at: Instant;
  deleted_at: Instant | null;
  planned_to: number | null;
}

export type PlanState = 'waiting' | 'executed' | 'removed' | 'failed';

export interface AutomationPlanRow {
  account_id: AccountId;
  plan_id: string;
  rule_id: number;
  stay_id: number;
  stay_code: StayCode;
  property_id: number;
  channel_type: string;
  type: RuleType;
  event: RuleEvent;
  name: string;
  /** The name in its searchable form; null: identical. */
  name_key: string | null;
  /** Moment that the rule asks for. scheduled_at is later if the moment had passed when the action was planned. */
  moment: Instant;
  scheduled_at: Instant;
  /** Time of the next attempt. */
  due_at: Instant;
  state: PlanState;
  attempts: number;
  problem: string | null;
  ended_at: Instant | null;
  /** Reason why it is unknown whether the action was executed, so that a person decides; null: it was not. */
  doubt: string | null;
}

export interface KnowledgeBaseRow {
  account_id: AccountId;
  id: number;
  title: string;
  contents: Json;
  scope_property: PropertyScope;
  scope_channel: ChannelScope;
  is_enable: Flag;
  process_status: ProcessStatus;
  revision: number;
  attempts: number;
  claimed_until: Instant | null;
  problem: string | null;
  created_at: Instant;
  updated_at: Instant;
}

export interface KnowledgeChunkRow {
  account_id: AccountId;
  knowledge_base_id: number;
  position: number;
  id: number;
  sub_title: string;
  text: string;
}

/** The secret link by which a member of staff sees their tasks. */
export interface StaffLinkRow {
  account_id: AccountId;
  staff_id: number;
  /** SHA-256 of the token, which is kept nowhere. */
  token_hash: string;
  created_at: Instant;
}

/** A photo of a damage. */
export interface TaskPhotoRow {
  account_id: AccountId;
  photo: string;
  task_id: number;
  staff_id: number;
  content_type: string;
  created_at: Instant;
  base64: string;
}

/** Tables of tasks, staff, automation and knowledge. */
export interface WorkTables {
  tasks: TaskRow;
  staffs: StaffRow;
  staff_properties: { account_id: AccountId; staff_id: number; property_id: number };
  staff_links: StaffLinkRow;
  task_photos: TaskPhotoRow;
  automation_rules: AutomationRuleRow;
  automation_plans: AutomationPlanRow;
  knowledge_bases: KnowledgeBaseRow;
  knowledge_scope_ids: { account_id: AccountId; knowledge_base_id: number; scope_id: number };
  knowledge_scope_channels: { account_id: AccountId; knowledge_base_id: number; channel_type: string };
  knowledge_chunks: KnowledgeChunkRow;
}
