import type { Job } from '../../console/setup/services.ts';
import { accountById } from '../../core/accounts/subAccounts.ts';
import { findOperator } from '../../core/accounts/table.ts';
import type { Acting, Core } from '../../core/context.ts';
import type { AccountRow } from '../../core/database.ts';
import { beginSetupJob, claimSetupJobs, findSetupJob, saveSetupJob } from '../../core/setup/jobTable.ts';
import type { SetupJobRow } from '../../core/setup/rows.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError, messageOf } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import { Worker } from '../../kernel/worker.ts';

/** Milliseconds that a process has for a sign of life, before another one goes on with its work. */
const CLAIM_MS = 60_000;
const LOOK_MS = 15_000;
/** Milliseconds between two notes of how far the work is. */
const NOTE_MS = 1_000;

type Progress = Pick<Job, 'done' | 'total' | 'text'>;

interface Outcome extends Pick<Job, 'text' | 'facts'> {
  /** Clears away what was needed until the outcome was noted. */
  afterwards?(): Promise<void>;
}

/** Work that was begun, or is continued. */
export interface Begun {
  readonly account: AccountRow;
  readonly operator: Acting;
  /** As it was given when it was begun. */
  readonly task: unknown;
  /** True if it was begun before, and has not come to its end. */
  readonly isContinued: boolean;
  progress(state: Progress): void;
  readonly signal: AbortSignal;
}

/** Does one kind of work. @returns what came of it; null if it was stopped, and can be continued */
export type JobWork = (begun: Begun) => Promise<Outcome | null>;

interface Options {
  readonly core: Core;
  readonly log: Logger;
  readonly kinds: Readonly<Record<Job['kind'], JobWork>>;
}

/**
 * Long work that people begin on a page and that goes on without it: one at a time for each account, in whichever process.
 * Its state is in the database, so that every process shows it, and another one continues what a process has left.
 */
export class Jobs {
  readonly #options: Options;
  readonly #me: string;
  readonly #stopping = new AbortController();
  readonly #running = new Map<AccountId, Promise<void>>();
  readonly #worker: Worker;

  constructor(options: Options) {
    const { core, log } = options;
    this.#options = options;
    this.#me = core.ids();
    this.#worker = new Worker({
      clock: core.clock,
      log,
      name: 'the look for work that was begun at the console',
      everyMs: LOOK_MS,
      round: () => this.#continue(),
    });
  }

  /** Begins to look for work that others have left. */
  start(): Promise<void> {
    return this.#worker.start();
  }

  /** Lets running work stop between two steps; another process continues it, or this one when it is started again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#worker.stop();
    await Promise.all(this.#running.values());
  }

  /** Returns the work that was last begun for an account. */
  async of(accountId: AccountId): Promise<Job | undefined> {
    const row = await findSetupJob(this.#options.core.store.db, accountId);
    return row && { ...row, kind: row.kind as Job['kind'], facts: JSON.parse(row.facts) as Job['facts'] };
  }

  /** @throws ApiError 409 while earlier work goes on */
  async begin(
    { account, operator }: { account: AccountRow; operator: Acting },
    { kind, task }: { kind: Job['kind']; task: unknown },
  ): Promise<void> {
    const { store, clock } = this.#options.core;
    const row: SetupJobRow = {
      account_id: account.account_id,
      operator_id: operator.id,
      kind,
      task: JSON.stringify(task),
      state: 'running',
      done: 0,
      total: 0,
      text: '',
      facts: '[]',
      begun_at: instantOf(clock.now()),
      claimed_by: this.#me,
      claimed_until: this.#until(),
    };
    if (!(await beginSetupJob(store.db, row))) throw new ApiError(409, 'Earlier work is still going on.');
    this.#run(row, { account, operator, isContinued: false });
  }

  async #continue(): Promise<void> {
    const { core } = this.#options;
    const { db } = core.store;
    const now = instantOf(core.clock.now());
    for (const row of await claimSetupJobs(db, { by: this.#me, until: this.#until(), now })) {
      // This process was paused, and goes on itself.
      if (this.#running.has(row.account_id)) continue;
      const account = await accountById(db, row.account_id);
      const operator = await core.store.transaction((trx) => findOperator(trx, row.account_id, row.operator_id));
      if (operator) this.#run(row, { account, operator: { ...operator, entrance: 'console' }, isContinued: true });
      else await saveSetupJob(db, row, { state: 'failed', text: 'Who began it is not here any more.' });
    }
  }

  #run(row: SetupJobRow, who: Pick<Begun, 'account' | 'operator' | 'isContinued'>): void {
    const work = this.#carryOut(row, who).catch((error: unknown) => {
      // Its claim runs out, and another look continues it.
      this.#options.log.warn({ err: error }, `${row.kind} that was begun at the console cannot be noted`);
    });
    this.#running.set(row.account_id, work);
    void work.finally(() => this.#running.delete(row.account_id));
  }

  async #carryOut(row: SetupJobRow, who: Pick<Begun, 'account' | 'operator' | 'isContinued'>): Promise<void> {
    const { core, log, kinds } = this.#options;
    const { db } = core.store;
    const taken = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, taken.signal]);
    let state: Progress = { done: row.done, total: row.total, text: row.text };
    const notes = new Worker({
      clock: core.clock,
      log,
      name: 'the note of how far work is',
      everyMs: NOTE_MS,
      firstMs: NOTE_MS,
      round: async () => {
        if (!(await saveSetupJob(db, row, { ...state, claimed_until: this.#until() }))) taken.abort();
      },
    });
    await notes.start();
    const work = kinds[row.kind as Job['kind']];
    const progress = (next: Progress) => void (state = next);
    try {
      const outcome = await work({ ...who, task: JSON.parse(row.task), progress, signal });
      await notes.stop();
      if (outcome === null) {
        // It may be continued at once.
        await saveSetupJob(db, row, { ...state, claimed_until: instantOf(core.clock.now()) });
        return;
      }
      const { text, facts, afterwards } = outcome;
      if (await saveSetupJob(db, row, { state: 'done', text, facts: JSON.stringify(facts) })) await afterwards?.();
    } catch (error) {
      await notes.stop();
      log.warn({ err: error }, `${row.kind} that was begun at the console failed`);
      await saveSetupJob(db, row, { state: 'failed', text: messageOf(error) });
    }
  }

  #until() {
    return instantOf(this.#options.core.clock.now() + CLAIM_MS);
  }
}
