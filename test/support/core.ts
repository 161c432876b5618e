import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { coreMigrations } from '../../migrations/core/index.ts';
import { refusePlainHttp } from '../../src/api/plainHttp.ts';
import { serveV3 } from '../../src/api/v3.ts';
import { type OperationId, operations } from '../../src/contract/index.ts';
import { createAccount, createToken } from '../../src/core/accounts/create.ts';
import type { Core } from '../../src/core/context.ts';
import type { AccountRow, CoreDatabase } from '../../src/core/database.ts';
import { handlers } from '../../src/core/handlers.ts';
import { RequestCounters } from '../../src/core/limits/counters.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openStore, type StoreLocation } from '../../src/store/store.ts';
import { ManualClock } from './clock.ts';

/** Noon of a day on which no rule of the calendar is special. */
export const START = Date.parse('2026-11-20T12:00:00Z');

export interface Envelope {
  request_id: string;
  error_code: number;
  error_msg: string;
  // What an operation answers is checked against its schema in `call`; tests look at single fields.
  data: any;
}

export interface TestAccount {
  account: AccountRow;
  token: string;
  readToken: string;
}

export interface TestCore {
  core: Core;
  app: FastifyInstance;
  clock: ManualClock;
  counters: RequestCounters;
  /** The account most tests use. */
  own: TestAccount;
  addAccount(name: string): Promise<TestAccount>;
  /** Any request, as it is. */
  request(method: string, path: string, options?: RequestOptions): Promise<Envelope & { http: number }>;
  /** An operation that must succeed; its data is checked against the contract. */
  call(id: OperationId, input?: Record<string, unknown>, token?: string): Promise<any>;
  /** Bodies of all events queued so far, in order, without their ids and times. */
  events(): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface RequestOptions {
  token?: string | null;
  body?: unknown;
  raw?: string | Buffer;
  headers?: Record<string, string>;
  remoteAddress?: string;
}

/** The real core behind its real door, on SQLite in a folder of its own unless told otherwise. */
export async function startCore(location?: StoreLocation): Promise<TestCore> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-core-'));
  const store = await openStore<CoreDatabase>(location ?? { kind: 'sqlite', file: join(folder, 'core.db') });
  await migrate(store, coreMigrations);
  const clock = new ManualClock(START);
  const core: Core = {
    store,
    clock,
    random: systemRandom,
    ids: ulidMaker(clock, systemRandom),
    sealer: sealer(systemRandom.bytes(32), systemRandom),
    onQueued: () => {},
  };
  const counters = new RequestCounters(store, clock);
  const app = fastify({ exposeHeadRoutes: false }) as FastifyInstance;
  refusePlainHttp(app, ['10.9.9.9']);
  serveV3(app, { core, handlers, counters, tokenHeaders: ['x-other-token'], log: silentLogger });
  const addAccount = async (name: string): Promise<TestAccount> => {
    const account = await createAccount(core, { name, time_zone: 'Europe/Berlin', currency: 'EUR', property_quota: 50 });
    const { token } = await createToken(core, account, { name: 'writes', scope: 'write' });
    const read = await createToken(core, account, { name: 'reads', scope: 'read' });
    return { account, token, readToken: read.token };
  };
  const own = await addAccount('own');
  const request: TestCore['request'] = async (method, path, options = {}) => {
    const token = options.token === undefined ? own.token : options.token;
    const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await app.inject({
      method: method as 'GET',
      url: `/v3${path}`,
      headers: {
        ...(token !== null && { 'service-access-token': token }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(payload !== undefined && { payload }),
      ...(options.remoteAddress && { remoteAddress: options.remoteAddress }),
    });
    const envelope = response.headers['content-type']?.includes('json') ? (response.json() as Envelope) : undefined;
    return { ...(envelope ?? { request_id: '', error_code: -1, error_msg: response.body, data: undefined }), http: response.statusCode };
  };
  return {
    core,
    app,
    clock,
    counters,
    own,
    addAccount,
    request,
    async call(id, input = {}, token) {
      const { method, path, params, query, data, body } = operations[id];
      const fields = { ...input };
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const value = fields[name];
        delete fields[name];
        return encodeURIComponent(String(value));
      });
      void params;
      const asked = Object.entries(fields).filter(([name]) => name in query.shape);
      const text = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString();
      const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in query.shape)));
      const answer = await request(method, text ? `${url}?${text}` : url, {
        ...(token !== undefined && { token }),
        ...(body && { body: rest }),
      });
      if (answer.error_code !== 200) throw new Error(`${id}: ${answer.error_code} ${answer.error_msg}`);
      return data.parse(answer.data);
    },
    async events() {
      const rows = await store.db.selectFrom('outbox').select('body').orderBy('event_id').execute();
      return rows.map((row) => {
        const { event_id: _id, timestamp: _at, ...rest } = JSON.parse(row.body) as Record<string, unknown>;
        return rest;
      });
    },
    async close() {
      await app.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
