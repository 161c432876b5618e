import type { PlainDate } from '../kernel/dates.ts';
import type { AccountId, ConnectionId } from '../kernel/ids.ts';
import type { ConnectionStatus } from '../client/status.ts';
import type { MirrorDb } from '../sync/read/mirror.ts';
import type { Role } from './access.ts';
import type { Format } from './frame/format.ts';
import type { Texts } from './texts/choose.ts';

/** The person who looks at a page. */
export interface Person {
  /** Name of the account. */
  readonly account: string;
  readonly accountId: AccountId;
  readonly name: string;
  readonly role: Role;
  /** Ids of the properties that a sub-account sees; null: all. */
  readonly properties: readonly number[] | null;
}

/** A problem that needs a person, with what to do. */
export interface Alarm {
  readonly alarm: string;
  readonly says: string;
  readonly remedy: string | null;
}

/** The services behind the pages; compose connects them. */
export interface ConsoleServices {
  readonly db: MirrorDb;
  readonly version: string;
  readonly startedAt: string;
  now(): number;
  /** Returns the connections that mirror this account. */
  connectionsOf(accountId: AccountId): Promise<readonly ConnectionId[]>;
  status(connection: ConnectionId): Promise<ConnectionStatus>;
  /** Returns the problems of the machine, whichever account they concern. */
  alarms(): Promise<readonly Alarm[]>;
  /** Resolves with the numbers of the changes after `after`, at the latest after `waitMs`; none if none came. */
  changesAfter(
    connection: ConnectionId,
    after: number,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<readonly number[]>;
}

/** One look of a person at a page: all that its query and its view may use. */
export interface Visit {
  readonly person: Person;
  readonly services: ConsoleServices;
  /** The account that is looked at, and all between which the person may choose. */
  readonly connection: ConnectionId;
  readonly connections: readonly ConnectionId[];
  /** Date of the account. */
  readonly today: PlainDate;
  readonly texts: Texts;
  /** A tag such as `en-GB`. */
  readonly locale: string;
  readonly format: Format;
}
