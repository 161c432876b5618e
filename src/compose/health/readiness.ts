import { sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Stores } from '../stores/stores.ts';

/** Milliseconds that a database has to answer a question about nothing. */
const ANSWER_LIMIT_MS = 2_000;
/** Milliseconds for which an answer counts, so that strangers who ask often cost the database nothing. */
const COUNTS_MS = 1_000;

/** Why a service is not ready: a word for programs with a sentence for people. Strangers read them. */
const REASONS = {
  opening: 'The databases are being opened.',
  migrating: 'The databases are being brought to the schema of this release.',
  starting: 'The parts of the service start; the first read has not begun.',
  database: 'The database does not answer.',
  stopping: 'The service is stopping.',
} as const;

export type NotReady = keyof typeof REASONS;

/** The answer of `/readyz`. */
export type Readiness =
  | { readonly ready: true }
  | { readonly ready: false; readonly reason: NotReady; readonly says: string };

/** A half's database, and true if it answers. */
interface Answering {
  readonly half: 'core' | 'mirror';
  readonly up: boolean;
}

/** Knows whether the service is ready, and why not. */
export class ReadinessWatch {
  readonly #clock: Clock;
  #phase: NotReady | null = 'opening';
  #stores: Pick<Stores, 'core' | 'mirror'> | undefined;
  #asked: { at: number; answers: Promise<readonly Answering[]> } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param phase null: everything has started */
  enter(phase: NotReady | null): void {
    this.#phase = phase;
  }

  get isStopping(): boolean {
    return this.#phase === 'stopping';
  }

  /** Asks these databases from now on. */
  watch(stores: Pick<Stores, 'core' | 'mirror'>): void {
    this.#stores = stores;
  }

  /** Returns the state of the start or the stop alone, without a question to a database. */
  phase(): Readiness {
    return this.#phase === null ? { ready: true } : notReady(this.#phase);
  }

  /** Returns the state, the databases included. */
  async now(): Promise<Readiness> {
    if (this.#phase !== null) return notReady(this.#phase);
    const answers = await this.databases();
    return answers.every(({ up }) => up) ? this.phase() : notReady('database');
  }

  /** Asks each database, at most once a second. */
  databases(): Promise<readonly Answering[]> {
    const at = this.#clock.monotonic();
    if (!this.#asked || at - this.#asked.at >= COUNTS_MS) {
      const answers = Promise.all((['core', 'mirror'] as const).map((half) => this.#ask(half)));
      this.#asked = { at, answers };
    }
    return this.#asked.answers;
  }

  async #ask(half: Answering['half']): Promise<Answering> {
    const store = this.#stores?.[half];
    if (!store) return { half, up: false };
    const answered = sql`select 1`.execute(store.db).then(
      () => true,
      () => false,
    );
    let giveUp: () => void = () => {};
    const late = new Promise<boolean>((resolve) => (giveUp = () => resolve(false)));
    const timer = this.#clock.setTimer(ANSWER_LIMIT_MS, giveUp);
    const up = await Promise.race([answered, late]);
    timer.cancel();
    return { half, up };
  }
}

function notReady(reason: NotReady): Readiness {
  return { ready: false, reason, says: REASONS[reason] };
}
