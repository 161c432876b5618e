import type { FeedCursor, MirrorServices, Progress, VerifyReport } from '../../api/portal/route.ts';
import type { Config } from '../../config.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AccountId, ConnectionId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import { quarantined } from '../../sync/apply/quarantine.ts';
import type { Daemon } from '../../sync/connection/daemon.ts';
import { deleteConnection } from '../../sync/privacy/deleteConnection.ts';
import { stateOf, statesOf } from '../../sync/feed/asOf/stateOf.ts';
import { eventById, receivedEvents } from '../../sync/ingest/eventLog.ts';
import type { Fingerprint } from '../../sync/privacy/erasure/subjects.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import type { Ports } from '../ports.ts';
import { partsOf } from '../roles.ts';
import { erasureServices } from '../privacy/erasures.ts';
import type { WantedConnection } from './connections.ts';
import type { OpenAutomations } from './automations.ts';
import type { OpenEndpoints } from './endpoints.ts';
import type { OpenComparisons } from './comparisons.ts';
import type { OpenNotices } from './notices.ts';
import type { openBooks } from './exports.ts';
import { backfillPlanText, reconcilePlanText } from './plans.ts';
import { reportsReader } from './reports.ts';

interface ServicesOptions {
  store: MirrorStore;
  config: Config;
  ports: Ports;
  log: Logger;
  books: ReturnType<typeof openBooks>;
  automations: OpenAutomations;
  fingerprint: Fingerprint;
  /** Returns the mirrored connections; none before the start. */
  connections(): ConnectionId[];
  /** Returns how a connection was opened; undefined if it does not run here. */
  wanted(connection: ConnectionId): WantedConnection | undefined;
  /** Returns the account that owns the service where no core runs; undefined if there is none. */
  soleAccount(): Promise<AccountId | undefined>;
  /** Does a piece of work while no connection begins or ends. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** @throws before the start */
  running(): Daemon;
  /** Returns the endpoints; undefined before the start. */
  endpoints(): OpenEndpoints | undefined;
  /** Returns what tells people; undefined before the start. */
  notices(): OpenNotices | undefined;
  /** Returns what compares calendars; undefined before the start. */
  comparisons(): OpenComparisons | undefined;
  /** Wakes the readers of a feed. */
  notify(connection: ConnectionId): void;
}

/** Returns the operations of the management API on the mirror. */
export function mirrorServices(options: ServicesOptions): MirrorServices {
  const {
    store,
    config,
    ports,
    log,
    books,
    automations,
    fingerprint,
    connections,
    wanted,
    soleAccount,
    running,
    endpoints,
    notices,
    comparisons,
    notify,
  } = options;
  const { core, people } = partsOf(config);
  return {
    async connectionsOf(accountId) {
      const all = connections();
      if (accountId === null) return all;
      const own = all.filter((id) => wanted(id)?.owner === accountId);
      // Beside a core, no deployment elsewhere decides by what it says of itself who may see its rows.
      if (core) return own;
      // Without a core, the people of the one account see every deployment that is mirrored.
      if (people) return (await soleAccount()) === accountId ? all : own;
      const others = all.filter((id) => wanted(id)?.owner === null);
      const named = await mirroring(store, others, accountId);
      return all.filter((id) => own.includes(id) || named.includes(id));
    },
    async connections() {
      const rows = await store.db.selectFrom('connections').select('connection').orderBy('connection').execute();
      const all = connections();
      return rows.map(({ connection }) => ({ connection, running: all.some((one) => one === connection) }));
    },
    deleteRows: (connection, progress) => deleteRows(options, connection, progress),
    isBeside: (connection) => (wanted(connection as ConnectionId)?.beside ?? null) !== null,
    status: (connection) => running().status(connection),
    properties: (connection) => propertyIds(store, connection),
    call: async (connection, id, input) =>
      (await running().link(connection).client.call(id, input, { purpose: 'reply' })).data,
    register: (connection, force) => running().register(connection, force),
    readAgain: (connection, keys) => running().readAgain(connection, keys),
    examine: (connection) => running().examine(connection),
    reconcile: async (connection, resource, progress) => ({
      resources: await running().reconcile(connection, resource, progress),
    }),
    quarantine: {
      list: (connection, limit) => quarantined(store.db, connection, limit),
      retry: async (connection, progress) => ({ resources: await running().retryQuarantined(connection, progress) }),
    },
    rebuild: async (connection, progress) => ({ resources: await running().rebuild(connection, progress) }),
    backfill: async (connection, progress) => {
      const { plan, resources, checks, finishedAt } = await running().backfill(connection, ({ finishAt, ...state }) =>
        progress({ ...state, finish_at: instantOf(finishAt) }),
      );
      return { plan: backfillPlanText(plan), resources, checks, finished_at: instantOf(finishedAt) };
    },
    planBackfill: async (connection) => backfillPlanText(await running().planBackfill(connection)),
    planReconcile: async (connection, size) => reconcilePlanText(await running().planReconciliation(connection, size)),
    verify: (connection, progress) => verify(running(), connection, progress),
    automations: automations.services,
    ruleFiles: automations.files,
    events: {
      list: (question) => receivedEvents(store.db, question),
      show: (connection, eventId) => eventById(store.db, connection, eventId),
      replay: (connection, eventIds) => running().replay(connection, eventIds),
    },
    changes: (connection, cursor, signal) => readChanges(running(), connection, cursor, signal),
    reports: reportsReader(config, store, ports.clock),
    erasure: erasureServices({ store, config, ports, log, fingerprint, notify }),
    exports: books.exports,
    endpoints: (connection) => started(endpoints()).service(connection),
    notices: (connection) => started(notices()).service(connection),
    comparisons: (connection) => started(comparisons()).service(connection),
    states: {
      one: (question) => stateOf({ db: store.db, clock: ports.clock }, question),
      many: (question) => statesOf({ db: store.db, clock: ports.clock }, question),
    },
  };
}

