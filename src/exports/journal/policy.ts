import { createHash } from 'node:crypto';
import type { CommissionKind, DepositKind, EarnedClass, OccupancyTax, Recognition } from '../../kernel/books.ts';
import type { Account, AccountName, AccountType, TrackedProperty } from './entry.ts';
import type { ReservationFact, TransactionFact } from './read/facts.ts';
import type { BookSettings, ContractSetting, ItemSetting, MethodSetting, Place } from './settings.ts';

/** The channel by which a reservation came. */
type Origin = Pick<ReservationFact, 'channel' | 'channelType'>;

/** The settings of a book, with defaults applied. */
export interface Policy {
  readonly settings: BookSettings;
  /** Hash of settings and rules: 64 hex digits. */
  readonly hash: string;
  place(name: Place): AccountName;
  item(transaction: TransactionFact): ItemSetting | undefined;
  method(transaction: TransactionFact): MethodSetting | undefined;
  /** Returns the account that collects amounts of an unmapped item. */
  unmappedItem(transaction: TransactionFact): AccountName;
  unmappedMethod(transaction: TransactionFact): AccountName;
  earned(name: EarnedClass): { account: AccountName; recognition: Recognition };
  clearing(reservation: Origin): AccountName;
  commission(reservation: Origin): CommissionKind;
  occupancyTax(reservation: Origin): OccupancyTax;
  deposits(reservation: Origin, propertyId: number): DepositKind | null;
  depositAccount(reservation: Origin): AccountName;
  /** Returns the contract of a property's owner, or null for the operator's own business. */
  agency(propertyId: number | null): { owner: AccountName; contract: ContractSetting } | null;
  account(name: AccountName): Account;
  property(id: number, name: string): TrackedProperty;
}

/** Version of the rules. Raise it when the same facts and settings give other entries than before. */
export const RULES_VERSION = 4;
const DIRECT: ReadonlySet<string> = new Set(['direct', 'booking_site', 'ical']);

const TYPES: Readonly<Record<string, AccountType>> = {
  Assets: 'asset',
  Liabilities: 'liability',
  Equity: 'equity',
  Income: 'income',
  Expenses: 'expense',
};

/** Makes the policy of some settings. */
export function policyOf(settings: BookSettings): Policy {
  const channelOf = ({ channel, channelType }: Origin) => settings.channels[channel] ?? settings.channels[channelType];
  const clearing = (reservation: Origin) =>
    channelOf(reservation)?.clearing ?? `Assets:Clearing:${accountPart(reservation.channel)}`;
  return {
    settings,
    hash: createHash('sha256')
      .update(stableText([RULES_VERSION, settings]))
      .digest('hex'),
    place: (name) => settings.accounts[name],
    item: ({ direction, itemId }) => settings.items[direction][itemId],
    method: ({ direction, methodId }) => settings.methods[direction][methodId],
    unmappedItem: ({ direction, itemId }) => `${direction === 'income' ? 'Income' : 'Expenses'}:Unmapped:I${itemId}`,
    unmappedMethod: ({ methodId }) => `Assets:Unmapped:M${methodId}`,
    earned: (name) => settings.classes[name],
    clearing,
    commission: (reservation) =>
      channelOf(reservation)?.commission ?? (DIRECT.has(reservation.channelType) ? 'billed' : 'netted'),
    occupancyTax: (reservation) => channelOf(reservation)?.occupancy_tax ?? 'remitted',
    deposits: (reservation, propertyId) =>
      settings.properties[propertyId]?.deposits ?? channelOf(reservation)?.deposits ?? settings.deposits.kind,
    depositAccount: (reservation) => settings.deposits.account ?? clearing(reservation),
    agency(propertyId) {
      const property = propertyId === null ? undefined : settings.properties[propertyId];
      const contract = property?.contract ? settings.contracts[property.contract] : undefined;
      if (!property?.owner || contract?.mode !== 'agent') return null;
      return { owner: ownerAccount(property.owner), contract };
    },
    account: accountsOf(settings),
    property: (id, name) => {
      const own = settings.properties[id];
      return { id, name, code: own?.code ?? `P${id}`, owner: own?.owner ?? null };
    },
  };
}

/** Returns a cached look-up of accounts, because every posting asks for one. */
function accountsOf(settings: BookSettings): (name: AccountName) => Account {
  const known = new Map<AccountName, Account>();
  return (name) => {
    let account = known.get(name);
    if (!account) known.set(name, (account = accountOf(settings, name)));
    return account;
  };
}

/** Returns the account of the money owed to an owner. */
export function ownerAccount(owner: string): AccountName {
  return `Liabilities:Owners:${accountPart(owner)}`;
}

function accountOf({ chart, owners }: BookSettings, name: AccountName): Account {
  const [first = '', ...parts] = name.split(':');
  const said = chart[name];
  const owner = Object.keys(owners).find((one) => ownerAccount(one) === name);
  return {
    name,
    type: TYPES[first] ?? 'equity',
    title: said?.title ?? (owner === undefined ? parts.join(' ').replaceAll('-', ' ') : (owners[owner]?.name ?? owner)),
    code: said?.code ?? null,
    alias: said?.name ?? null,
    tax: said?.tax ?? null,
    isClearing: name.startsWith('Assets:Clearing:'),
  };
}

/** Returns an upstream name as a part of an account name: `marketplace_a` becomes `Marketplace-A`. */
export function accountPart(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const part = words.join('-');
  // Targets require an ASCII capital or digit in front.
  return /^[A-Z0-9]/.test(part) ? part : `X${part}`;
}

/** Writes JSON with sorted keys, because the order of a configuration file has no meaning. */
function stableText(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
