import type { z } from 'zod';
import type { ErrorCode } from '../kernel/errors.ts';
import type { EventKind } from './events.ts';
import type { RateClass } from './limits.ts';

export type ObjectSchema = z.ZodObject<z.ZodRawShape>;

/** MCP tool categories, and how many tools each will hold in the end. */
export type ToolCategory =
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
 * One operation of v3, said once. The HTTP route, the OpenAPI document, the MCP tool, the typed client
 * and the obligation to have a handler are all made from it.
 *
 * The three parts of the input are parsed one by one and handed to the handler as one flat object, so no
 * name may stand in two parts. Rules over several fields are a `.refine` on the part they belong to; one
 * that must answer 400 instead of 422 carries `params: { code: 400 }`.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path below /v3, with `{name}` for each field of `params`. */
  readonly path: `/${string}`;
  readonly params: ObjectSchema;
  readonly query: ObjectSchema;
  /** null: the operation takes no body. */
  readonly body: ObjectSchema | null;
  /** What `data` of the envelope holds; `nothing` where it is left out. */
  readonly data: z.ZodType;
  /**
   * read: any token · write: a writable one · confirm: writable, and an assistant must ask first · open: no token;
   * who asks proves itself by the fields, and no limit of an account concerns it.
   */
  readonly scope: 'read' | 'write' | 'confirm' | 'open';
  readonly rate: RateClass;
  readonly tool: { readonly name: string; readonly category: ToolCategory } | null;
  /** The v3 release in which it first appeared. */
  readonly since: string;
  readonly summary: string;
  readonly notes?: string;
  /** Codes it can answer beside those that all share; {@link codesOf} has all of them. */
  readonly errors: readonly ErrorCode[];
  readonly emits: readonly EventKind[];
  /**
   * One valid input as a caller sends it: path, query and body fields together. The documentation shows it, and
   * tests ask as everybody who may not with it; one without it fails them.
   */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** Keeps the exact types of a declaration while checking its form. */
export function operation<const O extends Operation>(declaration: O): O {
  return declaration;
}

type Flat<T> = { [K in keyof T]: T[K] };
/** An empty part (`none`) is typed as an index of never, which would turn every other field into never. */
type Part<T> = string extends keyof T ? unknown : T;
type BodyOf<O extends Operation, Side extends 'in' | 'out'> = O['body'] extends ObjectSchema
  ? Side extends 'in'
    ? z.input<O['body']>
    : z.output<O['body']>
  : unknown;

/** What a handler receives: path, query and body fields in one object, parsed and with defaults filled. */
export type InputOf<O extends Operation> = Flat<
  Part<z.output<O['params']>> & Part<z.output<O['query']>> & BodyOf<O, 'out'>
>;
/** What a caller of the client passes: the same, defaults optional. */
export type CallOf<O extends Operation> = Flat<
  Part<z.input<O['params']>> & Part<z.input<O['query']>> & BodyOf<O, 'in'>
>;
/** What the operation answers in `data`. */
export type DataOf<O extends Operation> = z.output<O['data']>;
