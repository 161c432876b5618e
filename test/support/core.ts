import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { coreMigrations } from '../../migrations/core/index.ts';
import { serveLogos } from '../../src/api/brand.ts';
import { serveDocs } from '../../src/api/docs/serve.ts';
import { serveGuestPages } from '../../src/api/guest/serve.ts';
import { type McpOptions, serveMcp } from '../../src/api/mcp/door.ts';
import { newServer } from '../../src/api/http/server.ts';
import { serveOAuth } from '../../src/api/oauth/serve.ts';
import { serveShare } from '../../src/api/share/serve.ts';
import { serveV3 } from '../../src/api/v3.ts';
import { type OperationId, operations } from '../../src/contract/index.ts';
import { createAccount, createToken } from '../../src/core/accounts/create.ts';
import { masterOperator } from '../../src/core/accounts/table.ts';
import { freshToken } from '../../src/core/accounts/tokens.ts';
import { runChange } from '../../src/core/change.ts';
import type { Change, Core, Handlers } from '../../src/core/context.ts';
import type { AccountRow, CoreDatabase } from '../../src/core/database.ts';
import { handlers } from '../../src/core/handlers.ts';
import { performDue } from '../../src/core/channels/tasks/worker.ts';
import { RequestCounters } from '../../src/core/limits/counters.ts';
import { type LimitSetting, limitPolicy } from '../../src/core/limits/policy.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { type Logger, silentLogger } from '../../src/kernel/log.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { openHandlers } from '../../src/oauth/handlers.ts';
import type { OAuth } from '../../src/oauth/server.ts';
import { migrate } from '../../src/store/migrate.ts';
import { nextIds } from '../../src/store/leases/sequences.ts';
import { openStore, type StoreLocation } from '../../src/store/store.ts';
import { sandboxChannels } from '../../src/sandbox/channel/adapters.ts';
import { type ManualClock, manualClock } from './clock.ts';
import { putEmpty } from './templates.ts';
import { cheapHasher } from './cheapHasher.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Noon of a day on which no rule of the calendar is special. */
export const START = Date.parse('2026-11-20T12:00:00Z');
/** Where the service says it is reached. */
export const PUBLIC_URL = 'https://rooms.example';
/** The only proxy whose word about https is believed, and a header of tokens beside the two described. */
export const TRUSTED_PROXY = '10.9.9.9';
export const FURTHER_TOKEN_HEADER = 'x-other-token';

export interface Envelope {
  request_id: string;
  error_code: number;
  error_msg: string;
  // What an operation answers is checked against its schema in `call`; tests look at single fields.
  data: any;
}

export interface Answer extends Envelope {
  http: number;
  headers: Record<string, unknown>;
  /** The whole body as text. */
  text: string;
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
  /** Holds the database unless another place was given. */
  folder: string;
  /** The account most tests use. */
  own: TestAccount;
  addAccount(name: string, more?: Partial<{ currency: string; property_quota: number }>): Promise<TestAccount>;
  /** A sub-account of the account that sees these properties. @returns its token */
  addSubAccount(account: AccountRow, properties: readonly number[], scope?: 'read' | 'write'): Promise<string>;
  /** Runs a change as the account's master operator, as a handler would. */
  change<T>(account: AccountRow, work: (change: Change) => Promise<T>): Promise<T>;
  /** Any request, as it is. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** An operation that must succeed; its data is checked against the contract. */
  call(id: OperationId, input?: Record<string, unknown>, token?: string): Promise<any>;
  /** Does all the work on calendars that waits, as the calendar worker would. */
  workCalendars(): Promise<void>;
  /** Bodies of all events queued so far, in order, without their ids and times. */
  events(): Promise<Record<string, unknown>[]>;
  /** Everything stored but the request counters and the named tables, as one text: equal texts mean nothing changed. */
  stored(...but: string[]): Promise<string>;
  close(): Promise<void>;
}

export interface RequestOptions {
  /** null: none. */
  token?: string | null;
  body?: unknown;
  raw?: string | Buffer;
  headers?: Record<string, string>;
  remoteAddress?: string;
}

/**
 * The real core behind its real door, on SQLite in a folder of its own unless told otherwise.
 * @param others handlers that a test makes with ports of its own
 */
