/** Choices that are equal for equal seeds: for simulated traffic, never for secrets. */
export interface Dice {
  /** Returns a number in [0, 1). */
  fraction(): number;
  /** Returns a whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** Returns true with this probability in per cent. */
  percent(share: number): boolean;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
}

/** Mulberry32: small, and random enough for simulations. */
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
