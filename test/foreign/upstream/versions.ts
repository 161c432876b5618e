/** What decides which state of a row an answer shows. */
export interface Moment {
  now(): number;
  /** How long a change takes until answers show it. */
  lagMs(): number;
}

interface Version<Row> {
  from: number;
  row: Row | null;
}

/** Rows under their keys, with what each was before: an answer can lag behind the truth. */
export class Versions<Row> {
  readonly #rows = new Map<string, Version<Row>[]>();
  readonly #moment: Moment;

  constructor(moment: Moment) {
    this.#moment = moment;
  }

  /** The row is this from now on; null: it is gone. Answers show it after the usual lag, or after `lagMs`. */
  put(key: string | number, row: Row | null, lagMs = this.#moment.lagMs()): void {
    const versions = this.#rows.get(String(key)) ?? [];
    versions.push({ from: this.#moment.now() + lagMs, row });
    this.#rows.set(String(key), versions);
  }

  get(key: string | number): Row | undefined {
    return this.#rows.get(String(key))?.at(-1)?.row ?? undefined;
  }

  all(): Row[] {
    return [...this.#rows.values()].flatMap((versions) => versions.at(-1)?.row ?? []);
  }

  /** What an answer shows of it. */
  seen(key: string | number): Row | undefined {
    return this.#shownOf(this.#rows.get(String(key)) ?? []);
  }

  /** All that answers show. */
  shown(): Row[] {
    return [...this.#rows.values()].flatMap((versions) => this.#shownOf(versions) ?? []);
  }

  #shownOf(versions: readonly Version<Row>[]): Row | undefined {
    const now = this.#moment.now();
    return versions.findLast(({ from }) => from <= now)?.row ?? undefined;
  }
}
