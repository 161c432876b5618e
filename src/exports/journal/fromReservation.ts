import type { PlainDate } from '../../kernel/dates.ts';
import { type Currency, type Minor, splitByWeights, toMinor } from '../../kernel/money.ts';
import { type Draft, idPart, merged, type Outcome } from './draft.ts';
import type { Posting } from './entry.ts';
import type { ReservationFact, StayFact } from './read/facts.ts';
import type { Policy } from './policy.ts';
import { type Part, scheduleOf } from './schedule.ts';
import { credits, type Earning, feesBack } from './sharing.ts';
import { grouped } from './grouped.ts';
import { taxShares } from '../../sync/tables/reservations/taxShares.ts';

/**
 * Returns the entries of a reservation beyond its ledger: the commission that a channel retained before it paid, shown
 * as income and expense; occupancy tax that the operator owes; a manager's fee for each stay. A reservation without
 * receipts has none. Returns undefined if nothing follows.
 */
export function fromReservation(
  policy: Policy,
  reservation: ReservationFact,
  { today, isUnpaid }: { today: PlainDate; isUnpaid: boolean },
): { drafts: Draft[]; outcome: Outcome } | undefined {
  const { recognition } = policy.earned('accommodation');
  const parts = scheduleOf(reservation, recognition === 'cash' ? 'check_in' : recognition).filter(
    ({ stay }) => stay.status === 'accepted',
  );
  const source = { kind: 'reservation', id: reservation.code } as const;
  const all = [
    ...commissions(policy, reservation, parts),
    ...feesOfNet(policy, reservation, parts),
    ...taxes(policy, reservation, parts),
    ...fees(policy, reservation, parts),
  ];
  const drafts = all.filter(({ postings }) => postings.length > 0);
  const date = drafts.map((draft) => draft.date).toSorted()[0];
  if (date === undefined) return undefined;
  const { starts_on } = policy.settings;
  if (starts_on !== null && date < starts_on) {
    return { drafts: [], outcome: { source, state: 'ignored', reason: 'it is older than the books', date } };
  }
  // A fee on money that never came would belong to no one.
  if (isUnpaid)
    return { drafts: [], outcome: { source, state: 'ignored', reason: 'nothing was received for it', date } };
  if (date > today) return { drafts, outcome: { source, state: 'pending', reason: 'the stay lies ahead', date } };
  return { drafts, outcome: { source, state: 'posted', reason: '', date } };
}

/**
 * Returns the commission entries. Income is the guest's payment. The channel's share of it is an expense: the owner's,
 * if the property has one.
 */
function commissions(policy: Policy, reservation: ReservationFact, parts: readonly Part[]): Draft[] {
  if (policy.commission(reservation) !== 'netted') return [];
  const { account } = policy.earned('accommodation');
  const shares = overParts(parts, (stay) => stay.commission);
  // One rounding for the whole reservation and currency, as for its receipts.
  const lines = [...grouped(shares, (share) => share.currency)].flatMap(([currency, some]) => {
    const earnings = some.map(({ part, date, amount }): Earning => {
      const { propertyId } = part.stay;
      return { date, propertyId, class: 'accommodation', account, amount, isCommission: true };
    });
    const earned = credits(policy, currency, earnings);
    return some.map((share, index) => ({ ...share, postings: [keptOf(policy, share), ...(earned[index] ?? [])] }));
  });
  const said = { kind: 'commission', text: 'Commission' } as const;
  return [...grouped(lines, ({ part }) => (part.suffix === 'rec' ? 'com' : `com-${part.suffix}`))].map(
    ([suffix, some]) => draftOf(reservation, { suffix, lines: some }, said),
  );
}

/**
 * Returns entries that take no net fee on the commission that a channel bills later, although guests have paid that
 * commission here.
 */
function feesOfNet(policy: Policy, reservation: ReservationFact, parts: readonly Part[]): Draft[] {
  if (policy.commission(reservation) !== 'billed') return [];
  const { account } = policy.earned('accommodation');
  const shares = overParts(parts, (stay) => stay.commission);
  const lines = [...grouped(shares, (share) => share.currency)].flatMap(([currency, some]) => {
    const commissions = some.map(({ part, date, amount }): Earning => {
      return { date, propertyId: part.stay.propertyId, class: 'accommodation', account, amount };
    });
    const back = feesBack(policy, currency, commissions);
    return some.map((share, index) => ({ ...share, postings: back[index] ?? [] }));
  });
  const said = { kind: 'recognition', text: 'Fee of the net' } as const;
  return [...grouped(lines, ({ part }) => (part.suffix === 'rec' ? 'net' : `net-${part.suffix}`))].map(
    ([suffix, some]) => draftOf(reservation, { suffix, lines: some }, said),
  );
}

