import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { coreMigrations, coreStatistics } from '../../migrations/core/index.ts';
import { newServer } from '../../src/api/server.ts';
import { serveV3 } from '../../src/api/v3.ts';
import { createAccount, createToken } from '../../src/core/accounts/create.ts';
import { masterOperator } from '../../src/core/accounts/table.ts';
import { runChange } from '../../src/core/change.ts';
import { insideAdapter } from '../../src/core/channels/posts/inside.ts';
import { Poster } from '../../src/core/channels/posts/poster.ts';
import { sandboxReplies } from '../../src/core/channels/sandbox/requests.ts';
import { CalendarWorker } from '../../src/core/channels/tasks/worker.ts';
import type { Change, Core } from '../../src/core/context.ts';
import type { CoreDatabase } from '../../src/core/database.ts';
import { handlers } from '../../src/core/handlers.ts';
import { openHandlers } from '../../src/oauth/handlers.ts';
import { oauthOf } from '../support/core.ts';
import { RequestCounters } from '../../src/core/limits/counters.ts';
import { type LimitSetting, limitPolicy } from '../../src/core/limits/policy.ts';
import { Delivery } from '../../src/core/outbox/delivery.ts';
import type { DeliveryFaults } from '../../src/core/outbox/faults.ts';
import { Timeouts } from '../../src/core/reservations/timeouts.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { sealer } from '../../src/kernel/seal.ts';
import type { Sender } from '../../src/outbound/deliver.ts';
import { migrate } from '../../src/store/migrate.ts';
import { randomOf } from './chance.ts';
import { noCrash, openSimStore } from './crash.ts';
import type { ProcessClock } from './virtualTime.ts';

export const CHANNELS = ['marketplace_a', 'booking_site'];

/** The real core behind its real door, on virtual time; only ports are swapped. */
export interface SimCore {
  core: Core;
  app: FastifyInstance;
  /** Of the daemon. */
  token: string;
  /** A request of the host. @returns the envelope */
  host(method: string, path: string, body?: object): Promise<{ error_code: number; error_msg: string; data: any }>;
  /** What a marketplace does. */
  change<T>(work: (change: Change) => Promise<T>): Promise<T>;
  spoilDeliveries(faults: DeliveryFaults): void;
  start(sender: Sender): Promise<void>;
  stop(): Promise<void>;
}

/** Makes an empty database once, to be copied for each world. */
export async function makeCoreTemplate(file: string): Promise<void> {
  const store = openSimStore<CoreDatabase>(file, () => 0, noCrash);
  await migrate(store, coreMigrations, coreStatistics);
  await store.close();
}

export interface SimCoreOptions {
  seed: number;
  folder: string;
  template: string;
  clock: ProcessClock;
  limits: LimitSetting;
}

export async function openSimCore({ seed, folder, template, clock, limits }: SimCoreOptions): Promise<SimCore> {
  const file = join(folder, 'core.db');
  copyFileSync(template, file);
  const store = openSimStore<CoreDatabase>(file, () => clock.monotonic(), noCrash);
  const random = randomOf(seed, 'core');
  const core: Core = {
    store,
    clock,
    random,
    ids: ulidMaker(clock, random),
    sealer: sealer(random.bytes(32), random),
    onQueued() {
      delivery.wake();
      poster.wake();
    },
    onCalendarTask: () => calendars.wake(),
    channelReplies: sandboxReplies({ store, clock }, CHANNELS),
    publicUrl: () => 'https://core.example',
  };
  const log = silentLogger;
  const delivery = new Delivery({ core, log, alone: true });
  const adapters = new Map(CHANNELS.map((channel) => [channel, insideAdapter]));
  const poster = new Poster({ core, log, adapters, alone: true });
  const calendars = new CalendarWorker({ core, log, alone: true });
  const timeouts = new Timeouts(core, log);
  const counters = new RequestCounters(store, clock, limitPolicy(limits));
  const app = newServer({ trustedProxies: [], tls: null });
  serveV3(app, { core, handlers, open: openHandlers(oauthOf(core)), counters, tokenHeaders: [], log });
  await app.ready();
  const draft = { name: 'simulated', time_zone: 'Europe/Berlin', currency: 'EUR', property_quota: 500 };
  const account = await createAccount(core, draft);
  const operator = await masterOperator(store.db, account.account_id);
  const own = await createToken(core, account, { name: 'host', scope: 'write', unlimited: true });
  const daemon = await createToken(core, account, { name: 'daemon', scope: 'write', unlimited: limits === 'off' });
  return {
    core,
    app,
    token: daemon.token,
    async host(method, path, body) {
      const response = await app.inject({
        method: method as 'GET',
        url: `/v3${path}`,
        headers: { 'service-access-token': own.token, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { payload: JSON.stringify(body) }),
      });
      return response.json();
    },
    change: (work) => runChange(core, { account, operator }, work),
    spoilDeliveries: (faults) => void (delivery.faults = faults),
    async start(sender) {
      await delivery.start(sender);
      await poster.start();
      await calendars.start();
      await timeouts.start();
    },
    async stop() {
      clock.die();
      await app.close();
      store.database.close();
    },
  };
}
