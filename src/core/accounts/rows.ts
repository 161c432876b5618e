import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ConnectionId } from '../../kernel/ids.ts';
import type { Currency } from '../../kernel/money.ts';
import type { Role } from '../../kernel/roles.ts';
import type { Flag } from '../flag.ts';

export interface AccountRow {
  account_id: AccountId;
  name: string;
  time_zone: string;
  currency: Currency;
  subscription: 'active' | 'expired' | 'suspended';
  edition: 'pro' | 'basic';
  property_quota: number;
  created_at: Instant;
  /** End of the subscription; null: it has none. */
  expires_at: Instant | null;
  /** Reason for which planned actions are not executed; null: they are. */
  automations_held: string | null;
  /** Time of the last restore of a backup. The core may have no record of what it did before. */
  restored_at: Instant | null;
}

/** The connection by which the daemon beside the core mirrors an account. */
export interface AccountConnectionRow {
  account_id: AccountId;
  connection: ConnectionId;
  /** 0: it is not read now; its name stays. */
  mirrored: Flag;
}

export interface OperatorRow {
  account_id: AccountId;
  id: number;
  name: string;
  kind: 'master' | 'sub';
  role: Role;
  /** 1: sees every property, also those to come; 0: those given to it. */
  all_properties: Flag;
  created_at: Instant;
}

export interface TokenRow {
  account_id: AccountId;
  id: number;
  operator_id: number;
  name: string;
  scope: 'read' | 'write';
  /** SHA-256 of the token. The token itself is shown once and stored nowhere. */
  hash: string;
  /** First and last characters of the token, enough to recognise it. */
  hint: string;
  created_at: Instant;
  revoked_at: Instant | null;
  /** End of the token; null: it has none. */
  expires_at: Instant | null;
  /** Day in UTC of the token's last use; null: never used, or created before uses were recorded. */
  last_used_on: PlainDate | null;
  /** Most requests of this token, in addition to all other limits; null: no cap of its own. */
  per_minute: number | null;
  per_hour: number | null;
  /** 1: the service's own token, with which the daemon reads the core in its process. No limit applies to it. */
  unlimited: Flag;
}

/** The login and password with which a person of an account signs in. */
export interface LoginRow {
  account_id: AccountId;
  operator_id: number;
  /** The name that is typed, in lower case; unique in the whole service. */
  login: string;
  password_hash: string;
  changed_at: Instant;
}

/** A one-time secret with which a person chooses login and password. */
export interface InviteRow {
  account_id: AccountId;
  operator_id: number;
  /** SHA-256 of the secret. */
  hash: string;
  created_at: Instant;
  expires_at: Instant;
}

/** Attempts to sign in, for a name, a place or both, in the quarter of an hour that began at `window_start`. */
export interface SignInTriesRow {
  /** A hash, since a person may type a password into the wrong field. */
  subject: string;
  /** Epoch seconds. */
  window_start: number;
  tries: number;
}

/** A signed-in browser. */
export interface SessionRow {
  account_id: AccountId;
  /** SHA-256 of the cookie's value. */
  hash: string;
  operator_id: number;
  created_at: Instant;
  seen_at: Instant;
  expires_at: Instant;
  /** What the browser says of itself, and the address it came from; null: not recorded. */
  agent: string | null;
  address: string | null;
}

/** What a person shows at sign-in beside the password: an authenticator's codes, or a passkey. */
export interface SecondFactorRow {
  account_id: AccountId;
  id: number;
  operator_id: number;
  kind: 'totp' | 'passkey';
  /** As the person named it. */
  name: string;
  /** An authenticator's secret, sealed. */
  secret: string | null;
  /** A passkey's id, public key (base64url), counter, and ways to reach it (JSON list). */
  credential_id: string | null;
  public_key: string | null;
  counter: number | null;
  transports: string | null;
  /** The time step of the last code, so that none is used twice. */
  last_step: number | null;
  created_at: Instant;
  last_used_at: Instant | null;
}

interface RecoveryCodeRow {
  account_id: AccountId;
  operator_id: number;
  hash: string;
  created_at: Instant;
}

/** A sign-in whose password was right, and which waits for the second factor. */
export interface SignInStepRow {
  /** SHA-256 of the step's secret. */
  hash: string;
  account_id: AccountId;
  operator_id: number;
  /** What a passkey has to answer; null: none was asked. */
  challenge: string | null;
  expires_at: Instant;
}

/** A property of another deployment that a person may see, by the number that it has there. */
interface MirroredPropertyRow {
  account_id: AccountId;
  operator_id: number;
  connection: ConnectionId;
  property_id: number;
}

/** The token with which the daemon beside the core reads an account. */
interface DaemonTokenRow {
  account_id: AccountId;
  /** Encrypted; context `daemon token of <account_id>`. */
  token: string;
}

/** The tables of accounts, their people, and their credentials. */
export interface AccountTables {
  accounts: AccountRow;
  account_connections: AccountConnectionRow;
  daemon_tokens: DaemonTokenRow;
  operators: OperatorRow;
  operator_properties: { account_id: AccountId; operator_id: number; property_id: number };
  operator_mirrored_properties: MirroredPropertyRow;
  tokens: TokenRow;
  logins: LoginRow;
  invites: InviteRow;
  sessions: SessionRow;
  sign_in_tries: SignInTriesRow;
  second_factors: SecondFactorRow;
  recovery_codes: RecoveryCodeRow;
  sign_in_steps: SignInStepRow;
}
