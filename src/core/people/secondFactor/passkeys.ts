import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { ApiError } from '../../../kernel/errors.ts';
import type { SecondFactorRow } from '../../accounts/rows.ts';

/** The origin that a browser shows, such as `https://stay.example`; passkeys belong to its host. */
export interface Site {
  readonly origin: string;
}

const credential = z.looseObject({
  id: z.string().min(1).max(2_000),
  rawId: z.string().max(2_000),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
});
const MOST_CHARACTERS = 20_000;
const BARE_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

/** Imported late: it is large, and no start needs it. */
const webauthn = () => import('@simplewebauthn/server');

/** Returns true if browsers permit passkeys there: they refuse bare addresses. */
export function hasPasskeys({ origin }: Site): boolean {
  return !BARE_ADDRESS.test(new URL(origin).hostname);
}

/** Returns what a browser needs to make a passkey of this person. */
export async function registrationOptions(
  site: Site,
  { login, name, userId, known }: { login: string; name: string; userId: string; known: readonly SecondFactorRow[] },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn();
  return await generateRegistrationOptions({
    rpName: 'stayd',
    rpID: new URL(site.origin).hostname,
    userName: login,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(userId)),
    attestationType: 'none',
    excludeCredentials: credentialsOf(known),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Verifies a new passkey. @throws ApiError 422 if it does not answer this challenge from this site */
export async function verifyRegistration(site: Site, challenge: string, answer: string) {
  const response = readCredential(answer) as unknown as RegistrationResponseJSON;
  const { verifyRegistrationResponse } = await webauthn();
  const { verified, registrationInfo } = await orRefused(
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: new URL(site.origin).hostname,
      requireUserVerification: false,
    }),
  );
  if (!verified || !registrationInfo) throw wrongPasskey();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return {
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: JSON.stringify(transports),
  };
}

/** Returns what a browser needs to answer with one of these passkeys. */
export async function authenticationOptions(
  site: Site,
  known: readonly SecondFactorRow[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn();
  return await generateAuthenticationOptions({
    rpID: new URL(site.origin).hostname,
    allowCredentials: credentialsOf(known),
    userVerification: 'preferred',
  });
}

/** Verifies the answer of a passkey. @returns the factor, and its new counter. @throws ApiError 401 */
export async function verifyAuthentication(
  site: Site,
  known: readonly SecondFactorRow[],
  { challenge, answer }: { challenge: string; answer: string },
): Promise<{ factor: SecondFactorRow; counter: number }> {
  const response = readCredential(answer) as unknown as AuthenticationResponseJSON;
  const factor = known.find(({ credential_id }) => credential_id === response.id);
  if (!factor?.public_key) throw wrongPasskey();
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await orRefused(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: new URL(site.origin).hostname,
      requireUserVerification: false,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(Buffer.from(factor.public_key, 'base64url')),
        counter: factor.counter ?? 0,
        transports: transportsOf(factor),
      },
    }),
  );
  if (!verified) throw wrongPasskey();
  return { factor, counter: authenticationInfo.newCounter };
}

function credentialsOf(factors: readonly SecondFactorRow[]) {
  return factors.flatMap((factor) =>
    factor.credential_id === null ? [] : [{ id: factor.credential_id, transports: transportsOf(factor) }],
  );
}

function transportsOf({ transports }: SecondFactorRow): AuthenticatorTransport[] {
  return JSON.parse(transports ?? '[]') as AuthenticatorTransport[];
}

function readCredential(answer: string): z.output<typeof credential> {
  if (answer.length > MOST_CHARACTERS) throw wrongPasskey();
  try {
    return credential.parse(JSON.parse(answer));
  } catch (error) {
    throw wrongPasskey(error);
  }
}

/** The library throws for every fault in an answer. */
async function orRefused<T>(verifying: Promise<T>): Promise<T> {
  try {
    return await verifying;
  } catch (error) {
    throw wrongPasskey(error);
  }
}

function wrongPasskey(cause?: unknown): ApiError {
  return new ApiError(401, 'passkey: the answer is not right; try again', { field: 'passkey', cause });
}
