import { type BackfillPurpose, runBackfill } from '../backfill/run.ts';
import type { ScanContext, ScanProgress, ScanResult } from '../purpose.ts';
import type { ScanTurns } from './turns.ts';

/** Reads everything: all scans in parallel, and outside the turns of the others, since they take hours under limits. */
export class EverythingReader {
  readonly #options: ScanContext;
  readonly #turns: ScanTurns;
  readonly #followers = new Set<(progress: ScanProgress) => void>();
  #reading: Promise<ScanResult[]> | undefined;

  constructor(options: ScanContext, turns: ScanTurns) {
    this.#options = options;
    this.#turns = turns;
  }

  /** Reads everything, or joins the read that is under way, whatever started it. */
  async read(purpose: BackfillPurpose, onProgress?: (progress: ScanProgress) => void): Promise<ScanResult[]> {
    if (onProgress) this.#followers.add(onProgress);
    try {
      return await (this.#reading ??= this.#run(purpose));
    } finally {
      if (onProgress) this.#followers.delete(onProgress);
    }
  }

  /** Resolves when no read is under way. Its failure is reported to its own caller. */
  async idle(): Promise<void> {
    await this.#reading?.catch(() => {});
  }

  #run(purpose: BackfillPurpose): Promise<ScanResult[]> {
    const applyScan: Parameters<typeof runBackfill>[0]['applyScan'] = (scan, onProgress) =>
      this.#turns.apply(scan, purpose, { onProgress });
    const tellAll = (progress: ScanProgress) => {
      for (const follow of this.#followers) follow(progress);
    };
    return runBackfill({ ...this.#options, applyScan }, purpose, tellAll).finally(() => (this.#reading = undefined));
  }
}
