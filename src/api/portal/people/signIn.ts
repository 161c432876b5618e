import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { endSession, sessionHolder } from '../../../core/people/sessions.ts';
import { acceptInvite, changePassword, signInAtOnce } from '../../../core/people/signIn.ts';
import type { Core } from '../../../core/context.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { originOf } from '../../http/plainHttp.ts';
import { clearSession, isSameOrigin, sessionOf, setSession } from '../../session.ts';
import { failureOf, type PortalOptions, readFields } from '../serve.ts';
import { requestLog } from '../../http/requestLog.ts';

const password = z.string().min(1).max(200);
const login = z.string().trim().min(1).max(100);
const credentials = z.object({ login, password, code: z.string().trim().max(40).optional() });
const invitation = z.object({ secret: z.string().max(100), login, password });
const newPassword = z.object({ old: password, password });

type SignInOptions = PortalOptions & { trustedProxies: readonly string[] };
type Work = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Serves sign-in and sign-out by a cookie, which has the rights of a writable token of the person. */
export function serveSignIn(app: FastifyInstance, options: SignInOptions): void {
  const { core } = options;
  const origin = originOf(options.trustedProxies);
  const route = routesOf(app, options);
  const welcome = welcomer(core);
  route('POST', '/portal/login', async (request, reply) => {
    const given = readFields(credentials, request);
    const secret = await signInAtOnce(core, { ...given, ...origin(request), agent: request.headers['user-agent'] });
    return welcome(request, reply, secret);
  });
  route('POST', '/portal/invites/accept', async (request, reply) =>
    welcome(request, reply, await acceptInvite(core, readFields(invitation, request))),
  );
  route('POST', '/portal/logout', async (request, reply) => {
    const secret = sessionOf(request);
    if (secret !== undefined) await endSession(core, secret);
    clearSession(request, reply);
    return { signed_in: false };
  });
  route('GET', '/portal/session', async (request, reply) => {
    void reply.header('cache-control', 'no-store');
    return personOf(await requireSession(core, request));
  });
  route('PUT', '/portal/password', async (request, reply) => {
    const who = await requireSession(core, request);
    const given = readFields(newPassword, request);
    const secret = await changePassword(core, who, { ...given, ...origin(request) });
    return welcome(request, reply, secret);
  });
}

function routesOf(app: FastifyInstance, { log }: SignInOptions) {
  return (method: 'GET' | 'POST' | 'PUT', url: string, work: Work) =>
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        try {
          if (method !== 'GET') refuseOtherSites(request);
          return await work(request, reply);
        } catch (error) {
          const { code, body } = failureOf(requestLog(log, request), error);
          return reply.code(code).header('cache-control', 'no-store').send(body);
        }
      },
    });
}

async function requireSession(core: Core, request: FastifyRequest) {
  const secret = sessionOf(request);
  const who = secret === undefined ? undefined : await sessionHolder(core, secret);
  if (!who) throw new ApiError(401, 'Nobody is signed in.');
  return who;
}

/** Returns how to sign a person in. Each sign-in sets a new secret, so that a planted one is worthless. */
function welcomer(core: Core) {
  return async (request: FastifyRequest, reply: FastifyReply, secret: string) => {
    const earlier = sessionOf(request);
    if (earlier !== undefined) await endSession(core, earlier);
    setSession(request, reply, secret);
    const who = await sessionHolder(core, secret);
    return who && personOf(who);
  };
}

function personOf({ account, operator }: NonNullable<Awaited<ReturnType<typeof sessionHolder>>>) {
  return { account: account.name, account_id: account.account_id, operator };
}

/** Refuses requests from pages of other sites, which must not sign anyone in or out. Programs send neither header. */
function refuseOtherSites(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if ((origin !== undefined || site !== undefined) && !isSameOrigin(request)) {
    throw new ApiError(403, 'This comes from a page of another site.');
  }
}
