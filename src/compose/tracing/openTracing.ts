import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Random } from '../../kernel/random.ts';
import { noTracer } from '../../kernel/tracing/tracer.ts';
import { version } from '../version.ts';
import type { Tracing } from './tracing.ts';

const nothing: Tracing = { tracer: noTracer, dropped: () => undefined, close: async () => {} };

/** Opens the tracer that the settings name. The library is loaded only then. */
export async function openTracing(
  { tracing }: Config,
  surroundings: { clock: Clock; random: Random; log: Logger },
): Promise<Tracing> {
  const { endpoint } = tracing;
  if (endpoint === null) return nothing;
  const { startTracing } = await import('./openTelemetry.ts');
  return startTracing({ ...tracing, endpoint, version: version() }, surroundings);
}
