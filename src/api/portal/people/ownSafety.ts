import { z } from 'zod';
import {
  addFactor,
  listFactors,
  offerAuthenticator,
  offerPasskey,
  removeFactor,
  renewRecoveryCodes,
} from '../../../core/people/secondFactor/manage.ts';
import { endSessionOf, listSessions } from '../../../core/people/sessions.ts';
import { ApiError } from '../../../kernel/errors.ts';
import type { Caller } from '../../access.ts';
import { portalRoute } from '../route.ts';

const origin = z.url({ protocol: /^https?$/, error: 'must be the address that the browser shows' });

/** How a signed-in person protects their own sign-in: second factors, recovery codes and sessions. */
export const ownSafetyRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/second_factors',
    access: 'read',
    input: z.object({}),
    run: ({ services, caller }) => listFactors(services.core, requirePerson(caller)),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/second_factors/offer',
    access: 'write',
    input: z.object({ kind: z.enum(['totp', 'passkey']), origin }),
    run: ({ services, caller, input: { kind, ...site } }): Promise<object> =>
      kind === 'totp'
        ? offerAuthenticator(services.core, requirePerson(caller))
        : offerPasskey(services.core, requirePerson(caller), site),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/second_factors',
    access: 'write',
    input: z.object({
      name: z.string().trim().min(1).max(50),
      offer: z.string().min(1).max(4_000),
      code: z.string().max(20).optional(),
      passkey: z.string().max(20_000).optional(),
      origin,
    }),
    run: ({ services, caller, input: { origin: shown, ...given } }) =>
      addFactor(services.core, requirePerson(caller), { ...given, site: { origin: shown } }),
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/second_factors/:id',
    access: 'write',
    input: z.object({ id: z.int() }),
    run: async ({ services, caller, input: { id } }) => {
      await removeFactor(services.core, requirePerson(caller), id);
      return { removed: id };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/recovery_codes',
    access: 'write',
    input: z.object({}),
    run: async ({ services, caller }) => ({
      recovery_codes: await renewRecoveryCodes(services.core, requirePerson(caller)),
    }),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/sessions',
    access: 'read',
    input: z.object({}),
    run: async ({ services, caller }) => ({ sessions: await listSessions(services.core, requirePerson(caller)) }),
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/sessions/:id',
    access: 'write',
    input: z.object({ id: z.string().min(1).max(64) }),
    run: async ({ services, caller, input: { id } }) => {
      await endSessionOf(services.core, requirePerson(caller), id);
      return { ended: id };
    },
  }),
];

/** @throws ApiError 401 for anyone but a signed-in person: a token must not change how its owner signs in */
function requirePerson(caller: Caller): Extract<Caller, { kind: 'token' }> {
  if (caller.kind === 'token' && caller.token === null && caller.clientId === undefined) return caller;
  throw new ApiError(401, 'Only a person who is signed in may do this.');
}
