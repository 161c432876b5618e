import { createHash } from 'node:crypto';
import type { PlainDate } from '../../kernel/dates.ts';
import type { BookedEntry } from '../journal/book.ts';

/** The digest of a soft-closed month. */
export interface SoftDigest {
  readonly period: string;
  readonly digest: string;
}

const HASH_BITS = 256;

/** Computes digests that show if the entries of months have changed. The order of the entries does not matter. */
export class SoftDigests {
  readonly #sums: Map<string, bigint>;

  constructor(periods: readonly string[]) {
    this.#sums = new Map(periods.map((period) => [period, 0n]));
  }

  add(entries: readonly BookedEntry[], until: PlainDate): void {
    if (this.#sums.size === 0) return;
    for (const { entry } of entries) {
      const period = entry.date.slice(0, 7);
      const sum = this.#sums.get(period);
      if (sum === undefined || entry.date > until) continue;
      const hash = createHash('sha256').update(JSON.stringify(entry)).digest('hex');
      this.#sums.set(period, BigInt.asUintN(HASH_BITS, sum + BigInt(`0x${hash}`)));
    }
  }

  result(): SoftDigest[] {
    return [...this.#sums].map(([period, sum]) => ({ period, digest: sum.toString(16).padStart(HASH_BITS / 4, '0') }));
  }
}
