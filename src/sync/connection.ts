import { AVAILABILITY_PROPERTIES } from '../contract/availabilities.ts';
import { CallError } from '../client/callError.ts';
import { type Client, createClient } from '../client/client.ts';
import { retrying } from '../client/retrying.ts';
import { startTally } from '../client/tally.ts';
import { openPool } from '../client/transport.ts';
import type { Clock } from '../kernel/clock.ts';
import { instantOf } from '../kernel/dates.ts';
import { messageOf } from '../kernel/errors.ts';
import type { IdMaker } from '../kernel/ids.ts';
import type { Random } from '../kernel/random.ts';
import { ensureConnection } from './connectionState.ts';
import type { MirrorStore } from './database.ts';
import { releaseAll } from './dirtyKeys.ts';
import { type Feed, openFeed } from './feed.ts';
import type { Logger } from '../kernel/log.ts';
import { lookUpDays } from './lookUpDays.ts';
import { markSuspects, markTouched } from './markKeys.ts';
import { rowResources } from './mirror/all.ts';
import { AVAILABILITY } from './mirror/availability.ts';
import { markCalendars, markNamed } from './newProperties.ts';
import { type Pausing, pausing } from './pausing.ts';
import { type Reader, startReader } from './reader.ts';
import type { ReadNumbers } from './readNumbers.ts';
import { type Receiver, receiver } from './receive.ts';
import { registerWebhook, storedSecret } from './registerWebhook.ts';
import type { Sealer } from '../kernel/seal.ts';
import { replay } from './replay.ts';
import type { ConnectionSettings } from './settings.ts';
import { statusOf } from './status.ts';
import { walkFacts } from './storms.ts';
import { deliveryCheck, type VerifyDelivery } from './verifyDelivery.ts';
import { verify as verifyMirror, type VerifyReport } from './verify/verify.ts';
import { type Walker, startWalker } from './walker.ts';
import type { WalkProgress } from './walks/purpose.ts';
import { weather } from './weather.ts';
import { accountZone } from './zone.ts';

/** Before the first entry of any ledger. */
const HISTORY_FROM = '2000-01-01';
/** Attempts of a request of a walk; with the backoff between them, some minutes. */
const WALK_ATTEMPTS = 9;

/** What all connections of a process share. */
export interface Surroundings {
  store: MirrorStore;
  numbers: ReadNumbers;
  clock: Clock;
  random: Random;
  ids: IdMaker;
  log: Logger;
  sealer: Sealer;
  /** Sent with every request. */
  userAgent: string;
}

/** One mirrored account at work. */
export interface Connection {
  readonly settings: ConnectionSettings;
  readonly receiver: Receiver;
  readonly feed: Feed;
  readonly walker: Walker;
  readonly reader: Reader;
  readonly pausing: Pausing;
  status(): ReturnType<typeof statusOf>;
  verify(onProgress: (progress: WalkProgress) => void): Promise<VerifyReport>;
  replay(eventIds: readonly string[]): Promise<number>;
  stop(): Promise<void>;
}

