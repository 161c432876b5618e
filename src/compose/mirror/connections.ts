import type { Config } from '../../config.ts';
import { loadProfile } from '../profiles/profiles.ts';
import type { KnownAccount } from '../../client/knowingAccount.ts';
import type { Profile } from '../../contract/dialect/profile.ts';
import type { Clock } from '../../kernel/clock.ts';
import { OperatorError, UsageError } from '../../kernel/errors.ts';
import type { AccountId, ConnectionId } from '../../kernel/ids.ts';
import { describedLimitsGate, limitsOf, openGate } from '../../sync/budget/gate.ts';
import { readCron } from '../../sync/scans/reconcile/cron.ts';
import { partName, tierNamed } from '../../sync/scans/reconcile/freshness.ts';
import type { Schedule } from '../../sync/scans/reconcile/schedules.ts';
import { tiers } from '../../sync/scans/reconcile/tiers.ts';
import type { ConnectionSettings } from '../../sync/connection/settings.ts';

/** The core of this process as the daemon may know it: an address, and a token for each account, nothing more. */
export interface LocalCore {
  url: string;
  /** The accounts to mirror; none if no core runs here. */
  accounts: readonly LocalAccount[];
  /** Returns the account with this name or id; left out: names of accounts are not looked up. */
  accountNamed?(name: string): AccountId | undefined;
}

interface LocalAccount {
  connection: ConnectionId;
  accountId: AccountId;
  token: string;
  /** Absent if the core supplies it. */
  account?: KnownAccount;
}

/** A connection that is to run. */
export interface WantedConnection {
  readonly settings: ConnectionSettings;
  /** Changes with anything that the connection is opened with. */
  readonly mark: string;
  /** The account of the core of this process that the connection mirrors; null if another deployment has it. */
  readonly beside: AccountId | null;
  /** The account whose people and tokens the connection is for; null: only the holder of the data directory. */
  readonly owner: AccountId | null;
}

/** Returns the settings of every account to mirror. */
export function connectionSettings(config: Config, clock: Clock, local: LocalCore): ConnectionSettings[] {
  return wantedConnections(config, clock, local).map(({ settings }) => settings);
}

/**
 * Returns every account to mirror: those of the core of this process, then those that are configured.
 * @throws OperatorError with the fault of a configured connection
 */
export function wantedConnections(config: Config, clock: Clock, local: LocalCore): WantedConnection[] {
  // Many connections share a profile, which is a file.
  const profileNamed = readOnce((name) => loadProfile(config, name));
  const means = { config, clock, local, profileNamed };
  const own = local.accounts.map((account) => besideConnection(means, account));
  const names = new Set<string>(local.accounts.map(({ connection }) => connection));
  const configured = Object.entries(allConnections(config)).map(([name, one]) => {
    if (names.has(name)) {
      throw new UsageError(
        `connections.${name}: an account of the core beside the daemon has this name`,
        'give the connection to the other deployment another one',
      );
    }
    return configuredConnection(means, { name, ...one });
  });
  return [...own, ...configured];
}

/** What connections are made of. */
interface Means {
  config: Config;
  clock: Clock;
  local: LocalCore;
  profileNamed(name: string): Profile;
}

function readOnce<Value>(read: (name: string) => Value): (name: string) => Value {
  const known = new Map<string, Value>();
  return (name) => {
    const value = known.get(name) ?? read(name);
    known.set(name, value);
    return value;
  };
}

function besideConnection(
  { config, clock, local: { url }, profileNamed }: Means,
  { connection, accountId, token, account }: LocalAccount,
): WantedConnection {
  const profile = profileNamed(config.core.dialect);
  const historyFrom = config.daemon.history_from;
  const settings: ConnectionSettings = {
    id: connection,
    baseUrl: url,
    token: () => token,
    profile,
    ...(account && { account }),
    strict: profile.additions,
    propagatesTraces: true,
    showsAtOnce: true,
    webhook: {
      proof: profile.webhook_authentication,
      url: hookUrl(url, connection),
      // If the core supplies no secret, trust in the first delivery is safe: only the core knows the URL.
      trustFirst: profile.serving.no_data.includes('createWebhook'),
    },
    // The core of this process does not limit this token.
    gate: openGate(clock),
    tiers,
    schedules: schedulesOf('daemon', config.daemon.reconcile),
    historyFrom,
  };
  return { settings, mark: JSON.stringify([url, token, account]), beside: accountId, owner: accountId };
}

