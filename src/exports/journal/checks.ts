import type { PlainDate } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import type { BookedEntry } from './book.ts';
import type { Exception } from './draft.ts';
import type { AccountName } from './entry.ts';
import type { Group, ReservationFact, StayFact } from './facts.ts';
import type { Policy } from './policy.ts';

/** What must hold of a booking whenever it is booked; each that does not is for a person to look at. */
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
    ...heldAdvances(policy, reservation, past, today),
  ];
}

/** What is held of deposits is what is owed to the guest. */
function heldDeposits(policy: Policy, reservation: ReservationFact, entries: readonly BookedEntry[]): Exception[] {
  const charged = (stay: StayFact) => policy.deposits(reservation, stay.propertyId) === 'charge';
  const stays = reservation.stays.filter(charged).flatMap((stay) => {
    const last = stay.deposits.at(-1);
    return last ? [{ stay, last }] : [];
  });
  return stays.flatMap(({ stay, last }) => {
    const own = entries.filter(({ entry }) => entry.source.kind === 'deposit' && entry.source.id === stay.code);
    // Older than the books: nothing of it is in them.
    if (own.length === 0 && policy.settings.starts_on !== null && last.date < policy.settings.starts_on) return [];
    const held = 0 - (balances(own, policy.place('deposits')).get(last.currency) ?? 0);
    if (held === last.pending) return [];
    const text = (minor: number) => `${decimalText(minor, last.currency)} ${last.currency}`;
    const problem = `the books hold ${text(held)} of its deposit, ${text(last.pending)} is owed to the guest`;
    return [{ kind: 'deposits_differ', about: stay.code, problem, date: last.date } as const];
  });
}

/** Receipts less refunds are what upstream says was received. */
function differingReceipts(
  { item }: Policy,
  { transactions }: Group,
  { code, received, currency }: ReservationFact,
): Exception[] {
  if (received === null || currency === null) return [];
  const own = transactions.filter((one) => one.currency === currency);
  // Without knowing what is a refund, nothing can be said.
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

/** Nothing is held in advance of a stay that is over, or that came to nothing. */
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
