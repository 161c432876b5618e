import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config.ts';
import { type Clock, sleep } from '../../../kernel/clock.ts';
import { type Instant, instantOf, msOf } from '../../../kernel/dates.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import { type Cron, lastRun } from '../../../sync/scans/reconcile/cron.ts';
import { ERASURES_FILE } from '../../privacy/erasureLog.ts';
import type { Alarm } from '../../health/alarms.ts';
import { backupTroubles } from './health.ts';
import type { BackupPlan } from './plan.ts';
import { recordedBackup, recordedDrill } from './recorded.ts';
import { type Outcome, readRecord } from './record.ts';

/** Backups that are made while the service runs. */
export interface Backups {
  alarms(): Alarm[];
  /** Waits for the one under way. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 20_000;
const RETRY_MS = 15 * 60_000;
/** After this time a folder of a backup belongs to nobody any more. */
const LEFT_MS = 86_400_000;
const LEFT = /^(?:backup|drill|parquet)-\w{6}$/;

/** Makes backups and drills when they are due; one that was due while the service was away, at once. */
export function startBackups(config: Config, plan: BackupPlan, { clock, log }: { clock: Clock; log: Logger }): Backups {
  const { data_dir: dir } = config;
  const since = instantOf(clock.now());
  const stopping = new AbortController();
  removeLeft(dir, clock.now());
  const erasures = erasuresKeeper(dir, plan);

  async function attempt(what: string, work: () => Promise<object>): Promise<void> {
    try {
      log.info({ ...(await work()) }, `${what} done`);
    } catch (error) {
      log.error({ problem: messageOf(error) }, `${what} failed`);
    }
  }

  async function look(): Promise<void> {
    const { backup, drill } = readRecord(dir);
    if (isDue(plan.schedule, backup, { zone: plan.zone, since: undefined, now: clock.now() })) {
      await attempt('backup', () => recordedBackup(config, plan, clock));
    }
    // A drill needs a backup, so that the first waits for its time.
    if (isDue(plan.drill, drill, { zone: plan.zone, since, now: clock.now() })) {
      await attempt('drill', () => recordedDrill(config, plan, { clock }));
    }
    await erasures.keep().catch((error: unknown) => {
      log.error({ problem: messageOf(error) }, 'the record of erased guests could not be stored beside the backups');
    });
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      await sleep(clock, LOOK_EVERY_MS, stopping.signal);
    }
  }

  const running = run();
  return {
    alarms: () =>
      backupTroubles(plan, readRecord(dir), { since, now: clock.now() }).map((one) => ({
        kind: 'backups' as const,
        alarm: 'backups',
        ...one,
      })),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

interface When {
  zone: string;
  /** From when on times count if there was no attempt yet; undefined: at once. */
  since: Instant | undefined;
  now: number;
}

function isDue(cron: Cron | null, last: Outcome | null, { zone, since, now }: When): boolean {
  if (cron === null) return false;
  const after = last?.at ?? since;
  if (after === undefined) return true;
  if (last && last.problem !== null && now - msOf(last.at) >= RETRY_MS) return true;
  return lastRun(cron, zone, [msOf(after), now]) !== undefined;
}

/** Stores the record of erased guests beside the backups whenever it has changed. */
function erasuresKeeper(dir: string, { schedule, place }: BackupPlan): { keep(): Promise<void> } {
  const file = join(dir, ERASURES_FILE);
  const changedAt = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  let stored = changedAt();
  return {
    async keep() {
      const changed = changedAt();
      if (schedule === null || changed === undefined || changed === stored) return;
      const folder = mkdtempSync(join(dir, 'backup-'));
      try {
        copyFileSync(file, join(folder, ERASURES_FILE));
        await place.store(join(folder, ERASURES_FILE), ERASURES_FILE);
        stored = changed;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Removes what backups, drills and Parquet files for a bucket left behind that were killed. */
function removeLeft(dir: string, now: number): void {
  for (const name of readdirSync(dir).filter((one) => LEFT.test(one))) {
    const folder = join(dir, name);
    if (now - statSync(folder).mtimeMs > LEFT_MS) rmSync(folder, { recursive: true, force: true });
  }
}
