import type { z } from 'zod';
import type { ErrorCode } from '../kernel/errors.ts';
import type { EventKind } from './events.ts';
import type { RateClass } from './limits.ts';

/** Schema of an object. */
export type ObjectSchema = z.ZodObject<z.ZodRawShape>;

/** Categories of MCP tools. */
type ToolCategory =
  | 'automation'
  | 'calendar'
  | 'finance'
  | 'knowledge_base'
  | 'messaging'
  | 'meta'
  | 'property'
  | 'reservation'
  | 'task';

/**
 * The only declaration of an operation of v3. The HTTP route, the OpenAPI document, the MCP tool, the typed client and
 * the duty to have a handler follow from it.
 *
 * The three parts of the input are parsed one by one and reach the handler as one flat object, so a name may occur in
 * one part only. A rule over several fields is a `.refine` on its part; a rule that must answer 400 instead of 422
 * carries `params: { code: 400 }`.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path below /v3, with `{name}` for each field of `params`. */
  readonly path: `/${string}`;
  readonly params: ObjectSchema;
  readonly query: ObjectSchema;
  /** null: the operation takes no body. */
  readonly body: ObjectSchema | null;
  /** Schema of the envelope's `data`; `nothing` where the envelope has none. */
  readonly data: z.ZodType;
  /**
   * read: any token · write: a writable token · confirm: a writable token, and an assistant must ask first · open: no
   * token; the fields prove who the caller is, and no limit of an account applies.
   */
  readonly scope: 'read' | 'write' | 'confirm' | 'open';
  readonly rate: RateClass;
  readonly tool: { readonly name: string; readonly category: ToolCategory } | null;
  /** First v3 release that has the operation. */
  readonly since: string;
  readonly summary: string;
  readonly notes?: string;
  /** Codes in addition to those of every operation. {@link codesOf} returns all of them. */
  readonly errors: readonly ErrorCode[];
  readonly emits: readonly EventKind[];
  /**
   * One valid input as a caller sends it: path, query and body fields together. The documentation shows it, and the
   * tests of permissions send it. An operation without an example fails these tests.
   */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** Checks the form of a declaration and preserves its exact types. */
export function operation<const O extends Operation>(declaration: O): O {
  return declaration;
}

/** The form of an Idempotency-Key: visible ASCII characters. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns true if an Idempotency-Key has a meaning: a repeated request would run twice. Every other change can be repeated
 * safely.
 */
export function takesIdempotencyKey({ method, scope }: Pick<Operation, 'method' | 'scope'>): boolean {
  return method === 'POST' && (scope === 'write' || scope === 'confirm');
}

type Flat<T> = { [K in keyof T]: T[K] };
/** Drops an empty part. The type of `none` is an index of never, which would turn every other field into never. */
type Part<T> = string extends keyof T ? unknown : T;
type BodyOf<O extends Operation, Side extends 'in' | 'out'> = O['body'] extends ObjectSchema
  ? Side extends 'in'
    ? z.input<O['body']>
    : z.output<O['body']>
  : unknown;

/** Input of a handler: path, query and body fields in one object, parsed and with defaults filled in. */
export type InputOf<O extends Operation> = Flat<
  Part<z.output<O['params']>> & Part<z.output<O['query']>> & BodyOf<O, 'out'>
>;
/** Input that a caller of the client passes: as {@link InputOf}, with optional defaults. */
export type CallOf<O extends Operation> = Flat<
  Part<z.input<O['params']>> & Part<z.input<O['query']>> & BodyOf<O, 'in'>
>;
/** `data` of the operation's answer. */
export type DataOf<O extends Operation> = z.output<O['data']>;
