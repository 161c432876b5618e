import { join } from 'node:path';
import Database, { type Statement } from 'better-sqlite3';
import fastify from 'fastify';
import { systemRandom } from '../src/kernel/random.ts';
import { sealer } from '../src/kernel/seal.ts';
import { secretKey } from '../src/compose/privacy/privateFiles.ts';
import { secretContext } from '../src/sync/connection/webhook/registerWebhook.ts';
import { closeSqliteFile, openSqliteFile } from '../src/store/sqlite/sqliteFile.ts';
import { settled, startTestService, type TestService } from '../test/support/service.ts';
import { fillCore } from './support/fill.ts';
import type { LoadResult } from './support/loader.ts';
import { alternate, median, sendLoad, verdict } from './support/measure.ts';
import { absolute } from './support/outcome.ts';
import { signedEvents } from './support/signedEvents.ts';
import { startBare } from './support/startBare.ts';

/**
 * P1: events acknowledged durably through POST /hooks/local of the whole service, 50 connections, against a bare
 * fastify POST; with slow syncs, against one commit per request; and while everything is read again. Bodies and
 * signatures are made beforehand; the loader and the bare server are processes of their own. The events are of a kind
 * that leads to no read, so that what is measured is the acknowledgement alone; one row has events of which each leads to
 * a read, and says so.
 */
const ROUNDS = 5;
const CONNECTIONS = 50;
const SECONDS = 2;
const WARM_UP_SECONDS = 1;
/** More than a round can send, so that none is sent twice: a known event is cheaper than a new one. */
const PER_SECOND = { kept: 25_000, fresh: 6_000 };

/** A disk on which each sync takes so much longer. */
const SLOW_SYNC_MS = 2;
const BACKFILL_RESERVATIONS = 10_000;

interface Variant {
  what: string;
  goal: number;
  /** Null where no figure is promised. */
  p99: number | null;
  fresh?: boolean;
  /** True for events that each lead to a read. */
  leadsToReads?: boolean;
  floor(): Promise<Floor>;
  /** What goes on meanwhile; resolves to what ends it. */
  meanwhile?(): Promise<() => Promise<void>>;
}

interface Floor {
  url: string;
  close(): Promise<void>;
}

const only = process.argv[2];
const variants: Record<string, Variant> = {
  kept: { what: 'P1 events acknowledged, 50 connections', goal: 0.6, p99: 13, floor: bare },
  reads: {
    what: 'P1 events that each lead to a read, 50 connections',
    goal: 0.6,
    p99: null,
    leadsToReads: true,
    floor: bare,
  },
  fresh: { what: 'P1 a fresh connection per event', goal: 0.6, p99: null, fresh: true, floor: bare },
  slow: {
    what: `P1 with ${SLOW_SYNC_MS} ms added to each sync, against one commit per request`,
    goal: 15,
    p99: null,
    floor: commitPerRequest,
    meanwhile: slowSyncs,
  },
  backfill: { what: 'P1 during a backfill', goal: 0.3, p99: 100, floor: bare, meanwhile: backfill },
};

const service = await filledService();
const [row] = await service.rows(`select webhook_secret from mirror.connections where connection = 'local'`);
const seal = sealer(secretKey(service.dataDir, null, systemRandom), systemRandom);
const secret = seal.open(String(row?.['webhook_secret']), secretContext('local'));
for (const [name, variant] of Object.entries(variants)) {
  if (only === undefined || only === name) await measure(variant);
}
await service.remove();

async function filledService(): Promise<TestService> {
  const started = await startTestService();
  await started.settled();
  await started.stop();
  await fillCore(join(started.dataDir, 'core.db'), BACKFILL_RESERVATIONS);
  await started.restart();
  await settled(started, 300_000);
  return started;
}

async function measure(variant: Variant): Promise<void> {
  const { what, goal, p99: most, fresh = false, leadsToReads = false, floor, meanwhile } = variant;
  const tails: number[] = [];
  const run = async (base: string, repeats = false): Promise<LoadResult> => {
    const count = (fresh ? PER_SECOND.fresh : PER_SECOND.kept) * (SECONDS + WARM_UP_SECONDS);
    const result = await sendLoad({
      url: `${base}/hooks/local`,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-webhook-secret-token': secret },
      ...signedEvents(secret, count, leadsToReads),
      repeats,
      connections: CONNECTIONS,
      seconds: SECONDS,
      warmUpSeconds: WARM_UP_SECONDS,
      fresh,
    });
    if (result.failed > 0) throw new Error(`${result.failed} of ${result.requests} were refused`);
    return result;
  };
  const { url, close } = await floor();
  const result = await alternate(
    ROUNDS,
    async () => {
      // The floor's own syncs are as slow as ours.
      const end = meanwhile === slowSyncs ? await slowSyncs() : undefined;
      const { perSecond } = await run(url, floor === bare);
      await end?.();
      return perSecond;
    },
    async () => {
      const end = await meanwhile?.();
      const { perSecond, p99 } = await run(service.url);
      await end?.();
      tails.push(p99);
      return perSecond;
    },
  );
  await close();
  const p99 = median(tails);
  process.stdout.write(`${verdict(what, goal, result, '/s')}\n`);
  if (most === null) return;
  const tail = absolute(`${what}, p99`, { ours: `${p99.toFixed(1)} ms`, goal: `${most} ms` }, p99 < most);
  process.stdout.write(`${tail}\n`);
}

async function bare(): Promise<Floor> {
  const { url, stop } = await startBare({ kind: 'hooks' });
  return { url, close: async () => stop() };
}

/** What a receiver does without thinking: each request inserts its event and commits. */
async function commitPerRequest(): Promise<Floor> {
  const database = openSqliteFile(join(service.dataDir, 'floor.db'));
  database.exec('create table if not exists events (event_id text primary key, body text not null) without rowid');
  const begin = database.prepare('begin immediate');
  const insert = database.prepare('insert into events (event_id, body) values (?, ?) on conflict do nothing');
  const commit = database.prepare('commit');
  const app = fastify();
  app.post('/hooks/local', (request, reply) => {
    begin.run();
    insert.run((request.body as { event_id: string }).event_id, JSON.stringify(request.body));
    commit.run();
    return reply.send('');
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    async close() {
      await app.close();
      closeSqliteFile(database);
    },
  };
}

/** Every commit of this process takes longer, as on a disk that is slow to sync. */
async function slowSyncs(): Promise<() => Promise<void>> {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const prototype = Object.getPrototypeOf(new Database(':memory:').prepare('select 1')) as {
    run(this: Statement, ...values: unknown[]): unknown;
  };
  const { run } = prototype;
  prototype.run = function slowRun(...values) {
    if (this.source === 'commit') Atomics.wait(cell, 0, 0, SLOW_SYNC_MS);
    return run.apply(this, values);
  };
  return () => {
    prototype.run = run;
    return Promise.resolve();
  };
}

/** Everything is read again, over and over. */
async function backfill(): Promise<() => Promise<void>> {
  let on = true;
  const scanning = (async () => {
    while (on) await service.portal('POST', '/portal/reconcile', {});
  })();
  return async () => {
    on = false;
    await scanning;
  };
}
