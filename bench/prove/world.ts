import assert from 'node:assert/strict';
import { createReadStream, createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { Core } from '../../src/core/context.ts';
import {
  type ImportProgress,
  type ImportReport,
  type ImportRequest,
  importReservations,
} from '../../src/imports/importReservations.ts';
import { planFile } from '../../src/imports/planFile.ts';
import { readMapping } from '../../src/imports/readMapping.ts';
import { simulate } from '../../src/sandbox/simulation/simulate.ts';
import { dateIn, daysBetween } from '../../src/kernel/dates.ts';
import { type Budget, describedLimitsGate } from '../../src/sync/budget/gate.ts';
import { tiers } from '../../src/sync/scans/reconcile/tiers.ts';
import type { SimCore } from '../../test/sim/core.ts';
import { type DialectName, simProfile } from '../../test/sim/dialects.ts';
import type { SimDaemon } from '../../test/sim/daemon.ts';
import { openHalves } from '../../test/sim/halves.ts';
import { FAIR_CONDITIONS } from '../../test/sim/network.ts';
import { makeTemplates } from '../../test/sim/templates.ts';
import { Trace } from '../../test/sim/trace.ts';
import { countTurns, type VirtualTime, virtualTime } from '../../test/sim/virtualTime.ts';
import { LossWatch } from './losses.ts';
import { AskedLog } from './windows.ts';

/** How much is proven. */
export interface YearSize {
  /** Of the real file; left out: all. */
  bookings?: number;
  /** Simulated beside them, each on some marketplaces. */
  properties: number;
  /** Hours in which things change. */
  hours: number;
  /** How the core speaks, and the daemon with it. */
  dialect: DialectName;
}

export const SEED = 1;
export const ZONE = 'Europe/Berlin';
const START = Date.parse('2026-11-20T12:00:00.000Z');
/** The middle of the real bookings. */
const MIDDLE = '2016-08-15';
const YEAR_DAYS = 365;

/** Real core and real daemon in one process, on a driven clock, under all limits. */
export interface ProvenWorld {
  core: SimCore;
  daemon: SimDaemon;
  time: VirtualTime;
  trace: Trace;
  asked: AskedLog;
  losses: LossWatch;
  /** Answers 429 so far. */
  refused(): number;
  now(): number;
  /** Who lets the daemon ask. */
  budget(): Budget;
  /** Lets time pass until a piece of work is done. */
  passing<T>(work: Promise<T>): Promise<T>;
  /** Stores the real bookings, moved so that today has stays. */
  importReal(options: ImportOptions): Promise<ImportReport>;
  /** How many bookings and entries of the ledger that would make, with nothing stored. */
  planned(): Promise<{ bookings: number; entries: number }>;
  /** Plays a year of guests and hosts on marketplaces. */
  simulateYear(): Promise<void>;
  count(table: string): number;
  close(): Promise<void>;
}

export interface ImportOptions {
  /** Whether events tell of them. */
  announce: boolean;
  /** The core as the import sees it; left out: as it is. */
  core?: Core;
  onProgress?(progress: ImportProgress): void;
}

/** @param postMs a delivery takes so long each way, at the most */
export async function openWorld(file: string, root: string, size: YearSize, postMs?: number): Promise<ProvenWorld> {
  const uncount = countTurns();
  const templates = await makeTemplates();
  const folder = join(templates.folder, 'year');
  mkdirSync(folder);
  const time = virtualTime(START);
  const trace = new Trace(false);
  const asked = new AskedLog();
  const losses = new LossWatch();
  const now = () => START + time.elapsed();
  let refused = 0;
  let budget: Budget | undefined;
  const { core, daemon } = await openHalves({
    seed: SEED,
    folder,
    templates,
    time,
    trace,
    limits: 'on',
    propertyQuota: 10_000,
    gate: (clock) =>
      (budget = asked.watch(describedLimitsGate(clock), now, ({ operation, purpose }) =>
        losses.reads.passed(operation, purpose),
      )),
    tiers,
    profile: simProfile(size.dialect),
    historyFrom: '2024-01-01',
    conditions: () => ({ ...FAIR_CONDITIONS, latencyMs: 50 }),
    deaf: () => 0,
    ...(postMs !== undefined && { postMs }),
    onAsking: (seq, method, path) => losses.reads.sent(seq, now(), method, path),
    onServed(served) {
      refused += served.code === 429 ? 1 : 0;
      losses.heard(served, now());
    },
    onAcknowledged() {},
    onSent() {},
  });

  async function fileToImport(): Promise<Pick<ImportRequest, 'path' | 'mapping'>> {
    const text = readFileSync(join(root, 'config', 'imports', 'hotel-bookings.yaml'), 'utf8');
    const today = dateIn(ZONE, now());
    const moved = text.replace('shift_days: 0', `shift_days: ${daysBetween(MIDDLE, today)}`);
    const path = size.bookings === undefined ? file : await firstRows(file, join(folder, 'some.csv'), size.bookings);
    return { path, mapping: readMapping(moved, 'hotel-bookings') };
  }

  async function passing<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    void work.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    await time.runUntil(() => isDone, Number.POSITIVE_INFINITY);
    return work;
  }

  return {
    core,
    daemon,
    time,
    trace,
    asked,
    losses,
    refused: () => refused,
    now,
    budget() {
      if (!budget) throw new Error('the daemon has not been started');
      return budget;
    },
    passing,
    async planned() {
      const { path, mapping } = await fileToImport();
      const { held, cancelled } = (await planFile(path, mapping)).totals;
      return {
        bookings: held.bookings + cancelled.bookings,
        entries: held.with_income + cancelled.with_income,
      };
    },
    async importReal({ announce, core: seen = core.core, onProgress = () => {} }) {
      const { path, mapping } = await fileToImport();
      const rejectsPath = join(folder, 'rejects.csv');
      const request = { path, mapping, rejectsPath, announce };
      const report = await importReservations(seen, core.owner, request, onProgress, new AbortController().signal);
      assert.ok(report.complete);
      return report;
    },
    async simulateYear() {
      const order = { days: YEAR_DAYS, properties: size.properties, seed: SEED };
      const scene = { owner: core.owner, order, perMinute: null, progress() {}, signal: new AbortController().signal };
      await passing(simulate(core.core, scene));
    },
    count: (table) => core.database.prepare<[], number>(`select count(*) from ${table}`).pluck().get() ?? 0,
    async close() {
      await daemon.close();
      await core.stop();
      uncount();
      rmSync(templates.folder, { recursive: true });
    },
  };
}

async function firstRows(file: string, path: string, rows: number): Promise<string> {
  const out = createWriteStream(path);
  let left = rows + 1;
  for await (const line of createInterface(createReadStream(file).pipe(createGunzip()))) {
    out.write(`${line}\n`);
    if ((left -= 1) === 0) break;
  }
  await new Promise<void>((resolve) => void out.end(resolve));
  return path;
}
