import { isWithin } from '../http/parse.ts';
import { problem } from './problem.ts';
import { allTools } from './tools.ts';

/** The messages of one POST; revision 2025-03-26 allowed several. */
export interface Messages {
  readonly body: unknown;
  /** Calls of known tools. */
  readonly calls: readonly { readonly name: string; readonly needsWriting: boolean }[];
  /** The number of other messages. */
  readonly others: number;
}

const BODY_LIMIT_BYTES = 1_048_576;
/** The only tool with larger arguments: a picture. */
const LARGE_TOOL = 'send_message';
/** Levels of JSON: those of a request to v3, and four around the arguments of a tool. */
const DEEPEST = 36;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const TOO_LARGE = -32_000;

/** Parses the messages of a body, or returns the refusal. */
export function readMessages(body: unknown): Messages | Response {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : '';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return problem({ status: 400, code: PARSE_ERROR, message: 'Parse error: the body is not valid JSON.' });
  }
  if (!isWithin(value, DEEPEST)) {
    return problem({ status: 400, code: INVALID_REQUEST, message: `The body is nested more than ${DEEPEST} deep.` });
  }
  const all = (Array.isArray(value) ? value : [value]).map((message) => Object(message) as Record<string, unknown>);
  if (text.length > BODY_LIMIT_BYTES && !(all.length === 1 && toolName(all[0]) === LARGE_TOOL)) {
    const message = `The body is larger than ${BODY_LIMIT_BYTES} bytes.`;
    return problem({ status: 413, code: TOO_LARGE, message });
  }
  const tools = all.flatMap((message) => {
    const name = toolName(message) ?? '';
    const tool = allTools().get(name);
    return tool ? [{ name, operation: tool.operation }] : [];
  });
  return {
    body: value,
    calls: tools.map(({ name, operation }) => ({ name, needsWriting: operation.scope !== 'read' })),
    others: all.length - tools.length,
  };
}

function toolName(message: Record<string, unknown> | undefined): string | undefined {
  if (message?.['method'] !== 'tools/call') return undefined;
  const { name } = Object(message['params']) as { name?: unknown };
  return typeof name === 'string' ? name : undefined;
}
