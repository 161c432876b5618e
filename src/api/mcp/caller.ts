import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Authenticated } from '../../core/accounts/authenticate.ts';
import type { ApiError } from '../../kernel/errors.ts';

/** Whoever is behind a request to /mcp; `refused` has a token that is good and an account that may not ask now. */
export type Caller = { readonly who: Authenticated } | { readonly refused: ApiError };

const callers = new WeakMap<AuthInfo, Caller>();

/** What the transport carries along with a request. The token itself stays at the door. */
export function authInfoOf(caller: Caller): AuthInfo {
  const who = 'who' in caller ? caller.who : undefined;
  const scopes = who?.scope === 'write' ? ['read', 'write'] : ['read'];
  const info: AuthInfo = { token: '', clientId: who?.clientId ?? '', scopes };
  callers.set(info, caller);
  return info;
}

/** The inverse. Throws for a request that did not come by the door. */
export function callerBehind(info: AuthInfo | undefined): Caller {
  const caller = info && callers.get(info);
  if (!caller) throw new Error('a request reached the tools without passing the door');
  return caller;
}
