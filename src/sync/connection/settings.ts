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
  /** Asked for at each request; or how the connection is let in by OAuth. */
  token: (() => string | Promise<string>) | OAuthAccess;
  profile: Profile;
  /** What is known of the account where upstream does not tell it; left out: the name of the connection. */
  account?: KnownAccount;
  /** Fields that upstream does not know are to be refused; for a core of ours, which knows the preference. */
  strict?: boolean;
  webhook: {
    proof: DeliveryProof;
    /** Where the other side posts events: registered there, or, with a secret below, by hand. null: no events. */
    url: string | null;
    /** The secret of a webhook made by hand, where the token may not register one. */
    secret?: string;
    /** The secret that the first delivery to a URL of ours carries is taken for it, where none is known. */
    trustFirst?: boolean;
  };
  /** Who may ask when. One gate per account, shared by all that use it. */
  gate: Budget;
  /** Left out: an own pool. */
  dispatcher?: Dispatcher;
  /** What is read again by itself, and how old it may become; left out: nothing. */
  tiers?: readonly Tier[];
  /** What is read again at certain times besides. */
  schedules?: readonly Schedule[];
  /** It shows a change before it tells of it: no event is waited for to become true. */
  showsAtOnce?: boolean;
  /** The first date of the ledger. */
  historyFrom?: PlainDate;
}
