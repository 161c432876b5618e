/** Choices that are the same for the same seed: for made-up traffic, never for secrets. */
export interface Dice {
  /** In [0, 1). */
  fraction(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** True so often of a hundred times. */
  percent(share: number): boolean;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
}

/** Mulberry32: small, and good enough to look like chance. */
export function seededDice(seed: number): Dice {
  let state = seed | 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const between = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    between,
    percent: (share) => fraction() * 100 < share,
    pick: (values) => values[between(0, values.length - 1)] ?? values[0],
  };
}
