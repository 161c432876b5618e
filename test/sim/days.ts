import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sleep } from '../../src/kernel/clock.ts';
import { openGate } from '../../src/sync/budget/gate.ts';
import { tiers } from '../../src/sync/scans/reconcile/tiers.ts';
import { diceOf } from './chance.ts';
import { noCrash } from './crash.ts';
import { CONNECTION } from './daemon.ts';
import { openHalves } from './halves.ts';
import { FAIR_CONDITIONS } from './network.ts';
import { LONG } from './regimes.ts';
import { makeTemplates } from './templates.ts';
import { Trace } from './trace.ts';
import { countTurns, sealWorld, virtualTime } from './virtualTime.ts';
import { openWorkload } from './workload.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const DAY_MS = 24 * 60 * 60_000;
/** Between two changes, on average. */
const EVERY_MS = 10 * 60_000;
/** Before this day caches fill. */
const WARM_DAYS = 4;

/** What the heap held at the end of a day, after everything that could go had gone. */
export interface Day {
  day: number;
  heapMb: number;
  /** Resident, which falls late or never. */
  residentMb: number;
}

/**
 * Lets core and daemon live for so many days, with changes, faults and reconciliations of the real ages, in one process. What
 * the heap holds beyond the first days and keeps is a leak of one of them, or of the world itself.
 */
export async function liveForDays(seed: number, days: number, onDay: (day: Day) => void): Promise<Day[]> {
  const templates = await makeTemplates();
  const folder = join(templates.folder, 'days');
  mkdirSync(folder);
  const uncount = countTurns();
  const time = virtualTime(START);
  const trace = new Trace(false);
  const { core, daemon } = await openHalves({
    seed,
    folder,
    templates,
    time,
    trace,
    limits: 'off',
    gate: openGate,
    tiers,
    historyFrom: '2026-01-01',
    conditions: () => ({ ...FAIR_CONDITIONS, ...LONG.network }),
    deaf: () => LONG.deaf,
    onServed() {},
    onAcknowledged() {},
    onSent() {},
  });
  const workload = await openWorkload({ core, dice: diceOf(seed, 'workload'), trace, silent: true, remembered: 200 });
  core.spoilDeliveries(LONG.deliveries);
  const hands = time.newProcess();
  const dice = diceOf(seed, 'days');
  const end = days * DAY_MS;
  const change = async () => {
    while (time.elapsed() < end) {
      await sleep(hands, dice.between(0, 2 * EVERY_MS));
      await workload.step();
    }
  };
  const measured: Day[] = [];
  const unseal = sealWorld();
  try {
    await daemon.start(noCrash);
    let isRead = false;
    void daemon.daemon.caughtUp(CONNECTION).then(() => (isRead = true));
    await time.runUntil(() => isRead, DAY_MS);
    void change();
    for (let day = 1; day <= days; day += 1) {
      await time.runTo(day * DAY_MS);
      const one = { day, ...memory() };
      measured.push(one);
      onDay(one);
    }
  } finally {
    unseal();
    await daemon.close();
    await core.stop();
    uncount();
    rmSync(templates.folder, { recursive: true });
  }
  return measured;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function memory(): Omit<Day, 'day'> {
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heapMb: heapUsed / 2 ** 20, residentMb: rss / 2 ** 20 };
}

/** Megabytes an hour by which the heap grows once it is warm: the slope of the line through its days. */
export function growth(days: readonly Day[]): number {
  const warm = days.filter(({ day }) => day > Math.min(WARM_DAYS, days.length - 2));
  const mean = (of: (day: Day) => number) => warm.reduce((sum, one) => sum + of(one), 0) / warm.length;
  const [x, y] = [mean(({ day }) => day), mean(({ heapMb }) => heapMb)];
  const rise = warm.reduce((sum, { day, heapMb }) => sum + (day - x) * (heapMb - y), 0);
  return rise / warm.reduce((sum, { day }) => sum + (day - x) ** 2, 0) / 24;
}
