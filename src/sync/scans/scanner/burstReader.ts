import { burstScans } from '../bursts.ts';
import { propertiesScan } from '../resources/properties.ts';
import type { Scan } from '../scan.ts';
import { afterFailure, type FailureOptions } from './afterFailure.ts';
import type { ScanTurns } from './turns.ts';

interface BurstOptions extends FailureOptions {
  /** Called when a scan against a burst begins, or is over. */
  onBurst(resource: string, state: 'began' | 'failed' | 'ended'): void;
}

/** Makes scans in place of the look-ups of a burst, each at most once at a time. */
export class BurstReader {
  readonly #options: BurstOptions;
  readonly #turns: ScanTurns;
  readonly #under = new Set<string>();

  constructor(options: BurstOptions, turns: ScanTurns) {
    this.#options = options;
    this.#turns = turns;
  }

  /** Requests the scan of a resource, if one can replace its look-ups. */
  request(resource: string): void {
    const scan = burstScans.find((one) => one.resource === resource);
    if (!scan || this.#under.has(resource) || this.#options.signal.aborted) return;
    this.#under.add(resource);
    void this.#turns.run('burst', () => this.#read(scan));
  }

  async #read(scan: Scan): Promise<void> {
    const { onBurst } = this.#options;
    onBurst(scan.resource, 'began');
    try {
      // Nights are read of the known properties, and a burst may have brought new ones.
      if (!scan.rows) await this.#turns.apply(propertiesScan, 'burst', { isAlone: true });
      await this.#turns.apply(scan, 'burst', { isAlone: true });
    } catch (error) {
      onBurst(scan.resource, 'failed');
      await afterFailure(this.#options, error);
    } finally {
      this.#under.delete(scan.resource);
      onBurst(scan.resource, 'ended');
    }
  }
}
