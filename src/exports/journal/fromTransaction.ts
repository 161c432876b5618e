import { type EarnedClass, earnedClasses } from '../../kernel/books.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { Minor } from '../../kernel/money.ts';
import { type Draft, merged, type Outcome } from './draft.ts';
import type { AccountName, Posting } from './entry.ts';
import type { ReservationFact, TransactionFact } from './read/facts.ts';
import type { Policy } from './policy.ts';
import { scheduleOf, spread } from './schedule.ts';
import { settle } from './settle.ts';
import type { ItemSetting } from './settings.ts';
import { credits, earningOf } from './sharing.ts';
import { grouped } from './grouped.ts';

/** A ledger entry with everything that booking requires. */
interface Bookable extends TransactionFact {
  readonly amount: Minor;
  readonly date: PlainDate;
}

/** The surroundings of a ledger entry. */
interface TransactionCase {
  readonly policy: Policy;
  readonly reservation: ReservationFact | null;
  /** The operator's date now. Later money is not booked. */
  readonly today: PlainDate;
  /** True if the stay provides the deposit entries of the reservation. */
  readonly hasDeposit: boolean;
}

/** Returns the entries of one ledger entry: its own, and one for each part that is earned later. */
export function fromTransaction(
  transaction: TransactionFact,
  transactionCase: TransactionCase,
): { drafts: Draft[]; outcome: Outcome } {
  const { policy } = transactionCase;
  const source = { kind: 'transaction', id: String(transaction.id) } as const;
  const end = (state: Outcome['state'], reason: string, drafts: Draft[] = []) => ({
    drafts,
    outcome: { source, state, reason, date: transaction.date },
  });
  const pending = pendingReason(transaction, transactionCase);
  if (pending !== null) return end('pending', pending);
  const entry = transaction as Bookable;
  const ignored = ignoredReason(entry, transactionCase);
  if (ignored !== null) return end('ignored', ignored);
  const money = moneyOf(entry, transactionCase);
  if ('problem' in money) return end('pending', money.problem);
  const drafts = draftsOf(entry, transactionCase, money.postings);
  const unmapped = [
    ...(policy.item(entry) ? [] : [`item ${entry.itemId} “${entry.itemName}” has no class`]),
    ...(policy.method(entry) ? [] : [`method ${entry.methodId} “${entry.methodName}” has no account`]),
  ];
  return unmapped.length > 0 ? end('unmapped', unmapped.join('; '), drafts) : end('posted', '', drafts);
}

function pendingReason(transaction: TransactionFact, { reservation, today }: TransactionCase): string | null {
  if (transaction.amount === null) return `its amount cannot be expressed in ${transaction.currency}`;
  if (transaction.date === null) return 'its date cannot be read';
  if (transaction.date > today) return 'it lies ahead';
  if (transaction.reservation !== null && reservation === null) return 'its booking is not in the mirror';
  if (reservation && reservation.stays.length === 0 && reservation.gone === null)
    return 'the dates of its stay are unknown';
  return null;
}

function ignoredReason(entry: Bookable, { policy, hasDeposit }: TransactionCase): string | null {
  const { starts_on } = policy.settings;
  if (starts_on !== null && entry.date < starts_on) return 'it is older than the books';
  const name = policy.item(entry)?.class;
  if (name === 'ignore') return 'its item is ignored';
  if (name === 'tax_channel_remitted') return 'the channel pays this tax itself';
  if (name === 'deposit' && hasDeposit) return 'the deposit is booked from its stay';
  if (policy.method(entry)?.account === 'none') return 'the money never came here';
  return null;
}

/** Returns the postings of the money itself: a debit for income, a credit for an expense. */
function moneyOf(entry: Bookable, transactionCase: TransactionCase): { postings: Posting[] } | { problem: string } {
  const { policy, reservation } = transactionCase;
  const method = policy.method(entry) ?? { account: policy.unmappedMethod(entry), currency: null };
  const account =
    method.account !== 'channel'
      ? method.account
      : reservation
        ? policy.clearing(reservation)
        : 'Assets:Clearing:Channels';
  const amount = entry.direction === 'income' ? entry.amount : 0 - entry.amount;
  const place = { account, currency: method.currency, propertyId: null };
  return settle(policy, { amount, currency: entry.currency, date: entry.date, place });
}

function draftsOf(entry: Bookable, transactionCase: TransactionCase, money: readonly Posting[]): Draft[] {
  const { policy, reservation } = transactionCase;
  const item = policy.item(entry);
  if (reservation && item && isEarned(item.class)) {
    const { account, recognition } = policy.earned(item.class);
    const own = { class: item.class, account: item.account ?? account };
    return earnedDrafts(entry, transactionCase, money, {
      ...own,
      late: own.account,
      recognition: item.recognition ?? recognition,
    });
  }
  if (reservation && item?.class === 'refund') {
    const { account, recognition } = policy.earned('accommodation');
    const late = item.account ?? policy.place('refunds');
    return earnedDrafts(entry, transactionCase, money, { class: 'accommodation', account, late, recognition });
  }
  return [
    draft(entry, transactionCase, {
      suffix: '',
      date: entry.date,
      postings: [...money, ...counterpart(entry, transactionCase)],
    }),
  ];
}

function isEarned(name: ItemSetting['class']): name is EarnedClass {
  return earnedClasses.some((one) => one === name);
}

