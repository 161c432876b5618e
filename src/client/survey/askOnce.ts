import type { Dialect } from '../../contract/dialect/dialect.ts';
import { type OperationId, operations } from '../../contract/index.ts';
import { CallError } from '../callError.ts';
import { readEnvelope } from '../envelope.ts';
import type { Fields } from '../fields.ts';
import { splitter } from '../split.ts';
import { exchange, type openPool } from '../transport.ts';

/** The client, address and token of a survey. */
export interface Asker {
  /** The deployment's address, with or without the base path of the dialect. */
  readonly url: string;
  readonly token: string;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** `data` of an answer as received, or the failure; code 0 for an unintelligible answer. */
export type Answered =
  | { readonly data: unknown; readonly failed: null }
  | { readonly data: undefined; readonly failed: { readonly code: number; readonly says: string } };

/** Calls once, without budget and retries. */
export async function askOnce(
  { url, token, userAgent, signal }: Asker,
  pool: ReturnType<typeof openPool>,
  dialect: Dialect,
  { id, input }: { id: OperationId; input: Fields },
): Promise<Answered> {
  const { profile } = dialect;
  const { pathname } = new URL(url);
  const given = pathname.replace(/(?<!\/)\/+$/, '');
  const { path, body } = splitter(operations[id], dialect.operations[id])(input);
  const headers = {
    accept: 'application/json',
    'user-agent': userAgent,
    [profile.token_header]: token,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  try {
    const request = {
      method: dialect.operations[id].method,
      path: (given.endsWith(profile.base_path) ? given : given + profile.base_path) + path,
      headers,
      body,
    };
    const answer = await exchange(pool, new URL(url).origin, id, request, signal);
    return { data: readEnvelope(id, answer, new Set(profile.success_codes)), failed: null };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { data: undefined, failed: { code: error.code, says: saysOf(error) } };
  }
}

function saysOf({ message, operation, code }: CallError): string {
  return message.replace(`${operation}: `, '').replace(code === 0 ? '' : `${code} `, '');
}
