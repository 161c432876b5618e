import type { Profile } from '../contract/dialect/profile.ts';
import { apiFailure, CallError, transportFailure } from './callError.ts';
import type { Fields } from './fields.ts';
import type { FreshTokens, Refresh } from './refreshTokens.ts';
import { exchange, openPool } from './transport.ts';

const OPERATION = 'createAuthorization';
/** Seconds that a token lives if the other side does not state it. */
const USUAL_SECONDS = 3_600;
/** Final refusals: a person must grant access again, or correct the configuration. */
const FINAL = new Set([400, 401, 403, 404, 422]);

/** Creates a refresh by JSON at the address of the profile; the answer may have an envelope or none. */
export function refreshByJson(userAgent: string, profile: Profile, signal: AbortSignal): Refresh {
  const { oauth, base_path: basePath, success_codes: success } = profile;
  if (oauth.by !== 'json') throw new Error('the profile refreshes otherwise');
  return async ({ issuer, clientId, clientSecret }, refreshToken) => {
    const { origin, pathname } = new URL(issuer);
    const pool = openPool(origin);
    try {
      const asked = {
        client_id: clientId,
        ...(clientSecret !== null && { client_secret: clientSecret }),
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      };
      const headers = { accept: 'application/json', 'content-type': 'application/json', 'user-agent': userAgent };
      const path = `${pathname.replace(/(?<!\/)\/+$/, '')}${basePath}${oauth.token}`;
      const request = { method: 'POST' as const, path, headers, body: JSON.stringify(asked) };
      const { status, body } = await exchange(pool, origin, OPERATION, request, signal);
      return tokensIn(dataIn(fieldsOf(body.toString('utf8'), status), status, success));
    } finally {
      await pool.destroy();
    }
  };
}

function fieldsOf(text: string, status: number): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // The code below reports it.
  }
  throw transportFailure(OPERATION, `HTTP status ${status} and no JSON object`);
}

/** Returns the contents of an envelope, or a bare form itself. @throws CallError for everything but a success */
function dataIn(fields: Fields, status: number, success: readonly number[]): Fields {
  const { error_code: code, data } = fields;
  if (typeof code === 'number' && !success.includes(code)) throw refusal(code, fields['error_msg']);
  if (code === undefined && status !== 200) {
    throw refusal(status, fields['error_description'] ?? fields['error'] ?? 'the authorization server gives no reason');
  }
  return typeof data === 'object' && data !== null ? (data as Fields) : fields;
}

function refusal(code: number, text: unknown): CallError {
  const says = typeof text === 'string' ? text.slice(0, 200) : '';
  if (!FINAL.has(code)) return apiFailure(OPERATION, code, says);
  return new CallError({ operation: OPERATION, kind: 'api', code, client: 'host', message: `${code} ${says}` });
}

function tokensIn({ access_token: access, refresh_token: refresh, expires_in: seconds }: Fields): FreshTokens {
  if (typeof access !== 'string' || access === '') throw transportFailure(OPERATION, 'an answer without access_token');
  return {
    accessToken: access,
    refreshToken: typeof refresh === 'string' && refresh !== '' ? refresh : null,
    expiresInMs: (Number(seconds) > 0 ? Number(seconds) : USUAL_SECONDS) * 1_000,
  };
}
