import type { BookAccountsTable } from '../tables/bookTables.ts';
import type { AccountName } from '../journal/entry.ts';
import type { Holders } from '../journal/funds.ts';
import { ownerAccount, type Policy } from '../journal/policy.ts';
import type { Place } from '../journal/settings.ts';

/** Where money lies, as far as reports ask. */
export type Role = Place | 'owner' | 'clearing' | 'money' | 'equity' | 'income' | 'expense' | 'liability' | 'asset';

/** What accounts are for, by the settings of a book. */
export interface Roles {
  of(account: AccountName): Role;
  /** Code of the owner to whom it is owed; undefined: to none. */
  ownerOf(account: AccountName): string | undefined;
  /** Whether what lies there covers what is held for others. */
  isTrust(account: AccountName): boolean;
}

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

/** The rows of accounts that occur. */
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

/** What {@link Funds} asks of the settings. Without an agent's contract, and unless somebody says so, all money is the operator's. */
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
