import type { Config } from '../../config.ts';
import { loadProfile } from '../profiles/profiles.ts';
import type { KnownAccount } from '../../client/knowingAccount.ts';
import type { Profile } from '../../contract/dialect/profile.ts';
import type { Clock } from '../../kernel/clock.ts';
import { OperatorError, UsageError } from '../../kernel/errors.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import { describedLimitsGate, limitsOf, openGate } from '../../sync/budget/gate.ts';
import { readCron } from '../../sync/scans/reconcile/cron.ts';
import { partName, tierNamed } from '../../sync/scans/reconcile/freshness.ts';
import type { Schedule } from '../../sync/scans/reconcile/schedules.ts';
import { tiers } from '../../sync/scans/reconcile/tiers.ts';
import type { ConnectionSettings } from '../../sync/connection/settings.ts';

/** The core of this process as the daemon may know it: an address and a token, nothing more. */
export interface LocalCore {
  url: string;
  /** null if no core runs here. */
  token: string | null;
  /** The account of the token; absent if the core supplies it. */
  account?: KnownAccount | undefined;
}

/** Returns the settings of every account to mirror. */
export function connectionSettings(config: Config, clock: Clock, local: LocalCore): ConnectionSettings[] {
  const settings: ConnectionSettings[] = [];
  const historyFrom = config.daemon.history_from;
  const { token } = local;
  const ownDialect = loadProfile(config, config.core.dialect);
  if (token !== null) {
    settings.push({
      id: 'local' as ConnectionId,
      baseUrl: local.url,
      token: () => token,
      profile: ownDialect,
      ...(local.account && { account: local.account }),
      strict: ownDialect.additions,
      showsAtOnce: true,
      webhook: {
        proof: ownDialect.webhook_authentication,
        url: `${local.url}/hooks/local`,
        // If the core supplies no secret, trust in the first delivery is safe: only the core knows the URL.
        trustFirst: ownDialect.serving.no_data.includes('createWebhook'),
      },
      // The core of this process does not limit this token.
      gate: openGate(clock),
      tiers,
      schedules: schedulesOf('daemon', config.daemon.reconcile),
      historyFrom,
    });
  }
  for (const [name, one] of Object.entries(allConnections(config))) {
    const profile = loadProfile(config, one.profile);
    settings.push({
      id: name as ConnectionId,
      baseUrl: withoutBasePath(one.url, profile),
      token: tokenOf(name, { ...one, url: withoutBasePath(one.url, profile) }),
      profile,
      account: { account_id: name, name, time_zone: one.time_zone, currency: one.currency },
      webhook: {
        proof: one.webhook_authentication ?? profile.webhook_authentication,
        url: hookUrl(one.public_url ?? local.url, name),
        ...(one.webhook_secret !== null && { secret: one.webhook_secret }),
        trustFirst: one.trust_first_secret,
      },
      gate: one.respect_limits ? describedLimitsGate(clock, limitsOf(profile)) : openGate(clock),
      tiers,
      schedules: schedulesOf(`connections.${name}`, one.reconcile),
      historyFrom,
    });
  }
  return settings;
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
