import { UsageError } from '../../kernel/errors.ts';

/**
 * Reads headers in the form of OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`, values percent-encoded.
 * @throws UsageError if they have another form; the message repeats no value
 */
export function headersOf(text: string | null): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const part of (text ?? '').split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const [, name, value] = /^([A-Za-z0-9-]+)\s*=\s*(.*)$/.exec(part) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError('tracing.headers: must be name=value,name=value');
    headers[name.toLowerCase()] = decoded(value);
  }
  return headers;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
