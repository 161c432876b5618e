import { Signal } from '../kernel/signal.ts';
import { sleep } from '../kernel/clock.ts';
import { instantOf, msOf } from '../kernel/dates.ts';
import { messageOf } from '../kernel/errors.ts';
import { sha256Hex } from '../kernel/signature.ts';
import { beginCursor, consume, planAll } from './consume.ts';
import type { Automating } from './context.ts';
import { type PlanService, openPlanService } from './planService.ts';
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

export interface AutomationOptions extends Omit<Automating, 'book' | 'signal' | 'timekeeper'> {
  /** Times in upstream's answers. */
  time: TimeWitness;
  /** Reads the files of rules. */
  readFiles(): readonly RuleFile[];
}

/** The running automations of one connection. */
export interface Automations extends PlanService {
  /** Reads the files now. */
  reload(): Promise<void>;
  /** Ends all work; waits for calls that have left. */
  stop(): Promise<void>;
}

/** Loads the rules, follows the feed, and carries out due plans until it is stopped. */
export async function startAutomations(options: AutomationOptions): Promise<Automations> {
  const abort = new AbortController();
  const timekeeper = openTimekeeper({ ...options, signal: abort.signal });
  const context: Automating = { ...options, book: openRuleBook(), timekeeper, signal: abort.signal };
  const due = new Signal();
  const hasModel = context.settings.ai !== null;
  const files = fileWatch(context, options.readFiles);
  // One process owns a SQLite store, so every earlier claim is void.
  await recover(context, context.store.kind === 'sqlite');
  let cursor = await beginCursor(context);
  await files.look();
  await planAll(context, context.book.rules);

  const loops = [
    looping(context, async () => {
      const before = cursor;
      cursor = await consume(context, cursor, FEED_WAIT_MS);
      if (cursor !== before) due.ring();
    }),
    looping(context, async () => {
      await recover(context, false);
      await planRounds(context);
      await planTasks(context);
      const done = await performDue(context, await rankMs(context), hasModel ? 'all else' : 'everything');
      if (done === 0) await due.wait(context.clock, await untilNext(context), abort.signal);
    }),
    looping(context, async () => {
      await sleep(context.clock, LOOK_MS, abort.signal);
      if (await files.look()) due.ring();
    }),
    looping(context, async () => {
      await sleep(context.clock, REPLAN_MS, abort.signal);
      await planAll(context, context.book.rules);
    }),
    looping(context, async () => {
      const { keepDays = null } = context.settings;
      // With a clock that is ahead, everything would be deleted.
      if (keepDays !== null && (await timekeeper.isRight())) await prune(context, keepDays);
      await sleep(context.clock, PRUNE_MS, abort.signal);
    }),
  ];
  if (hasModel) {
    // A model may be slow; nothing else waits for it.
    const drafting = looping(context, async () => {
      const done = await performDue(context, await rankMs(context), 'written by a model');
      if (done === 0) await due.wait(context.clock, await untilNext(context), abort.signal);
    });
    loops.push(drafting);
  }
  return {
    ...openPlanService(context, () => due.ring()),
    async reload() {
      await files.look();
      due.ring();
    },
    async stop() {
      abort.abort();
      await Promise.all(loops);
    },
  };
}

/** Repeats a step until the stop. Logs an error and tries again a little later. */
async function looping({ signal, clock, log, connection }: Automating, step: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await step();
    } catch (error) {
      if (signal.aborted) return;
      log.error({ connection, problem: messageOf(error) }, 'automations met trouble and go on in a moment');
      await sleep(clock, TROUBLE_MS, signal);
    }
  }
}

async function untilNext({ store, connection, clock }: Automating): Promise<number> {
  const next = await nextDue(store.db, connection);
  const ms = next === undefined ? LONGEST_WAIT_MS : msOf(next) - msOf(instantOf(clock.now()));
  // A due plan that is not done waits for something else: its turn, or a person.
  return ms <= 0 ? LOOK_MS / 2 : Math.min(ms, LONGEST_WAIT_MS);
}

/** Watches the files and loads their rules when their text changes. */
function fileWatch(context: Automating, readFiles: () => readonly RuleFile[]) {
  let seen: string | undefined;
  return {
    /**
     * Checks the files.
     * @returns true if they changed
     */
    async look(): Promise<boolean> {
      const files = readFiles();
      const now = sha256Hex(JSON.stringify(files));
      if (now === seen) return false;
      const read = readRules(files, knownBy(context.settings));
      const changed = await syncRules(context, read);
      for (const { file, line, path, problem } of read.mistakes) {
        context.log.error({ file, line, path, problem }, 'a rule has a mistake and does nothing until it is corrected');
      }
      if (seen !== undefined) await planAll(context, changed);
      seen = now;
      return true;
    },
  };
}
