import type { PlainDate } from '../../kernel/dates.ts';
import { decimalText, type Minor } from '../../kernel/money.ts';
import { type Draft, type Exception, idPart, merged, type Outcome } from './draft.ts';
import type { AccountName } from './entry.ts';
import type { DepositFact, ReservationFact, StayFact } from './read/facts.ts';
import type { Policy } from './policy.ts';
import { credits } from './sharing.ts';

/** Returns the entries of a stay's deposit, or undefined without a deposit. */
export function fromDeposit(
  policy: Policy,
  reservation: ReservationFact,
  stay: StayFact,
): { drafts: Draft[]; outcome: Outcome; exceptions: Exception[] } | undefined {
  const states = stay.deposits;
  const last = states.at(-1);
  if (!last || states.every((one) => one.paid === 0 && one.deducted === 0 && one.pending === 0)) return undefined;
  const source = { kind: 'deposit', id: stay.code } as const;
  const end = (state: Outcome['state'], reason: string, drafts: Draft[] = []) => ({
    drafts,
    outcome: { source, state, reason, date: last.date },
    exceptions: state === 'pending' ? [unexplained(stay, reason, last.date)] : [],
  });
  const { starts_on } = policy.settings;
  if (starts_on !== null && last.date < starts_on) return end('ignored', 'it is older than the books');
  const kind = policy.deposits(reservation, stay.propertyId);
  if (kind === null) {
    return end('pending', `nobody has said whether deposits of ${reservation.channelType} are charges or holds`);
  }
  const drafts: Draft[] = [];
  let before: DepositFact = { date: last.date, currency: last.currency, paid: 0, deducted: 0, pending: 0 };
  for (const now of states) {
    const problem = problemOf(before, now);
    if (problem !== null) return end('pending', problem, drafts);
    drafts.push(...movements({ policy, reservation, stay, kind }, before, now));
    before = now;
  }
  return kind === 'hold' && drafts.length === 0
    ? end('ignored', 'a hold on a card moves no money')
    : end('posted', '', drafts);
}

function unexplained(stay: StayFact, problem: string, date: PlainDate): Exception {
  return { kind: 'deposit_unexplained', about: stay.code, problem, date };
}

/**
 * Returns the amount that the guest has back. Derives it from the amount owed, because `refunded_amount` can read 0
 * after a return.
 */
function returnedOf({ paid, deducted, pending }: DepositFact): Minor {
  return paid - deducted - pending;
}

/** Returns the problem of a deposit whose amounts shrink or whose currency changes; a person must explain it. */
function problemOf(before: DepositFact, now: DepositFact): string | null {
  if (now.currency !== before.currency) return `its currency has become ${now.currency} on ${now.date}`;
  const text = (minor: Minor) => `${decimalText(minor, now.currency)} ${now.currency}`;
  const amounts = [
    ['paid', before.paid, now.paid],
    ['deducted', before.deducted, now.deducted],
    ['returned', returnedOf(before), returnedOf(now)],
  ] as const;
  const fallen = amounts.find(([, was, is]) => is < was);
  return fallen ? `what was ${fallen[0]} fell from ${text(fallen[1])} to ${text(fallen[2])} on ${now.date}` : null;
}

interface DepositCase {
  policy: Policy;
  reservation: ReservationFact;
  stay: StayFact;
  kind: 'charge' | 'hold';
}

function movements(depositCase: DepositCase, before: DepositFact, now: DepositFact): Draft[] {
  const { policy, reservation, kind, stay } = depositCase;
  const money = policy.depositAccount(reservation);
  const deposits = policy.place('deposits');
  const drafts: Draft[] = [];
  const paid = now.paid - before.paid;
  const deducted = now.deducted - before.deducted;
  const returned = returnedOf(now) - returnedOf(before);
  if (paid > 0 && kind === 'charge') {
    drafts.push(move(depositCase, now, { name: 'paid', total: now.paid, amount: paid, from: deposits, to: money }));
  }
  if (deducted > 0) {
    const from = kind === 'charge' ? deposits : money;
    const damage = { class: 'damage', account: policy.place('damage') } as const;
    const earning = { ...damage, date: now.date, propertyId: stay.propertyId, amount: deducted };
    const lines = credits(policy, now.currency, [earning]).flat();
    const debit = { account: from, amount: deducted, currency: now.currency, propertyId: stay.propertyId };
    drafts.push(draft(depositCase, now, { name: 'deducted', total: now.deducted, postings: [debit, ...lines] }));
  }
  if (returned > 0 && kind === 'charge') {
    const total = returnedOf(now);
    drafts.push(move(depositCase, now, { name: 'returned', total, amount: returned, from: money, to: deposits }));
  }
  return drafts;
}

/** Debits `to` and credits `from`. */
function move(
  depositCase: DepositCase,
  now: DepositFact,
  own: { name: string; total: Minor; amount: Minor; from: AccountName; to: AccountName },
): Draft {
  const { name, total, amount, from, to } = own;
  const line = { currency: now.currency, propertyId: depositCase.stay.propertyId };
  const postings = [
    { account: to, amount, ...line },
    { account: from, amount: 0 - amount, ...line },
  ];
  return draft(depositCase, now, { name, total, postings });
}

function draft(
  { reservation, stay }: DepositCase,
  now: DepositFact,
  { name, total, postings }: { name: string; total: Minor; postings: Draft['postings'] },
): Draft {
  return {
    base: `d${idPart(stay.code)}-${name}-${total}`,
    suffix: '',
    date: now.date,
    isNoticed: true,
    kind: 'deposit',
    source: { kind: 'deposit', id: stay.code },
    payee: reservation.channel,
    description: `Deposit ${name} ${stay.code}`,
    reservation: reservation.code,
    stay: stay.code,
    channel: reservation.channel,
    postings: merged(postings),
  };
}
