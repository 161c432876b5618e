import type { BookAccountsTable } from '../tables/bookTables.ts';
import type { AccountName } from '../journal/entry.ts';
import type { Holders } from '../journal/funds.ts';
import { ownerAccount, type Policy } from '../journal/policy.ts';
import type { Place } from '../journal/settings.ts';

/** The purpose of an account, as far as reports ask for it. */
type Role = Place | 'owner' | 'clearing' | 'money' | 'equity' | 'income' | 'expense' | 'liability' | 'asset';

/** The purposes of accounts, by the settings of a book. */
export interface Roles {
  of(account: AccountName): Role;
  /** Returns the code of the owner to whom the account is owed, or undefined. */
  ownerOf(account: AccountName): string | undefined;
  /** Returns true if the balance covers money held for others. */
  isTrust(account: AccountName): boolean;
}

/** Derives the purposes of accounts from a policy. */
export function rolesOf(policy: Policy): Roles {
  const { settings } = policy;
  const places = new Map(Object.entries(settings.accounts).map(([place, account]) => [account, place as Place]));
  const codes = [
    ...Object.keys(settings.owners),
    ...Object.values(settings.properties).flatMap(({ owner }) => owner ?? []),
  ];
  const owners = new Map(codes.map((code) => [ownerAccount(code), code]));
  const clearing = new Set(Object.values(settings.channels).flatMap((channel) => channel.clearing ?? []));
  const of = (account: AccountName): Role => {
    const place = places.get(account);
    if (place) return place;
    if (owners.has(account)) return 'owner';
    const { type, isClearing } = policy.account(account);
    if (isClearing || clearing.has(account)) return 'clearing';
    return type === 'asset' ? 'money' : type;
  };
  const trusted = settings.trust.accounts;
  return {
    of,
    ownerOf: (account) => owners.get(account),
    isTrust: (account) =>
      trusted === null
        ? ['money', 'clearing'].includes(of(account))
        : trusted.some((one) => account === one || account.startsWith(`${one}:`)),
  };
}

/** Returns the rows of the accounts that occur. */
export function accountRows(connection: string, policy: Policy, names: Iterable<AccountName>): BookAccountsTable[] {
  const roles = rolesOf(policy);
  return [...names].map((name) => {
    const { type, title, code } = policy.account(name);
    const owner = roles.ownerOf(name) ?? null;
    return {
      connection,
      account: name,
      type,
      role: roles.of(name),
      title,
      code,
      owner,
      owner_name: owner === null ? null : (policy.settings.owners[owner]?.name ?? owner),
      trust: roles.isTrust(name) ? 1 : 0,
    };
  });
}

const OWED: ReadonlySet<Role> = new Set(['advances', 'deposits', 'occupancy_tax', 'owner']);

/**
 * Returns the answers that {@link Funds} needs from the settings. Without an agent's contract, all money is the
 * operator's unless the settings say otherwise.
 */
export function holdersOf(policy: Policy): Holders {
  const roles = rolesOf(policy);
  const { trust, contracts } = policy.settings;
  return {
    ownerOf: roles.ownerOf,
    isTrust: roles.isTrust,
    isOwed: (account) => OWED.has(roles.of(account)),
    holds: trust.accounts !== null || Object.values(contracts).some(({ mode }) => mode === 'agent'),
  };
}
