import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { PortalServices } from '../api/portal/route.ts';
import { pageHeaders } from '../api/http/pageHeaders.ts';
import { originOf } from '../api/http/plainHttp.ts';
import { clearSession, isSameOrigin, sessionOf, setSession } from '../api/session.ts';
import type { ConnectionStatus } from '../client/status.ts';
import { packageRoot } from '../config/packageRoot.ts';
import { serveConsole, type Visitors } from '../console/serve.ts';
import type { ConsoleServices } from '../console/visit.ts';
import { endSession, sessionHolder } from '../core/people/sessions.ts';
import { acceptInvite, signIn } from '../core/people/signIn.ts';
import type { Core } from '../core/context.ts';
import type { Logger } from '../kernel/log.ts';
import type { MirrorDb } from '../sync/tables/database.ts';

interface Options {
  readonly core: Core;
  readonly services: Pick<PortalServices, 'mirror' | 'alarms' | 'startedAt' | 'version'>;
  readonly db: MirrorDb;
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
}

/** Changes that one signal stands for. */
const MOST_CHANGES = 1_000;

/** Returns how the console is added to the listener: its pages over the mirror, its people by the core's sessions. */
export function consoleOn({ core, services, db, trustedProxies, log }: Options): (app: FastifyInstance) => void {
  const { mirror, alarms, startedAt, version } = services;
  const pages: ConsoleServices = {
    db,
    version,
    startedAt,
    alarms,
    now: () => core.clock.now(),
    connectionsOf: (accountId) => mirror.connectionsOf(accountId),
    status: async (connection) => (await mirror.status(connection)) as ConnectionStatus,
    async changesAfter(connection, after, waitMs, signal) {
      const rows = await mirror.changes(connection, { after, limit: MOST_CHANGES, waitMs }, signal);
      return rows.map(({ seq }) => seq);
    },
  };
  const assets = join(packageRoot(), 'dist', 'console');
  const visitors = visitorsOf(core, trustedProxies);
  return (app) => serveConsole(app, { services: pages, visitors, assets, random: core.random, log });
}

function visitorsOf(core: Core, trustedProxies: readonly string[]): Visitors {
  const origin = originOf(trustedProxies);
  const welcome: (...given: Parameters<Visitors['signOut']>) => (secret: string) => Promise<void> =
    (request, reply) => async (secret) => {
      const earlier = sessionOf(request);
      if (earlier !== undefined) await endSession(core, earlier);
      setSession(request, reply, secret);
    };
  return {
    async personOf(request) {
      const secret = sessionOf(request);
      const who = secret === undefined ? undefined : await sessionHolder(core, secret);
      if (!who) return undefined;
      const { account, operator, visible } = who;
      return {
        account: account.name,
        accountId: account.account_id,
        name: operator.name,
        role: operator.kind === 'master' ? 'owner' : 'manager',
        properties: visible === null ? null : [...visible],
      };
    },
    async signIn(request, reply, given) {
      await welcome(request, reply)(await signIn(core, { ...given, ...origin(request) }));
    },
    async accept(request, reply, given) {
      await welcome(request, reply)(await acceptInvite(core, given));
    },
    async signOut(request, reply) {
      const secret = sessionOf(request);
      if (secret !== undefined) await endSession(core, secret);
      clearSession(request, reply);
    },
    isOurs: isSameOrigin,
    headers: pageHeaders,
  };
}
