/** Runs jobs one after the other; among waiting jobs, the one with the lowest rank first. */
interface OneAtATime {
  run<T>(rank: number, job: () => Promise<T>): Promise<T>;
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>;
}

interface Waiting {
  rank: number;
  start(): Promise<void>;
}

export function oneAtATime(): OneAtATime {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (;;) {
      const [next] = waiting.toSorted((a, b) => a.rank - b.rank);
      if (!next) break;
      waiting.splice(waiting.indexOf(next), 1);
      await next.start();
    }
    running = undefined;
  }

  return {
    run(rank, job) {
      return new Promise((resolve, reject) => {
        // `start` never rejects: the job's failure goes to its caller.
        waiting.push({ rank, start: () => job().then(resolve, reject) });
        running ??= work();
      });
    },
    async idle() {
      while (running) await running;
    },
  };
}
