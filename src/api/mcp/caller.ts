import type { AuthInfo } from '@modelcontextprotocol/server';
import type { Authenticated } from '../../core/accounts/authenticate.ts';
import type { ApiError } from '../../kernel/errors.ts';

/** The caller of a request to /mcp. `refused` has a valid token and an account that may not call now. */
export type Caller = { readonly who: Authenticated } | { readonly refused: ApiError };

/** A caller, and the id of the request that the caller came with. */
type Arrived = Caller & { readonly requestId: string };

const callers = new WeakMap<AuthInfo, Arrived>();

/** Returns the part of the caller that the transport carries along. The token itself stays behind. */
export function authInfoOf(caller: Caller, requestId: string): AuthInfo {
  const who = 'who' in caller ? caller.who : undefined;
  const scopes = who?.scope === 'write' ? ['read', 'write'] : ['read'];
  const info: AuthInfo = { token: '', clientId: who?.clientId ?? '', scopes };
  callers.set(info, { ...caller, requestId });
  return info;
}

/** Returns the caller again. Throws for a request that did not come through the endpoint. */
export function callerBehind(info: AuthInfo | undefined): Arrived {
  const caller = info && callers.get(info);
  if (!caller) throw new Error('a request reached the tools without passing the door');
  return caller;
}
