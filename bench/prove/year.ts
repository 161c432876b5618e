import assert from 'node:assert/strict';
import { createReadStream, createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { importBookings } from '../../src/core/imports/importBookings.ts';
import { readMapping } from '../../src/core/imports/readMapping.ts';
import { moveDeposit } from '../../src/core/sandbox/change.ts';
import { simulate } from '../../src/core/sandbox/simulation/simulate.ts';
import { sleep } from '../../src/kernel/clock.ts';
import { addDays, dateIn, daysBetween } from '../../src/kernel/dates.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import { describedLimitsGate } from '../../src/sync/budget/gate.ts';
import { tiers } from '../../src/sync/reconcile/tiers.ts';
import { diceOf } from '../../test/sim/chance.ts';
import type { SimCore } from '../../test/sim/core.ts';
import { noCrash } from '../../test/sim/crash.ts';
import { CONNECTION } from '../../test/sim/daemon.ts';
import { openHalves } from '../../test/sim/halves.ts';
import { followHealing } from '../../test/sim/healing.ts';
import { FAIR_WEATHER } from '../../test/sim/network.ts';
import { makeTemplates } from '../../test/sim/templates.ts';
import { Trace } from '../../test/sim/trace.ts';
import { countTurns, virtualTime } from '../../test/sim/virtualTime.ts';
import { openWorkload } from '../../test/sim/workload.ts';
import { AskedLog, type Fill } from './windows.ts';

/** What is proven, and of how much. */
export interface YearSize {
  /** Of the real file; left out: all. */
  bookings?: number;
  /** Simulated beside them, each on some marketplaces. */
  properties: number;
  /** Hours in which things change. */
  hours: number;
}

const SEED = 1;
const ZONE = 'Europe/Berlin';
const START = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The middle of the real bookings. */
const MIDDLE = '2016-08-15';
const YEAR_DAYS = 365;
/** Between two changes, on average. */
const EVERY_MS = 20_000;
const LOOK_MS = 500;
const PERIOD_MS = 24 * HOUR + 2 * MINUTE;
const FAULTS = { drop: 0.3, double: 0.2, reorder: 0.2, delay_ms: 20_000 };
const SWEEPS = ['sweep', 'slow_sweep'] as const;
const MOST_OF_A_WINDOW = 0.3;
const MOST_OFF = 0.02;
const LEAST_PLANNED_MS = 10 * MINUTE;
const HOT_DAYS = 14;

/**
 * The real bookings, moved so that today has stays, beside a simulated year: read under all limits, then followed
 * through lost, doubled, late and reordered events and changes that no event tells of. Real core and real daemon in one
 * process, on a driven clock, since a reconcile period is a day.
 */
export async function proveYear(
  file: string,
  root: string,
  size: YearSize,
  say: (line: string) => void,
): Promise<void> {
  const uncount = countTurns();
  const templates = await makeTemplates();
  const folder = join(templates.folder, 'year');
  mkdirSync(folder);
  const time = virtualTime(START);
  const trace = new Trace(false);
  const asked = new AskedLog();
  let refused = 0;
  const { core, daemon } = await openHalves({
    seed: SEED,
    folder,
    templates,
    time,
    trace,
    limits: 'on',
    propertyQuota: 10_000,
    gate: (clock) => asked.watch(describedLimitsGate(clock), () => clock.now()),
    tiers,
    historyFrom: '2024-01-01',
    weather: () => ({ ...FAIR_WEATHER, latencyMs: 50 }),
    deaf: () => 0,
    onServed: ({ code }) => void (refused += code === 429 ? 1 : 0),
    onAcknowledged() {},
    onSent() {},
  });
  /** Lets time pass until a piece of work is done. */
  async function passing<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    void work.then(
      () => (isDone = true),
      () => (isDone = true),
    );
    await time.runUntil(() => isDone, Number.POSITIVE_INFINITY);
    return work;
  }
  try {
    await fill();
    await readFirst();
    await follow();
    await compare();
  } finally {
    await daemon.close();
    await core.stop();
    uncount();
    rmSync(templates.folder, { recursive: true });
  }

  async function fill(): Promise<void> {
    const begun = performance.now();
    const text = readFileSync(join(root, 'config', 'imports', 'hotel-bookings.yaml'), 'utf8');
    const today = dateIn(ZONE, core.core.clock.now());
    const moved = text.replace('shift_days: 0', `shift_days: ${daysBetween(MIDDLE, today)}`);
    const path = size.bookings === undefined ? file : await firstRows(file, join(folder, 'some.csv'), size.bookings);
    const mapping = readMapping(moved, 'hotel-bookings');
    const rejectsPath = join(folder, 'rejects.csv');
    const request = { path, mapping, rejectsPath, announce: false };
    const report = await importBookings(core.core, core.owner, request, () => {}, new AbortController().signal);
    assert.ok(report.complete);
    const order = { days: YEAR_DAYS, properties: size.properties, seed: SEED };
    const scene = { owner: core.owner, order, perMinute: null, progress() {}, signal: new AbortController().signal };
    await passing(simulate(core.core, scene));
    const count = (table: string) => core.database.prepare(`select count(*) from ${table}`).pluck().get() as number;
    say(
      `- year: ${report.created} real bookings moved to today, beside ${count('listings')} simulated listings: ${count('stays')} stays, ${count('transactions')} ledger entries, ${count('conversations')} threads, ${count('properties')} properties; made in ${seconds(begun)}`,
    );
  }

  async function readFirst(): Promise<void> {
    const begun = performance.now();
    await daemon.start(noCrash);
    const { plan, finishedAt, checks } = await passing(daemon.daemon.backfill(CONNECTION));
    const [planned, took] = [plan.finishAt - plan.startAt, finishedAt - plan.startAt];
    const off = Math.abs(took - planned) / planned;
    say(
      `- year: first read under all limits predicted ${minutes(planned)}, took ${minutes(took)} of virtual time (${percent(off)} off, goal ${percent(MOST_OFF)}), ${asked.count} requests (planned ${plan.requests}), ${refused} answers 429; ${seconds(begun)} of real time`,
    );
    for (const { upstream, mirrored } of checks) assert.equal(mirrored, upstream);
    assert.equal(refused, 0);
    // A reading of a few minutes meets no limit, and what it takes is chance.
    if (planned >= LEAST_PLANNED_MS) assert.ok(off <= MOST_OFF, 'the prediction');
    await passing(daemon.daemon.caughtUp(CONNECTION));
    say(`- year: fullest window of the first read: ${told(asked.fills()[0])}`);
  }

  async function follow(): Promise<void> {
    const begun = performance.now();
    asked.clear();
    const dice = diceOf(SEED, 'year');
    const workload = await openWorkload({ core, dice: diceOf(SEED, 'workload'), trace, silent: true });
    const healing = followHealing(core.database);
    core.spoilDeliveries(FAULTS);
    const hands = time.newProcess();
    const end = time.elapsed() + size.hours * HOUR;
    let changes = 0;
    const change = async () => {
      while (time.elapsed() < end) {
        await sleep(hands, dice.between(0, 2 * EVERY_MS));
        changes += 1;
        if (dice.percent(50)) await workload.step();
        else await touchReal(core, dice.percent(40) ? 'deposit' : 'rate', (values) => dice.pick(values));
      }
    };
    const isOver = { now: false };
    const watch = async () => {
      while (!isOver.now) {
        await sleep(hands, LOOK_MS);
        healing.look(hands.now(), daemon.store.database);
      }
    };
    const watching = watch();
    await passing(change());
    await time.runTo(end + PERIOD_MS);
    isOver.now = true;
    await passing(watching);
    const outcomes = core.database
      .prepare<[], { outcome: string; count: number }>('select outcome, count(*) as count from deliveries group by 1')
      .all();
    say(
      `- year: ${changes} changes in ${size.hours} h, with events ${outcomes.map(({ outcome, count }) => `${outcome} ${count}`).join(', ')}; then one reconcile period without changes; ${seconds(begun)} of real time`,
    );
    for (const [resource, times] of healing.times()) {
      if (times.length === 0) continue;
      const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0;
      say(
        `- year: time to heal, ${resource}: ${times.length} values, p50 ${spoken(at(0.5))}, p99 ${spoken(at(0.99))}, worst ${spoken(times.at(-1) ?? 0)}`,
      );
    }
    say(`- year: requests ${JSON.stringify(asked.byPurpose())}, ${refused} answers 429`);
    const [sweeps, all] = [asked.fills(SWEEPS)[0], asked.fills()[0]];
    say(`- year: fullest window by sweeps: ${told(sweeps)} (goal 30 %); by everything: ${told(all)}`);
    assert.deepEqual(healing.open(), []);
    assert.equal(refused, 0);
    assert.ok((sweeps?.used ?? 0) <= MOST_OF_A_WINDOW * (sweeps?.max ?? 0));
  }

  async function compare(): Promise<void> {
    const begun = performance.now();
    const { resources } = await passing(daemon.daemon.verify(CONNECTION));
    const unclean = resources.filter(({ clean }) => !clean);
    const compared = resources.reduce((sum, one) => sum + one.compared, 0);
    say(`- year: verify compared ${compared} rows, ${unclean.length} resources differ; ${seconds(begun)} of real time`);
    say(`- year: peak memory of core, daemon and harness together ${peakMb()} MB`);
    assert.deepEqual(unclean, []);
  }
}

