import { findAccount, listAccounts } from '../../core/accounts/table.ts';
import type { AccountRow } from '../../core/database.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import type { Caller } from '../access.ts';
import type { PortalServices } from './route.ts';

/** Returns the actor for the audit; null for the holder of the data directory. */
export function operatorOf(caller: Caller) {
  return caller.kind === 'token' ? caller.operator : null;
}

/** Returns the properties that a caller sees; null: all. */
export function visibleTo(caller: Caller): readonly number[] | null {
  return caller.kind === 'token' ? caller.visible : null;
}

/** Returns true for the main account, for who acts for it, and for the holder of the data directory. */
export function isMain(caller: Caller): boolean {
  return caller.kind === 'control' || caller.operator.kind === 'master' || caller.forAccount === true;
}

/** @throws ApiError 401 for a sub-account */
export function requireMain(caller: Caller): void {
  if (!isMain(caller)) {
    throw new ApiError(401, 'Only the main account may do this.');
  }
}

/**
 * Returns true if what belongs to the whole service belongs to the caller: no other account is here, and no deployment is
 * mirrored for others.
 */
export async function ownsService({ core, mirror }: PortalServices, caller: Caller): Promise<boolean> {
  if (caller.kind === 'control') return true;
  if ((await listAccounts(core.store.db)).length > 1) return false;
  const all = await mirror.connectionsOf(null);
  return all.length === (await mirror.connectionsOf(caller.account.account_id)).length;
}

/** Returns the account of a call: that of the token; for the control secret the named one, or the only one. */
export async function accountOf(
  { core }: PortalServices,
  caller: Caller,
  name: string | undefined,
): Promise<AccountRow> {
  if (caller.kind === 'token') {
    if (name !== undefined && name !== caller.account.name && name !== caller.account.account_id) {
      throw new ApiError(403, 'account: belongs to another operator', { field: 'account' });
    }
    return caller.account;
  }
  const { db } = core.store;
  if (name !== undefined) {
    const account = await findAccount(db, name);
    if (!account) throw new ApiError(404, `account: there is no account "${name}"`, { field: 'account' });
    return account;
  }
  const accounts = await listAccounts(db);
  const [only, ...others] = accounts;
  if (only && others.length === 0) return only;
  const names = accounts.map((account) => account.name).join(', ');
  throw new ApiError(422, `account: is required; there are ${names || 'none yet'}`, { field: 'account' });
}

/**
 * Returns the connections that a caller may see, restricted to the named one. A mirror knows no sub-accounts: it shows
 * all properties.
 * @throws ApiError 401 for a sub-account
 */
export async function connectionsOf(
  { mirror }: PortalServices,
  caller: Caller,
  name: string | undefined,
): Promise<ConnectionId[]> {
  requireMain(caller);
  const all = await mirror.connectionsOf(caller.kind === 'token' ? caller.account.account_id : null);
  if (name === undefined) return all;
  const found = all.find((connection) => connection === name);
  if (!found) {
    throw new ApiError(404, `connection: there is none named "${name}"; there are ${all.join(', ') || 'none'}`, {
      field: 'connection',
    });
  }
  return [found];
}

/** Returns exactly one connection: the named one, or the only one. */
export async function connectionOf(
  services: PortalServices,
  caller: Caller,
  name: string | undefined,
): Promise<ConnectionId> {
  const [only, ...others] = await connectionsOf(services, caller, name);
  if (only && others.length === 0) return only;
  if (!only) {
    const problem =
      'connection: nothing is mirrored by this process; ask one with the role receive, work or schedule, by its data directory';
    throw new ApiError(409, problem, { field: 'connection' });
  }
  throw new ApiError(422, `connection: is required; there are ${[only, ...others].join(', ')}`, {
    field: 'connection',
  });
}
