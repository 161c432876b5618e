import { type Patience, patience, type PatienceOptions } from '../../queue/patience.ts';
import { type SourceHealth, sourceHealth } from '../../refetch/sourceHealth.ts';
import { type TimeWitness, timeWitness } from './timeWitness.ts';

/** Makes the observers of a source: the lag of its changes, its health, and its time. */
export function sourceWatch(options: PatienceOptions): { patience: Patience; health: SourceHealth; time: TimeWitness } {
  return { patience: patience(options), health: sourceHealth(options.clock), time: timeWitness(options.clock) };
}
