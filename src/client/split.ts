import type { OperationDialect } from '../contract/dialect/dialect.ts';
import type { Convert } from '../contract/dialect/forms.ts';
import type { Operation } from '../contract/operation.ts';
import type { Fields } from './fields.ts';

/** A flat input as the parts of a request. `body` is undefined if the operation takes none. */
export interface RequestParts {
  path: string;
  body: string | undefined;
}

/**
 * Creates the splitter of one operation: each field goes to the part whose schema names it, in the words of the
 * dialect.
 */
export function splitter(operation: Operation, said: OperationDialect): (input: Fields) => RequestParts {
  const params = Object.keys(operation.params.shape);
  const query = Object.keys(operation.query.shape);
  const body = operation.body ? Object.keys(operation.body.shape) : undefined;
  return (input) => {
    const named = translated(said.params, pick(params, input));
    return {
      path: fillPath(said.path, params, named) + queryText(translated(said.query, pick(query, input))),
      body: body && JSON.stringify(translated(said.body, pick(body, input))),
    };
  };
}

/** Copies first, because the translation happens in place and the fields belong to the caller. */
function translated(convert: Convert | undefined, fields: Fields): Fields {
  return convert ? (convert(structuredClone(fields)) as Fields) : fields;
}

function fillPath(template: string, names: readonly string[], input: Fields): string {
  return names.reduce((path, name) => path.replace(`{${name}}`, encodeURIComponent(textOf(input[name]))), template);
}

/** Formats a path or query field, which is text, a number or a boolean by the contract. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function queryText(fields: Fields): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) parts.push(`${name}=${encodeURIComponent(textOf(value))}`);
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function pick(names: readonly string[], input: Fields): Fields {
  const picked: Fields = {};
  for (const name of names) if (input[name] !== undefined) picked[name] = input[name];
  return picked;
}
