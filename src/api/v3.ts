import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MESSAGE_BODY_BYTES } from '../contract/conversations.ts';
import { asDescribed, type Dialect } from '../contract/dialect/dialect.ts';
import { errorCodes, SUCCESS } from '../contract/errors.ts';
import { type OperationId, operationIds } from '../contract/index.ts';
import { RateLimited } from '../core/limits/rateLimited.ts';
import { ApiError, type RateLimit } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import {
  type AnswerSpoiler,
  answerFaultOf,
  cutShort,
  holdAnswer,
  unknownCodeFailure,
  corruptedFailure,
} from './http/answerFaults.ts';
import { failure, type Pieces, success } from './http/envelope.ts';
import { openApiText } from './openapi.ts';
import { perform, refuse, type Service } from './http/pipeline.ts';
import { isHangUp } from './http/hangUp.ts';
import { refuseWhileClosing, URL_LIMIT } from './http/server.ts';
import { requestIdOf, requestLog } from './http/requestLog.ts';
import { isStrict } from './http/strict.ts';
import { textOf, type Unreadable, type UnreadableAnswer } from './http/unreadable.ts';
import { tokenFrom } from './token.ts';

export interface V3Options extends Service {
  /** Further headers that may carry an access token, in lower case. */
  readonly tokenHeaders: readonly string[];
  /** The dialect of v3; by default as described. */
  readonly dialect?: Dialect;
  readonly log: Logger;
  /** Counts an answer with this error code. */
  readonly onFailure?: (code: number) => void;
  /** Absent for no faults. */
  readonly spoiler?: AnswerSpoiler;
}

const BODY_LIMIT_BYTES = 1_048_576;
/** Operations with larger bodies. */
const bodyLimits: Partial<Record<OperationId, number>> = { sendMessage: MESSAGE_BODY_BYTES };

/** Serves every operation of the contract under /v3, each answer in the envelope with HTTP status 200. */
export function serveV3(app: FastifyInstance, options: V3Options): void {
  const { dialect = asDescribed } = options;
  const { profile } = dialect;
  app.unreadableForms.push((unreadable) => inEnvelope(options, unreadable));
  void app.register(
    async (v3) => {
      // Bodies are parsed after authentication, so every content type is accepted here.
      v3.removeAllContentTypeParsers();
      v3.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      v3.addHook('onRequest', (request, _reply, done) => {
        if (request.url.length > URL_LIMIT) done(LONG_ADDRESS);
        else done();
      });
      refuseWhileClosing(v3, () => Promise.reject(STOPPING));
      for (const id of operationIds.filter((one) => !profile.absent.includes(one))) {
        const { method, path } = dialect.operations[id];
        v3.route({
          method,
          bodyLimit: bodyLimits[id] ?? BODY_LIMIT_BYTES,
          url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
          handler: (request, reply) => {
            if (profile.additions) notePreference(request, reply);
            const say = dialect.operations[id].data;
            return answer(options, request, reply, async (token) => {
              const data = await call(options, id, token, request, reply);
              return say ? say(data) : data;
            });
          },
        });
      }
      v3.setNotFoundHandler((request, reply) =>
        answer(options, request, reply, (token) => refuse(options, token, NO_SUCH_PATH)),
      );
      v3.setErrorHandler((error, request, reply) =>
        answer(options, request, reply, (token) => refuse(options, token, failureOf(options, request, error))),
      );
    },
    { prefix: profile.base_path },
  );
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(openApiText()));
}

/**
 * Answers parser failures of v3 in the envelope: unknown methods and headers that are too long. A breach of the
 * protocol has no envelope.
 */
function inEnvelope(
  { core, dialect: { profile } = asDescribed }: V3Options,
  unreadable: Unreadable,
): UnreadableAnswer | undefined {
  if (!unreadable.path?.startsWith(`${profile.base_path}/`)) return undefined;
  if (unreadable.kind !== 'method' && unreadable.kind !== 'headers') return undefined;
  const code = unreadable.kind === 'method' ? 404 : 400;
  return { status: 200, body: failure(core.ids(), new ApiError(code, textOf(unreadable))) };
}

