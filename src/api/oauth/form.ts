import type { FastifyRequest } from 'fastify';
import { OAuthFailure } from '../../oauth/failure.ts';

const FORM = /^application\/x-www-form-urlencoded *(?:;|$)/i;
const JSON_TYPE = /^application\/json *(?:;|$)/i;

/** Parses the fields of a form. @throws OAuthFailure for another type of body, or a repeated field */
export function formOf(request: FastifyRequest): URLSearchParams {
  if (!FORM.test(request.headers['content-type'] ?? '')) {
    throw new OAuthFailure('invalid_request', 'Send the fields as application/x-www-form-urlencoded.');
  }
  const fields = new URLSearchParams(textOf(request));
  const names = [...fields.keys()];
  const twice = names.find((name, index) => name !== 'resource' && names.indexOf(name) !== index);
  if (twice !== undefined) throw new OAuthFailure('invalid_request', 'A field stands there twice.');
  return fields;
}

/** Parses a JSON body. @throws OAuthFailure */
export function jsonOf(request: FastifyRequest): unknown {
  const wrong = () => new OAuthFailure('invalid_client_metadata', 'Send a JSON object as application/json.');
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw wrong();
  try {
    return JSON.parse(textOf(request)) as unknown;
  } catch {
    throw wrong();
  }
}

function textOf(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

/** The credentials of a client: from its Authorization header, or from fields of the form. */
interface Credentials {
  readonly clientId: string | undefined;
  readonly secret: string | undefined;
  /** True if the header was used; then a refusal needs a header, too. */
  readonly byHeader: boolean;
}

/** @throws OAuthFailure if both ways are used at once, or the header is unreadable */
export function credentialsOf(request: FastifyRequest, form: URLSearchParams): Credentials {
  const { authorization } = request.headers;
  const inForm = { clientId: form.get('client_id') ?? undefined, secret: form.get('client_secret') ?? undefined };
  if (authorization === undefined) return { ...inForm, byHeader: false };
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization) ?? [];
  const [id, secret] = pairOf(encoded);
  if (id === undefined || secret === undefined) {
    throw new OAuthFailure('invalid_client', 'The Authorization header cannot be read; it has to be Basic.');
  }
  if (inForm.secret !== undefined || (inForm.clientId !== undefined && inForm.clientId !== id)) {
    throw new OAuthFailure('invalid_request', 'Prove yourself by the header or by the fields, not by both.');
  }
  return { clientId: id, secret, byHeader: true };
}

/** Both parts are form-encoded before they are joined (RFC 6749, 2.3.1). */
function pairOf(encoded: string | undefined): (string | undefined)[] {
  if (encoded === undefined) return [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return [];
  try {
    return [text.slice(0, colon), text.slice(colon + 1)].map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
  } catch {
    return [];
  }
}
