import type { FastifyRequest } from 'fastify';
import { authenticate, type Authenticated } from '../core/accounts/authenticate.ts';
import { noteRefusal } from '../core/audit/refusals.ts';
import type { Core } from '../core/context.ts';
import type { RequestCounters } from '../core/limits/counters.ts';
import { sessionHolder } from '../core/people/sessions.ts';
import { ApiError } from '../kernel/errors.ts';
import { managesByApi } from '../kernel/roles.ts';
import { sameSecret } from '../kernel/signature.ts';
import { isNear } from './http/near.ts';
import { isSameOrigin, sessionOf } from './session.ts';
import { tokenFrom } from './token.ts';

/**
 * A caller of the management API: the holder of the data directory, or an operator by a token or a session. `token` is
 * null for a session.
 */
export type Caller =
  | { readonly kind: 'control' }
  | ({
      readonly kind: 'token';
      /** True if the person's role permits this very operation for the whole account; the console has checked it. */
      readonly forAccount?: true;
    } & Authenticated);

/**
 * read: any token · write: a writable one · admin: a writable one of the main account · control: only the secret in the
 * data directory.
 */
export type Access = 'read' | 'write' | 'admin' | 'control';

const CONTROL_HEADER = 'stayd-control-secret';

export interface AccessOptions {
  readonly core: Core;
  readonly controlSecret: string;
  readonly tokenHeaders: readonly string[];
  readonly counters: RequestCounters;
}

/**
 * Admits a caller who has this right.
 * @throws ApiError 401 for a stranger, or for a token without this right; 429 if the cap of the token is reached
 */
export async function requireAccess(options: AccessOptions, request: FastifyRequest, access: Access): Promise<Caller> {
  const caller = await callerOf(options, request, access);
  if (caller.kind === 'token') options.counters.admitByCap(caller);
  return caller;
}

/**
 * Checks again during a long answer that the caller still has this right.
 * @throws ApiError as {@link requireAccess} once the token, the session, its rights or the account have ended
 */
export async function stillMay(options: AccessOptions, request: FastifyRequest, access: Access): Promise<void> {
  await callerOf(options, request, access);
}

async function callerOf(options: AccessOptions, request: FastifyRequest, access: Access): Promise<Caller> {
  const secret = request.headers[CONTROL_HEADER];
  if (typeof secret === 'string') {
    // The secret is in a file of this machine; a remote holder has stolen it.
    if (!isNear(request)) throw new ApiError(401, 'The control secret opens nothing but from this machine, directly.');
    if (sameSecret(secret, options.controlSecret)) return { kind: 'control' };
    throw new ApiError(401, 'Wrong control secret.');
  }
  const who = await operatorBehind(options, request);
  if (access === 'control') throw new ApiError(401, 'Only the control secret opens this.');
  const mayWrite = access === 'read' || who.scope === 'write';
  const mayManage = access !== 'admin' || who.operator.kind === 'master';
  if (!mayWrite || !mayManage) {
    await noteRefusal(options.core, who, `${request.method} ${request.routeOptions.url ?? ''}`);
    throw new ApiError(401, 'Not authorized for this action');
  }
  return { kind: 'token', ...who };
}

/** Authenticates by the token if there is one, else by the session of a browser. */
async function operatorBehind({ core, tokenHeaders }: AccessOptions, request: FastifyRequest): Promise<Authenticated> {
  const token = tokenFrom(request.headers, tokenHeaders);
  const session = token === undefined ? sessionOf(request) : undefined;
  const signedIn = session === undefined ? undefined : await sessionHolder(core, session);
  if (!signedIn) return authenticate(core.store.db, token, core.clock.now(), 'management');
  if (!managesByApi(signedIn.role)) throw new ApiError(401, 'Your role opens the pages of the console alone.');
  // A browser sends the cookie with the requests of every page.
  if (request.method !== 'GET' && !isSameOrigin(request)) {
    throw new ApiError(403, 'This comes from a page of another site.');
  }
  return signedIn;
}
