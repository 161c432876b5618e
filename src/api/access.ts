import type { FastifyRequest } from 'fastify';
import { authenticate, type Authenticated } from '../core/accounts/authenticate.ts';
import { noteRefusal } from '../core/audit/refusals.ts';
import type { Core } from '../core/context.ts';
import type { RequestCounters } from '../core/limits/counters.ts';
import { sessionHolder } from '../core/people/sessions.ts';
import { ApiError } from '../kernel/errors.ts';
import { sameSecret } from '../kernel/signature.ts';
import { isNear } from './http/near.ts';
import { isSameOrigin, sessionOf } from './session.ts';
import { tokenFrom } from './token.ts';

/**
 * Who is at the management door: the holder of the data directory, or an operator, by a token or signed in
 * (then `token` is null).
 */
export type Caller = { readonly kind: 'control' } | ({ readonly kind: 'token' } & Authenticated);

/**
 * read: any token · write: a writable one · admin: a writable one of the main account · control: only the secret in
 * the data directory.
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
 * Lets in who may do this.
 * @throws ApiError 401 for a stranger, or for a token that may not do this; 429 for one whose cap is reached
 */
export async function requireAccess(options: AccessOptions, request: FastifyRequest, access: Access): Promise<Caller> {
  const caller = await callerOf(options, request, access);
  if (caller.kind === 'token') options.counters.admitByCap(caller);
  return caller;
}

/**
 * The same for an answer that goes on for long: whether who asked for it may still have it.
 * @throws ApiError as {@link requireAccess} once the token, the session, its rights or the account have ended
 */
export async function stillMay(options: AccessOptions, request: FastifyRequest, access: Access): Promise<void> {
  await callerOf(options, request, access);
}

async function callerOf(options: AccessOptions, request: FastifyRequest, access: Access): Promise<Caller> {
  const secret = request.headers[CONTROL_HEADER];
  if (typeof secret === 'string') {
    // It lies in a file of this machine; whoever has it elsewhere has stolen it.
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

/** By the token, where one was sent; else by the session of a browser. */
async function operatorBehind({ core, tokenHeaders }: AccessOptions, request: FastifyRequest): Promise<Authenticated> {
  const token = tokenFrom(request.headers, tokenHeaders);
  const session = token === undefined ? sessionOf(request) : undefined;
  const signedIn = session === undefined ? undefined : await sessionHolder(core, session);
  if (!signedIn) return authenticate(core.store.db, token, core.clock.now(), 'management');
  // The browser sends the cookie along whichever page asks.
  if (request.method !== 'GET' && !isSameOrigin(request)) {
    throw new ApiError(403, 'This comes from a page of another site.');
  }
  return signedIn;
}
