interface Lane {
  busy: number;
  waiting: (() => void)[];
}

/** Admits a number of holders per key at a time; the others wait in the order of arrival. */
export interface Turns {
  /** Resolves when it is the caller's turn. Each must be followed by one `release`. */
  enter(key: string): Promise<void>;
  release(key: string): void;
}

export function turns(limit: number): Turns {
  const lanes = new Map<string, Lane>();
  return {
    async enter(key) {
      let lane = lanes.get(key);
      if (!lane) lanes.set(key, (lane = { busy: 0, waiting: [] }));
      if (lane.busy < limit) {
        lane.busy += 1;
        return;
      }
      const { waiting } = lane;
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    release(key) {
      const lane = lanes.get(key);
      if (!lane) return;
      const next = lane.waiting.shift();
      // The place passes on, so `busy` does not change.
      if (next) return next();
      lane.busy -= 1;
      if (lane.busy === 0) lanes.delete(key);
    },
  };
}
