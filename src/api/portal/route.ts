import type { z } from 'zod';
import type { Call, OperationId } from '../../contract/index.ts';
import type { Core } from '../../core/context.ts';
import type { Delivery } from '../../core/outbox/delivery.ts';
import type { DepositKind } from '../../kernel/books.ts';
import type { AccountId, ConnectionId } from '../../kernel/ids.ts';
import type { OAuth } from '../../oauth/server.ts';
import type { DirectWork } from '../../channels/direct/work.ts';
import type { CalendarReader } from '../../channels/feeds/manage.ts';
import type { MailServices } from '../../channels/mail/manage.ts';
import type { Access, Caller } from '../access.ts';
import type { AnswerSpoiler } from '../http/answerFaults.ts';
import type { ComparisonServices } from './calendar/services.ts';
import type { EndpointServices, NoticeServices } from './outgoing/services.ts';

/** A row of the mirror that is to be read again. */
export interface RowToRead {
  readonly resource: string;
  readonly key: string;
  /** The nights in question, of a calendar; all of them without. */
  readonly hint?: { readonly text: string; readonly from: string; readonly to: string };
  /** The least time from now until the read. */
  readonly afterMs?: number;
}

/** Reports the progress of long work; each call becomes one line of the answer. */
export type Progress = (state: object) => void;

/** The daemon as the management API needs it; compose connects the two. */
export interface MirrorServices {
  /** Returns the connections that the people and tokens of an account may use; null for all. */
  connectionsOf(accountId: AccountId | null): Promise<ConnectionId[]>;
  /** Lists the connections that have rows in the mirror, or run. */
  connections(): Promise<readonly { connection: string; running: boolean }[]>;
  /** Deletes all rows of a connection that does not run. @throws ApiError 404 if there are none, 409 while it runs */
  deleteRows(connection: string, progress: Progress): Promise<{ connection: string; rows: number }>;
  /** Returns true if the core of this process has the data of a connection. */
  isBeside(connection: string): boolean;
  status(connection: ConnectionId): Promise<object>;
  /** Returns the numbers of the properties that a connection has mirrored. */
  properties(connection: ConnectionId): Promise<readonly number[]>;
  /** Runs an operation of v3 at the source, with the connection's token. @throws CallError */
  call<Id extends OperationId>(connection: ConnectionId, id: Id, input: Call<Id>): Promise<unknown>;
  /** Calls the source with the token in use, and compares its facts with the received ones. */
  register(connection: ConnectionId, force: boolean): Promise<object>;
  /** Reads rows that somebody has just changed and that no event announces. */
  readAgain(connection: ConnectionId, keys: readonly RowToRead[]): Promise<void>;
  examine(connection: ConnectionId): Promise<object>;
  readonly quarantine: {
    /** Lists rows that could not be read, the oldest first. */
    list(connection: ConnectionId, limit: number): Promise<readonly object[]>;
    /** Reads the sources of these rows again. */
    retry(connection: ConnectionId, progress: Progress): Promise<object>;
  };
  reconcile(connection: ConnectionId, resource: string | undefined, progress: Progress): Promise<object>;
  rebuild(connection: ConnectionId, progress: Progress): Promise<object>;
  verify(connection: ConnectionId, progress: Progress): Promise<VerifyReport>;
  automations: AutomationServices;
  readonly ruleFiles: RuleFileServices;
  /** Reads everything, the most useful first; continues an interrupted backfill. */
  backfill(connection: ConnectionId, progress: Progress): Promise<object>;
  /** Returns the cost and the end of a full read that starts now. */
  planBackfill(connection: ConnectionId): Promise<object>;
  /** Returns the cost of freshness and the ages that it reaches, for the current size or a given one. */
  planReconcile(connection: ConnectionId, size: { listings: number; bookings: number } | undefined): Promise<object>;
  events: {
    list(question: EventQuestion): Promise<object[]>;
    show(connection: ConnectionId, eventId: string): Promise<object | undefined>;
    replay(connection: ConnectionId, eventIds: readonly string[]): Promise<number>;
  };
  changes: ChangesReader;
  reports: ReportsReader;
  erasure: ErasureServices;
  exports: ExportServices;
  /** Returns the programs that receive the changes of a connection. */
  endpoints(connection: ConnectionId): EndpointServices;
  /** Returns the places where people are told of a connection. */
  notices(connection: ConnectionId): NoticeServices;
  /** Returns the calendars that are compared with the properties of a connection. */
  comparisons(connection: ConnectionId): ComparisonServices;
  /** States at past moments. */
  states: {
    one(question: StateQuestion): Promise<object>;
    many(question: StatesQuestion): Promise<object>;
  };
}

