import { z } from 'zod';
import { type Environment, type Layer, setAt } from './layers.ts';

/** Where spans go, and which. */
export const tracingSchema = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:4318' }).nullable(),
  headers: z.string().min(1).nullable(),
  sample_ratio: z.number().min(0).max(1),
  service_name: z.string().min(1).max(100),
  propagate: z.boolean(),
});

/**
 * Reads the standard variables of OpenTelemetry, which everything of stayd's own takes precedence over. Its headers,
 * certificates and time limits are read by its library.
 */
export function openTelemetryLayer(environment: Environment): Layer {
  const values: Record<string, unknown> = {};
  const origins = new Map<string, string>();
  const take = (key: string, variable: string, value: unknown) => {
    setAt(values, ['tracing', key], value);
    origins.set(key, variable);
  };
  const of = (variable: string) => environment[variable]?.trim() || undefined;
  const isOff = of('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || of('OTEL_TRACES_EXPORTER') === 'none';
  for (const variable of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
    const endpoint = isOff ? undefined : of(variable);
    if (endpoint !== undefined) take('endpoint', variable, endpoint);
  }
  const name = of('OTEL_SERVICE_NAME');
  if (name !== undefined) take('service_name', 'OTEL_SERVICE_NAME', name);
  const ratio = of('OTEL_TRACES_SAMPLER_ARG');
  if (ratio !== undefined && of('OTEL_TRACES_SAMPLER')?.endsWith('traceidratio')) {
    take('sample_ratio', 'OTEL_TRACES_SAMPLER_ARG', Number(ratio));
  }
  return { values, origin: (path) => `environment variable ${origins.get(path[1] ?? '') ?? 'OTEL_*'}` };
}
