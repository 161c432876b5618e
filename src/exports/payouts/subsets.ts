import type { OpenSum } from './open.ts';

/** The result of a search: one set, several equally likely sets, or none. */
export type Found = { readonly sums: readonly OpenSum[] } | 'several' | 'none';

/** Most sums that a consecutive run is searched in. */
const MOST_IN_RUN = 400;
/** Number of newest sums from which sets are made. */
const MOST_IN_SETS = 40;
const MOST_TOGETHER = 6;
/** Most steps of the search for one amount; they take some ten milliseconds. */
const MOST_STEPS = 100_000;
/** Largest accepted chance that another set has the same amount. With a larger one, a set would be a guess. */
const CHANCE_ALLOWED = 0.02;

/**
 * Finds the sums that add up to an amount: consecutive ones by date, else a few of the newest. Never guesses: two sets
 * with the amount count as `several`, and sets likely to occur by chance are not searched.
 * @param sums ordered by date
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

/** Finds consecutive sums. A channel mostly pays together what came in consecutively. */
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
  /** Positions of each amount. */
  readonly last: ReadonlyMap<number, readonly number[]>;
  steps: number;
  readonly found: number[][];
}

/** Adds every set with `left` more members from `from` on. Looks the last member up by the missing amount. */
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