/** The books: double entry, periods, and the jobs that deliver them. */
interface ExportServices {
  list(connection: string | undefined): Promise<object>;
  map(order: { connection?: string | undefined; for?: string | undefined }): Promise<object>;
  /** Writes places in the books into the settings file of the user; they hold at once. */
  place(order: BookPlaces & { connection: ConnectionId }): Promise<object>;
  run(
    order: {
      job: string;
      connection?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
      out?: string | undefined;
      override?: string | undefined;
    },
    progress: Progress,
  ): Promise<object>;
  book(connection: string | undefined, progress: Progress): Promise<object>;
  ack(order: { run: string; connection?: string | undefined; failed: boolean }): Promise<object>;
  close(
    order: { period: string; connection?: string | undefined; soft: boolean; reason?: string | undefined },
    progress: Progress,
  ): Promise<object>;
  /** Says what closing a month would do now, and stores nothing. */
  preview(order: { period: string; connection?: string | undefined }, progress: Progress): Promise<object>;
  /** Lists the files of a run, or reads one. */
  files(order: { run: string; connection?: string | undefined; name?: string | undefined }): Promise<object>;
  reopen(order: { period: string; connection?: string | undefined; reason: string }): Promise<object>;
  confirmSettings(
    order: { connection?: string | undefined; reason: string | null },
    onProgress: Progress,
  ): Promise<object>;
  match(
    order: {
      connection?: string | undefined;
      path: string;
      mapping: { text: string; name: string } | null;
      bank: string | null;
      accounts: string[];
      days: number;
      dryRun: boolean;
      accept: number[] | 'all';
    },
    progress: Progress,
  ): Promise<object>;
  undoMatch(order: { payout: string; reason: string | null; connection?: string | undefined }): Promise<object>;
  verify(connection: string | undefined, progress: Progress): Promise<object>;
}

/** Places in the books, as the settings of the books spell them. */
export interface BookPlaces {
  readonly items: ByDirection;
  readonly methods: ByDirection;
  /** charge or hold, by channel. */
  readonly deposits: Readonly<Record<string, DepositKind>>;
}

type ByDirection = Readonly<Record<'income' | 'expense', Readonly<Record<string, string>>>>;

/** A mistake in the text of a rule. */
export interface RuleMistake {
  line: number;
  rule: string | null;
  path: string;
  problem: string;
}

/** A file of rules. */
export interface ShownRuleFile {
  name: string;
  text: string;
  /** Changes with the text. */
  version: string;
  /** Names of its rules without a mistake. */
  rules: readonly string[];
  mistakes: readonly RuleMistake[];
}

/** A rule that is ready to be copied. */
export interface ShownRecipe {
  file: string;
  name: string;
  about: string | null;
  action: string;
  text: string;
}

/** The files of rules, which all connections share. */
export interface RuleFileServices {
  list(): readonly ShownRuleFile[];
  recipes(): readonly ShownRecipe[];
  check(name: string, text: string): readonly RuleMistake[];
  /**
   * Replaces a file, or makes a new one. @param version of the file that was read; null for a new one
   * @throws ApiError 422 with the first mistake, 409 if the file has changed meanwhile
   */
  write(draft: { name: string; text: string; version: string | null }): Promise<ShownRuleFile>;
  /** Makes a file of its own for a recipe. @throws ApiError 404 for an unknown one */
  addRecipe(rule: string, state: string): Promise<ShownRuleFile>;
}

/** The view and the actions of people on the automations of a connection. */
export interface AutomationServices {
  list(connection: ConnectionId): Promise<object>;
  pending(connection: ConnectionId, question: PendingQuestion): Promise<object[]>;
  /** Returns the actions that rules would have taken since the moment `since`. */
  test(connection: ConnectionId, question: AutomationTestQuestion): Promise<object>;
  log(connection: ConnectionId, question: AutomationLogQuestion): Promise<object[]>;
  approve(
    connection: ConnectionId,
    planId: string,
    given: PlanDecision & { text?: string | undefined },
  ): Promise<object>;
  cancel(connection: ConnectionId, planId: string, given: PlanDecision): Promise<object>;
  /** @returns true if the rule was active */
  pause(connection: ConnectionId, rule: string): Promise<boolean>;
  /** @returns true if the rule was paused */
  resume(connection: ConnectionId, rule: string): Promise<boolean>;
  /** Stops all rules at once. @returns true if they were armed */
  disarm(connection: ConnectionId): Promise<boolean>;
  /** Lets automations act again on everything from now on. @returns true if they were disarmed */
  arm(connection: ConnectionId): Promise<boolean>;
}

interface PendingQuestion {
  rule?: string | undefined;
  conversation_id?: string | undefined;
  limit: number;
}

interface PlanDecision {
  /** The state in which the person saw the plan. */
  state?: string | undefined;
}

interface AutomationTestQuestion {
  rule?: string | undefined;
  since: string;
  limit: number;
  /** True also asks the language model, at a cost. */
  ask?: boolean;
}

interface AutomationLogQuestion {
  rule?: string | undefined;
  plan?: string | undefined;
  what?: string | undefined;
  limit: number;
}

