import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Service, startService } from '../../src/compose.ts';
import { applyInPlace } from '../../src/compose/applyInPlace.ts';
import type { OwnSettings } from '../../src/compose/ownSettings.ts';
import { type Config, type Environment, loadConfig, ownConfigFile } from '../../src/config.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { type Logger, silentLogger } from '../../src/kernel/log.ts';
import { putEmpty } from './templates.ts';
import { keepOpen, type Place, type Row, rowsOf, runSql } from './tables.ts';

export { type Row, rowsOf } from './tables.ts';

const POLL_MS = 10;
const LIMIT_MS = 30_000;

/** How a request is made: as a management call with the control secret, or with a token. */
export interface CallOptions {
  body?: unknown;
  /** null: none. */
  token?: string | null;
  headers?: Record<string, string>;
}

export interface Answered {
  http: number;
  headers: Headers;
  text: string;
  // Tests look at single fields of what a service says.
  json: any;
}

/** A service reached over HTTP, in this process or in another, whose tables are looked at directly. */
export interface Reached extends Place {
  url: string;
  /** The control secret of its data directory. */
  secret: string;
}

/** A service with an account of its own, whichever process it is in. */
export interface Served extends Reached {
  /** A writable token of its account. */
  token: string;
  /** v3, with that token; fails unless it is answered 200 with error_code 200. @returns `data` */
  v3(method: string, path: string, body?: unknown): Promise<any>;
  /** A management call with the control secret; fails unless it is answered 200. */
  portal(method: string, path: string, body?: unknown): Promise<any>;
  /** The rows of a question; tables are named `core.stays`, `mirror.stays`. */
  rows(sql: string): Promise<Row[]>;
  /** Changes a table behind the service's back. */
  run(sql: string): Promise<void>;
  /** Waits until everything committed so far has arrived in the mirror. */
  settled(): Promise<void>;
  /** Stops and removes the data. */
  remove(): Promise<void>;
}

export interface TestService extends Served {
  service: Service;
  stop(): Promise<void>;
  /** Stops, and starts again on the same data. */
  restart(more?: Environment): Promise<void>;
}

/** A new data directory. */
export function dataDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'stayd-service-'));
}

/** The whole service in this process, on a port of its own. */
export async function startTestService(
  environment: Environment = {},
  {
    dataDir = dataDirectory(),
    log = silentLogger,
    clock = systemClock,
  }: { dataDir?: string; log?: Logger; clock?: Clock } = {},
): Promise<TestService> {
  let config = configOf(dataDir, environment);
  if (config.database_url === null) await putEmptyHalves(dataDir);
  const settings: OwnSettings = {
    ownFile: ownConfigFile({ STAYD_DATA_DIR: dataDir, ...environment }).file,
    loadConfig: () => configOf(dataDir, environment),
    async reload() {
      const next = configOf(dataDir, environment);
      const applied = await applyInPlace(service, config, next);
      if (applied) {
        config = next;
        return { restarting: false, ...applied };
      }
      await tests.restart();
      return { restarting: true };
    },
  };
  let service = await startService(config, { log, settings, clock });
  let running = true;
  let letGo = keepOpen({ dataDir, databaseUrl: config.database_url });
  const reached = {
    dataDir,
    databaseUrl: config.database_url,
    url: service.url,
    secret: service.control.secret,
    token: '',
  };
  const tests: TestService = Object.assign(reached, operationsOf(reached), {
    service,
    async stop() {
      if (!running) return;
      running = false;
      letGo();
      await service.stop();
    },
    async restart(more?: Environment) {
      await tests.stop();
      config = configOf(dataDir, { ...environment, ...more });
      service = await startService(config, { log, settings, clock });
      running = true;
      letGo = keepOpen(tests);
      Object.assign(tests, { service, url: service.url, secret: service.control.secret });
    },
    async remove() {
      await tests.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  });
  tests.token = config.upstream.url === null && config.roles.includes('core') ? await newToken(tests) : '';
  return tests;
}

type Operations = Pick<Served, 'v3' | 'portal' | 'rows' | 'run' | 'settled'>;

/**
 * What is done with a service, wherever it runs: each time by what it is reached by then.
 * @param limitMs how long something may take to arrive in the mirror
 */
export function operationsOf(service: Reached & { token: string }, limitMs?: number): Operations {
  return {
    v3: (method, path, body) => v3(service, service.token, method, path, body),
    portal: (method, path, body) => portal(service, method, path, body),
    rows: (sql) => rowsOf(service, sql),
    run: (sql) => runSql(service, sql),
    settled: () => settled(service, limitMs),
  };
}

/** The control secret of a service that runs on this data directory. */
export function controlSecret(dataDir: string): string {
  const control = JSON.parse(readFileSync(join(dataDir, 'control.json'), 'utf8')) as { secret: string };
  return control.secret;
}

/** Leaves alone what is there. */
async function putEmptyHalves(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'core.db')) || existsSync(join(dataDir, 'mirror.db'))) return;
  for (const half of ['core', 'mirror'] as const) await putEmpty(half, join(dataDir, `${half}.db`));
}

