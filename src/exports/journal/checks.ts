import type { PlainDate } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import { taxShares } from '../../sync/tables/reservations/taxShares.ts';
import type { BookedEntry } from './book.ts';
import type { Exception } from './draft.ts';
import type { AccountName } from './entry.ts';
import type { Group, ReservationFact, StayFact } from './read/facts.ts';
import type { Policy } from './policy.ts';
import { isUnpaid } from './unpaid.ts';

/** Checks the books of a reservation. Each rule that does not hold is an exception for a person to look at. */
export function groupChecks(
  policy: Policy,
  group: Group,
  entries: readonly BookedEntry[],
  today: PlainDate,
): Exception[] {
  const { reservation } = group;
  if (!reservation) return [];
  const past = entries.filter(({ entry }) => entry.date <= today);
  return [
    ...heldDeposits(policy, reservation, past),
    ...differingReceipts(policy, group, reservation),
    ...unpaidStays(group, reservation, today),
    ...doubledCommission(policy, group, reservation, today),
    ...heldAdvances(policy, reservation, past, today),
  ];
}

/** Checks that deposits held equal deposits owed to the guest. */
function heldDeposits(policy: Policy, reservation: ReservationFact, entries: readonly BookedEntry[]): Exception[] {
  const charged = (stay: StayFact) => policy.deposits(reservation, stay.propertyId) === 'charge';
  const stays = reservation.stays.filter(charged).flatMap((stay) => {
    const last = stay.deposits.at(-1);
    return last ? [{ stay, last }] : [];
  });
  return stays.flatMap(({ stay, last }) => {
    const own = entries.filter(({ entry }) => entry.source.kind === 'deposit' && entry.source.id === stay.code);
    // The books contain nothing of a deposit that is older than they are.
    if (own.length === 0 && policy.settings.starts_on !== null && last.date < policy.settings.starts_on) return [];
    const held = 0 - (balances(own, policy.place('deposits')).get(last.currency) ?? 0);
    if (held === last.pending) return [];
    const text = (minor: number) => `${decimalText(minor, last.currency)} ${last.currency}`;
    const problem = `the books hold ${text(held)} of its deposit, ${text(last.pending)} is owed to the guest`;
    return [{ kind: 'deposits_differ', about: stay.code, problem, date: last.date } as const];
  });
}

/** Checks that receipts less refunds equal the received amount that upstream reports. */
function differingReceipts(
  { item }: Policy,
  { transactions }: Group,
  { code, received, currency }: ReservationFact,
): Exception[] {
  if (received === null || currency === null) return [];
  const own = transactions.filter((one) => one.currency === currency);
  // The check needs to know which expenses are refunds.
  if (own.some((one) => one.direction === 'expense' && item(one) === undefined)) return [];
  const sum = own.reduce((total, one) => {
    if (one.direction === 'income') return total + (one.amount ?? 0);
    return item(one)?.class === 'refund' ? total - (one.amount ?? 0) : total;
  }, 0);
  if (sum === received) return [];
  const text = (minor: number) => `${decimalText(minor, currency)} ${currency}`;
  const problem = `its ledger comes to ${text(sum)}, upstream says ${text(received)} was received`;
  return [{ kind: 'receipts_differ', about: code, problem, date: null }];
}

/** Reports stays that ended without any receipt. Such a stay has no fee, and the lack of money may be a mistake. */
function unpaidStays(group: Group, reservation: ReservationFact, today: PlainDate): Exception[] {
  const end = endOf(reservation);
  if (end === null || end > today || !isUnpaid(group)) return [];
  const problem = 'it is over, and nothing was received for it; no fee, commission or tax of it is booked';
  return [{ kind: 'stay_unpaid', about: reservation.code, problem, date: end }];
}

/**
 * Reports a commission that is counted as income twice. A channel that keeps its commission pays the rest. If the
 * ledger has the whole price, that income includes the commission that the books show as income and expense. Cleaning
 * may be part of the price or be sold beside it.
 */
function doubledCommission(
  policy: Policy,
  { transactions }: Group,
  reservation: ReservationFact,
  today: PlainDate,
): Exception[] {
  if (policy.commission(reservation) !== 'netted') return [];
  const stays = reservation.stays.filter(({ status }) => status === 'accepted');
  const [first] = stays;
  const currency = first?.currency ?? null;
  if (!first || currency === null || stays.some((stay) => stay.currency !== currency || stay.rate === null)) return [];
  const total = (of: (stay: StayFact) => number | null) => stays.reduce((sum, stay) => sum + (of(stay) ?? 0), 0);
  const commission = total((stay) => stay.commission);
  if (commission <= 0 || first.checkIn > today) return [];
  const entered = (...classes: string[]) =>
    transactions
      .filter((one) => one.currency === currency && policy.method(one)?.account !== 'none')
      .filter((one) => classes.includes(policy.item(one)?.class ?? ''))
      .reduce((sum, { direction, amount }) => sum + (direction === 'income' ? 1 : -1) * (amount ?? 0), 0);
  const price = total((stay) => stay.rate);
  const tax = taxShares(stays).reduce<number>((sum, share) => sum + (share ?? 0), 0);
  const all = entered('accommodation', 'cleaning', 'refund');
  const isFullPrice = all === price || all === price + tax;
  if (!isFullPrice && entered('accommodation', 'refund') <= price - commission + tax) return [];
  const text = (minor: number) => `${decimalText(minor, currency)} ${currency}`;
  const problem = `its channel keeps ${text(commission)} of ${text(price)}, but ${text(all)} is entered: the commission is income twice; enter what was paid, or say commission: billed`;
  return [{ kind: 'commission_twice', about: reservation.code, problem, date: first.checkIn }];
}

/** Checks that no advance is held for a stay that is over or was cancelled. */
function heldAdvances(
  policy: Policy,
  reservation: ReservationFact,
  entries: readonly BookedEntry[],
  today: PlainDate,
): Exception[] {
  const end = endOf(reservation);
  if (end === null || end > today) return [];
  return [...balances(entries, policy.place('advances'))].flatMap(([currency, balance]) => {
    if (balance === 0) return [];
    const held = `${decimalText(0 - balance, currency)} ${currency}`;
    const problem = `${held} is held in advance of it, though it is over`;
    return [{ kind: 'advances_held', about: reservation.code, problem, date: end } as const];
  });
}

function endOf({ stays, cancelled, gone }: ReservationFact): PlainDate | null {
  if (gone !== null) return gone;
  if (cancelled !== null) return cancelled;
  return (
    stays
      .map((stay) => stay.checkOut)
      .toSorted()
      .at(-1) ?? null
  );
}

function balances(entries: readonly BookedEntry[], account: AccountName): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { entry } of entries) {
    for (const posting of entry.postings) {
      if (posting.account !== account) continue;
      sums.set(posting.currency, (sums.get(posting.currency) ?? 0) + posting.amount);
    }
  }
  return sums;
}
