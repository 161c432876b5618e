import type { StoreKind } from '../store/kind.ts';

/** Milliseconds of one transaction. SQLite blocks the one thread for so long; PostgreSQL only holds its locks. */
const TARGET_MS = { sqlite: 10, postgres: 100 } as const satisfies Record<StoreKind, number>;
const FEWEST_ROWS = 150;
const MOST_ROWS = 3_000;
/** Share of the newest batch in the size of the next: one slow commit changes little. */
const NEWEST = 0.2;

/** The number of rows that one transaction of an import writes, learned from the time that earlier ones took. */
export class BatchSize {
  readonly #target: number;
  #rows = FEWEST_ROWS;

  constructor(kind: StoreKind) {
    this.#target = TARGET_MS[kind];
  }

  /** Rows of the next batch. One reservation alone may have more. */
  get rows(): number {
    return Math.round(this.#rows);
  }

  /** @param ms the time that `rows` rows took, commit included */
  learn(rows: number, ms: number): void {
    const fitting = (rows * this.#target) / Math.max(ms, 1);
    const next = this.#rows * (1 - NEWEST) + fitting * NEWEST;
    this.#rows = Math.min(Math.max(next, FEWEST_ROWS), MOST_ROWS);
  }
}
