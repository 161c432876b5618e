import type { Tracer } from '../../kernel/tracing/tracer.ts';

/** The tracer of a process. */
export interface Tracing {
  readonly tracer: Tracer;
  /** Spans that no collector has taken since the start; undefined if nothing is traced. */
  dropped(): number | undefined;
  /** Sends what waits, for a few seconds at most. */
  close(): Promise<void>;
}
