import type { EventPayload } from '../contract/events.ts';
import type { Data, GuardedId, Input } from '../contract/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdMaker } from '../kernel/ids.ts';
import type { Random } from '../kernel/random.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { Store } from '../store/store.ts';
import type { AuditValues } from './audit/entry.ts';
import type { ChannelReplies } from './channels/reply.ts';
import type { AccountRow, CoreDatabase, CoreDb, CoreTransaction, OperatorRow } from './database.ts';

/** What every part of the core stands on. Made once, at start. */
export interface Core {
  readonly store: Store<CoreDatabase>;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
  readonly sealer: Sealer;
  /** Told after each commit that queued events, so that delivery starts without waiting for its poll. */
  readonly onQueued: () => void;
  /** Where people reach the service, without a slash at the end: the beginning of addresses it gives out. */
  readonly publicUrl: () => string;
  /** Told after each commit that left work on a calendar; without it the worker finds it by its poll. */
  readonly onCalendarTask?: () => void;
  /** Channels that are told when a request to book is approved or declined. */
  readonly channelReplies?: ChannelReplies;
}

/** Who is asking: always an account and one of its people, whichever way they proved it. */
export interface Principal {
  readonly account: AccountRow;
  readonly operator: Pick<OperatorRow, 'id' | 'name' | 'kind'>;
  /** Properties a sub-account may see; null: all of the account's. */
  readonly visible: readonly number[] | null;
  /** The application that asks on the person's behalf; left out: the person asks. */
  readonly clientId?: string;
}

/** By what a principal proved who they are, as far as the core goes by it. */
export interface Credential {
  /** The access token that a person made; left out: an application's, or a browser that has signed in. */
  readonly tokenId?: number;
}

/** One change to the core's truth while its transaction is open. */
export interface Change {
  readonly trx: CoreTransaction;
  readonly now: number;
  readonly core: Core;
  readonly account: AccountRow;
  readonly operator: Principal['operator'] | null;
  /** Queues a thin event; it is sent only if the transaction commits. */
  emit(event: EventPayload): void;
  /** Runs once the transaction has committed; never when it has not. */
  afterCommit(work: () => void): void;
  /** Records who did what to which thing, and what stood and stands there. */
  audit(action: string, subject: string, values?: AuditValues): void;
}

/** What a handler is given beside its input. Nothing of the transport. */
export interface Context extends Principal, Credential {
  readonly core: Core;
  readonly now: number;
  /** For reading. Changes go through {@link change}. */
  readonly db: CoreDb;
  /** Runs `work` with its events and audit rows in one transaction. Only the core's own queries may be awaited in it. */
  change<T>(work: (change: Change) => Promise<T>): Promise<T>;
}

export type Handler<Id extends GuardedId> = (input: Input<Id>, context: Context) => Promise<Data<Id>>;
/** One handler for every operation that asks for a token: a missing or wrong one does not compile. */
export type Handlers = { readonly [Id in GuardedId]: Handler<Id> };
