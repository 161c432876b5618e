import type { Operation } from '../../contract/operation.ts';
import type { WireRequest } from './parse.ts';

/**
 * Sorts the arguments of a call that did not come by HTTP into the parts of a request; those of path and query become
 * text.
 */
export function wireRequest({ params, query, body }: Operation, args: Readonly<Record<string, unknown>>): WireRequest {
  const entries = Object.entries(args);
  const within = (part: Operation['params']) =>
    Object.fromEntries(entries.filter(([name]) => name in part.shape).map(([name, value]) => [name, asText(value)]));
  const isElsewhere = (name: string) => name in params.shape || name in query.shape;
  const rest = Object.fromEntries(entries.filter(([name]) => !isElsewhere(name)));
  return {
    params: within(params),
    // Unknown arguments go along, so that the refusal names them.
    query: body ? within(query) : { ...within(query), ...rest },
    body: body ? Buffer.from(JSON.stringify(rest)) : undefined,
    contentType: undefined,
    strict: true,
  };
}

/**
 * Formats a value for an address, including lists, which some fields take with commas. Other values are left for the
 * refusal.
 */
function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).join(',');
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}
