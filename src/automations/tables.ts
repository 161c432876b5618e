import type { Instant } from '../kernel/dates.ts';
import type { Flag, Json } from '../sync/tables/rowFacts.ts';

export interface AutomationRulesTable {
  connection: string;
  rule: string;
  version: number;
  /** As its file says: draft, test or live. */
  state: string;
  file: string;
  /** Of the rule's text; another one is another version. */
  fingerprint: string;
  /** Facts of the feed up to here are none of its business. */
  armed_seq: number;
  /** What was due, written or booked up to here is none of its business. */
  armed_at: Instant;
  paused_at: Instant | null;
  paused_because: string | null;
  removed_at: Instant | null;
  changed_at: Instant;
}

export interface AutomationVersionsTable {
  connection: string;
  rule: string;
  version: number;
  source: Json;
  since: Instant;
}

/**
 * planned: will be looked at when its time has come · awaiting_approval: waits for a person · sending: the call is under way, or
 * was cut off · verifying: nobody knows whether it went out, the other side is asked · sent · tested: would have been
 * sent · skipped, cancelled: will not be done · failed: was refused · unknown: a person must look.
 */
const planStates = [
  'planned',
  'awaiting_approval',
  'sending',
  'verifying',
  'sent',
  'tested',
  'skipped',
  'cancelled',
  'failed',
  'unknown',
] as const;
export type PlanState = (typeof planStates)[number];

export interface AutomationPlansTable {
  connection: string;
  plan_id: string;
  rule: string;
  version: number;
  /** What it is about: `stay:<code>`, `message:<conversation>/<message>`, `review:<code>`, `task:<id>`, `change:<seq>`, `every`. */
  subject: string;
  /** Which of several times for the same subject, and which of several actions. */
  occurrence: string;
  action: string;
  stay_code: string | null;
  reservation_code: string | null;
  conversation_id: string | null;
  message_id: string | null;
  /** What it was planned from. */
  basis: Json;
  due_at: Instant;
  send_at: Instant;
  not_after: Instant;
  /** When it is looked at next. */
  next_at: Instant;
  state: PlanState;
  reason: string | null;
  /** More about the reason; never personal. */
  detail: string | null;
  /** 1: a person has said yes. */
  approved: Flag;
  /** 1: what was done is to be taken back. */
  undo: Flag;
  /** What came of it: ids of what was made. */
  result: Json | null;
  attempts: number;
  claimed_by: string | null;
  claimed_until: Instant | null;
  created_at: Instant;
  changed_at: Instant;
}

export interface AutomationDraftsTable {
  connection: string;
  plan_id: string;
  text: string;
  made_at: Instant;
  /** Of a draft by a model: the pieces of the knowledge base that it was given. */
  sources: Json | null;
}

/** sending: under way · sent · not_sent: certainly not · unknown: perhaps. */
export type SendOutcome = 'sending' | 'sent' | 'not_sent' | 'unknown';

export interface AutomationSendsTable {
  connection: string;
  plan_id: string;
  attempt: number;
  rule: string;
  action: string;
  stay_code: string | null;
  conversation_id: string | null;
  message_id: string | null;
  /** Of what was said, without signs and case: tells it again without keeping it. */
  fingerprint: string;
  /** Of its beginnings, letter by letter: tells it again where it comes back cut, or with something below it. */
  marks: string | null;
  started_at: Instant;
  ended_at: Instant | null;
  outcome: SendOutcome;
  problem: string | null;
}

/** Which plan answers a message of a guest: one, for ever. */
export interface AutomationAnswersTable {
  connection: string;
  conversation_id: string;
  message_id: string;
  plan_id: string;
}

export interface AutomationLogTable {
  connection: string;
  entry_id: string;
  at: Instant;
  rule: string;
  plan_id: string | null;
  stay_code: string | null;
  what: string;
  reason: string | null;
  detail: string | null;
}

export interface AutomationCursorsTable {
  connection: string;
  name: string;
  seq: number;
}

/** A piece of an entry of the knowledge base, as it was read last. */
export interface KnowledgePiecesTable {
  connection: string;
  knowledge_base_id: number;
  position: number;
  title: string;
  sub_title: string;
  text: string;
  /** Their words, small and without accents: what is searched. */
  words: string;
}

export interface KnowledgeReadingsTable {
  connection: string;
  knowledge_base_id: number;
  read_at: Instant;
}

/** asking: under way, or cut off · answered · refused: what came did not pass · failed: nothing of use came. */
export type AiOutcome = 'asking' | 'answered' | 'refused' | 'failed';

export interface AiRequestsTable {
  connection: string;
  /** That of the plan, which asks once; of a dry run one of its own. */
  request_id: string;
  rule: string;
  model: string;
  started_at: Instant;
  ended_at: Instant | null;
  outcome: AiOutcome;
  problem: string | null;
  prompt_tokens: number | null;
  answer_tokens: number | null;
}

/** What automations are, plan, have done and why not. */
export interface AutomationTables {
  automation_rules: AutomationRulesTable;
  automation_versions: AutomationVersionsTable;
  automation_plans: AutomationPlansTable;
  automation_drafts: AutomationDraftsTable;
  automation_sends: AutomationSendsTable;
  automation_answers: AutomationAnswersTable;
  automation_log: AutomationLogTable;
  automation_cursors: AutomationCursorsTable;
  knowledge_pieces: KnowledgePiecesTable;
  knowledge_readings: KnowledgeReadingsTable;
  ai_requests: AiRequestsTable;
}

declare module '../sync/tables/database.ts' {
  interface Mirror extends AutomationTables {}
}
