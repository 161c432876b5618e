import type { z } from 'zod';
import type { Core } from '../../core/context.ts';
import type { Delivery } from '../../core/outbox/delivery.ts';
import type { AccountId, ConnectionId } from '../../kernel/ids.ts';
import type { OAuth } from '../../oauth/server.ts';
import type { Access, Caller } from '../access.ts';
import type { AnswerSpoiler } from '../http/answerFaults.ts';

/** Long work tells how far it is by calling this; each call becomes one line of the answer. */
export type Progress = (state: object) => void;

/** What the management door needs of the daemon; compose brings the two together. */
export interface MirrorServices {
  /** Connections that mirror this account; null: all. */
  connectionsOf(accountId: AccountId | null): Promise<ConnectionId[]>;
  status(connection: ConnectionId): Promise<object>;
  /** Asks the source with the token in use, and compares what it has with what has arrived. */
  register(connection: ConnectionId, anew: boolean): Promise<object>;
  examine(connection: ConnectionId): Promise<object>;
  readonly quarantine: {
    /** Rows that could not be read, the oldest first. */
    list(connection: ConnectionId, limit: number): Promise<readonly object[]>;
    /** Reads again what holds them. */
    retry(connection: ConnectionId, progress: Progress): Promise<object>;
  };
  reconcile(connection: ConnectionId, resource: string | undefined, progress: Progress): Promise<object>;
  rebuild(connection: ConnectionId, progress: Progress): Promise<object>;
  verify(connection: ConnectionId, progress: Progress): Promise<VerifyReport>;
  automations: AutomationServices;
  /** Reads everything, the most useful first; goes on where an earlier reading was cut off. */
  backfill(connection: ConnectionId, progress: Progress): Promise<object>;
  /** What reading everything now would cost, and when it would be over. */
  planBackfill(connection: ConnectionId): Promise<object>;
  /** What keeping the mirror fresh costs, and how fresh it stays; for another size, when one is given. */
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
  /** The programs that are told of the changes of a connection. */
  endpoints(connection: ConnectionId): EndpointServices;
  /** What was known when. */
  states: {
    one(question: StateQuestion): Promise<object>;
    many(question: StatesQuestion): Promise<object>;
  };
}