type Configured = Config['connections'][string] & { name: string };

function configuredConnection({ config, clock, local, profileNamed }: Means, one: Configured): WantedConnection {
  const { name } = one;
  const ownUrl = local.url;
  const profile = profileNamed(one.profile);
  const baseUrl = withoutBasePath(one.url, profile);
  const settings: ConnectionSettings = {
    id: name as ConnectionId,
    baseUrl,
    token: tokenOf(name, { ...one, url: baseUrl }),
    profile,
    account: { account_id: name, name, time_zone: one.time_zone, currency: one.currency },
    propagatesTraces: config.tracing.propagate,
    webhook: {
      proof: one.webhook_authentication ?? profile.webhook_authentication,
      url: hookUrl(one.public_url ?? ownUrl, name),
      ...(one.webhook_secret !== null && { secret: one.webhook_secret }),
      trustFirst: one.trust_first_secret,
    },
    gate: one.respect_limits ? describedLimitsGate(clock, limitsOf(profile)) : openGate(clock),
    tiers,
    schedules: schedulesOf(`connections.${name}`, one.reconcile),
    historyFrom: config.daemon.history_from,
  };
  return { settings, mark: JSON.stringify([ownUrl, one, profile]), beside: null, owner: ownerOf(local, one) };
}

/** @throws UsageError if the connection names an account that there is not */
function ownerOf({ accountNamed }: LocalCore, { name, account }: Configured): AccountId | null {
  if (account === null || !accountNamed) return null;
  const found = accountNamed(account);
  if (found !== undefined) return found;
  throw new UsageError(
    `connections.${name}.account: there is no account "${account}"`,
    'name an account of the core here (./stayd account list), or leave it out',
  );
}

/** Removes the base path, because addresses are given with it and without it. */
function withoutBasePath(url: string, { base_path: path }: Profile): string {
  const bare = url.replace(/(?<!\/)\/+$/, '');
  return bare.endsWith(path) ? bare.slice(0, -path.length) : url;
}

/** Returns the access token or the OAuth settings, of which exactly one is configured. */
function tokenOf(name: string, { url, token, oauth }: Config['connections'][string]): ConnectionSettings['token'] {
  if (token !== null && oauth !== null) {
    throw new OperatorError(`connections.${name}: token and oauth exclude each other`, 'leave one of them out');
  }
  if (oauth !== null) {
    const { client_id: clientId, client_secret: clientSecret, refresh_token: refreshToken } = oauth;
    return { issuer: oauth.issuer ?? url, clientId, clientSecret, refreshToken };
  }
  if (token !== null) return () => token;
  throw new OperatorError(
    `connections.${name}.token is missing`,
    'give an access token of that deployment, or oauth: client_id and refresh_token',
  );
}

/** @throws UsageError with the key and the allowed values */
function schedulesOf(section: string, { schedules }: Config['daemon']['reconcile']): Schedule[] {
  return schedules.map(({ resource: written, cron: pattern, zone = null }, index) => {
    const key = `${section}.reconcile.schedules[${index}]`;
    const resource = tierNamed(tiers, written);
    if (resource === undefined) {
      const names = tiers.map(({ scan }) => partName(scan));
      throw new UsageError(`${key}.resource: "${written}" is nothing that is scanned`, `one of ${names.join(', ')}`);
    }
    const cron = readCron(pattern);
    if ('problem' in cron) {
      throw new UsageError(
        `${key}.cron: "${pattern}" ${cron.problem}`,
        'such as "30 5 * * 1-5": at 5:30, Monday to Friday',
      );
    }
    return { resource, pattern, cron, zone };
  });
}

/** Returns all connections; `upstream` is the short form of one with that name. */
function allConnections(config: Config): Config['connections'] {
  const { url, ...upstream } = config.upstream;
  return url === null ? config.connections : { upstream: { url, ...upstream }, ...config.connections };
}

function hookUrl(base: string, name: string): string {
  return `${base.replace(/(?<!\/)\/+$/, '')}/hooks/${name}`;
}
