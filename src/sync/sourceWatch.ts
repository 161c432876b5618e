import { type Patience, patience, type PatienceOptions } from './patience.ts';
import { type SourceHealth, sourceHealth } from './sourceHealth.ts';

/** What is learned of a source by asking it: how late it shows its changes, and whether it is well. */
export function sourceWatch(options: PatienceOptions): { patience: Patience; health: SourceHealth } {
  return { patience: patience(options), health: sourceHealth(options.clock) };
}
