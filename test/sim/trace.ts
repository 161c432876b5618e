import { createHash, type Hash } from 'node:crypto';

/** What happened in a world, line by line; two runs of one seed must write the same. */
export class Trace {
  readonly #hash: Hash = createHash('sha256');
  readonly #newest: string[] = [];
  /** How often each kind of thing happened. */
  readonly counts = new Map<string, number>();
  readonly #keeps: boolean;
  #seq = 0;

  /** @param keeps false: lines are hashed and counted, and then forgotten */
  constructor(keeps = true) {
    this.#keeps = keeps;
  }

  /** @returns the number of the line: an order over all that happens */
  add(kind: string, text = ''): number {
    this.#seq += 1;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    const line = `${this.#seq} ${kind} ${text}`;
    this.#hash.update(`${line}\n`);
    if (this.#keeps) this.#newest.push(line);
    return this.#seq;
  }

  get seq(): number {
    return this.#seq;
  }

  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 16);
  }

  /** The last lines, for a report of what went wrong. */
  tail(lines: number): readonly string[] {
    return this.#newest.slice(-lines);
  }

  lines(): readonly string[] {
    return this.#newest;
  }
}
