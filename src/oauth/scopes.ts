import { OAuthFailure } from './failure.ts';

/** read: operations that change nothing · write: all operations. */
export type Scope = 'read' | 'write';
export const SCOPES: readonly Scope[] = ['read', 'write'];

/** Scopes that clients request for a refresh token. Every grant has one here. */
const SILENT = new Set(['offline_access']);

/**
 * Returns the scope of a request; without names the least. `write` includes `read`.
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

/** Returns a scope as tokens state it. `write` includes `read`. */
export function scopeText(scope: Scope): string {
  return scope === 'write' ? 'read write' : 'read';
}
