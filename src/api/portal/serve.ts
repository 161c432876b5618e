import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ObjectSchema } from '../../contract/operation.ts';
import { ApiError, invalid, messageOf, OperatorError, UsageError } from '../../kernel/errors.ts';
import { RateLimited } from '../../core/limits/rateLimited.ts';
import type { Logger } from '../../kernel/log.ts';
import { type AccessOptions, type Caller, requireAccess, stillMay } from '../access.ts';
import { isHangUp } from '../http/hangUp.ts';
import { fromText } from '../http/fromWire.ts';
import { pageHeaders } from '../http/pageHeaders.ts';
import { DEEPEST, isWithin, refusal } from '../http/parse.ts';
import type { Page, PortalRoute, PortalServices } from './route.ts';
import { requestLog } from '../http/requestLog.ts';

export interface PortalOptions extends AccessOptions {
  readonly services: PortalServices;
  readonly log: Logger;
}

/** Serves management as plain JSON with HTTP status codes; a failure is `{error: {message, field}}`. */
export function servePortal(app: FastifyInstance, routes: readonly PortalRoute[], options: PortalOptions): void {
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => {
        try {
          const caller = await requireAccess(options, request, route.access);
          const input = readFields(route.input, request);
          const mayHave = () => stillMay(options, request, route.access);
          if (route.long)
            return stream(
              route,
              { input, caller, mayHave },
              { ...options, log: requestLog(options.log, request) },
              reply,
            );
          const { signal } = hangUp(reply);
          const answer = await route.run({ input, caller, services: options.services, progress: () => {}, signal });
          // Only a caller who still has the right gets the awaited answer.
          if (route.waits) await mayHave();
          return route.page ? sendPage(reply, answer as Page) : answer;
        } catch (error) {
          return refuseWith(reply, failureOf(requestLog(options.log, request), error));
        }
      },
    });
  }
}

function sendPage(reply: FastifyReply, { html, policy }: Page): FastifyReply {
  return reply.headers(pageHeaders(policy)).send(html);
}

/** Aborts if the caller leaves before the answer. */
function hangUp(reply: FastifyReply): AbortController {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone;
}

/**
 * Methods whose fields are in the address. Other methods have none there, because addresses end in logs and histories.
 */
const ASKED_BY_QUERY: ReadonlySet<string> = new Set(['GET', 'DELETE']);

/**
 * Parses path, JSON body and, if allowed, query of a call into one object.
 * @throws ApiError with the wrong field
 */
export function readFields<Schema extends ObjectSchema>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  const query = request.query as Record<string, unknown>;
  const [stray] = ASKED_BY_QUERY.has(request.method) ? [] : Object.keys(query);
  if (stray !== undefined) {
    throw invalid('query', 'is not read here: send the fields as JSON in the body, where no log keeps them');
  }
  const text = fromText(schema)({
    ...query,
    ...(request.params as Record<string, unknown>),
  });
  const body = typeof request.body === 'object' && request.body !== null ? request.body : {};
  if (!isWithin(body, DEEPEST)) throw invalid('body', `is nested more than ${DEEPEST} deep`);
  const fields = { ...text, ...body };
  const result = schema.safeParse(fields);
  if (!result.success) throw refusal(result.error, fields);
  return result.data;
}

/** Writes one JSON object for each line: `{progress}` for each report, then `{result}` or `{error}`. */
function stream(
  route: PortalRoute,
  { mayHave, ...call }: { input: Record<string, unknown>; caller: Caller; mayHave: () => Promise<void> },
  options: PortalOptions,
  reply: FastifyReply,
): FastifyReply {
  const lines = new PassThrough();
  const gone = new AbortController();
  lines.on('close', () => gone.abort());
  const write = (line: object) => {
    if (!lines.destroyed && !lines.writableEnded) lines.write(`${JSON.stringify(line)}\n`);
  };
  const { services, log } = options;
  // Of several reports that come during the check of the first, the last one counts, because it is the current state.
  let news: { progress: object } | undefined;
  let telling: Promise<void> | undefined;
  const tell = async () => {
    while (news) {
      await mayHave();
      const line = news;
      news = undefined;
      if (line) write(line);
    }
  };
  const progress = (state: object) => {
    news = { progress: state };
    telling ??= tell()
      .catch((error: unknown) => {
        write(failureOf(log, error).body);
        lines.end();
        // No permitted reader waits any longer, so work that can stop stops.
        gone.abort();
      })
      .finally(() => (telling = undefined));
  };
  route
    .run({ ...call, services, progress, signal: gone.signal })
    .then(async (result) => {
      await telling;
      await mayHave();
      write({ result });
    })
    .catch((error: unknown) => write(failureOf(log, error).body))
    .finally(() => lines.end());
  return reply.header('content-type', 'application/x-ndjson').send(lines);
}

/** A failure in the form of this API. */
interface Failed {
  readonly code: number;
  readonly body: object;
  /** For a limit, the time to wait. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function refuseWith(reply: FastifyReply, { code, body, headers = {} }: Failed): FastifyReply {
  return reply.code(code).headers(headers).send(body);
}

/** Converts a failure into an answer of the management API. */
export function failureOf(log: Logger, error: unknown): Failed {
  if (error instanceof ApiError) {
    return {
      ...(error instanceof RateLimited && { headers: error.headers }),
      code: error.code === 420 ? 403 : error.code,
      body: { error: { message: error.message, field: error.field } },
    };
  }
  if (error instanceof OperatorError) {
    // Wrong use means a wrong argument, whichever it is.
    const field = error instanceof UsageError ? 'arguments' : undefined;
    return { code: 422, body: { error: { message: error.message, hint: error.hint, field } } };
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return { code: status, body: { error: { message: messageOf(error) } } };
  if (isHangUp(error)) {
    log.debug({ err: error }, 'the caller has gone in the middle of a request');
    return { code: 400, body: { error: { message: 'The request has not come to its end.' } } };
  }
  log.error({ err: error }, 'a management call failed unexpectedly');
  return { code: 500, body: { error: { message: `failed: ${messageOf(error)}` } } };
}
