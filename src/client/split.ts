import type { Operation } from '../contract/operation.ts';
import type { Fields } from './fields.ts';

/** A flat input as the parts of a request. `body` is undefined where the operation takes none. */
export interface RequestParts {
  path: string;
  body: string | undefined;
}

/** Makes the splitter of one operation: each field goes to the part whose schema names it. */
export function splitter(
  operation: Operation,
  pathSegments: Readonly<Record<string, string>>,
): (input: Fields) => RequestParts {
  const template = operation.path
    .split('/')
    .map((segment) => pathSegments[segment] ?? segment)
    .join('/');
  const params = Object.keys(operation.params.shape);
  const query = Object.keys(operation.query.shape);
  const body = operation.body ? Object.keys(operation.body.shape) : undefined;
  return (input) => ({
    path: fillPath(template, params, input) + queryText(query, input),
    body: body && JSON.stringify(pick(body, input)),
  });
}

function fillPath(template: string, names: readonly string[], input: Fields): string {
  return names.reduce((path, name) => path.replace(`{${name}}`, encodeURIComponent(textOf(input[name]))), template);
}

/** Path and query fields are text, numbers or booleans; the contract has no others. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function queryText(names: readonly string[], input: Fields): string {
  const parts: string[] = [];
  for (const name of names) {
    const value = input[name];
    if (value !== undefined) parts.push(`${name}=${encodeURIComponent(textOf(value))}`);
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function pick(names: readonly string[], input: Fields): Fields {
  const picked: Fields = {};
  for (const name of names) if (input[name] !== undefined) picked[name] = input[name];
  return picked;
}