function call(
  options: V3Options,
  id: OperationId,
  token: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { profile, operations: said } = options.dialect ?? asDescribed;
  const key = profile.additions ? request.headers['idempotency-key'] : undefined;
  return perform(options, id, token, {
    params: request.params,
    query: request.query,
    body: Buffer.isBuffer(request.body) ? request.body : undefined,
    contentType: request.headers['content-type'],
    said: said[id],
    strict: profile.additions && isStrict(request.headers.prefer),
    ...(key !== undefined && { idempotencyKey: [key].flat().join() }),
    onRepeat: () => void reply.header('idempotency-replayed', 'true'),
  });
}

async function answer(
  options: V3Options,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (token: string | undefined) => Promise<unknown>,
): Promise<FastifyReply> {
  const { core, spoiler } = options;
  const fate = spoiler ? answerFaultOf(spoiler.faults, core.random) : 'as it is';
  try {
    if (spoiler) await holdAnswer(spoiler.faults, core);
    if (fate === 'unknown_code') return write(reply, unknownCodeFailure(requestIdOf(request)));
    if (fate === 'fail' || fate === 'limit') throw corruptedFailure(fate, core.random);
    const { profile } = options.dialect ?? asDescribed;
    const data = await work(tokenFrom(request.headers, [profile.token_header, ...options.tokenHeaders]));
    const envelope = await success(requestIdOf(request), data, profile.success_codes[0] ?? SUCCESS.code);
    return fate === 'cut' ? cutShort(reply, envelope) : write(reply, envelope);
  } catch (error) {
    const failed = failureOf(options, request, error);
    request.errorCode = failed.code;
    options.onFailure?.(failed.code);
    if (failed instanceof RateLimited) void reply.headers(failed.headers);
    if (failed.retryAfter !== undefined) void reply.header('retry-after', String(failed.retryAfter));
    if (failed.limit) void reply.headers(limitHeaders(failed.limit));
    return write(reply, failure(requestIdOf(request), failed));
  }
}

function limitHeaders({ scope, window, retryAfter, reason }: RateLimit): Record<string, string> {
  return {
    'retry-after': String(retryAfter),
    'x-ratelimit-scope': scope,
    'x-ratelimit-window': window,
    'x-ratelimit-reason': reason,
  };
}

/** Confirms that the preference was applied (RFC 7240), so that a caller can recognise a service that ignores it. */
function notePreference(request: FastifyRequest, reply: FastifyReply): void {
  if (isStrict(request.headers.prefer)) void reply.header('preference-applied', 'handling=strict');
}

function write(reply: FastifyReply, envelope: string | Pieces): FastifyReply {
  void reply.code(200).header('content-type', 'application/json; charset=utf-8');
  if (typeof envelope === 'string') return reply.send(envelope);
  const length = envelope.reduce((sum, piece) => sum + piece.length, 0);
  return reply.header('content-length', length).send(Readable.from(envelope));
}

const NO_SUCH_PATH = new ApiError(404, 'There is no such path.');
const STOPPING = new ApiError(503, errorCodes[503].text);
const LONG_ADDRESS = new ApiError(400, `The address is longer than ${URL_LIMIT} characters.`);

/** Maps the HTTP statuses of frameworks; v3 knows only the envelope. */
const FRAMEWORK_CODES: Record<string, ApiError> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new ApiError(400, 'The body is not as long as its Content-Length says.'),
};

function tooLarge(limit: number): ApiError {
  return new ApiError(400, `The body is larger than ${limit} bytes.`);
}

function failureOf(options: V3Options, request: FastifyRequest, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request.routeOptions.bodyLimit ?? BODY_LIMIT_BYTES);
  const known = FRAMEWORK_CODES[code];
  if (known) return known;
  // The framework's own texts repeat parts of the request.
  if (code.startsWith('FST_') || code.startsWith('ERR_HTTP')) {
    return new ApiError(400, 'The request cannot be read.', { cause: error });
  }
  if (isHangUp(error)) {
    requestLog(options.log, request).debug({ err: error }, 'the caller has gone in the middle of a request');
    return new ApiError(400, 'The request has not come to its end.', { cause: error });
  }
  requestLog(options.log, request).error({ err: error }, 'an operation failed unexpectedly');
  return new ApiError(500, errorCodes[500].text, { cause: error });
}
