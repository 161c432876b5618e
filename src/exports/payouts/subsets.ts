import type { OpenSum } from './open.ts';

/** What came of a search: one set, several of which none is more likely, or nothing. */
export type Found = { readonly sums: readonly OpenSum[] } | 'several' | 'none';

/** A longer run of sums is not looked at. */
const MOST_IN_RUN = 400;
/** Sets are made of the newest so many. */
const MOST_IN_SETS = 40;
const MOST_TOGETHER = 6;
/** Sums looked up for one amount at most: some ten milliseconds. */
const MOST_STEPS = 100_000;
/** By so much chance any other set might come to the amount; a set that is no better than that would be a guess. */
const CHANCE_ALLOWED = 0.02;

/**
 * The sums that together come to an amount: those that follow each other by date, else a few of the newest. Two sets that
 * both do so, and one that may well do so by chance, are not told apart by guessing.
 * @param sums by date
 */
export function setOf(sums: readonly OpenSum[], amount: number): Found {
  const run = runOf(sums.slice(-MOST_IN_RUN), amount);
  if (run === 'several') return 'several';
  const few = fewOf(sums.slice(-MOST_IN_SETS), amount);
  if (run === 'none' || few === 'none') return run === 'none' ? few : run;
  return few !== 'several' && isSame(run.sums, few.sums) ? run : 'several';
}

function isSame(one: readonly OpenSum[], other: readonly OpenSum[]): boolean {
  return one.length === other.length && one.every((sum, index) => sum === other[index]);
}

/** What a channel pays at once has mostly come in one after the other. */
function runOf(sums: readonly OpenSum[], amount: number): Found {
  let found: Found = 'none';
  const starts = new Map<number, number[]>([[0, [0]]]);
  let total = 0;
  for (const [index, sum] of sums.entries()) {
    total += sum.amount;
    for (const start of starts.get(total - amount) ?? []) {
      if (index - start < 1) continue;
      if (found !== 'none') return 'several';
      found = { sums: sums.slice(start, index + 1) };
    }
    const known = starts.get(total);
    if (known) known.push(index + 1);
    else starts.set(total, [index + 1]);
  }
  return found;
}

function fewOf(sums: readonly OpenSum[], amount: number): Found {
  const spread = sums.reduce((size, sum) => size + Math.abs(sum.amount), 0) || 1;
  const last = new Map<number, number[]>();
  for (const [index, sum] of sums.entries()) last.set(sum.amount, [...(last.get(sum.amount) ?? []), index]);
  const search: Search = { sums, last, steps: 0, found: [] };
  let sets = sums.length;
  for (let size = 2; size <= Math.min(MOST_TOGETHER, sums.length); size += 1) {
    sets = (sets * (sums.length - size + 1)) / size;
    if (sets / spread > CHANCE_ALLOWED) break;
    extend(search, [], { from: 0, left: size, amount });
    if (search.steps > MOST_STEPS || search.found.length > 1) return 'several';
  }
  const [only] = search.found;
  return only ? { sums: only.map((index) => sums[index]).filter((sum) => sum !== undefined) } : 'none';
}

interface Search {
  readonly sums: readonly OpenSum[];
  /** Where each amount stands. */
  readonly last: ReadonlyMap<number, readonly number[]>;
  steps: number;
  readonly found: number[][];
}

/** Every set with so many more members behind `from`; the last one is looked up by what is missing. */
function extend(search: Search, chosen: readonly number[], next: { from: number; left: number; amount: number }): void {
  const { sums, last, found } = search;
  search.steps += 1;
  if (search.steps > MOST_STEPS || found.length > 1) return;
  if (next.left === 1) {
    for (const index of last.get(next.amount) ?? []) if (index >= next.from) found.push([...chosen, index]);
    return;
  }
  for (let index = next.from; index < sums.length; index += 1) {
    const amount = next.amount - (sums[index]?.amount ?? 0);
    extend(search, [...chosen, index], { from: index + 1, left: next.left - 1, amount });
  }
}
