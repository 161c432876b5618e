/** The classes of ledger items in the books. */
export const itemClasses = [
  'accommodation',
  'cleaning',
  'extra',
  'tax_collected',
  'tax_channel_remitted',
  'tax_paid',
  'deposit',
  'refund',
  'commission',
  'payment_fee',
  'owner_expense',
  'owner_payout',
  'opex',
  'transfer',
  'ignore',
] as const;
export type ItemClass = (typeof itemClasses)[number];

/** Classes of income that a stay earns, and therefore at a time of its own. */
export const earnedClasses = ['accommodation', 'cleaning', 'extra'] as const;
export type EarnedClass = (typeof earnedClasses)[number];

/** The time at which income counts: at payment, on arrival, on departure, or night by night. */
export const recognitions = ['cash', 'check_in', 'check_out', 'nightly'] as const;
export type Recognition = (typeof recognitions)[number];

/** principal: the operator's own business; agent: an owner's, who pays a fee for it. */
export const bookModes = ['principal', 'agent'] as const;
export type BookMode = (typeof bookModes)[number];

/** charge: money has moved; hold: a card was only authorised. */
export const depositKinds = ['charge', 'hold'] as const;
export type DepositKind = (typeof depositKinds)[number];

/** netted: the channel deducts it before it pays; billed: the ledger has it as an expense. */
export const commissionKinds = ['netted', 'billed'] as const;
export type CommissionKind = (typeof commissionKinds)[number];

/** collected: the operator owes it; remitted: the channel has paid it, and it was never the operator's money. */
export const occupancyTaxes = ['collected', 'remitted'] as const;
export type OccupancyTax = (typeof occupancyTaxes)[number];

/** The forms of corrections after a period was locked: see docs/accounting.md. */
export const correctionPolicies = ['reverse_and_rebook', 'adjust', 'restate'] as const;
export type CorrectionPolicy = (typeof correctionPolicies)[number];

/** A type, then parts that every target accepts. */
export const ACCOUNT_NAME = /^(?:Assets|Liabilities|Equity|Income|Expenses)(?::[A-Z0-9][\p{L}\p{N}-]*)+$/u;
