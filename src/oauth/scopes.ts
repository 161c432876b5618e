import { OAuthFailure } from './failure.ts';

/** read: what changes nothing · write: everything. */
export type Scope = 'read' | 'write';
export const SCOPES: readonly Scope[] = ['read', 'write'];

/** Asked for by clients that want a refresh token; here each grant has one. */
const SILENT = new Set(['offline_access']);

/**
 * What a request's `scope` comes to; nothing asked for is the least. `write` holds `read`.
 * @throws OAuthFailure for a scope that does not exist, or that the application was not registered for
 */
export function scopeAsked(text: string | undefined, most: Scope): Scope {
  const names = (text ?? '').split(' ').filter((name) => name !== '' && !SILENT.has(name));
  const unknown = names.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined) {
    throw new OAuthFailure('invalid_scope', `There is no such scope; there are ${SCOPES.join(' and ')}.`);
  }
  const asked = names.includes('write') ? 'write' : 'read';
  if (asked === 'write' && most === 'read') {
    throw new OAuthFailure('invalid_scope', 'This application was registered for read alone.');
  }
  return asked;
}

/** A scope as tokens say it: `write` opens what `read` opens. */
export function scopeText(scope: Scope): string {
  return scope === 'write' ? 'read write' : 'read';
}
