import type { Client } from '../../../client/client.ts';
import { oneAtATime } from '../oneAtATime.ts';
import { originOf, type ScanContext, type ScanProgress, type ScanPurpose, type ScanResult } from '../purpose.ts';
import { runScan } from '../run.ts';
import type { Scan } from '../scan.ts';
import { type Applying, ApplyingVisitor } from '../visitApply.ts';

/** The order of waiting scans: answers to a burst, then commands, then catching up. */
const rank = { burst: 0, command: 1, catch_up: 2 } as const;

export interface TurnOptions extends ScanContext {
  /** Gives up where it would be held up for long. */
  commands: Client;
  /** Called when keys may have become dirty. */
  onMarked(): Promise<void>;
}

/** How one scan is made. */
export interface Scanning extends Partial<Pick<Applying, 'isAlone' | 'announced'>> {
  onProgress?: (progress: ScanProgress) => void;
}

/** Makes scans and applies their answers to the mirror. Those that wait for a turn are made one at a time. */
export class ScanTurns {
  readonly #options: TurnOptions;
  readonly #turns = oneAtATime();

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** Runs a job when its turn comes. */
  run<T>(of: keyof typeof rank, job: () => Promise<T>): Promise<T> {
    return this.#turns.run(rank[of], job);
  }

  /** Makes a scan at once. */
  async apply(
    scan: Scan,
    purpose: ScanPurpose,
    { onProgress, isAlone = false, announced }: Scanning = {},
  ): Promise<ScanResult> {
    const options = this.#options;
    // Other scans wait behind these, or a person does.
    const isWaitedFor = purpose === 'command' || purpose === 'catch_up';
    const context = isWaitedFor ? { ...options, client: options.commands } : options;
    const visitor = new ApplyingVisitor(context, { origin: originOf(purpose), isAlone, announced });
    const result = await runScan(context, scan, purpose, visitor, onProgress);
    await options.onMarked();
    return result;
  }

  /** Resolves when no scan is under way in a turn. */
  idle(): Promise<void> {
    return this.#turns.idle();
  }
}