/** A booking around today gets another price by its host, or its deposit moves without a word. */
async function touchReal(
  core: SimCore,
  what: 'deposit' | 'rate',
  pick: <T>(values: readonly [T, ...T[]]) => T,
): Promise<void> {
  const today = dateIn(ZONE, core.core.clock.now());
  const near = [addDays(today, -HOT_DAYS), addDays(today, HOT_DAYS)];
  const of = what === 'deposit' ? 'join channel_bookings b on b.reservation_code = s.reservation_code' : '';
  const stays = core.database
    .prepare<unknown[], { stay_code: string; reservation_code: string }>(
      `select s.stay_code, s.reservation_code from stays s ${of}
       where s.check_out_date >= ? and s.check_in_date <= ? and s.status = 'accepted'`,
    )
    .all(near);
  const [first, ...rest] = stays;
  if (!first) return;
  const { stay_code, reservation_code } = pick([first, ...rest]);
  if (what === 'rate') {
    await core.host('PATCH', `/reservations/${stay_code}`, { rate_amount: pick([80, 120.5, 333.33, 410]) });
    return;
  }
  const step = { room: 0, event: pick(['required', 'paid', 'refunded'] as const), amount: pick([50, 100, 150]) };
  try {
    await core.change((change) => moveDeposit(change, { reservation_code }, step));
  } catch (error) {
    // A deposit that was never asked for cannot be given back.
    if (!(error instanceof ApiError)) throw error;
  }
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

function told(fill: Fill | undefined): string {
  if (!fill) return 'nothing was asked';
  const { bucket, seconds: length, used, max } = fill;
  return `${percent(used / max)} (${bucket}, ${used} of ${max} in ${length} s)`;
}

function spoken(ms: number): string {
  if (ms < MINUTE) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 2 * HOUR ? minutes(ms) : `${(ms / HOUR).toFixed(1)} h`;
}

function minutes(ms: number): string {
  return `${(ms / MINUTE).toFixed(1)} min`;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}

function seconds(begun: number): string {
  return `${((performance.now() - begun) / 1_000).toFixed(0)} s`;
}

function peakMb(): string {
  return (process.resourceUsage().maxRSS / 1_024).toFixed(0);
}
