import type { PlainDate } from '../../../kernel/dates.ts';
import type { Ask } from '../ask.ts';
import type { PayoutFact } from './facts.ts';

interface PayoutRow {
  payout_id: string;
  group_code: string;
  date: PlainDate;
  bank: string;
  account: string;
  amount_minor: number;
  currency: string;
  undone_at: string | null;
  bookings: number;
}

const PAYOUTS = `
select p.payout_id, p.group_code, p.date, p.bank, p.account, p.amount_minor, p.currency, p.undone_at,
  (select count(distinct o.reservation_code) from payout_postings o
    where o.connection = p.connection and o.payout_id = p.payout_id) as bookings
from payouts p where p.connection = $1 and p.group_code >= $2 and p.group_code <= $3`;

/**
 * Reads the payouts of a page of codes, and separately those that were reversed. Keys are the codes of their groups.
 */
export async function readPayouts(
  ask: Ask,
  connection: string,
  [first, last]: readonly [string, string],
): Promise<{ payouts: ReadonlyMap<string, PayoutFact>; undone: ReadonlyMap<string, string> }> {
  const rows = await ask<PayoutRow>(PAYOUTS, [connection, first, last]);
  const facts = rows
    .filter(({ undone_at }) => undone_at === null)
    .map(
      ({ payout_id, group_code, date, bank, account, amount_minor, currency, bookings }) =>
        [
          group_code,
          { id: payout_id, date, bank, account, amount: amount_minor, currency, bookings: Number(bookings) },
        ] as const,
    );
  const undone = rows
    .filter(({ undone_at }) => undone_at !== null)
    .map(({ group_code, payout_id }) => [group_code, payout_id] as const);
  return { payouts: new Map(facts), undone: new Map(undone) };
}
