import type { Clock } from '../kernel/clock.ts';
import type { IdMaker } from '../kernel/ids.ts';
import type { Random } from '../kernel/random.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { Tracer } from '../kernel/tracing/tracer.ts';

/** Clock, random numbers and other access to the outside; tests pass their own. */
export interface Ports {
  /** Absent for no traces. */
  readonly tracer?: Tracer;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
  readonly sealer: Sealer;
}
