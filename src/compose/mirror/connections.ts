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

/** The core beside the daemon, as the daemon may know it: an address and a token, nothing more. */
export interface LocalCore {
  url: string;
  /** null: no core runs here. */
  token: string | null;
  /** Of which account it is; left out where the core tells it. */
  account?: KnownAccount | undefined;
}

/** Every account to mirror, from the configuration. */
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
        // Where the core beside tells a secret by no call, nobody but it delivers to a URL that it alone was given.
        trustFirst: ownDialect.serving.no_data.includes('createWebhook'),
      },
      // The core beside does not limit this token.
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

/** Addresses are given with the base path and without. */
function withoutBasePath(url: string, { base_path: path }: Profile): string {
  const bare = url.replace(/(?<!\/)\/+$/, '');
  return bare.endsWith(path) ? bare.slice(0, -path.length) : url;
}

/** An access token as it is, or OAuth; one of them. */
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

/** @throws UsageError naming the key, and what can be written there */
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

/** `upstream` is the short form of one connection of that name. */
function allConnections(config: Config): Config['connections'] {
  const { url, ...upstream } = config.upstream;
  return url === null ? config.connections : { upstream: { url, ...upstream }, ...config.connections };
}

function hookUrl(base: string, name: string): string {
  return `${base.replace(/(?<!\/)\/+$/, '')}/hooks/${name}`;
}
