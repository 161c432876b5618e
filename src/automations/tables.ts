import type { Instant } from '../kernel/dates.ts';
import type { Flag, Json } from '../sync/tables/rowFacts.ts';
import type { AiOutcome } from './ai/states.ts';
import type { PlanState, SendOutcome } from './plans/states.ts';

export interface AutomationRulesTable {
  connection: string;
  rule: string;
  version: number;
  /** The state in its file: draft, test or live. */
  state: string;
  file: string;
  /** Hash of the rule's text; another hash is another version. */
  fingerprint: string;
  /** The rule ignores changes of the feed up to this number. */
  armed_seq: number;
  /** The rule ignores times, messages and reservations up to this moment. */
  armed_at: Instant;
  paused_at: Instant | null;
  paused_because: string | null;
  removed_at: Instant | null;
  changed_at: Instant;
}

interface AutomationVersionsTable {
  connection: string;
  rule: string;
  version: number;
  source: Json;
  since: Instant;
}

export interface AutomationPlansTable {
  connection: string;
  plan_id: string;
  rule: string;
  version: number;
  /**
   * The subject: `stay:<code>`, `message:<conversation>/<message>`, `review:<code>`, `task:<id>`, `change:<seq>`,
   * `every`.
   */
  subject: string;
  /** Distinguishes several times for one subject, and several actions. */
  occurrence: string;
  action: string;
  stay_code: string | null;
  reservation_code: string | null;
  conversation_id: string | null;
  message_id: string | null;
  /** The facts behind the plan. */
  basis: Json;
  due_at: Instant;
  send_at: Instant;
  not_after: Instant;
  /** The time of the next check. */
  next_at: Instant;
  state: PlanState;
  reason: string | null;
  /** Detail of the reason; never personal. */
  detail: string | null;
  /** 1 if a person approved it. */
  approved: Flag;
  /** 1 if its action is to be reversed. */
  undo: Flag;
  /** The result, such as ids of created objects. */
  result: Json | null;
  attempts: number;
  claimed_by: string | null;
  claimed_until: Instant | null;
  created_at: Instant;
  changed_at: Instant;
}

interface AutomationDraftsTable {
  connection: string;
  plan_id: string;
  text: string;
  made_at: Instant;
  /** For a draft of a model: the pieces of the knowledge base that it received. */
  sources: Json | null;
}

export interface AutomationSendsTable {
  connection: string;
  plan_id: string;
  attempt: number;
  rule: string;
  action: string;
  stay_code: string | null;
  conversation_id: string | null;
  message_id: string | null;
  /** Hash of the text without punctuation and case: recognises it without storing it. */
  fingerprint: string;
  /**
   * Hash parts of its beginnings, letter by letter: recognise it if it comes back cut, or with an addition below it.
   */
  marks: string | null;
  started_at: Instant;
  ended_at: Instant | null;
  outcome: SendOutcome;
  problem: string | null;
}

/** The plan that answers a guest's message: one, for ever. */
interface AutomationAnswersTable {
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

interface AutomationCursorsTable {
  connection: string;
  name: string;
  seq: number;
}

/** A piece of a knowledge base entry, as last read. */
interface KnowledgePiecesTable {
  connection: string;
  knowledge_base_id: number;
  position: number;
  title: string;
  sub_title: string;
  text: string;
  /** Its words for the search, in lower case without accents. */
  words: string;
}

interface KnowledgeReadingsTable {
  connection: string;
  knowledge_base_id: number;
  read_at: Instant;
}

interface AiRequestsTable {
  connection: string;
  /** Id of the question: the plan's, because a plan asks once, or an id of its own in a dry run. */
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

/** The tables of rules, plans and outcomes. */
interface AutomationTables {
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
