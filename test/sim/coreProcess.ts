import type { Database } from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import type { PortalServices } from '../../src/api/portal/route.ts';
import { servePortal } from '../../src/api/portal/serve.ts';
import { webhookRoutes } from '../../src/api/portal/webhooks.ts';
import { newServer } from '../../src/api/http/server.ts';
import { serveV3 } from '../../src/api/v3.ts';
import { dialectOfServer } from '../../src/contract/dialect/dialect.ts';
import { described, type Profile } from '../../src/contract/dialect/profile.ts';
import { postWorker } from '../../src/core/channels/posts/poster.ts';
import { sandboxChannels } from '../../src/sandbox/channel/adapters.ts';
import { calendarWorker } from '../../src/core/channels/tasks/worker.ts';
import type { Core } from '../../src/core/context.ts';
import type { CoreDatabase } from '../../src/core/database.ts';
import { handlers } from '../../src/core/handlers.ts';
import { RequestCounters } from '../../src/core/limits/counters.ts';
import { type LimitSetting, limitPolicy } from '../../src/core/limits/policy.ts';
import { Delivery } from '../../src/core/outbox/delivery.ts';
import type { DeliveryFaults } from '../../src/core/outbox/faults.ts';
import { timeoutWorker } from '../../src/core/reservations/times/timeouts.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { Random } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { openHandlers } from '../../src/oauth/handlers.ts';
import type { Sender } from '../../src/outbound/deliver.ts';
import { oauthOf } from '../support/core.ts';
import { type CrashPlan, openSimStore } from './crash.ts';
import { type ProcessClock, unsealed } from './virtualTime.ts';
import { PasswordHasher } from '../../src/core/people/passwordHash.ts';

const EVENT_DAYS = 30;

export const CHANNELS = ['marketplace_a', 'booking_site'];

/** One process of the core, from its start to its end. */
export interface CoreProcess {
  readonly core: Core;
  readonly database: Database;
  readonly app: FastifyInstance;
  /** Its result, or undefined when the process has ended before. */
  untilEnd<T>(work: Promise<T>): Promise<T | undefined>;
  outcomeOf(eventId: string): string | null | undefined;
  spoilDeliveries(faults: DeliveryFaults): void;
  start(senderOf: (clock: ProcessClock) => Sender): Promise<void>;
  endAfter(points: number): void;
  /** Lets go of the file. */
  close(): Promise<void>;
}

interface CoreProcessOptions {
  file: string;
  clock: ProcessClock;
  random: Random;
  keyBytes: Buffer;
  limits: LimitSetting;
  /** How it speaks; left out: as described. */
  profile?: Profile;
  /** Whether it says what it could not deliver to a webhook. */
  knowsUndelivered?: boolean;
  /** Runs at the end, before anything else can happen. */
  onEnd(): void;
}

export async function openProcess(options: CoreProcessOptions): Promise<CoreProcess> {
  const { file, clock, random, keyBytes, limits, profile = described } = options;
  let pointsLeft = Number.POSITIVE_INFINITY;
  let isOver = false;
  // No promise that lives as long as the process: each race against it would stay with it.
  const waiting = new Set<() => void>();
  const untilEnd = <T>(work: Promise<T>) =>
    new Promise<T | undefined>((resolve, reject) => {
      const leave = () => resolve(undefined);
      waiting.add(leave);
      work.then(resolve, reject).finally(() => waiting.delete(leave));
    });
  const plan: CrashPlan = {
    reached: () => (pointsLeft -= 1) < 0,
    end() {
      isOver = true;
      clock.die();
      options.onEnd();
      for (const leave of waiting) leave();
    },
    get isOver() {
      return isOver;
    },
  };
  const store = openSimStore<CoreDatabase>(file, () => clock.monotonic(), plan);
  const core: Core = {
    store,
    clock,
    random,
    ids: ulidMaker(clock, random),
    sealer: sealer(keyBytes, random),
    passwords: new PasswordHasher(random),
    onQueued() {
      delivery.wake();
      poster.wake();
    },
    onCalendarTask: () => calendars.wake(),
    channels: sandboxChannels({ store, clock }),
    publicUrl: () => 'https://core.example',
  };
  const log = silentLogger;
  const dialect = dialectOfServer(profile);
  const delivery = new Delivery({ core, dialect, log, alone: true });
  const poster = postWorker({ core, log, alone: true });
  const calendars = calendarWorker({ core, log, alone: true });
  const timeouts = timeoutWorker(core, log);
  const counters = new RequestCounters(store, clock, limitPolicy(limits), log);
  const app = newServer({ trustedProxies: [], names: () => [], tls: null, requestIds: core.ids });
  if (options.knowsUndelivered) {
    // Its other routes need a whole service.
    const services = { core, eventDays: EVENT_DAYS } as PortalServices;
    servePortal(app, webhookRoutes, { core, controlSecret: '', tokenHeaders: [], counters, log, services });
  }
  serveV3(app, { core, dialect, handlers, open: openHandlers(oauthOf(core)), counters, tokenHeaders: [], log });
  await unsealed(() => app.ready());
  const outcome = store.database.prepare<[string], string | null>('select outcome from deliveries where event_id = ?');
  return {
    core,
    database: store.database,
    app,
    untilEnd,
    outcomeOf: (eventId) => outcome.pluck().get(eventId),
    spoilDeliveries: (faults) => void (delivery.faults = faults),
    async start(senderOf) {
      const start = async () => {
        await delivery.start(senderOf(clock));
        await poster.start();
        await calendars.start();
        await timeouts.start();
        await timeouts.settled();
      };
      await untilEnd(start());
    },
    endAfter: (points) => void (pointsLeft = points),
    async close() {
      clock.die();
      await unsealed(() => app.close());
      store.database.close();
    },
  };
}
