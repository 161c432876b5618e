import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify';
import { coreMigrations } from '../../migrations/core/index.ts';
import type { Profile } from '../../src/contract/dialect/profile.ts';
import { createAccount, createToken } from '../../src/core/accounts/create.ts';
import { masterOperator } from '../../src/core/accounts/table.ts';
import { runChange } from '../../src/core/change.ts';
import type { Change, Core } from '../../src/core/context.ts';
import type { CoreDatabase } from '../../src/core/database.ts';
import type { Owner } from '../../src/sandbox/simulation/stage.ts';
import type { LimitSetting } from '../../src/core/limits/policy.ts';
import { type DeliveryFaults, NO_FAULTS } from '../../src/core/outbox/faults.ts';
import type { Sender } from '../../src/outbound/deliver.ts';
import { migrate } from '../../src/store/migrate.ts';
import { randomOf } from './chance.ts';
import { openProcess, type CoreProcess } from './coreProcess.ts';
import { copyAfterEnd, noCrash, openSimStore } from './crash.ts';
import type { Trace } from './trace.ts';
import type { ProcessClock, VirtualTime } from './virtualTime.ts';

/** The real core behind its real door, as one process after another on the files that each leaves behind. */
export interface SimCore {
  /** Of the process that runs. */
  readonly core: Core;
  /** Its file, for questions of those who look on. */
  readonly database: Database;
  readonly isUp: boolean;
  readonly file: string;
  /** Of the daemon. */
  readonly token: string;
  /** Whose account it is. */
  readonly owner: Owner;
  /** A request through the door; undefined: there is no process, or it ended before it had answered. */
  request(request: InjectOptions): Promise<Response | undefined>;
  /** A request of the host. @returns the envelope; undefined as above */
  host(method: string, path: string, body?: object): Promise<Envelope | undefined>;
  /** What a marketplace does; undefined: the process ended meanwhile, and nobody knows what it has done. */
  change<T>(work: (change: Change) => Promise<T>): Promise<T | undefined>;
  /** What the delivery row of an event says, read directly; undefined: there is none. */
  outcomeOf(eventId: string): string | null | undefined;
  spoilDeliveries(faults: DeliveryFaults): void;
  /** Begins to deliver and to do what is due; `senderOf` makes the way out of a process by its clock. */
  start(senderOf: (clock: ProcessClock) => Sender): Promise<void>;
  /** Ends the process when it has passed so many more crash points. */
  endAfter(points: number): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface Envelope {
  error_code: number;
  error_msg: string;
  data: any;
}

/** Makes an empty database once, to be copied for each world. */
export async function makeCoreTemplate(file: string): Promise<void> {
  const store = openSimStore<CoreDatabase>(file, () => 0, noCrash);
  await migrate(store, coreMigrations);
  await store.close();
}

export interface SimCoreOptions {
  seed: number;
  folder: string;
  template: string;
  time: VirtualTime;
  trace: Trace;
  limits: LimitSetting;
  /** How it speaks; left out: as described. */
  profile?: Profile;
  propertyQuota?: number;
  /** Whether it says what it could not deliver to a webhook. */
  knowsUndelivered?: boolean;
}

const SEAL_KEY_BYTES = 32;
const QUOTA = 500;

export async function openSimCore(options: SimCoreOptions): Promise<SimCore> {
  const { seed, folder, time, trace, limits } = options;
  const first = randomOf(seed, 'core');
  const keyBytes = first.bytes(SEAL_KEY_BYTES);
  let generation = 0;
  let file = join(folder, 'core-0.db');
  copyFileSync(options.template, file);
  const left: CoreProcess[] = [];
  let faults: DeliveryFaults = NO_FAULTS;
  let makeSender: ((clock: ProcessClock) => Sender) | undefined;
  let running: CoreProcess | undefined = await open();
  const { core } = running;
  const draft = { name: 'simulated', time_zone: 'Europe/Berlin', currency: 'EUR' };
  const quota = { property_quota: options.propertyQuota ?? QUOTA };
  const account = await createAccount(core, { ...draft, ...quota });
  const operator = await masterOperator(core.store.db, account.account_id);
  const own = await createToken(core, account, { name: 'host', scope: 'write', unlimited: true });
  const daemon = await createToken(core, account, { name: 'daemon', scope: 'write', unlimited: limits === 'off' });

  function open(): Promise<CoreProcess> {
    const random = generation === 0 ? first : randomOf(seed, `core ${generation}`);
    const { profile, knowsUndelivered = false } = options;
    return openProcess({
      ...(profile && { profile }),
      knowsUndelivered,
      file,
      clock: time.newProcess(),
      random,
      keyBytes,
      limits,
      onEnd,
    });
  }

  function onEnd(): void {
    trace.add('core ended');
    generation += 1;
    const next = join(folder, `core-${generation}.db`);
    copyAfterEnd(file, next);
    file = next;
    if (running) left.push(running);
    running = undefined;
  }

  async function request(asked: InjectOptions): Promise<Response | undefined> {
    const now = running;
    return now && now.untilEnd(now.app.inject(asked));
  }

  return {
    get core() {
      if (!running) throw new Error('the core is down');
      return running.core;
    },
    get database() {
      if (!running) throw new Error('the core is down');
      return running.database;
    },
    get isUp() {
      return running !== undefined;
    },
    get file() {
      return file;
    },
    token: daemon.token,
    owner: { account, operator },
    request,
    async host(method, path, body) {
      const response = await request({
        method: method as 'GET',
        url: `/v3${path}`,
        headers: { 'service-access-token': own.token, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { payload: JSON.stringify(body) }),
      });
      return response?.json<Envelope>();
    },
    async change(work) {
      const now = running;
      return now && now.untilEnd(runChange(now.core, { account, operator }, work));
    },
    outcomeOf: (eventId) => running?.outcomeOf(eventId),
    spoilDeliveries(next) {
      faults = next;
      running?.spoilDeliveries(faults);
    },
    async start(senderOf) {
      makeSender = senderOf;
      await running?.start(senderOf);
    },
    endAfter: (points) => running?.endAfter(points),
    async restart() {
      const next = await open();
      next.spoilDeliveries(faults);
      running = next;
      trace.add('core up');
      if (makeSender) await next.start(makeSender);
    },
    async stop() {
      for (const one of [...left, ...(running ? [running] : [])]) await one.close();
    },
  };
}
