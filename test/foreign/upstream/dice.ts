/** Random numbers that are the same for the same seed. */
export interface Dice {
  /** 0 or more, below 1. */
  fraction(): number;
  /** Both included. */
  between(least: number, most: number): number;
  percent(share: number): boolean;
  pick<T>(of: readonly T[]): T;
  shuffled<T>(of: readonly T[]): T[];
}

export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    between,
    percent: (share) => fraction() * 100 < share,
    pick<T>(of: readonly T[]): T {
      const one = of[between(0, of.length - 1)];
      if (one === undefined) throw new Error('nothing to pick from');
      return one;
    },
    shuffled(of) {
      return of
        .map((one) => ({ one, at: fraction() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ one }) => one);
    },
  };
}
