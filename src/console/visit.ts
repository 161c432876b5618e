import type { Call, Data, GuardedId } from '../contract/index.ts';
import type { KnownData } from '../client/readData.ts';
import type { ConnectionStatus } from '../client/status.ts';
import type { PlainDate } from '../kernel/dates.ts';
import type { AccountId, ConnectionId } from '../kernel/ids.ts';
import type { MirrorDb } from '../sync/read/mirror.ts';
import type { Right } from './access.ts';
import type { Format } from './frame/format.ts';
import type { Person } from './person.ts';
import type { SetupServices } from './setup/services.ts';
import type { Texts } from './texts/choose.ts';
import type { WorkServices } from './work/services.ts';

export type { Person } from './person.ts';

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
  /** Returns the problems of the machine and of the person's account. */
  alarms(person: Person): Promise<readonly Alarm[]>;
  /** Resolves with the numbers of the changes after `after`, at the latest after `waitMs`; none if none came. */
  changesAfter(
    connection: ConnectionId,
    after: number,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<readonly number[]>;
  /**
   * Returns a mark of what the rules and their plans have come to, once it differs from `seen`, at the latest after
   * `waitMs`.
   */
  planNews(connection: ConnectionId, seen: string, waitMs: number, signal: AbortSignal): Promise<string>;
  /**
   * Runs an operation of v3 where the connection's data is: with the person's own rights in a core of ours, elsewhere
   * with the connection's token.
   * @throws ApiError in the words of the service that refused
   */
  v3<Id extends GuardedId>(from: Asking, id: Id, input: Call<Id>): Promise<Told<Id>>;
  readonly setup: SetupServices;
  /** The secret links of those who do tasks. */
  readonly work: WorkServices;
  /** Returns the person as they may look at a connection: those who see some properties see other ones in each. */
  lookingAt(person: Person, connection: ConnectionId): Promise<Person>;
  /** Returns true if the data of a connection is in the core of this service. */
  isHere(connection: ConnectionId): boolean;
  /** Returns true if the token of a connection is known to permit no change there. */
  isReadOnly(connection: ConnectionId): Promise<boolean>;
  /** Runs an operation of the management API, `POST /portal/invites`. @throws ApiError in the words of the operation */
  portal(from: Asking, operation: string, fields: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** What an operation answers: elsewhere any field may be missing, which is null. */
export type Told<Id extends GuardedId> = KnownData<Data<Id>>;

/** Who asks for what a page needs. */
export interface Asking {
  readonly person: Person;
  readonly connection: ConnectionId;
  /** The number of a form that was sent, so that sending it twice does one thing; undefined while looking. */
  readonly once?: string | undefined;
}

/** An action that was refused, on the page that is shown again. */
export interface Refused {
  /** Name of the action. */
  readonly action: string;
  readonly problem: string;
  /** The field that is wrong, if it is one. */
  readonly field: string | undefined;
  /** The fields as they were typed. */
  readonly fields: Readonly<Record<string, FormValue>>;
}

export type FormValue = string | readonly string[];

/** One look of a person at a page: all that its query and its view may use. */
export interface Visit {
  readonly person: Person;
  readonly services: ConsoleServices;
  /** The account that is looked at, and all between which the person may choose. */
  readonly connection: ConnectionId;
  readonly connections: readonly ConnectionId[];
  /** Date of the account. */
  readonly today: PlainDate;
  readonly zone: string;
  readonly currency: string;
  readonly texts: Texts;
  /** A tag such as `en-GB`. */
  readonly locale: string;
  readonly format: Format;
  /** The fields of this page's address, as given. */
  readonly at: Readonly<Record<string, string>>;
  readonly refused: Refused | undefined;
  /** The origin that the browser shows, such as `https://stay.example`. */
  readonly origin: string;
  /** True if the connection's data is in the core of this service, which can more than v3 has words for. */
  readonly isHere: boolean;
  /** True if the token of the connection may only read there, so that nothing can be changed. */
  readonly isReadOnly: boolean;
  /** Returns true if the person may do this, and the connection's token too. */
  may(right: Right): boolean;
  /** Returns the address of a page, for this connection; fields without a value are left out. */
  address(path: string, fields?: Readonly<Record<string, string | number | undefined>>): string;
  /** Changes the person's password; other sessions end. @throws ApiError for a wrong old one, or a weak new one */
  changePassword(given: { old: string; password: string }): Promise<void>;
  /** Returns a number for a form, so that sending it twice does one thing. */
  freshNumber(): string;
  /** As {@link ConsoleServices.v3}. */
  v3<Id extends GuardedId>(id: Id, input: Call<Id>): Promise<Told<Id>>;
  /** As {@link ConsoleServices.portal}, with the connection where the operation has one. */
  portal(operation: string, fields?: Readonly<Record<string, unknown>>): Promise<unknown>;
}
