import type { Clock } from '../../kernel/clock.ts';
import type { IdMaker } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Random } from '../../kernel/random.ts';
import type { Sealer } from '../../kernel/seal.ts';
import type { MirrorStore } from '../tables/database.ts';
import type { Fingerprint } from '../privacy/erasure/subjects.ts';
import type { ReadNumbers } from '../queue/readNumbers.ts';
import type { Retained } from '../privacy/retention/prune.ts';

/** What a process does; on PostgreSQL several can share the work. */
export type Duty = 'receive' | 'read' | 'scan';

/** What all connections of a process share. */
export interface Surroundings {
  store: MirrorStore;
  numbers: ReadNumbers;
  clock: Clock;
  random: Random;
  ids: IdMaker;
  log: Logger;
  sealer: Sealer;
  /** Tells persons who were erased without naming them. */
  fingerprint: Fingerprint;
  /** Names this installation wherever it registers; of a mirror that has registered before, the name of then counts. */
  instance: string;
  /** Sent with every request. */
  userAgent: string;
  duties: ReadonlySet<Duty>;
  /** How long what is finished is kept; left out: for ever. */
  retention?: Retained;
  /** Told of each change that an event told of, with the seconds until it was applied. */
  onPropagated?(connection: string, resource: string, seconds: number): void;
}
