import { noteRefusal } from '../../core/audit/refusals.ts';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  type McpServerFactory,
  OAuthError,
  OAuthErrorCode,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MESSAGE_BODY_BYTES } from '../../contract/conversations.ts';
import { authenticate } from '../../core/accounts/authenticate.ts';
import type { Core } from '../../core/context.ts';
import { RateLimited } from '../../core/limits/rateLimited.ts';
import { turn } from '../../kernel/clock.ts';
import { ApiError } from '../../kernel/errors.ts';
import { resourceMetadataUrl } from '../../oauth/metadata.ts';
import { requestIdOf, requestLog } from '../http/requestLog.ts';
import { refuseWhileClosing } from '../http/server.ts';
import { tokenFrom } from '../token.ts';
import { authInfoOf, type Caller } from './caller.ts';
import { foreignRequest, type GuardOptions } from './guard.ts';
import { type Messages, readMessages } from './messages.ts';
import { problem } from './problem.ts';
import type { SessionOptions } from './sessions.ts';
import { canShowForms, toolServer, type ToolServerOptions } from './toolServer.ts';
import { mcpTransport } from './transport.ts';

export interface McpOptions extends ToolServerOptions, GuardOptions {
  /** Further headers that may carry an access token, in lower case. */
  readonly tokenHeaders: readonly string[];
  /** Creates the server behind the endpoint; by default that of the contract's tools. */
  readonly makeServer?: McpServerFactory;
  readonly needsSession?: SessionOptions['needsSession'];
}

const MCP_PATH = '/mcp';
export const MCP_PATHS = [MCP_PATH, '/v3/mcp'];
/** The counter of all requests here that call no tool; calls count as their operations. */
const BUCKET = 'POST /mcp';

/** Serves the MCP endpoint under both its paths. */
export function serveMcp(app: FastifyInstance, options: McpOptions): void {
  const { core } = options;
  const transport = mcpTransport({
    makeServer: options.makeServer ?? (() => toolServer(options)),
    needsSession: options.needsSession ?? canShowForms,
    clock: core.clock,
    random: core.random,
    log: options.log,
  });
  void app.register(async (mcp) => {
    // Bodies are read after authentication, so every content type is accepted here.
    mcp.removeAllContentTypeParsers();
    mcp.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    refuseWhileClosing(mcp, async (_request, reply) => reply.send(STOPPING()));
    mcp.addHook('preClose', () => transport.close());
    mcp.setErrorHandler((error, request, reply) =>
      reply.send(failureOf({ log: requestLog(options.log, request) }, error)),
    );
    for (const url of MCP_PATHS) {
      mcp.route({
        method: ['GET', 'POST', 'DELETE', 'OPTIONS'],
        url,
        bodyLimit: MESSAGE_BODY_BYTES,
        handler: async (request, reply) => {
          void reply.header('cache-control', 'no-store');
          const refusal = foreignRequest(request, options, core.publicUrl());
          if (refusal) return reply.send(refusal);
          allowBrowsers(request, reply);
          if (request.method === 'OPTIONS') return reply.code(204).send();
          const admitted = await admit(options, request);
          if (admitted instanceof Response) return reply.send(admitted);
          return pass(transport.fetch, request, reply, admitted);
        },
      });
    }
  });
}

interface Admitted {
  readonly authInfo: AuthInfo;
  readonly messages: Messages;
}

/** Authenticates and checks scope and limits; each call runs the rest of the pipeline. */
async function admit(options: McpOptions, request: FastifyRequest): Promise<Admitted | Response> {
  const caller = await callerOf(options, request);
  if (caller instanceof Response) return caller;
  const messages = request.method === 'POST' ? readMessages(request.body) : NO_MESSAGES;
  if ('refused' in caller) {
    if (isCallsOnly(messages)) return { authInfo: authInfoOf(caller, requestIdOf(request)), messages };
    return problem({ status: 403, code: REFUSED, message: caller.refused.message });
  }
  if (messages instanceof Response) {
    (await options.counters.enter(caller.who, BUCKET, 'default'))(true);
    return messages;
  }
  const writing = caller.who.scope === 'read' ? messages.calls.filter(({ needsWriting }) => needsWriting) : [];
  if (writing.length > 0) {
    for (const { name } of writing) await noteRefusal(options.core, caller.who, name);
    return insufficientScope(options, request);
  }
  for (let count = 0; count < messages.others; count += 1) {
    (await options.counters.enter(caller.who, BUCKET, 'default'))(false);
  }
  return { authInfo: authInfoOf(caller, requestIdOf(request)), messages };
}