async function deleteRows({ store, wanted, alone }: ServicesOptions, connection: string, progress: Progress) {
  return alone(async () => {
    const known = await store.db
      .selectFrom('connections')
      .select('connection')
      .where('connection', '=', connection)
      .executeTakeFirst();
    if (!known) throw new ApiError(404, `connection: there are no rows of ${connection}`, { field: 'connection' });
    if (wanted(connection as ConnectionId)) {
      throw new ApiError(409, `connection: ${connection} is being mirrored; end that first`, { field: 'connection' });
    }
    const rows = await deleteConnection({ store, onProgress: progress }, connection);
    return { connection, rows };
  });
}

/** @throws before the start */
function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('the daemon has not started yet');
  return part;
}

/** Refuses before the first complete read since the start, because a difference would mean nothing until then. */
async function verify(daemon: Daemon, connection: ConnectionId, progress: Progress): Promise<VerifyReport> {
  const { state } = await daemon.status(connection);
  if (state === 'active') await daemon.caughtUp(connection);
  return { ...(await daemon.verify(connection, progress)) };
}

/** Returns the connections that mirror this account by what they have read: a core in another process has it. */
async function mirroring(store: MirrorStore, ids: readonly ConnectionId[], accountId: string): Promise<ConnectionId[]> {
  const rows = await store.db.selectFrom('accounts').where('account_id', '=', accountId).select('connection').execute();
  const connections = new Set(rows.map((row) => row.connection));
  return ids.filter((id) => connections.has(id));
}

async function propertyIds({ db }: MirrorStore, connection: ConnectionId): Promise<number[]> {
  const rows = await db
    .selectFrom('properties')
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

async function readChanges(
  daemon: Daemon,
  connection: ConnectionId,
  { after, limit, waitMs }: FeedCursor,
  signal: AbortSignal,
): Promise<{ seq: number }[]> {
  const feed = daemon.feed(connection);
  const rows = waitMs > 0 ? await feed.wait(after, limit, waitMs, signal) : await feed.read(after, limit);
  return rows.map(({ connection: _, diff, event_ids, needs_answer, ...row }) => ({
    ...row,
    needs_answer: needs_answer === 1,
    diff: diff === null ? null : (JSON.parse(diff) as unknown),
    event_ids: JSON.parse(event_ids) as unknown,
  }));
}