export async function startCore(
  location?: StoreLocation,
  log: Logger = silentLogger,
  // The clock stands still in most tests, so all they ask would fall into one minute.
  limits: LimitSetting = 'off',
  others: Partial<Handlers> = {},
  mcp: Partial<McpOptions> = {},
): Promise<TestCore> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-core-'));
  const file = join(folder, 'core.db');
  if (location === undefined) await putEmpty('core', file);
  const store = await openStore<CoreDatabase>(location ?? { kind: 'sqlite', file });
  await migrate(store, coreMigrations);
  const clock = manualClock(START);
  const core: Core = {
    store,
    clock,
    random: systemRandom,
    ids: ulidMaker(clock, systemRandom),
    sealer: sealer(systemRandom.bytes(32), systemRandom),
    passwords: cheapHasher(systemRandom),
    onQueued: () => {},
    channels: sandboxChannels({ store, clock }),
    publicUrl: () => PUBLIC_URL,
  };
  const counters = new RequestCounters(store, clock, limitPolicy(limits), log);
  const app = newServer(
    { trustedProxies: [TRUSTED_PROXY], names: () => [new URL(PUBLIC_URL).hostname], tls: null, requestIds: core.ids },
    (path) => path.startsWith('/mcp') || path.startsWith('/v3/mcp'),
  );
  serveShare(app, { core, log, trustedProxies: [TRUSTED_PROXY] });
  serveGuestPages(app, { core, log, trustedProxies: [TRUSTED_PROXY] });
  serveLogos(app, { core });
  const oauth = oauthOf(core);
  const door = {
    core,
    handlers: { ...handlers, ...others },
    open: openHandlers(oauth),
    counters,
    tokenHeaders: [FURTHER_TOKEN_HEADER],
    log,
  };
  serveV3(app, door);
  serveDocs(app, { files: join(ROOT, 'dist', 'docs'), guides: join(ROOT, 'docs'), tries: true });
  serveMcp(app, { ...door, version: '0.0.0', confirm: 'ask', hosts: [], origins: [], ...mcp });
  serveOAuth(app, { core, oauth, log, trustedProxies: [TRUSTED_PROXY] });
  const addAccount: TestCore['addAccount'] = async (name, more) => {
    const draft = { name, time_zone: 'Europe/Berlin', currency: 'EUR', property_quota: 50, ...more };
    const account = await createAccount(core, draft);
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
    const isJson = String(response.headers['content-type']).includes('json');
    const envelope = isJson
      ? response.json<Envelope>()
      : { request_id: '', error_code: -1, error_msg: response.body, data: undefined };
    return { ...envelope, http: response.statusCode, headers: response.headers, text: response.body };
  };
  return {
    core,
    app,
    clock,
    counters,
    folder,
    own,
    addAccount,
    async addSubAccount({ account_id }, properties, scope = 'write') {
      const { token, hash, hint } = freshToken(systemRandom);
      const created_at = instantOf(clock.now());
      await store.transaction(async (trx) => {
        const id = await nextIds(trx, 'operators');
        const tokenId = await nextIds(trx, 'tokens');
        await trx
          .insertInto('operators')
          .values({ account_id, id, name: `sub ${id}`, kind: 'sub', role: 'manager', all_properties: 0, created_at })
          .execute();
        for (const property_id of properties) {
          await trx.insertInto('operator_properties').values({ account_id, operator_id: id, property_id }).execute();
        }
        await trx
          .insertInto('tokens')
          .values({
            account_id,
            id: tokenId,
            operator_id: id,
            name: 'sub',
            scope,
            hash,
            hint,
            created_at,
            revoked_at: null,
            expires_at: null,
            last_used_on: null,
            per_minute: null,
            per_hour: null,
            unlimited: 0,
          })
          .execute();
      });
      return token;
    },
    async change(account, work) {
      return runChange(core, { account, operator: await masterOperator(store.db, account.account_id) }, work);
    },
    request,
    async call(id, input = {}, token) {
      const { method, path, params, query, data, body } = operations[id];
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
      const asked = Object.entries(input).filter(([name]) => name in query.shape);
      const text = new URLSearchParams(
        asked.map(([name, value]): [string, string] => [name, String(value)]),
      ).toString();
      const rest = Object.entries(input).filter(([name]) => !(name in query.shape) && !(name in params.shape));
      const answer = await request(method, text ? `${url}?${text}` : url, {
        ...(token !== undefined && { token }),
        ...(body && { body: Object.fromEntries(rest) }),
      });
      if (answer.error_code !== 200) throw new Error(`${id}: ${answer.error_code} ${answer.error_msg}`);
      return data.parse(answer.data);
    },
    async workCalendars() {
      while ((await performDue(core, log)) > 0);
    },
    async events() {
      const rows = await store.db.selectFrom('outbox').select('body').orderBy('event_id').execute();
      return rows.map((row) => {
        const { event_id: _id, timestamp: _at, ...rest } = JSON.parse(row.body) as Record<string, unknown>;
        return rest;
      });
    },
    async stored(...but) {
      const { rows: tables } = await sql<{ name: string }>`
        select name from sqlite_master where type = 'table' and name <> 'request_counters' order by name`.execute(
        store.db,
      );
      const contents: [string, unknown][] = [];
      for (const { name } of tables.filter((table) => !but.includes(table.name)))
        contents.push([
          name,
          (await sql<object>`select * from ${sql.table(name)}`.execute(store.db)).rows.flatMap(untouched),
        ]);
      return JSON.stringify(contents);
    },
    async close() {
      await app.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a request leaves that was refused: a row without the day on which its token was used, and no note of the refusal. */
function untouched(row: object): object[] {
  if ('action' in row && String(row.action).startsWith('refused ')) return [];
  return [{ ...row, ...('last_used_on' in row && { last_used_on: null }) }];
}

/** The OAuth server of a core, which asks nobody outside. */
export function oauthOf(core: Core): OAuth {
  return {
    core,
    settings: { dynamicRegistration: false, metadataDocuments: true, grantDays: 365 },
    readDocument: async () => ({ problem: 'nobody is asked here' }),
  };
}