/** The messages of a GET or a DELETE, which is a request by itself. */
const NO_MESSAGES: Messages = { body: undefined, calls: [], others: 1 };

function isCallsOnly(messages: Messages | Response): messages is Messages {
  return !(messages instanceof Response) && messages.calls.length > 0 && messages.others === 0;
}

async function callerOf(options: McpOptions, request: FastifyRequest): Promise<Caller | Response> {
  const { core, tokenHeaders } = options;
  const token = tokenFrom(request.headers, tokenHeaders);
  try {
    return { who: await authenticate(core.store.db, token, core.clock.now(), 'mcp') };
  } catch (error) {
    if (error instanceof ApiError && error.code === 420) return { refused: error };
    if (error instanceof ApiError && error.code === 401) return challenge(options, request, error);
    throw error;
  }
}

function challenge({ core }: McpOptions, request: FastifyRequest, { message }: ApiError): Response {
  return bearerAuthChallengeResponse(new OAuthError(OAuthErrorCode.InvalidToken, message), {
    resourceMetadataUrl: metadataOf(core, request),
  });
}

function insufficientScope({ core }: McpOptions, request: FastifyRequest): Response {
  return bearerAuthChallengeResponse(
    new OAuthError(OAuthErrorCode.InsufficientScope, 'Not authorized for this action'),
    { requiredScopes: ['read', 'write'], resourceMetadataUrl: metadataOf(core, request) },
  );
}

/** Returns the address at which clients learn who issues tokens for this path. */
function metadataOf(core: Core, { routeOptions }: FastifyRequest): string {
  return resourceMetadataUrl({ core }, routeOptions.url ?? MCP_PATH);
}

/** Passes the request to the official transport, which writes the answer itself. */
async function pass(
  fetch: (request: Request, options: { authInfo: AuthInfo; parsedBody?: unknown }) => Promise<Response>,
  request: FastifyRequest,
  reply: FastifyReply,
  { authInfo, messages }: Admitted,
): Promise<void> {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.hijack();
  const { body } = messages;
  const run = toNodeHandler({
    async fetch(web) {
      const response = await fetch(web, { authInfo, ...(body !== undefined && { parsedBody: body }) });
      // A stream may stay silent for long, and its reader waits for the headers.
      void turn().then(() => reply.raw.flushHeaders());
      return response;
    },
  });
  // The body is already parsed; the transport ignores this substitute, and large bodies are not serialized again.
  await run(request.raw as Parameters<typeof run>[0], reply.raw, body === undefined ? undefined : {});
}

/** Lets pages of allowed origins call and read the answer. The token is a header, so cookies are irrelevant. */
function allowBrowsers({ headers }: FastifyRequest, reply: FastifyReply): void {
  if (headers.origin === undefined) return;
  void reply.headers({
    'access-control-allow-origin': headers.origin,
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers':
      'authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name',
    'access-control-expose-headers': 'mcp-session-id, www-authenticate, retry-after',
    vary: 'origin',
  });
}

const REFUSED = -32_000;
const STOPPING = () => problem({ status: 503, code: REFUSED, message: 'The service is stopping.' });

function failureOf({ log }: Pick<McpOptions, 'log'>, error: unknown): Response {
  if (error instanceof RateLimited) {
    return problem({ status: 429, code: REFUSED, message: error.message, headers: error.headers });
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return problem({ status: 413, code: REFUSED, message: `The body is larger than ${MESSAGE_BODY_BYTES} bytes.` });
  }
  if (code.startsWith('FST_') || code.startsWith('ERR_HTTP')) {
    return problem({ status: 400, code: -32_700, message: 'The request cannot be read.' });
  }
  log.error({ err: error }, 'an MCP request failed unexpectedly');
  return problem({ status: 500, code: -32_603, message: 'Internal error' });
}
