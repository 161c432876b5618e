import { defaultProfile, type Profile as ClientProfile } from '../client/profile.ts';
import { type Config, loadProfile, type Profile } from '../config.ts';
import type { Clock } from '../kernel/clock.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { ConnectionId } from '../kernel/ids.ts';
import { describedLimitsGate, openGate } from '../sync/budget/gate.ts';
import { tiers } from '../sync/reconcile/tiers.ts';
import type { ConnectionSettings } from '../sync/settings.ts';

/** The core beside the daemon, as the daemon may know it: an address and a token, nothing more. */
export interface LocalCore {
  url: string;
  /** null: no core runs here. */
  token: string | null;
}

/** Every account to mirror, from the configuration. */
export function connectionSettings(config: Config, clock: Clock, local: LocalCore): ConnectionSettings[] {
  const settings: ConnectionSettings[] = [];
  const historyFrom = config.daemon.history_from;
  const { token } = local;
  if (token !== null) {
    settings.push({
      id: 'local' as ConnectionId,
      baseUrl: local.url,
      token: () => token,
      profile: defaultProfile,
      webhook: { proof: 'both', url: `${local.url}/hooks/local` },
      // The core beside does not limit this token.
      gate: openGate(clock),
      tiers,
      historyFrom,
    });
  }
  for (const [name, one] of Object.entries(allConnections(config))) {
    if (one.token === null) {
      throw new OperatorError(`connections.${name}.token is missing`, 'give an access token of that deployment');
    }
    const given = one.token;
    settings.push({
      id: name as ConnectionId,
      baseUrl: one.url,
      token: () => given,
      profile: clientProfile(loadProfile(one.profile)),
      webhook: {
        proof: one.webhook_authentication,
        url: hookUrl(one.public_url ?? local.url, name),
        ...(one.webhook_secret !== null && { secret: one.webhook_secret }),
      },
      gate: one.respect_limits ? describedLimitsGate(clock) : openGate(clock),
      tiers,
      historyFrom,
    });
  }
  return settings;
}

/** `upstream` is the short form of one connection of that name. */
function allConnections(config: Config): Config['connections'] {
  const { url, ...upstream } = config.upstream;
  return url === null ? config.connections : { upstream: { url, ...upstream }, ...config.connections };
}

function hookUrl(base: string, name: string): string {
  return `${base.replace(/(?<!\/)\/+$/, '')}/hooks/${name}`;
}

function clientProfile(profile: Profile): ClientProfile {
  return {
    tokenHeader: profile.token_header,
    webhookTokenHeader: profile.webhook_secret_header,
    pathSegments: profile.path_segments,
  };
}