/** The books: double entry, its periods, and the jobs that hand it on. */
export interface ExportServices {
  list(connection: string | undefined): Promise<object>;
  map(order: { connection?: string | undefined; for?: string | undefined }): Promise<object>;
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

/** What can be done with the endpoints of a connection. */
export interface EndpointServices {
  list(): Promise<object[]>;
  add(draft: EndpointDraft): Promise<object>;
  change(
    endpointId: string,
    change: { [Name in keyof EndpointDraft]?: EndpointDraft[Name] | undefined } & {
      state?: 'active' | 'disabled' | undefined;
    },
  ): Promise<object>;
  remove(endpointId: string): Promise<void>;
  rotate(endpointId: string): Promise<object>;
  ping(endpointId: string): Promise<object>;
  log(endpointId: string, question: { state?: string | undefined; limit: number }): Promise<object[]>;
  replay(endpointId: string, what: { message_id?: string | undefined; since?: string | undefined }): Promise<object>;
}

interface EndpointDraft {
  url: string;
  kinds: readonly string[];
  property_ids?: readonly number[] | null | undefined;
  persons?: boolean | undefined;
  description?: string | null | undefined;
}

/** What people see of the automations of a connection, and do with them. */
export interface AutomationServices {
  list(connection: ConnectionId): Promise<object>;
  pending(connection: ConnectionId, question: { rule?: string | undefined; limit: number }): Promise<object[]>;
  /** What rules would have done since a moment, as `since` says it. */
  test(connection: ConnectionId, question: AutomationTestQuestion): Promise<object>;
  log(connection: ConnectionId, question: AutomationLogQuestion): Promise<object[]>;
  approve(connection: ConnectionId, planId: string, text: string | undefined): Promise<object>;
  cancel(connection: ConnectionId, planId: string): Promise<object>;
  /** @returns whether the rule was going on */
  pause(connection: ConnectionId, rule: string): Promise<boolean>;
  /** @returns whether the rule was paused */
  resume(connection: ConnectionId, rule: string): Promise<boolean>;
  /** Stops all rules at once. @returns whether they were armed */
  disarm(connection: ConnectionId): Promise<boolean>;
  /** Lets automations act again, on what comes from now on. @returns whether they were disarmed */
  arm(connection: ConnectionId): Promise<boolean>;
}

export interface AutomationTestQuestion {
  rule?: string | undefined;
  since: string;
  limit: number;
  /** Also asks the language model, which costs. */
  ask?: boolean;
}

export interface AutomationLogQuestion {
  rule?: string | undefined;
  plan?: string | undefined;
  what?: string | undefined;
  limit: number;
}

/** Whom to erase: named in one of three ways. */
export type Whom =
  | { by: 'guest_id'; guest_id: number }
  | { by: 'email'; email: string }
  | { by: 'reservation_code'; reservation_code: string };

export interface ErasureServices {
  /** What would go. */
  plan(connection: ConnectionId, whom: Whom): Promise<object>;
  erase(connection: ConnectionId, whom: Whom, progress: Progress): Promise<object>;
}

export interface StateQuestion {
  connection: ConnectionId;
  resource: string;
  key: string;
  as_of?: string | undefined;
  part?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface StatesQuestion {
  connection: ConnectionId;
  resource: string;
  as_of?: string | undefined;
  after?: string | undefined;
  limit: number;
}

/** What `verify` has found. */
export interface VerifyReport {
  clean: boolean;
  [detail: string]: unknown;
}

export interface EventQuestion {
  connection: ConnectionId;
  state?: string | undefined;
  limit: number;
}

/** Where in the change feed to read on, and how long to wait for a first change. */
export interface FeedCursor {
  after: number;
  limit: number;
  waitMs: number;
}

/** A question to a report, as it was written. */
export interface ReportQuestion {
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
  /** What was asked, everything decided, and `rows` as the view has them. */
  read(question: ReportQuestion): Promise<{ rows: readonly object[] }>;
  /** An owner's statement of a month, to be printed. */
  statement(order: { connection: ConnectionId; owner: string; month: string }): Promise<Page>;
}

/** A page, and what a browser may do with it. */
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
  /** False where this process only mirrors. */
  readonly servesCore: boolean;
  readonly delivery: Delivery;
  readonly oauth: OAuth;
  readonly mirror: MirrorServices;
  /** Leaves no old bytes in the core's database; says how often the texts still stand there. null: no core runs here. */
  readonly forgetBytes: ((strings: readonly string[]) => Promise<number>) | null;
  /** null: no core runs here whose answers could be spoilt. */
  readonly spoiler: AnswerSpoiler | null;
  /** What a person must look after before long; empty when all is well. */
  alarms(): Promise<readonly { alarm: string; says: string; remedy: string | null }[]>;
  /** Every setting of this process by its path, as a digest that only who has the control secret can make. */
  settings(): Readonly<Record<string, string>>;
  /** The user's own file of settings, as it was named; what is not there yet may be written there. */
  readonly ownFile: string | null;
  /**
   * Starts again with the settings as they are now, as soon as what is under way is answered. null: whoever runs this
   * service has not said how. @throws OperatorError where they cannot be used; then nothing is changed
   */
  readonly reload: (() => Promise<void>) | null;
  readonly startedAt: string;
  readonly version: string;
}

export interface PortalCall<Input> {
  readonly input: Input;
  readonly caller: Caller;
  readonly services: PortalServices;
  readonly progress: Progress;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
}

/** One management operation. Fields come from path, query and JSON body together. */
export interface PortalRoute<Schema extends z.ZodObject = z.ZodObject> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  readonly access: Access;
  readonly input: Schema;
  /** Answered line by line as it goes. */
  readonly long?: true;
  /** May wait for news; who asked is looked at again before they are answered. */
  readonly waits?: true;
  /** Answers a {@link Page} rather than JSON. */
  readonly page?: true;
  run(call: PortalCall<z.output<Schema>>): Promise<unknown>;
}

export function portalRoute<Schema extends z.ZodObject>(route: PortalRoute<Schema>): PortalRoute {
  return route as unknown as PortalRoute;
}
