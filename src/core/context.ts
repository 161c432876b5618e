import type { EventPayload } from '../contract/events.ts';
import type { Data, GuardedId, Input } from '../contract/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdMaker } from '../kernel/ids.ts';
import type { Random } from '../kernel/random.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { Tracer } from '../kernel/tracing/tracer.ts';
import type { Store } from '../store/store.ts';
import type { AuditValues } from './audit/entry.ts';
import type { ChannelAdapters } from './channels/adapter.ts';
import type { GuestPagePorts } from './guestPages/ports.ts';
import type { PasswordHasher } from './people/passwordHash.ts';
import type { AccountRow, CoreDatabase, CoreDb, CoreTransaction, OperatorRow } from './database.ts';

/** The base of every part of the core, created once at start. */
export interface Core {
  readonly store: Store<CoreDatabase>;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
  /** Absent for no traces. */
  readonly tracer?: Tracer;
  readonly sealer: Sealer;
  readonly passwords: PasswordHasher;
  /** Called after each commit that queued events, so that delivery starts without waiting for its poll. */
  readonly onQueued: () => void;
  /** Returns the public address of the service without a trailing slash: the beginning of addresses it gives out. */
  readonly publicUrl: () => string;
  /** Called after each commit that queued work on a calendar. Without it the worker finds the work by its poll. */
  readonly onCalendarTask?: () => void;
  /** The channels that this installation can reach. */
  readonly channels: ChannelAdapters;
  /** How the pages of guests are set; without it as {@link usualGuestPages}. */
  readonly guestPages?: GuestPagePorts;
}

/** The way by which a change came in; the audit records it. */
export type Entrance = 'console' | 'v3' | 'mcp' | 'portal';

/** One of the people of an account, who acts. */
export interface Acting extends Pick<OperatorRow, 'id' | 'name' | 'kind'> {
  readonly entrance?: Entrance;
}

/** The caller: an account and one of its people, however they authenticated. */
export interface Principal {
  readonly account: AccountRow;
  readonly operator: Acting;
  /** Properties that a sub-account may see; null: all of the account. */
  readonly visible: readonly number[] | null;
  /** The application that acts for the person; left out: the person acts. */
  readonly clientId?: string;
}

/** The credential of a principal, as far as the core needs it. */
interface Credential {
  /** Personal access token; left out: an application's token, or a signed-in browser. */
  readonly tokenId?: number;
  /** True if the daemon beside the core acts, for its rules; left out: a person or another program. */
  readonly isDaemon?: true;
}

/** One change of the core's data while its transaction is open. */
export interface Change {
  readonly trx: CoreTransaction;
  readonly now: number;
  readonly core: Core;
  readonly account: AccountRow;
  readonly operator: Principal['operator'] | null;
  /** Queues a thin event. It is sent only if the transaction commits. */
  emit(event: EventPayload): void;
  /** Runs work after the transaction has committed, and never if it does not. */
  afterCommit(work: () => void): void;
  /** Records who did what to which object, with the values before and after. */
  audit(action: string, subject: string, values?: AuditValues): void;
}

/** The arguments of a handler besides its input. It contains nothing of the transport. */
export interface Context extends Principal, Credential {
  readonly core: Core;
  readonly now: number;
  /** For reads only. Changes go through {@link change}. */
  readonly db: CoreDb;
  /**
   * Runs `work` with its events and audit rows in one transaction. It may await nothing except the core's own queries.
   */
  change<T>(work: (change: Change) => Promise<T>): Promise<T>;
}

export type Handler<Id extends GuardedId> = (input: Input<Id>, context: Context) => Promise<Data<Id>>;
/** Handlers of all operations that need a token. A missing or wrong one does not compile. */
export type Handlers = { readonly [Id in GuardedId]: Handler<Id> };