/** Begins to receive, and then, in the background, to read. */
export async function openConnection(around: Surroundings, settings: ConnectionSettings): Promise<Connection> {
  const { store, numbers, clock, random, ids, log, sealer } = around;
  const connection = settings.id;
  const { state } = await ensureConnection(store, connection, settings.baseUrl, instantOf(clock.now()));
  // One process owns a SQLite store, so whoever claimed something is no more.
  if (store.kind === 'sqlite') await releaseAll(store.db, connection);
  await endLostWalks(store, connection);
  const zone = await accountZone(store, connection);
  const abort = new AbortController();
  const { signal } = abort;
  const tally = startTally();
  const pool = settings.dispatcher ? undefined : openPool(settings.baseUrl);
  const dispatcher = settings.dispatcher ?? pool;
  if (!dispatcher) throw new Error('a connection needs a dispatcher');
  const { baseUrl, token, profile, gate } = settings;
  const client = createClient({ baseUrl, token, profile, gate, clock, tally, userAgent: around.userAgent, dispatcher });
  const patient: Client = retrying(client, { clock, random, attempts: WALK_ATTEMPTS });
  const feed = openFeed(store.db, connection, clock);
  const context = { store, connection, clock, numbers, signal, zone: zone.now, onChanges: () => feed.notify() };

  const secrets = await knownSecrets(store, settings, sealer);
  let verify: VerifyDelivery = checkOf(settings, secrets);
  const hold: { reader?: Reader; walker?: Walker } = {};
  const pauses = pausing({
    db: store.db,
    connection,
    client,
    clock,
    log,
    paused: state === 'paused',
    onResume() {
      hold.reader?.wake();
    },
  });
  const receive = receiver({
    store,
    connection,
    numbers,
    clock,
    verify: (body, headers, nowMs) => verify(body, headers, nowMs),
    onMarked: (due) => hold.reader?.wake(due),
    onFailure(error) {
      log.error({ connection, problem: messageOf(error) }, 'events could not be stored and were refused');
      hold.walker?.catchUp('refused events');
    },
  });
  const facts = walkFacts(store.db, connection, () => clock.monotonic());
  const keysPerRequest = new Map([
    ...Object.keys(rowResources).map((resource) => [resource, 1] as const),
    [AVAILABILITY, AVAILABILITY_PROPERTIES] as const,
  ]);
  const conditions = weather(store.db, connection, keysPerRequest, clock, facts);
  const lookUps = { ...context, client, onRequest: () => conditions.lookedUp(AVAILABILITY, 1) };
  const reader = startReader({
    ...lookUps,
    by: ids(),
    random,
    log,
    resources: rowResources,
    weather: conditions,
    batched: { [AVAILABILITY]: (keys) => lookUpDays(lookUps, keys) },
    isPaused: () => pauses.isPaused(),
    onHostTrouble: (error) => void pauses.stopReading(error),
    onStorm: (resource) => hold.walker?.burst(resource),
    async onApplied(resource, applied, dirty) {
      const { created, updated, deleted, unchanged, stale } = applied;
      const isNowhere = created + updated + deleted + unchanged + stale === 0;
      const marked = isNowhere
        ? await markSuspects(context, resource, dirty.first_marked_at)
        : await markTouched(context, resource, applied);
      const named = await markNamed(context, resource, applied, dirty.origin);
      const calendars = await markCalendars(context, resource, applied, dirty.origin);
      if (marked || named || calendars) hold.reader?.wake();
    },
  });
  hold.reader = reader;
  const walking = { ...context, client: patient, ids, log, historyFrom: settings.historyFrom ?? HISTORY_FROM };
  const walker = startWalker({
    ...walking,
    async register() {
      await zone.load();
      const secret = await registerIfWanted(around, settings, client);
      if (secret !== undefined) verify = checkOf(settings, [secret, ...secrets]);
    },
    isStormy: () => conditions.isStormy(),
    onBurst(resource, phase) {
      if (phase === 'began') facts.began(resource, clock.now());
      else conditions.cleared(resource);
      reader.wake();
    },
    async onMarked() {
      await zone.load();
      reader.wake();
    },
    onHostTrouble: (error) => pauses.stopReading(error),
    untilActive: (until) => pauses.untilActive(until),
  });
  hold.walker = walker;
  if (pauses.isPaused()) void pauses.probe();

  return {
    settings,
    receiver: receive,
    feed,
    walker,
    reader,
    pausing: pauses,
    status: () => statusOf(store.db, connection, clock, tally),
    verify: (onProgress) => verifyMirror(walking, (job) => walker.inTurn(job), onProgress),
    async replay(eventIds) {
      const count = await replay(context, eventIds);
      reader.wake();
      return count;
    },
    async stop() {
      abort.abort();
      pauses.close();
      await receive.idle();
      await walker.stop();
      await reader.stop();
      await pool?.close();
    },
  };
}

function checkOf({ webhook, profile }: ConnectionSettings, secrets: readonly string[]): VerifyDelivery {
  return deliveryCheck(webhook.proof, profile.webhookTokenHeader.toLowerCase(), secrets);
}

/** Secrets that deliveries may prove themselves by from the first moment on. */
async function knownSecrets(
  store: MirrorStore,
  { id, webhook }: ConnectionSettings,
  sealer: Sealer,
): Promise<string[]> {
  const stored = await storedSecret(store.db, id, sealer);
  return [stored, webhook.secret].filter((secret) => secret !== undefined);
}

/** A webhook made by hand, known by its secret, is left alone; so is a connection without events. */
async function registerIfWanted(
  { store, sealer, log }: Surroundings,
  { id: connection, webhook }: ConnectionSettings,
  client: Client,
): Promise<string | undefined> {
  if (webhook.url === null || webhook.secret !== undefined) return undefined;
  try {
    return await registerWebhook({ db: store.db, client, connection, url: webhook.url, sealer, log });
  } catch (error) {
    if (!(error instanceof CallError) || error.client !== 'fix') throw error;
    log.error(
      { connection, url: webhook.url, problem: error.message },
      'the webhook was refused: only walks find changes',
    );
    return undefined;
  }
}

/** Walks that a process which is no more has left running. */
async function endLostWalks(store: MirrorStore, connection: string): Promise<void> {
  if (store.kind !== 'sqlite') return;
  await store.db
    .updateTable('walks')
    .set({ state: 'failed', problem: 'the process ended' })
    .where('connection', '=', connection)
    .where('state', '=', 'running')
    .execute();
}