interface EarnedBy {
  class: EarnedClass;
  account: AccountName;
  /** Account for income that is already earned when the money moves. */
  late: AccountName;
  recognition: ItemSetting['recognition'] & string;
}

/** Books money of a reservation: earned parts are income at once, the rest is an advance until its day. */
function earnedDrafts(
  entry: Bookable,
  transactionCase: TransactionCase,
  money: readonly Posting[],
  by: EarnedBy,
): Draft[] {
  const { policy, reservation } = transactionCase;
  if (!reservation) return [];
  const { currency, date } = entry;
  const amount = entry.direction === 'income' ? entry.amount : 0 - entry.amount;
  const parts =
    by.recognition === 'cash' ? scheduleOf(reservation, 'check_in') : scheduleOf(reservation, by.recognition);
  const shares = spread(amount, parts).map(({ part, amount: share }) => {
    const isLate = by.recognition === 'cash' || (part.date !== null && part.date <= date);
    const own = { class: by.class, account: isLate ? by.late : by.account };
    return { part, isLate, earning: earningOf(policy, part, share, own) };
  });
  const lines = credits(
    policy,
    currency,
    shares.map(({ earning }) => earning),
  );
  const advances = policy.place('advances');
  const now = shares.flatMap((share, index) => (share.isLate ? (lines[index] ?? []) : []));
  const later = shares.map((share, index) => ({ ...share, lines: lines[index] ?? [] })).filter((one) => !one.isLate);
  // A reservation without any stay left earns nothing, so all of it is held.
  const held = amount - shares.reduce((sum, share) => sum + (share.isLate ? share.earning.amount : 0), 0);
  const advance: Posting = { account: advances, amount: 0 - held, currency, propertyId: null };
  const receipt = draft(entry, transactionCase, { suffix: '', date, postings: [...money, ...now, advance] });
  const slots = grouped(
    later.filter(({ part }) => part.date !== null),
    ({ part }) => part.suffix,
  );
  const recognised = [...slots].map(([suffix, some]) => {
    const sum = some.reduce((total, { earning }) => total + earning.amount, 0);
    const release: Posting = { account: advances, amount: sum, currency, propertyId: null };
    const postings = [release, ...some.flatMap((one) => one.lines)];
    return draft(entry, transactionCase, { suffix, date: some[0]?.part.date ?? date, postings });
  });
  return [receipt, ...recognised].filter(({ postings }) => postings.length > 0);
}

/** Returns the other side of money that no stay earns. */
function counterpart(entry: Bookable, transactionCase: TransactionCase): Posting[] {
  const { policy, reservation } = transactionCase;
  const { currency } = entry;
  const amount = entry.direction === 'income' ? 0 - entry.amount : entry.amount;
  const item = policy.item(entry);
  const owners = item && OF_OWNERS.has(item.class);
  return placesOf(entry, reservation, amount).map(({ propertyId, amount: share }) => {
    const agency = owners ? policy.agency(propertyId) : null;
    const account = agency?.owner ?? item?.account ?? usualAccount(entry, policy);
    return { account, amount: share, currency, propertyId };
  });
}

/** Classes that an owner bears if the operator is an agent. */
const OF_OWNERS: ReadonlySet<string> = new Set(['commission', 'payment_fee', 'owner_expense', 'owner_payout']);

function usualAccount(entry: Bookable, policy: Policy): AccountName {
  const name = policy.item(entry)?.class;
  switch (name) {
    case undefined:
      return policy.unmappedItem(entry);
    case 'accommodation':
    case 'cleaning':
    case 'extra':
      return policy.earned(name).account;
    case 'tax_collected':
    case 'tax_paid':
      return policy.place('occupancy_tax');
    case 'deposit':
      return policy.place('deposits');
    case 'refund':
      return policy.place('refunds');
    case 'commission':
      return policy.place('commission');
    case 'payment_fee':
      return policy.place('payment_fees');
    case 'owner_expense':
      return policy.place('owner_costs');
    case 'owner_payout':
      return policy.place('owner_payouts');
    case 'transfer':
      return policy.place('transfers');
    default:
      return `${entry.direction === 'income' ? 'Income' : 'Expenses'}:I${entry.itemId}`;
  }
}

/** Splits an amount over properties: those of the reservation's rooms, by their rates, or that of the ledger entry. */
function placesOf(
  entry: Bookable,
  reservation: ReservationFact | null,
  amount: Minor,
): { propertyId: number | null; amount: Minor }[] {
  if (!reservation || reservation.stays.length === 0) return [{ propertyId: entry.propertyId, amount }];
  return spread(amount, scheduleOf(reservation, 'check_in')).map(({ part, amount: share }) => ({
    propertyId: part.stay.propertyId,
    amount: share,
  }));
}

function draft(
  entry: Bookable,
  { reservation }: TransactionCase,
  own: { suffix: string; date: PlainDate; postings: readonly Posting[] },
): Draft {
  const later = own.suffix !== '';
  return {
    base: `t${entry.id}`,
    suffix: own.suffix,
    date: own.date,
    kind: later ? 'recognition' : entry.direction === 'income' ? 'receipt' : 'payment',
    source: { kind: 'transaction', id: String(entry.id) },
    payee: reservation?.channel ?? entry.methodName,
    description: `${entry.itemName}${reservation ? ` ${reservation.code}` : ''}${later ? ', earned' : ''}`,
    reservation: entry.reservation,
    stay: null,
    channel: reservation?.channel ?? null,
    postings: merged(own.postings),
  };
}
