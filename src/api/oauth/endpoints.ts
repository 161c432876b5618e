import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../kernel/log.ts';
import { authenticateClient } from '../../oauth/clients.ts';
import { OAuthFailure } from '../../oauth/failure.ts';
import { register } from '../../oauth/register.ts';
import { revokeToken } from '../../oauth/revoke.ts';
import { scopeText } from '../../oauth/scopes.ts';
import type { OAuth } from '../../oauth/server.ts';
import { exchange } from '../../oauth/token.ts';
import { clientAddressOf } from '../http/plainHttp.ts';
import { openToAll } from './crossOrigin.ts';
import { credentialsOf, formOf, jsonOf } from './form.ts';
import type { OAuthOptions } from './options.ts';
import { registrations } from './registrations.ts';
import { requestLog } from '../http/requestLog.ts';

type Work = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Serves the endpoints for applications: `/oauth/token`, `/oauth/revoke`, `/oauth/register`. */
export function serveEndpoints(app: FastifyInstance, options: OAuthOptions): void {
  const { oauth, log } = options;
  const post = (url: string, work: Work) => {
    app.options(url, (_request, reply) => openToAll(reply).header('access-control-max-age', '600').code(204).send());
    app.post(url, {
      handler: async (request, reply) => {
        openToAll(reply).header('cache-control', 'no-store').header('pragma', 'no-cache');
        try {
          return await work(request, reply);
        } catch (error) {
          return refused(request, reply, failureOf(error, requestLog(log, request)));
        }
      },
      errorHandler: (error, request, reply) =>
        void refused(request, openToAll(reply), failureOf(error, requestLog(log, request))),
    });
  };
  post('/oauth/token', (request) => giveToken(oauth, request));
  post('/oauth/revoke', (request, reply) => revoke(oauth, request, reply));
  post('/oauth/register', registering(options));
}

async function giveToken(oauth: OAuth, request: FastifyRequest): Promise<object> {
  const form = formOf(request);
  const field = (name: string) => form.get(name) ?? undefined;
  const { clientId, secret } = credentialsOf(request, form);
  const given = await exchange(oauth, {
    grant_type: field('grant_type'),
    client_id: clientId,
    client_secret: secret,
    code: field('code'),
    code_verifier: field('code_verifier'),
    redirect_uri: field('redirect_uri'),
    refresh_token: field('refresh_token'),
    scope: field('scope'),
    resources: form.getAll('resource'),
  });
  const { access_token, refresh_token, expires_in, scope } = given;
  return { access_token, token_type: 'Bearer', expires_in, refresh_token, scope: scopeText(scope) };
}

async function revoke(oauth: OAuth, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = formOf(request);
  const token = form.get('token');
  const client = await authenticateClient(oauth, credentialsOf(request, form));
  if (!token) throw new OAuthFailure('invalid_request', 'token: is required');
  await revokeToken(oauth, client, { token, cascades: true });
  return reply.code(200).send();
}

function registering({ core, oauth, trustedProxies }: OAuthOptions): Work {
  const addressOf = clientAddressOf(trustedProxies);
  const mayRegister = registrations(core.clock);
  return async (request, reply) => {
    if (oauth.settings.dynamicRegistration && !mayRegister(addressOf(request))) {
      throw new OAuthFailure('temporarily_unavailable', 'Too many registrations. Try again later.', {
        retryAfter: 3_600,
      });
    }
    return reply.code(201).send(await register(oauth, jsonOf(request)));
  };
}

function refused(request: FastifyRequest, reply: FastifyReply, failure: OAuthFailure): FastifyReply {
  if (failure.status === 401 && request.headers.authorization !== undefined) {
    void reply.header('www-authenticate', 'Basic realm="stayd"');
  }
  if (failure.retryAfter !== undefined) void reply.header('retry-after', String(failure.retryAfter));
  const body = { error: failure.error, error_description: plain(failure.message) };
  return reply.code(failure.status).header('cache-control', 'no-store').send(body);
}

function failureOf(error: unknown, log: Logger): OAuthFailure {
  if (error instanceof OAuthFailure) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return new OAuthFailure('invalid_request', 'The request cannot be read.');
  log.error({ err: error }, 'an OAuth request failed unexpectedly');
  return new OAuthFailure('server_error', 'Server error.');
}

/** Reduces a text to the characters that an error_description may have (RFC 6749, 5.2). */
function plain(message: string): string {
  return message.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "'");
}
