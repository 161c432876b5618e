import type { Clock } from '../../kernel/clock.ts';
import type { IdMaker } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Random } from '../../kernel/random.ts';
import type { Sealer } from '../../kernel/seal.ts';
import type { Tracer } from '../../kernel/tracing/tracer.ts';
import type { MirrorStore } from '../tables/database.ts';
import type { Fingerprint } from '../privacy/erasure/subjects.ts';
import type { ReadNumbers } from '../queue/readNumbers.ts';
import type { Retained } from '../privacy/retention/prune.ts';

/** A share of the daemon's work; on PostgreSQL several processes can divide it. */
export type Duty = 'receive' | 'read' | 'scan';

/** The objects that all connections of a process share. */
export interface Surroundings {
  store: MirrorStore;
  numbers: ReadNumbers;
  clock: Clock;
  random: Random;
  ids: IdMaker;
  /** Absent for no traces. */
  tracer?: Tracer;
  log: Logger;
  sealer: Sealer;
  /** Recognizes erased persons without naming them. */
  fingerprint: Fingerprint;
  /**
   * The name of this installation wherever it registers. A mirror that has registered before keeps its earlier name.
   */
  instance: string;
  /** Sent with every request. */
  userAgent: string;
  duties: ReadonlySet<Duty>;
  /** The retention times of finished things; left out: for ever. */
  retention?: Retained;
  /** Called for each change that an event announced, with the seconds until it was applied. */
  onPropagated?(connection: string, resource: string, seconds: number): void;
}
