import type { z } from 'zod';
import type { OperationDialect } from '../../contract/dialect/dialect.ts';
import type { Convert } from '../../contract/dialect/forms.ts';
import { replacedByCursor } from '../../contract/fields.ts';
import { type OperationId, operationIds, operations } from '../../contract/index.ts';
import type { ObjectSchema, Operation } from '../../contract/operation.ts';
import { acceptEitherSpelling, SpellingConflict, spellingUsed } from '../../contract/spell.ts';
import { ApiError, type ErrorCode, invalid } from '../../kernel/errors.ts';
import { fromBody, fromText } from './fromWire.ts';
import { refuseUnknown } from './strict.ts';

/** The unparsed parts of a request. */
export interface WireRequest {
  readonly params: unknown;
  readonly query: unknown;
  /** undefined if the request has no body. */
  readonly body: Buffer | undefined;
  readonly contentType: string | undefined;
  /** The translation from the caller's names to ours; absent if they are equal. */
  readonly said?: Pick<OperationDialect, 'params' | 'query' | 'body'>;
  /** True refuses unknown fields; by default they are ignored. */
  readonly strict?: boolean;
  /** The caller's key for the request, so that it runs once. */
  readonly idempotencyKey?: string;
  /** Runs if the answer is that of an earlier request. */
  readonly onRepeat?: () => void;
}

/** The maximum depth of objects and lists; no described request needs more than a few levels. */
export const DEEPEST = 32;

type Fields = Record<string, unknown>;
type Parser = (request: WireRequest) => Fields;

const parsers = new Map<OperationId, Parser>(operationIds.map((id) => [id, parserOf(operations[id])]));

/**
 * Parses a request into the one flat object that its handler takes.
 * @throws ApiError 400 for a body that is no JSON object or parameters that exclude each other, otherwise 422 with the
 *   name of the field
 */
export function parseInput(id: OperationId, request: WireRequest): Fields {
  const parser = parsers.get(id);
  if (!parser) throw new Error(`operation ${id} has no parser`);
  return parser(request);
}

function parserOf(operation: Operation): Parser {
  const readParams = fromText(operation.params);
  const readQuery = fromText(operation.query);
  const readBody = operation.body ? bodyReader(operation.body) : undefined;
  return (request) => {
    const { said } = request;
    const params = check(operation.params, readParams(inOurs(said?.params, request.params)));
    const query = inOurs(said?.query, request.query);
    const asSent = readBody ? jsonObject(request) : undefined;
    const body = asSent && inOurs(said?.body, asSent);
    if (request.strict) refuseUnknown(operation, query, body);
    refuseRepeated(operation, query);
    refuseBesideCursor(operation, query);
    return {
      ...params,
      ...check(operation.query, readQuery(query)),
      ...(body && readBody?.(body, new Set(Object.keys(asSent ?? {})))),
    };
  };
}

/** Renames fields to those of the contract. */
function inOurs(convert: Convert | undefined, fields: unknown): Fields {
  return (convert ? convert({ ...(fields as Fields) }) : fields) as Fields;
}

/** No parameter is a list, so a repeated one would be ambiguous. @throws ApiError 422 */
function refuseRepeated(operation: Operation, query: Fields): void {
  for (const [name, value] of Object.entries(query)) {
    if (!Array.isArray(value) || !Object.hasOwn(operation.query.shape, name)) continue;
    throw new ApiError(422, `${name}: is given ${value.length} times; send it once`, { field: name });
  }
}

/** Refuses both parameters at once, because only one of them could count. @throws ApiError 422 */
function refuseBesideCursor({ query: { shape } }: Operation, query: Fields): void {
  if (!('cursor' in shape) || query['cursor'] === undefined) return;
  const field = replacedByCursor.find((name) => name in shape && query[name] !== undefined);
  if (field) throw invalid(field, 'does not go with cursor, whose pages have a beginning and an order of their own');
}

/** @returns a parser of bodies; `sent` are the caller's names of the fields */
function bodyReader(schema: ObjectSchema): (body: Fields, sent: ReadonlySet<string>) => Fields {
  const respell = acceptEitherSpelling(schema);
  const convert = fromBody(schema);
  return (fields, sent) => {
    try {
      respell(fields);
    } catch (error) {
      if (error instanceof SpellingConflict) throw new ApiError(400, error.message, { field: error.pair.second });
      throw error;
    }
    return check(schema, convert(fields), (name) => spellingUsed(schema, sent, name));
  };
}

function jsonObject({ body, contentType }: WireRequest): Fields {
  if (body === undefined || body.length === 0) throw new ApiError(400, 'The request has no body; send a JSON object.');
  if (contentType !== undefined && !/^application\/(\w+[.+-])*json\b/i.test(contentType)) {
    throw new ApiError(400, 'Send the body as application/json.');
  }
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new ApiError(400, 'The body is not valid JSON.', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError(400, 'The body must be a JSON object.');
  }
  if (!isWithin(value, DEEPEST)) throw invalid('body', `is nested more than ${DEEPEST} deep`);
  return value as Fields;
}

/** Returns true if objects and lists are nested at most `depth` deep. */
export function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isWithin(inner, depth - 1));
}

function check(schema: ObjectSchema, fields: Fields, spelled?: (name: string) => string): Fields {
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  throw refusal(result.error, fields, spelled);
}

/** Describes the first fault of the fields, in a sentence that begins with the field. */
export function refusal(error: z.ZodError, fields: Fields, spelled = (name: string) => name): ApiError {
  const [issue] = error.issues;
  if (!issue) return new ApiError(422, 'Validation failed.');
  const [name, ...inner] = issue.path.map(String);
  const field = name === undefined ? 'body' : [spelled(name), ...inner].join('.');
  const code: ErrorCode = issue.code === 'custom' && issue.params?.['code'] === 400 ? 400 : 422;
  return new ApiError(code, `${field}: ${problemOf(issue, fields)}`, { field });
}

function problemOf(issue: z.core.$ZodIssue, fields: Fields): string {
  const value = issue.path.reduce<unknown>((inner, key) => Object(inner)[key], fields);
  if (value === undefined && issue.code !== 'custom') return 'is required';
  if (isTooLarge(value) && issue.code === 'invalid_type') return `must be at most ${Number.MAX_SAFE_INTEGER}`;
  return WORDINGS.reduce((text, [form, plain]) => text.replace(form, plain), issue.message);
}

/** Returns true for a number that remained text because its digits would not all fit. */
function isTooLarge(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d{16,100}$/.test(value);
}

/** Texts of schema issues, worded for the sender of a request. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/^Invalid (?:input|option): /, ''],
  [/^Too big: expected string to have <=(\d+) characters/, 'must have at most $1 characters'],
  [/^Too small: expected string to have >=1 characters/, 'must not be empty'],
  [/^Too (?:big|small): expected \w+ to be <=(\S+)/, 'must be at most $1'],
  [/^Too (?:big|small): expected \w+ to be >=(\S+)/, 'must be at least $1'],
  [/^Too (?:big|small): expected \w+ to be >(\S+)/, 'must be more than $1'],
  [/^expected (\w+), received (\w+)/, 'must be of type $1, not $2'],
  [/^expected one of /, 'must be one of '],
];
