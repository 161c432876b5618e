import type {
  BookMode,
  CommissionKind,
  DepositKind,
  EarnedClass,
  ItemClass,
  OccupancyTax,
  Recognition,
} from '../../kernel/books.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { Currency } from '../../kernel/money.ts';
import type { RateSetting } from './convert.ts';
import type { AccountName } from './entry.ts';

/** The meaning of a ledger item for the books. */
export interface ItemSetting {
  readonly class: ItemClass;
  readonly account: AccountName | null;
  readonly recognition: Recognition | null;
}

/**
 * The place of a method's money: an account, `channel` for the channel's clearing account, or `none` for money that is
 * not held here.
 */
export interface MethodSetting {
  readonly account: AccountName;
  /** Currency of the account; null for the currency of each entry. */
  readonly currency: Currency | null;
}

/** The settings of one channel or source. */
interface ChannelSetting {
  readonly clearing: AccountName | null;
  readonly commission: CommissionKind | null;
  readonly occupancy_tax: OccupancyTax;
  readonly deposits: DepositKind | null;
}

/** The target's data of one account. */
export interface ChartSetting {
  readonly title: string | null;
  readonly code: string | null;
  readonly tax: string | null;
  /** The name for programs that identify accounts by name alone. Default: the account name. */
  readonly name?: string | undefined;
}

/** The settings of one property. */
interface PropertySetting {
  readonly code: string | null;
  readonly owner: string | null;
  readonly contract: string | null;
  readonly deposits: DepositKind | null;
  /** The authority that receives its occupancy tax. */
  readonly tax_authority: string | null;
}

/** Kinds of income that a contract shares. */
export type SharedClass = EarnedClass | 'cancellation' | 'damage';

/** The contract of a manager with an owner. */
export interface ContractSetting {
  readonly mode: BookMode;
  /** Exact decimal text. */
  readonly percent: string;
  /** gross: includes the commission that the channel retains. */
  readonly of: 'gross' | 'net';
  /** Exact decimal text, in the currency of each stay. */
  readonly per_stay: string;
  /** Classes of income that belong to the manager. */
  readonly kept: readonly SharedClass[];
  /** Classes of income that belong to the owner without a fee. */
  readonly free: readonly SharedClass[];
}

type ByDirection<Setting> = Readonly<Record<'income' | 'expense', Readonly<Record<string, Setting>>>>;

/** Accounts that do not depend on an item, method, channel or owner. */
export type Place =
  | 'advances'
  | 'deposits'
  | 'occupancy_tax'
  | 'cancellation'
  | 'refunds'
  | 'damage'
  | 'management'
  | 'commission'
  | 'payment_fees'
  | 'owner_costs'
  | 'owner_payouts'
  | 'transfers'
  | 'conversion';

/** The bookkeeping settings of one connection: `exports.books.<connection>` of the configuration. */
export interface BookSettings {
  readonly starts_on: PlainDate | null;
  readonly max_reconciliation_age_hours: number;
  readonly accounts: Readonly<Record<Place, AccountName>>;
  readonly chart: Readonly<Record<AccountName, ChartSetting>>;
  readonly classes: Readonly<Record<EarnedClass, { account: AccountName; recognition: Recognition }>>;
  readonly items: ByDirection<ItemSetting>;
  readonly methods: ByDirection<MethodSetting>;
  readonly channels: Readonly<Record<string, ChannelSetting>>;
  readonly deposits: {
    readonly kind: DepositKind | null;
    readonly account: AccountName | null;
    /** Days after the stay within which the rest of the deposit must be returned. */
    readonly return_days: number;
    /** Days after which a hold on a card ends by itself. */
    readonly hold_days: number;
  };
  /** Accounts (including their subaccounts) that cover money held for others; null for all accounts of money. */
  readonly trust: { readonly accounts: readonly AccountName[] | null };
  readonly properties: Readonly<Record<string, PropertySetting>>;
  readonly owners: Readonly<Record<string, { name: string }>>;
  readonly contracts: Readonly<Record<string, ContractSetting>>;
  readonly rates: readonly RateSetting[];
}
