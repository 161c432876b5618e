import type { PlainDate } from '../../kernel/dates.ts';
import type { Ask } from './ask.ts';
import type { PayoutFact } from './facts.ts';

interface PayoutRow {
  payout_id: string;
  group_code: string;
  date: PlainDate;
  bank: string;
  account: string;
  amount_minor: number;
  currency: string;
  bookings: number;
}

const PAYOUTS = `
select p.payout_id, p.group_code, p.date, p.bank, p.account, p.amount_minor, p.currency,
  (select count(distinct o.reservation_code) from payout_postings o
    where o.connection = p.connection and o.payout_id = p.payout_id) as bookings
from payouts p where p.connection = $1 and p.group_code > $2 and p.group_code <= $3`;

/** Payouts by the code of their group, of a page of codes. */
export async function readPayouts(
  ask: Ask,
  connection: string,
  [after, last]: readonly [string, string],
): Promise<ReadonlyMap<string, PayoutFact>> {
  const rows = await ask<PayoutRow>(PAYOUTS, [connection, after, last]);
  return new Map(
    rows.map(({ payout_id, group_code, date, bank, account, amount_minor, currency, bookings }) => [
      group_code,
      { id: payout_id, date, bank, account, amount: amount_minor, currency, bookings: Number(bookings) },
    ]),
  );
}
