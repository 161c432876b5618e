import { setMaxListeners } from 'node:events';
import { type BackfillPlan, planBackfill } from '../scans/backfill/plan.ts';
import { type BackfillProgress, type BackfillReport, reportedBackfill } from '../scans/backfill/report.ts';
import type { Client } from '../../client/client.ts';
import { startTally, type Tally } from '../../client/tally.ts';
import { openPool } from '../../client/transport.ts';
import { dialectOfCaller } from '../../contract/dialect/dialect.ts';
import { type Instant, instantOf, msOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import { makeParts, type Parts } from './parts.ts';
import { AFTER_STOP, ensureConnection, noteCleanStop, stoppedAt } from '../tables/connection/state.ts';
import { forgetLostWork } from '../queue/forgetLostWork.ts';
import { type Examination, examine } from './examine.ts';
import { Feed } from '../feed/feed.ts';
import { lookUpCalendars } from '../refetch/lookUpCalendars.ts';
import { lookUpDays } from '../refetch/lookUpDays.ts';
import { lookUpLists } from '../refetch/lookUpLists.ts';
import { lossWorker } from '../trust/loss/keeper.ts';
import { markLost } from '../queue/lostMarks.ts';
import type { Measured } from '../trust/measures/meter.ts';
import { openRecorder } from '../scans/reconcile/measureRecorder.ts';
import { rowResources } from '../tables/resources.ts';
import { AVAILABILITY } from '../tables/listings/availability.ts';
import { CALENDAR } from '../tables/listings/calendar.ts';
import { customChannels } from '../tables/account/customChannels.ts';
import { dictionaryItems } from '../tables/account/dictionaries.ts';
import { reservations } from '../tables/reservations/reservations.ts';
import { transactions } from '../tables/account/transactions.ts';
import { Newcomers } from '../refetch/newcomers.ts';
import { Reader } from '../refetch/reader.ts';
import { type Receiver, receiver } from '../ingest/receive.ts';
import { type GivenSize, planReconciliation, type ReconcilePlan } from '../scans/reconcile/planReconciliation.ts';
import { scheduled } from '../scans/reconcile/schedules.ts';
import { Reconciler } from '../scans/reconcile/reconciler.ts';
import type { RegistrationNote } from './webhook/registrationNote.ts';
import { replay } from '../ingest/replay.ts';
import { type KeyToRead, markKeys } from '../queue/markKeys.ts';
import { plannedLimits } from '../budget/gate.ts';
import { impatient } from '../budget/impatient.ts';
import type { ConnectionSettings } from './settings.ts';
import { retentionWorker } from '../privacy/retention/retention.ts';
import { statusOf } from './status.ts';
import { verify as verifyMirror, type VerifyReport } from '../scans/verify/verify.ts';
import { Scanner } from '../scans/scanner/scanner.ts';
import { owedAfterStop } from './source/owedAfterStop.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { scanLease } from '../scans/scanLease.ts';
import type { ScanContext, ScanProgress } from '../scans/purpose.ts';
import type { Surroundings } from './surroundings.ts';

/** A date before the first entry of any ledger. */
const HISTORY_FROM = '2000-01-01';

export type Status = Awaited<ReturnType<typeof statusOf>> & { schedules: ReturnType<typeof scheduled> };

/** One running connection to a mirrored account. */
export interface Connection {
  readonly settings: ConnectionSettings;
  readonly receiver: Receiver;
  readonly feed: Feed;
  readonly scanner: Scanner;
  /** Sends requests to the mirrored account, within its limits. */
  readonly client: Client;
  /** Returns the account's time zone. */
  readonly zone: () => string;
  readonly time: Parts['time'];
  /** Asks a core of ours for the link of a reservation's page for guests. */
  readonly askGuestLink: Parts['askGuestLink'];
  status(): Promise<Status>;
  /** Makes sure at once that our webhook is registered there; `force`: registers it again in any case. */
  register(force: boolean): Promise<RegistrationNote>;
  /** Takes our webhook off the source; a refusal is no failure, because the source may be gone. */
  unregister(): Promise<void>;
  /** Sends requests to the source with the token in use, and compares its rows with the events received. */
  examine(): Promise<Examination>;
  /** Returns the measurements since the start of this process. */
  measured(): readonly Measured[];
  verify(onProgress: (progress: ScanProgress) => void): Promise<VerifyReport>;
  /** Returns the cost of reading everything now, and its expected end. */
  planBackfill(): Promise<BackfillPlan>;
  /** Returns the cost of staying fresh, and the ages that result; for another size, if one is given. */
  planReconciliation(size: GivenSize | undefined): Promise<ReconcilePlan>;
  /** Reads everything, the most useful first, and reports the rows read and any that are missing. */
  backfill(onProgress: (progress: BackfillProgress) => void): Promise<BackfillReport>;
  replay(eventIds: readonly string[]): Promise<number>;
  /** Reads rows that somebody has just changed and that no event announces. */
  readAgain(keys: readonly KeyToRead[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts to receive, and then, in the background, to read. */
export async function openConnection(around: Surroundings, settings: ConnectionSettings): Promise<Connection> {
  const { store, clock } = around;
  const connection = settings.id;
  const begunAt = clock.now();
  const readWith = readingOf(around, settings);
  const opened = { connection, baseUrl: settings.baseUrl, readWith, at: instantOf(begunAt) };
  const { state, catch_up_due: why } = await ensureConnection(store, opened);
  const since = why === AFTER_STOP ? await stoppedAt(store.db, connection) : undefined;
  await forgetLostWork(store, connection);
  const abort = new AbortController();
  // All waiting parts listen to it.
  setMaxListeners(0, abort.signal);
  const pool = openPool(settings.baseUrl);
  const tally = startTally();
  const feed = new Feed(store.db, connection, clock);
  const outside = { tally, feed, dispatcher: settings.dispatcher ?? pool, signal: abort.signal };
  const parts = await makeParts(around, settings, state === 'paused', outside);
  const receive = receiverOf(parts);
  const reader = around.duties.has('read') ? readerOf(parts) : undefined;
  reader?.wake();
  const scanner = scannerOf(parts, { since, begunAt });
  scanner.start();
  parts.signals.keysDue.subscribe((due) => reader?.wake(due));
  parts.signals.catchUpDue.subscribe((why) => scanner.catchUp(why));
  parts.signals.burstDue.subscribe((resource) => scanner.burst(resource));
  const reconciler = reconcilerOf(parts, scanner, since === undefined ? begunAt : msOf(since));
  reconciler.start();
  const { recorder, losses, retention } = upkeepOf(parts, tally);
  for (const worker of [losses, recorder, retention]) await worker?.start();
  if (parts.pauses.isPaused()) void parts.pauses.probe();
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    const at = instantOf(clock.now());
    abort.abort();
    parts.pauses.close();
    const writers = [parts.refusals, parts.unknowns, reconciler, retention, losses, scanner];
    await stopAll({ receive, writers, readers: [reader, recorder], pool });
    // Of several processes that share the work, none knows what the others have missed.
    if (hasAllDuties(around) && !scanner.isForgetful) await noteStop(around, connection, { readWith, at });
  };
  return {
    settings,
    receiver: receive,
    feed,
    scanner,
    client: parts.client,
    zone: parts.zone,
    time: parts.time,
    askGuestLink: parts.askGuestLink,
    async status() {
      await recorder.record();
      const status = await statusOf({ db: store.db, connection, clock, tally, gate: settings.gate });
      return { ...status, schedules: scheduled(settings.schedules ?? [], parts.zone(), clock.now()) };
    },
    register: (force) => parts.registering.register(force),
    unregister: () => parts.registering.unregister(),
    examine: () =>
      examine({
        db: store.db,
        client: impatient(parts.client, settings.gate, clock),
        settings,
        clock,
        zone: parts.zone,
      }),
    measured: () => parts.meter.sinceStart(),
    ...commandsOf(parts, scanner),
    stop: () => (stopped ??= stop()),
  };
}

type Commands = 'planBackfill' | 'planReconciliation' | 'backfill' | 'verify' | 'replay' | 'readAgain';

/** Returns the work that a person asks for. */
function commandsOf(parts: Parts, scanner: Scanner): Pick<Connection, Commands> {
  const { settings } = parts;
  return {
    planBackfill: () => planBackfill(scanningOf(parts), () => settings.gate.ledger()),
    planReconciliation: (size) =>
      planReconciliation(scanningOf(parts), settings.tiers ?? [], plannedLimits(settings.gate), size),
    backfill: (onProgress) => reportedBackfill(scanningOf(parts), scanner, () => settings.gate.ledger(), onProgress),
    verify: (onProgress) =>
      verifyMirror({ ...scanningOf(parts), client: parts.commands }, (job) => scanner.inTurn(job), onProgress),
    async replay(eventIds) {
      const count = await replay(parts, eventIds);
      parts.signals.keysDue.publish(undefined);
      return count;
    },
    async readAgain(keys) {
      await markKeys(parts, keys, 'command');
      parts.signals.keysDue.publish(undefined);
    },
  };
}

/** Returns the workers that nothing wakes: they look for work by the clock. */
function upkeepOf({ around, store, connection, clock, meter, settings: { gate } }: Parts, tally: Tally) {
  const { retention: retained, log } = around;
  const scans = around.duties.has('scan');
  const own = { store, connection, clock, log };
  return {
    recorder: openRecorder({ ...own, meter, tally, gate, looksAtAge: scans }),
    losses: scans ? lossWorker({ ...own, meter }) : undefined,
    retention: retained && scans ? retentionWorker({ ...own, retained }) : undefined,
  };
}

/** Returns a digest of what decides how rows are read. Read in another way, they may be others. */
function readingOf({ userAgent }: Surroundings, { baseUrl, profile, historyFrom }: ConnectionSettings): string {
  return sha256Hex(JSON.stringify([userAgent, baseUrl, profile, historyFrom ?? HISTORY_FROM]));
}

async function noteStop(
  { store, log }: Surroundings,
  connection: string,
  stop: { readWith: string; at: Instant },
): Promise<void> {
  try {
    await noteCleanStop(store.db, connection, stop);
  } catch (error) {
    const problem = messageOf(error);
    log.warn({ connection, problem }, 'the stop could not be noted: the next start reads everything');
  }
}

function hasAllDuties({ duties }: Surroundings): boolean {
  return (['receive', 'read', 'scan'] as const).every((duty) => duties.has(duty));
}

type Stoppable = { stop(): Promise<void> } | undefined;

async function stopAll(running: {
  receive: Receiver;
  writers: readonly Stoppable[];
  readers: readonly Stoppable[];
  pool: { close(): Promise<void> };
}): Promise<void> {
  try {
    await running.receive.idle();
    for (const one of running.writers) await one?.stop();
  } finally {
    // No part may continue to read, even if the database fails.
    try {
      for (const one of running.readers) await one?.stop();
    } finally {
      await running.pool.close();
    }
  }
}

const WITHDRAWN = 'authorization_revoked: the access of stayd was withdrawn';

function receiverOf(parts: Parts): Receiver {
  const { store, connection, numbers, clock, secrets, conditions, pauses, tokens, settings, signals, around } = parts;
  const { meter, refusals } = parts;
  return receiver({
    store,
    connection,
    numbers,
    clock,
    meter,
    tracer: around.tracer,
    verify: (body, headers, path) => secrets.verify(body, headers, path),
    onRefused: (reason) => refusals.note(reason),
    understand: dialectOfCaller(settings.profile).event,
    onMarked(due) {
      conditions.marked(clock.now());
      signals.keysDue.publish(due);
    },
    onFailure(error) {
      meter.add('unstored', '', { count: 1 });
      around.log.error({ connection, problem: messageOf(error) }, 'events could not be stored and were refused');
      signals.catchUpDue.publish('refused events');
    },
    ownClientId: typeof settings.token === 'function' ? undefined : settings.token.clientId,
    async onRevoked() {
      await tokens?.withdraw(WITHDRAWN);
      await pauses.stopReading({ message: WITHDRAWN });
    },
  });
}

function readerOf(parts: Parts): Reader {
  const { around, conditions, pauses, signals } = parts;
  const counted = (resource: string) => ({ ...parts, onRequest: () => conditions.lookedUp(resource, 1) });
  return new Reader({
    ...parts,
    random: around.random,
    log: around.log,
    resources: rowResources,
    loadMonitor: conditions,
    batched: {
      [AVAILABILITY]: (keys) => lookUpDays(counted(AVAILABILITY), keys),
      [customChannels.name]: (keys) => lookUpLists(parts, customChannels, keys),
      [dictionaryItems.name]: (keys) => lookUpLists(parts, dictionaryItems, keys),
      [CALENDAR]: (keys) => lookUpCalendars(counted(CALENDAR), keys),
    },
    newcomers: [reservations, transactions].map((one) => new Newcomers({ ...counted(one.name), resource: one })),
    isPaused: () => pauses.isPaused(),
    onHostTrouble: (error) => void pauses.stopReading(error),
    onBurstDue: (resource) => signals.burstDue.publish(resource),
  });
}

function scanningOf(parts: Parts): ScanContext {
  const { around, settings, patient } = parts;
  const { ids, log } = around;
  return { ...parts, client: patient, ids, log, historyFrom: settings.historyFrom ?? HISTORY_FROM };
}

/** A start, and the clean stop before it. */
interface Start {
  since: Instant | undefined;
  begunAt: number;
}

function scannerOf(parts: Parts, start: Start): Scanner {
  const { store, connection, clock, by, around, conditions, bursts, pauses, zoneOfAccount, registering, signals } =
    parts;
  return new Scanner({
    ...scanningOf(parts),
    commands: parts.commands,
    registering,
    isOn: around.duties.has('scan'),
    lease: scanLease(store, connection, by, clock),
    findLost: () => (store.kind === 'postgres' ? markLost(parts) : Promise.resolve(false)),
    owedAfterStop: () =>
      owedAfterStop({
        ...parts,
        db: store.db,
        ask: parts.askUndelivered,
        isReconciled: (parts.settings.tiers ?? []).length > 0,
        ...start,
      }),
    isBursting: () => conditions.isBursting(),
    onBurst(resource, phase) {
      if (phase === 'began') bursts.began(resource, clock.now());
      else if (phase === 'failed') bursts.failed(resource);
      else conditions.cleared(resource);
      signals.keysDue.publish(undefined);
    },
    async onMarked() {
      await zoneOfAccount.load();
      signals.keysDue.publish(undefined);
    },
    onHostTrouble: (error) => pauses.stopReading(error),
    untilActive: (until) => pauses.untilActive(until),
  });
}

function reconcilerOf(parts: Parts, scanner: Scanner, watchedUntil: number): Reconciler {
  const { settings, conditions, pauses, zoneOfAccount, signals } = parts;
  return new Reconciler({
    ...scanningOf(parts),
    gate: settings.gate,
    tiers: settings.tiers ?? [],
    schedules: settings.schedules ?? [],
    watchedUntil,
    holdsLease: () => scanner.holdsLease(),
    isBursting: () => conditions.isBursting(),
    async onMarked() {
      await zoneOfAccount.load();
      signals.keysDue.publish(undefined);
    },
    onHostTrouble: (error) => pauses.stopReading(error),
    untilActive: (until) => pauses.untilActive(until),
  });
}
