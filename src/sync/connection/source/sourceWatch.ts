import { type Patience, patience, type PatienceOptions } from '../../queue/patience.ts';
import { type SourceHealth, sourceHealth } from '../../refetch/sourceHealth.ts';
import { type TimeWitness, timeWitness } from './timeWitness.ts';

/** What is learned of a source by asking it: how late it shows its changes, whether it is well, and what time it is there. */
export function sourceWatch(options: PatienceOptions): { patience: Patience; health: SourceHealth; time: TimeWitness } {
  return { patience: patience(options), health: sourceHealth(options.clock), time: timeWitness(options.clock) };
}
