import type { PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';

/** A posting of a clearing account without a payout. */
export interface OpenPosting {
  readonly entryId: string;
  /** Its place in the entry, from 1. */
  readonly posting: number;
  readonly date: PlainDate;
  readonly amount: Minor;
  /** Its reservation, or null. */
  readonly reservation: string | null;
}

/** The open amount of one reservation, or of one entry without a reservation, in a clearing account. */
export interface OpenSum {
  /** `ABC`, or the id of the entry. */
  readonly key: string;
  readonly account: string;
  readonly currency: Currency;
  readonly amount: Minor;
  /** Date of its newest posting. */
  readonly date: PlainDate;
  readonly postings: readonly OpenPosting[];
}

/** Sums the postings of one account and currency by reservation, ordered by date. Leaves out sums of zero. */
export function openSums(
  { account, currency }: { account: string; currency: Currency },
  postings: readonly OpenPosting[],
): OpenSum[] {
  const groups = new Map<string, OpenPosting[]>();
  for (const posting of postings) {
    const key = posting.reservation ?? posting.entryId;
    const known = groups.get(key);
    if (known) known.push(posting);
    else groups.set(key, [posting]);
  }
  return [...groups]
    .map(([key, own]) => ({
      key,
      account,
      currency,
      amount: own.reduce((sum, { amount }) => sum + amount, 0),
      date: own.reduce((newest, { date }) => (date > newest ? date : newest), ''),
      postings: own,
    }))
    .filter(({ amount }) => amount !== 0)
    .toSorted((a, b) => (a.date === b.date ? (a.key < b.key ? -1 : 1) : a.date < b.date ? -1 : 1));
}
