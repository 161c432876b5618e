import type { Operation } from './operation.ts';

/** A request as it is sent over the wire, below /v3. */
interface ExampleRequest {
  readonly method: Operation['method'];
  /** Path with its query. */
  readonly path: string;
  /** null: the request has no body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** Returns the request that calls an operation with the given fields, by default those of its example. */
export function exampleRequest(
  { method, path, params, query, body, example = {} }: Operation,
  fields: Readonly<Record<string, unknown>> = example,
): ExampleRequest {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields[name])));
  const given = Object.entries(fields).filter(([name]) => !(name in params.shape));
  const asked = given.filter(([name]) => name in query.shape);
  const text = new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)])).toString();
  const rest = given.filter(([name]) => !(name in query.shape));
  return { method, path: text ? `${url}?${text}` : url, body: body && Object.fromEntries(rest) };
}