function keptOf(policy: Policy, { part, amount, currency }: Share): Posting {
  const { propertyId } = part.stay;
  const account = policy.agency(propertyId)?.owner ?? policy.place('commission');
  return { account, amount, currency, propertyId, memo: 'kept by the channel' };
}

interface Share {
  part: Part;
  date: PlainDate;
  currency: Currency;
  amount: Minor;
}

/** Spreads an amount of each stay evenly over its parts. */
function overParts(parts: readonly Part[], of: (stay: StayFact) => Minor | null): Share[] {
  return [...grouped(parts, (part) => part.stay)].flatMap(([stay, own]) => {
    const { currency } = stay;
    const amount = of(stay) ?? 0;
    if (currency === null || amount <= 0) return [];
    const amounts = splitByWeights(
      amount,
      own.map(() => 1),
    );
    return own.flatMap((part, index) =>
      part.date === null ? [] : [{ part, date: part.date, currency, amount: amounts[index] ?? 0 }],
    );
  });
}

/**
 * Returns the tax entries. Tax that came with the price and is owed to an authority is not income. A reservation of
 * several rooms owes it once.
 */
function taxes(policy: Policy, reservation: ReservationFact, parts: readonly Part[]): Draft[] {
  if (policy.occupancyTax(reservation) !== 'collected') return [];
  const { account } = policy.earned('accommodation');
  const shares = taxShares(reservation.stays);
  const taxOf = new Map(reservation.stays.map((stay, index) => [stay, shares[index] ?? null]));
  const lines = firstParts(parts).flatMap(({ stay, date }): Dated[] => {
    const { currency, propertyId } = stay;
    const tax = taxOf.get(stay) ?? null;
    if (tax === null || tax <= 0 || currency === null) return [];
    const earning: Earning = { date, propertyId, class: 'accommodation', account, amount: 0 - tax };
    const owed = { account: policy.place('occupancy_tax'), amount: 0 - tax, currency, propertyId };
    return [{ date, postings: [...credits(policy, currency, [earning]).flat(), owed] }];
  });
  if (lines.length === 0) return [];
  return [draftOf(reservation, { suffix: 'tax', lines }, { kind: 'recognition', text: 'Occupancy tax' })];
}

/** Returns the fees that an owner's contract takes for each stay. */
function fees(policy: Policy, reservation: ReservationFact, parts: readonly Part[]): Draft[] {
  const lines = firstParts(parts).flatMap(({ stay, date }): Dated[] => {
    const { currency, propertyId } = stay;
    const agency = policy.agency(propertyId);
    const fee = agency && currency !== null ? (toMinor(agency.contract.per_stay, currency) ?? 0) : 0;
    if (!agency || currency === null || fee <= 0) return [];
    const postings: Posting[] = [
      { account: agency.owner, amount: fee, currency, propertyId },
      { account: policy.place('management'), amount: 0 - fee, currency, propertyId },
    ];
    return [{ date, postings }];
  });
  if (lines.length === 0) return [];
  return [draftOf(reservation, { suffix: 'fee', lines }, { kind: 'recognition', text: 'Fee per stay' })];
}

interface Dated {
  date: PlainDate;
  postings: readonly Posting[];
}

/** Returns the first day on which each stay earns income. */
function firstParts(parts: readonly Part[]): { stay: StayFact; date: PlainDate }[] {
  return [...grouped(parts, (part) => part.stay)].flatMap(([stay, own]) => {
    const [date] = own.flatMap((part) => part.date ?? []).toSorted();
    return date === undefined ? [] : [{ stay, date }];
  });
}

function draftOf(
  reservation: ReservationFact,
  { suffix, lines }: { suffix: string; lines: readonly Dated[] },
  { kind, text }: { kind: Draft['kind']; text: string },
): Draft {
  const [date = ''] = lines.map((line) => line.date).toSorted();
  return {
    base: `r${idPart(reservation.code)}`,
    suffix,
    date,
    kind,
    source: { kind: 'reservation', id: reservation.code },
    payee: reservation.channel,
    description: `${text} ${reservation.code}`,
    reservation: reservation.code,
    stay: null,
    channel: reservation.channel,
    postings: merged(lines.flatMap((line) => line.postings)),
  };
}