function configOf(dataDir: string, environment: Environment): Config {
  return loadConfig({ STAYD_PORT: '0', STAYD_DATA_DIR: dataDir, STAYD_LIMITS: 'off', ...environment });
}

/** A token of the only account. */
export async function newToken(service: Reached, scope: 'read' | 'write' = 'write'): Promise<string> {
  return (await portal(service, 'POST', '/portal/tokens', { name: `test ${scope}`, scope })).token;
}

/** Any request, as it is. */
export async function call(
  service: Pick<Reached, 'url' | 'secret'>,
  method: string,
  path: string,
  { body, token, headers }: CallOptions = {},
): Promise<Answered> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      ...(token === undefined && { 'stayd-control-secret': service.secret }),
      ...(typeof token === 'string' && { 'service-access-token': token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('application/json') && text !== '';
  const json: unknown = isJson ? JSON.parse(text) : undefined;
  return { http: response.status, headers: response.headers, text, json };
}

/** An operation of v3 that must succeed. @returns its data */
export async function v3(
  service: Pick<Reached, 'url' | 'secret'>,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<any> {
  const answer = await call(service, method, `/v3${path}`, { token, ...(body !== undefined && { body }) });
  assert.equal(answer.json?.error_code, 200, `${method} ${path}: ${answer.http} ${answer.text}`);
  return answer.json.data;
}

/** A management call that must succeed; of a long one the result. */
export async function portal(service: Reached, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await call(service, method, path, { ...(body !== undefined && { body }) });
  assert.equal(answer.http, 200, `${method} ${path}: ${answer.http} ${answer.text}`);
  if (answer.json !== undefined) return answer.json;
  const last = JSON.parse(answer.text.trim().split('\n').at(-1) ?? '') as { result?: unknown };
  assert.ok(last.result !== undefined, `${method} ${path}: ${JSON.stringify(last)}`);
  return last.result;
}

/**
 * What has not arrived. A key that was read after its newest event counts as read, even if that read showed no change:
 * of another deployment the daemon looks again for more than a minute. So does a calendar whose days are only to be read
 * again, ten seconds after an event, in case a push without an event followed.
 */
const WAITING = `
  select
    (select count(*) from core.calendar_tasks where outcome is null and subject = 'property') as calendars,
    (select count(*) from core.outbox where fanned_out = 0) as events,
    (select count(*) from core.deliveries where outcome is null) as deliveries,
    (select count(*) from mirror.inbox i where state = 'pending' and not exists (
      select 1 from mirror.dirty_keys d where d.confirming > 0
        and d.connection = i.connection and d.resource = i.resource and d.key = i.key)) as inbox,
    (select count(*) from mirror.dirty_keys where confirming <= 0
      and not (resource = 'calendar' and origin = 'scan' and attempts = 0 and next_at > last_marked_at)) as dirty,
    (select count(*) from mirror.connections where caught_up_at is null or catch_up_due is not null) as behind`;

/**
 * Waits until every change of a calendar is carried out, every event delivered, every key of the mirror read, and every
 * connection caught up.
 */
export async function settled(service: Reached, limitMs = LIMIT_MS): Promise<void> {
  let seen: Row = {};
  const letGo = keepOpen(service);
  try {
    await until(
      async () => {
        seen = (await rowsOf(service, WAITING))[0] ?? {};
        return Object.values(seen).every((count) => count === 0);
      },
      () => `everything to arrive: ${JSON.stringify(seen)}`,
      limitMs,
    );
  } finally {
    letGo();
  }
}

/** Asks again and again, a few milliseconds apart, until it holds; fails after the limit. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
  limitMs = LIMIT_MS,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) {
      throw new Error(`waited ${limitMs} ms in vain for ${typeof what === 'string' ? what : what()}`);
    }
    await wait(POLL_MS);
  }
}
