import type { KnownAccount } from '../../client/knowingAccount.ts';
import type { Dispatcher } from '../../client/transport.ts';
import type { Profile } from '../../contract/dialect/profile.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import type { Tier } from '../scans/reconcile/freshness.ts';
import type { Schedule } from '../scans/reconcile/schedules.ts';
import type { Budget } from '../budget/gate.ts';
import type { OAuthAccess } from './tokens/upstreamTokens.ts';
import type { DeliveryProof } from '../ingest/verifyDelivery.ts';

/** One account to mirror. */
export interface ConnectionSettings {
  id: ConnectionId;
  /** The service's base address, with or without the profile's base path. */
  baseUrl: string;
  /** The token, requested for each call; or the OAuth access of the connection. */
  token: (() => string | Promise<string>) | OAuthAccess;
  profile: Profile;
  /** Facts about an account that upstream does not report; left out: the name of the connection. */
  account?: KnownAccount;
  /** Set to have unknown fields refused; for a core of ours, which supports that preference. */
  strict?: boolean;
  webhook: {
    proof: DeliveryProof;
    /**
     * The address to which the other side posts events: registered there, or, with a secret below, by hand. null: no
     * events.
     */
    url: string | null;
    /** The secret of a webhook made by hand, where the token may not register one. */
    secret?: string;
    /** Set to adopt the secret of the first delivery to our URL, where none is known. */
    trustFirst?: boolean;
  };
  /** Schedules requests. One gate per account, shared by all that use it. */
  gate: Budget;
  /** Left out: a pool of its own. */
  dispatcher?: Dispatcher;
  /** The parts that are read again automatically, with their maximum ages; left out: none. */
  tiers?: readonly Tier[];
  /** Further reads at certain times. */
  schedules?: readonly Schedule[];
  /** Set if the account shows a change before it announces it: no wait after an event is needed. */
  showsAtOnce?: boolean;
  /** True lets the other side continue our traces. */
  propagatesTraces?: boolean;
  /** The first date of the ledger. */
  historyFrom?: PlainDate;
}
