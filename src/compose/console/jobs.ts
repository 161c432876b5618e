import { ApiError, messageOf } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Job } from '../../console/setup/services.ts';

type Progress = Pick<Job, 'done' | 'total' | 'text'>;
type Outcome = Pick<Job, 'text' | 'facts'>;

interface Work {
  readonly kind: Job['kind'];
  /** @returns what came of it, in words */
  run(progress: (state: Progress) => void, signal: AbortSignal): Promise<Outcome>;
}

/** Long work that people begin on a page and that goes on without it: one at a time for each account. */
export class Jobs {
  readonly #log: Logger;
  readonly #jobs = new Map<AccountId, Job>();
  readonly #stopping = new AbortController();

  constructor(log: Logger) {
    this.#log = log;
  }

  of(account: AccountId): Job | undefined {
    return this.#jobs.get(account);
  }

  /** @throws ApiError 409 while earlier work goes on */
  start(account: AccountId, { kind, run }: Work): void {
    if (this.#jobs.get(account)?.state === 'running') throw new ApiError(409, 'Earlier work is still going on.');
    const begun: Job = { kind, state: 'running', done: 0, total: 0, text: '', facts: [] };
    this.#jobs.set(account, begun);
    const progress = (state: Progress) => void this.#jobs.set(account, { ...begun, ...state });
    run(progress, this.#stopping.signal).then(
      (outcome) => this.#jobs.set(account, { ...begun, ...outcome, state: 'done' }),
      (error: unknown) => {
        this.#log.warn({ err: error }, `${kind} that was begun at the console failed`);
        this.#jobs.set(account, { ...begun, text: messageOf(error), state: 'failed' });
      },
    );
  }

  /** Lets running work stop between two steps. */
  stop(): void {
    this.#stopping.abort();
  }
}
