import { instantOf, msOf } from '../kernel/dates.ts';
import { sha256Hex } from '../kernel/signature.ts';
import { type Work, Worker } from '../kernel/worker.ts';
import { beginCursor, consume, planAll } from './consume.ts';
import type { Automating } from './context.ts';
import { PlanService } from './planService.ts';
import { nextDue, performDue, recover } from './perform/performer.ts';
import { prune } from './plans/prune.ts';
import { planRounds } from './plans/planRounds.ts';
import { planTasks } from './plans/planTasks.ts';
import { rankMs } from './perform/rank.ts';
import { knownBy, type RuleFile, readRules } from './rules/readRules.ts';
import { openRuleBook } from './rules/ruleBook.ts';
import { syncRules } from './rules/syncRules.ts';
import type { TimeWitness } from '../sync/connection/source/timeWitness.ts';
import { openTimekeeper } from './timekeeper.ts';

/** Milliseconds between checks of the files. A change by another process may go unnoticed for as long. */
const LOOK_MS = 2_000;
const LONGEST_WAIT_MS = 5_000;
const TROUBLE_MS = 5_000;
/** Milliseconds between plannings of all stays, which find changes of zones and tags that nothing announces. */
const REPLAN_MS = 6 * 60 * 60_000;
const FEED_WAIT_MS = 60_000;
const PRUNE_MS = 60 * 60_000;
const FIRST_PRUNE_MS = 60_000;

export interface AutomationOptions extends Omit<Automating, 'book' | 'signal' | 'timekeeper'> {
  /** Times in upstream's answers. */
  time: TimeWitness;
  /** Reads the files of rules. */
  readFiles(): readonly RuleFile[];
}

interface Running {
  context: Automating;
  files: RuleFiles;
  abort: AbortController;
  /** Carry out due plans. */
  performing: readonly Worker[];
  workers: readonly Worker[];
}

/** The running automations of one connection. */
export class Automations extends PlanService {
  readonly #running: Running;

  constructor(running: Running) {
    super(running.context, () => wakeAll(running.performing));
    this.#running = running;
  }

  /** Reads the files now. */
  async reload(): Promise<void> {
    const { files, performing } = this.#running;
    await files.look();
    wakeAll(performing);
  }

  /** Ends all work; waits for calls that have left. */
  async stop(): Promise<void> {
    const { abort, workers } = this.#running;
    abort.abort();
    await Promise.all(workers.map((one) => one.stop()));
  }
}

/** Loads the rules, follows the feed, and carries out due plans until it is stopped. */
export async function startAutomations(options: AutomationOptions): Promise<Automations> {
  const abort = new AbortController();
  const timekeeper = openTimekeeper({ ...options, signal: abort.signal });
  const context: Automating = { ...options, book: openRuleBook(), timekeeper, signal: abort.signal };
  const files = new RuleFiles(context, options.readFiles);
  // One process owns a SQLite store, so every earlier claim is void.
  await recover(context, context.store.kind === 'sqlite');
  const cursor = await beginCursor(context);
  await files.look();
  await planAll(context, context.book.rules);
  const performing = performers(context);
  const workers = [...performing, ...planners(context, { files, cursor, onDue: () => wakeAll(performing) })];
  for (const one of workers) await one.start();
  return new Automations({ context, files, abort, performing, workers });
}

function worker(
  { clock, log, connection }: Automating,
  work: Pick<Work, 'name' | 'everyMs' | 'firstMs' | 'round'>,
): Worker {
  return new Worker({ ...work, clock, log, retryMs: TROUBLE_MS, fields: { connection } });
}

function wakeAll(workers: readonly Worker[]): void {
  for (const one of workers) one.wake();
}

/** The workers that carry out plans. A model may be slow, so what it writes has a worker of its own. */
function performers(context: Automating): Worker[] {
  const hasModel = context.settings.ai !== null;
  const all = worker(context, {
    name: 'carrying out plans',
    everyMs: LONGEST_WAIT_MS,
    async round() {
      await recover(context, false);
      await planRounds(context);
      await planTasks(context);
      const done = await performDue(context, await rankMs(context), hasModel ? 'all else' : 'everything');
      return done === 0 ? untilNext(context) : 0;
    },
  });
  if (!hasModel) return [all];
  const drafting = worker(context, {
    name: 'carrying out plans that a model writes',
    everyMs: LONGEST_WAIT_MS,
    async round() {
      const done = await performDue(context, await rankMs(context), 'written by a model');
      return done === 0 ? untilNext(context) : 0;
    },
  });
  return [all, drafting];
}

/** The workers that make plans, and delete old ones. */
function planners(
  context: Automating,
  { files, cursor: first, onDue }: { files: RuleFiles; cursor: number; onDue: () => void },
): Worker[] {
  let cursor = first;
  return [
    worker(context, {
      name: 'planning after changes',
      everyMs: FEED_WAIT_MS,
      async round() {
        const before = cursor;
        cursor = await consume(context, cursor, FEED_WAIT_MS);
        if (cursor !== before) onDue();
        return 0;
      },
    }),
    worker(context, {
      name: 'reading the files of rules',
      everyMs: LOOK_MS,
      firstMs: LOOK_MS,
      async round() {
        if (await files.look()) onDue();
      },
    }),
    worker(context, {
      name: 'planning all stays',
      everyMs: REPLAN_MS,
      firstMs: REPLAN_MS,
      round: () => planAll(context, context.book.rules),
    }),
    worker(context, {
      name: 'deleting old plans',
      everyMs: PRUNE_MS,
      // By then an answer has told the time; at once, it would have to be asked for at each start.
      firstMs: FIRST_PRUNE_MS,
      async round() {
        const { keepDays = null } = context.settings;
        // With a clock that is ahead, everything would be deleted.
        if (keepDays !== null && (await context.timekeeper.isRight())) await prune(context, keepDays);
      },
    }),
  ];
}

async function untilNext({ store, connection, clock }: Automating): Promise<number> {
  const next = await nextDue(store.db, connection);
  const ms = next === undefined ? LONGEST_WAIT_MS : msOf(next) - msOf(instantOf(clock.now()));
  // A due plan that is not done waits for something else: its turn, or a person.
  return ms <= 0 ? LOOK_MS / 2 : Math.min(ms, LONGEST_WAIT_MS);
}

/** The files of rules, whose rules are loaded again when the text changes. */
class RuleFiles {
  readonly #context: Automating;
  readonly #readFiles: () => readonly RuleFile[];
  #seen: string | undefined;

  constructor(context: Automating, readFiles: () => readonly RuleFile[]) {
    this.#context = context;
    this.#readFiles = readFiles;
  }

  /**
   * Checks the files.
   * @returns true if they changed
   */
  async look(): Promise<boolean> {
    const context = this.#context;
    const files = this.#readFiles();
    const now = sha256Hex(JSON.stringify(files));
    if (now === this.#seen) return false;
    const read = readRules(files, knownBy(context.settings));
    const changed = await syncRules(context, read);
    for (const { file, line, path, problem } of read.mistakes) {
      context.log.error({ file, line, path, problem }, 'a rule has a mistake and does nothing until it is corrected');
    }
    if (this.#seen !== undefined) await planAll(context, changed);
    this.#seen = now;
    return true;
  }
}
