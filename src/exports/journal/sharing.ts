import type { PlainDate } from '../../kernel/dates.ts';
import { type Currency, type Minor, splitByWeights } from '../../kernel/money.ts';
import type { AccountName, Posting } from './entry.ts';
import type { Policy } from './policy.ts';
import type { Part } from './schedule.ts';
import type { ContractSetting, SharedClass } from './settings.ts';

/** Income of one part of a reservation; below zero if it is refunded. */
export interface Earning {
  readonly date: PlainDate | null;
  readonly propertyId: number | null;
  readonly class: SharedClass;
  /** The income account of the operator's own business, or of the income that belongs to the manager. */
  readonly account: AccountName;
  readonly amount: Minor;
  /** Set for the commission that the channel retained; a gross fee includes it. */
  readonly isCommission?: true;
}

/** Returns the credit side of earned income: income, or the debt to an owner and the fee taken from it. */
export function credits(policy: Policy, currency: Currency, earnings: readonly Earning[]): Posting[][] {
  const fees = feesOf(policy, earnings);
  return earnings.map((earning, index) => {
    const { propertyId, amount, account } = earning;
    const line = (to: AccountName, part: Minor): Posting => ({ account: to, amount: 0 - part, currency, propertyId });
    const agency = policy.agency(propertyId);
    if (!agency || agency.contract.kept.includes(earning.class)) return [line(account, amount)];
    const fee = fees[index] ?? 0;
    return [line(agency.owner, amount - fee), line(policy.place('management'), fee)];
  });
}

/**
 * Returns the reduction of a net fee for a commission that the channel bills later: the money came in gross, and no
 * receipt shows the commission. Returns nothing for contracts with a gross fee.
 */
export function feesBack(policy: Policy, currency: Currency, commissions: readonly Earning[]): Posting[][] {
  const ofNet = commissions.map((one) =>
    policy.agency(one.propertyId)?.contract.of === 'net' ? { ...one, amount: 0 - one.amount } : { ...one, amount: 0 },
  );
  const fees = feesOf(policy, ofNet);
  return ofNet.map(({ propertyId }, index) => {
    const agency = policy.agency(propertyId);
    const fee = fees[index] ?? 0;
    if (!agency || fee === 0) return [];
    return [
      { account: agency.owner, amount: fee, currency, propertyId },
      { account: policy.place('management'), amount: 0 - fee, currency, propertyId },
    ];
  });
}

/** Computes one fee per contract, rounded once, and splits it without losing a cent. */
function feesOf(policy: Policy, earnings: readonly Earning[]): Minor[] {
  const fees = earnings.map(() => 0);
  const byContract = new Map<ContractSetting, number[]>();
  for (const [index, earning] of earnings.entries()) {
    const contract = policy.agency(earning.propertyId)?.contract;
    if (contract && takesFee(contract, earning)) {
      byContract.set(contract, [...(byContract.get(contract) ?? []), index]);
    }
  }
  for (const [contract, indexes] of byContract) {
    const amounts = indexes.map((index) => earnings[index]?.amount ?? 0);
    const total = amounts.reduce((sum, amount) => sum + amount, 0);
    const shares = splitByWeights(percentOf(total, contract.percent), amounts.map(Math.abs));
    for (const [at, index] of indexes.entries()) fees[index] = shares[at] ?? 0;
  }
  return fees;
}

function takesFee({ of, kept, free }: ContractSetting, earning: Earning): boolean {
  if (kept.includes(earning.class) || free.includes(earning.class)) return false;
  return of === 'gross' || earning.isCommission !== true;
}

/** Rounds to the nearest minor unit, halves away from zero. */
function percentOf(amount: Minor, percent: string): Minor {
  const [whole = '0', fraction = ''] = percent.split('.');
  const unit = 100n * 10n ** BigInt(fraction.length);
  const rounded = Number((2n * BigInt(Math.abs(amount)) * BigInt(whole + fraction) + unit) / (2n * unit));
  return amount < 0 ? 0 - rounded : rounded;
}

/**
 * Returns the class and account of an earned part. Money retained of a cancelled reservation is cancellation income.
 */
export function earningOf(
  policy: Policy,
  part: Part,
  amount: Minor,
  own: { class: SharedClass; account: AccountName },
): Earning {
  const kept = part.isRetained
    ? { class: 'cancellation' as const, account: policy.place('cancellation') }
    : { class: own.class, account: own.account };
  return { date: part.date, propertyId: part.stay.propertyId, amount, ...kept };
}
