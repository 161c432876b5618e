import type { JSONObject, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { errorCodes } from '../../contract/errors.ts';
import { type GuardedId, guardedIds, operations } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import { jsonSchema } from '../jsonSchema.ts';
import { annotationsOf, titleOf } from './annotations.ts';
import { argumentsOf } from './arguments.ts';

/** One operation as assistants see it. */
export interface McpTool {
  readonly id: GuardedId;
  readonly operation: Operation;
  readonly definition: Tool;
}

/** Tools on one page of the list: all of them, since many clients read only the first page. */
export const PAGE = 200;

let made: ReadonlyMap<string, McpTool> | undefined;

/** Returns all tools in the order of their names, built from the contract once. */
export function allTools(): ReadonlyMap<string, McpTool> {
  return (made ??= new Map(
    guardedIds
      .flatMap((id) => toolOf(id) ?? [])
      .toSorted((a, b) => (a.definition.name < b.definition.name ? -1 : 1))
      .map((tool) => [tool.definition.name, tool]),
  ));
}

/** Returns true if a token of this scope may see and call a tool. */
export function isFor({ operation }: McpTool, scope: 'read' | 'write'): boolean {
  return operation.scope === 'read' || scope === 'write';
}

/**
 * Returns the visible tools of a token, page by page. A cursor is the last tool of the page before.
 * @returns undefined for an unknown cursor
 */
export function pageOfTools(
  scope: 'read' | 'write',
  cursor: string | undefined,
  size = PAGE,
): { tools: Tool[]; nextCursor?: string } | undefined {
  const after = cursor === undefined || cursor === '' ? '' : nameBehind(cursor);
  if (after === undefined) return undefined;
  const left = [...allTools().values()].filter((tool) => isFor(tool, scope) && tool.definition.name > after);
  const tools = left.slice(0, size).map((tool) => tool.definition);
  const last = tools.at(-1);
  return left.length > size && last ? { tools, nextCursor: cursorOf(last.name) } : { tools };
}

function cursorOf(name: string): string {
  return Buffer.from(`after ${name}`).toString('base64url');
}

function nameBehind(cursor: string): string | undefined {
  const [, name = ''] = /^after ([a-z_]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  return allTools().has(name) && cursorOf(name) === cursor ? name : undefined;
}

function toolOf(id: GuardedId): McpTool | undefined {
  const operation: Operation = operations[id];
  if (!operation.tool) return undefined;
  const { name, category } = operation.tool;
  const definition: Tool = {
    name,
    title: titleOf(name),
    description: descriptionOf(operation),
    inputSchema: inputSchemaOf(operation, name),
    outputSchema: outputSchemaOf(operation),
    annotations: annotationsOf(operation, name),
    _meta: {
      category,
      class: operation.scope,
      requires_confirmation: operation.scope === 'confirm',
      endpoint: `${operation.method} /v3${operation.path}`,
      since: operation.since,
    },
  };
  return { id, operation, definition };
}

function descriptionOf({ summary, notes, scope }: Operation): string {
  const asks = scope === 'confirm' ? 'A person must agree before this is done.' : '';
  return [summary, notes, asks].filter(Boolean).join(' ');
}

/** Merges path, query and body fields, and allows no others. */
function inputSchemaOf({ params, query, body }: Operation, tool: string): Tool['inputSchema'] {
  const parts = [params, query, ...(body ? [body] : [])].map((part) => argumentsOf(part, tool));
  const required = parts.flatMap((part) => (part['required'] as string[] | undefined) ?? []);
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map((part) => part['properties'])) as JSONObject,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Returns the schema of the envelope for both success and failure, as REST answers it. */
function outputSchemaOf({ data }: Operation): NonNullable<Tool['outputSchema']> {
  const hasData = !(data instanceof z.ZodUndefined);
  return {
    type: 'object',
    properties: {
      request_id: { type: 'string' },
      error_code: { type: 'integer', enum: [200, ...Object.keys(errorCodes).map(Number)], description: '200: done.' },
      error_msg: { type: 'string' },
      ...(hasData && { data: jsonSchema(data, 'output') as JSONObject }),
    },
    required: ['request_id', 'error_code', 'error_msg'],
  };
}
