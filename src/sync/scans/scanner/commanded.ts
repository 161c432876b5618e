import { CallError } from '../../../client/callError.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { invalid } from '../../../kernel/errors.ts';
import { quarantinedResources, quarantinedSince } from '../../apply/quarantine.ts';
import { scans } from '../all.ts';
import { mendOrphans } from '../mendOrphans.ts';
import { failedScan, type ScanContext, type ScanProgress, type ScanResult } from '../purpose.ts';
import { prepareRebuild } from '../rebuild.ts';
import { namesOf, type Scan } from '../scan.ts';
import type { Scanning, ScanTurns } from './turns.ts';

const NOT_LET_IN = 401;

interface CommandedOptions extends ScanContext {
  onHostTrouble(error: CallError): Promise<void>;
}

/** Makes the scans that a person or a schedule asks for, one after the other. */
export class CommandedScans {
  readonly #options: CommandedOptions;
  readonly #turns: ScanTurns;

  constructor(options: CommandedOptions, turns: ScanTurns) {
    this.#options = options;
    this.#turns = turns;
  }

  /** @throws ApiError 422 for a resource that nothing reads */
  async reconcile(resource: string | undefined, onProgress: (progress: ScanProgress) => void): Promise<ScanResult[]> {
    const chosen = scans.filter((scan) => resource === undefined || namesOf(scan).includes(resource));
    if (chosen.length === 0) throw invalid('resource', `must be one of ${scans.flatMap(namesOf).join(', ')}`);
    return this.#scanEach(chosen, { onProgress, isAlone: resource !== undefined });
  }

  async retryQuarantined(onProgress: (progress: ScanProgress) => void): Promise<ScanResult[]> {
    const { store, connection } = this.#options;
    const names = await quarantinedResources(store.db, connection);
    const chosen = scans.filter((scan) => namesOf(scan).some((name) => names.has(name)));
    return this.#scanEach(chosen, { onProgress, isAlone: true });
  }

  async rebuild(onProgress: (progress: ScanProgress) => void): Promise<ScanResult[]> {
    const { store, connection } = this.#options;
    const announced = await this.#turns.run('command', () => prepareRebuild(store, connection));
    const results: ScanResult[] = [];
    for (const scan of scans) {
      results.push(
        await this.#turns.run('command', () => this.#turns.apply(scan, 'rebuild', { onProgress, announced })),
      );
    }
    return results;
  }

  /** A scan that fails reports its reason, and the others are made. */
  async #scanEach(chosen: readonly Scan[], how: Scanning): Promise<ScanResult[]> {
    const { clock, signal, onHostTrouble } = this.#options;
    const results: ScanResult[] = [];
    let shut: CallError | undefined;
    for (const scan of chosen) {
      const begun = clock.now();
      try {
        // A deployment that refuses our token is not asked 25 times.
        if (shut) throw shut;
        const result = await this.#turns.run('command', () => this.#turns.apply(scan, 'command', how));
        results.push({ ...result, ...(await this.#afterwards(scan, result)) });
      } catch (error) {
        if (!(error instanceof CallError) || signal.aborted) throw error;
        if (error.code === NOT_LET_IN) shut = error;
        results.push(failedScan(scan, error, begun));
      }
    }
    if (shut) await onHostTrouble(shut);
    return results;
  }

  /** Counts the rows that a scan has quarantined, and repairs the mirror after it. */
  async #afterwards(scan: Scan, { startedAt, state }: ScanResult): Promise<Partial<ScanResult>> {
    const { store, connection, log } = this.#options;
    const aside = await quarantinedSince(store.db, connection, namesOf(scan), instantOf(startedAt));
    const extra = aside > 0 ? { quarantined: aside } : {};
    if (state !== 'done' || !scan.rows?.hasParts) return extra;
    const orphaned = await this.#turns.run('command', () => mendOrphans(store, connection));
    if (orphaned === 0) return extra;
    const mended = `what hung on ${orphaned} ${orphaned === 1 ? 'stay that is' : 'stays that are'} not there was deleted`;
    log.warn({ connection }, `rows were missing from the mirror: ${mended}`);
    return { ...extra, mended };
  }
}
