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

/** What an item of the ledger is to the books. */
export interface ItemSetting {
  readonly class: ItemClass;
  readonly account: AccountName | null;
  readonly recognition: Recognition | null;
}

/** Where money of a method lies: an account, `channel` for the channel's clearing account, `none` for nobody's here. */
export interface MethodSetting {
  readonly account: AccountName;
  /** In which the account is kept; null: in that of each entry. */
  readonly currency: Currency | null;
}

export interface ChannelSetting {
  readonly clearing: AccountName | null;
  readonly commission: CommissionKind | null;
  readonly occupancy_tax: OccupancyTax;
  readonly deposits: DepositKind | null;
}

export interface ChartSetting {
  readonly title: string | null;
  readonly code: string | null;
  readonly tax: string | null;
  /** What programs call it that know accounts by their names alone; left out: the same. */
  readonly name?: string | undefined;
}

export interface PropertySetting {
  readonly code: string | null;
  readonly owner: string | null;
  readonly contract: string | null;
  readonly deposits: DepositKind | null;
  /** To whom its occupancy tax goes. */
  readonly tax_authority: string | null;
}

/** Kinds of income that a contract shares out. */
export type SharedClass = EarnedClass | 'cancellation' | 'damage';

export interface ContractSetting {
  readonly mode: BookMode;
  /** Exact decimal text. */
  readonly percent: string;
  /** gross: with what the channel keeps. */
  readonly of: 'gross' | 'net';
  /** Exact decimal text, in the currency of each stay. */
  readonly per_stay: string;
  /** What is the manager's own. */
  readonly kept: readonly SharedClass[];
  /** What is the owner's without a fee. */
  readonly free: readonly SharedClass[];
}

type ByDirection<Setting> = Readonly<Record<'income' | 'expense', Readonly<Record<string, Setting>>>>;

/** The accounts that are not of one item, method, channel or owner. */
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

/** How the ledger of one connection is booked: `exports.books.<connection>` of the configuration. */
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
    /** Days after the stay by which the rest is to be back. */
    readonly return_days: number;
    /** Days after which a hold on a card ends by itself. */
    readonly hold_days: number;
  };
  /** Accounts, with what is below them, that cover what is held for others; null: all money there is. */
  readonly trust: { readonly accounts: readonly AccountName[] | null };
  readonly properties: Readonly<Record<string, PropertySetting>>;
  readonly owners: Readonly<Record<string, { name: string }>>;
  readonly contracts: Readonly<Record<string, ContractSetting>>;
  readonly rates: readonly RateSetting[];
}