/** The person to erase, named in one of three ways. */
export type Whom =
  | { by: 'guest_id'; guest_id: number }
  | { by: 'email'; email: string }
  | { by: 'reservation_code'; reservation_code: string };

export interface ErasureServices {
  /** Returns what an erasure would remove. */
  plan(connection: ConnectionId, whom: Whom): Promise<object>;
  erase(connection: ConnectionId, whom: Whom, progress: Progress): Promise<object>;
}

interface StateQuestion {
  connection: ConnectionId;
  resource: string;
  key: string;
  as_of?: string | undefined;
  part?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

interface StatesQuestion {
  connection: ConnectionId;
  resource: string;
  as_of?: string | undefined;
  after?: string | undefined;
  limit: number;
}

/** The result of `verify`. */
export interface VerifyReport {
  clean: boolean;
  [detail: string]: unknown;
}

interface EventQuestion {
  connection: ConnectionId;
  state?: string | undefined;
  limit: number;
}

/** A position in the change feed, and the time to wait for a first change. */
export interface FeedCursor {
  after: number;
  limit: number;
  waitMs: number;
}

/** A question to a report, unparsed. */
interface ReportQuestion {
  connection: ConnectionId;
  name: string;
  from?: string | undefined;
  to?: string | undefined;
  as_of?: string | undefined;
  by?: string | undefined;
  property?: readonly number[] | 'all' | undefined;
  owner?: string | undefined;
  nights?: number | undefined;
  limit: number;
}

export interface ReportsReader {
  list(): { name: string }[];
  /** Returns the question with its defaults, and the `rows` of the view. */
  read(question: ReportQuestion): Promise<{ rows: readonly object[] }>;
  /** Renders an owner's statement of a month for printing. */
  statement(order: { connection: ConnectionId; owner: string; month: string }): Promise<Page>;
}

/** A page, with its content policy. */
export interface Page {
  html: string;
  policy: string;
}

export type ChangesReader = (
  connection: ConnectionId,
  cursor: FeedCursor,
  signal: AbortSignal,
) => Promise<{ seq: number }[]>;

export interface PortalServices {
  readonly core: Core;
  /** False if this process only mirrors. */
  readonly servesCore: boolean;
  readonly delivery: Delivery;
  /** Days for which events and the outcomes of their deliveries are kept. */
  readonly eventDays: number;
  readonly oauth: OAuth;
  readonly mirror: MirrorServices;
  /**
   * Removes old bytes from the core's database and returns the number of remaining occurrences. null if no core runs
   * here.
   */
  readonly forgetBytes: ((strings: readonly string[]) => Promise<number>) | null;
  /** Reads calendars outside. null if no core runs here that could have feeds. */
  readonly feeds: CalendarReader | null;
  /** What bookings by guests work with. null if no core runs here. */
  readonly direct: DirectWork | null;
  /** Reads mailboxes. null if no core runs here that could have some. */
  readonly mail: MailServices | null;
  /** null if no core runs here whose answers could get faults. */
  readonly spoiler: AnswerSpoiler | null;
  /** Returns the problems that need a person soon; empty if all is well. */
  alarms(): Promise<readonly { alarm: string; says: string; remedy: string | null }[]>;
  /** Returns those of the machine and of one account. */
  alarmsFor(accountId: AccountId): Promise<readonly { alarm: string; says: string; remedy: string | null }[]>;
  /** Begins and ends the connections of accounts whose mirroring has changed. @returns those that could not begin */
  connectionsChanged(): Promise<{ failed: readonly { connection: string; problem: string }[] }>;
  /** Returns every setting of this process by its path, as a digest under the control secret. */
  settings(): Readonly<Record<string, string>>;
  /** The settings file of the user, as named; it may not exist yet. */
  readonly ownFile: string | null;
  /**
   * Takes in the current settings: changed connections at once, anything else by a restart as soon as running requests are
   * answered. null if the process offers neither.
   * @throws OperatorError if the settings are invalid; then nothing changes
   */
  readonly reload: (() => Promise<{ readonly restarting: boolean }>) | null;
  readonly startedAt: string;
  readonly version: string;
}

export interface PortalCall<Input> {
  readonly input: Input;
  readonly caller: Caller;
  readonly services: PortalServices;
  readonly progress: Progress;
  /** Aborts when the caller has left. */
  readonly signal: AbortSignal;
}

/** One management operation. Fields come from path, query and JSON body together. */
export interface PortalRoute<Schema extends z.ZodObject = z.ZodObject> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  readonly access: Access;
  readonly input: Schema;
  /** True answers line by line while it runs. */
  readonly long?: true;
  /** True if the route waits for changes; the caller's right is checked again before the answer. */
  readonly waits?: true;
  /** True answers a {@link Page} rather than JSON. */
  readonly page?: true;
  run(call: PortalCall<z.output<Schema>>): Promise<unknown>;
}

export function portalRoute<Schema extends z.ZodObject>(route: PortalRoute<Schema>): PortalRoute {
  return route as unknown as PortalRoute;
}
