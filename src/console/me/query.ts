import { z } from 'zod';
import type { Visit } from '../visit.ts';

const factors = z.object({
  factors: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(['totp', 'passkey']),
      name: z.string(),
      created_at: z.string(),
      last_used_at: z.string().nullable(),
    }),
  ),
  recovery_codes: z.int(),
  login: z.string().nullable(),
});
const sessions = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      created_at: z.string(),
      seen_at: z.string(),
      agent: z.string().nullable(),
      address: z.string().nullable(),
    }),
  ),
});
const authenticator = z.object({ secret: z.string(), address: z.string(), offer: z.string() });
const passkey = z.object({ options: z.record(z.string(), z.unknown()), offer: z.string() });

/** How a person signs in, and where they are signed in. */
export interface OwnSafety extends z.output<typeof factors>, z.output<typeof sessions> {}

/** Reads how the person signs in. */
export async function readOwnSafety(visit: Visit): Promise<OwnSafety> {
  return {
    ...factors.parse(await visit.portal('GET /portal/second_factors')),
    ...sessions.parse(await visit.portal('GET /portal/sessions')),
  };
}

/** An authenticator's secret that waits for its first code. */
export type AuthenticatorOffer = z.output<typeof authenticator>;
/** What a browser needs to make a passkey. */
export type PasskeyOffer = z.output<typeof passkey>;

export async function offerAuthenticator(visit: Visit): Promise<AuthenticatorOffer> {
  return authenticator.parse(
    await visit.portal('POST /portal/second_factors/offer', { kind: 'totp', origin: visit.origin }),
  );
}

export async function offerPasskey(visit: Visit): Promise<PasskeyOffer> {
  return passkey.parse(
    await visit.portal('POST /portal/second_factors/offer', { kind: 'passkey', origin: visit.origin }),
  );
}
