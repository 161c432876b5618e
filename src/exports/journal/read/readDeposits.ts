import { dateIn, type Instant, msOf, type PlainDate } from '../../../kernel/dates.ts';
import { isCurrency } from '../../../kernel/money.ts';
import { minorFrom } from '../../../sync/tables/wireValues.ts';
import type { DepositFact } from './facts.ts';

/** A deposit as the current row of the stay has it. */
export interface DepositNow {
  readonly deposit_currency: string | null;
  readonly deposit_paid_minor: number | null;
  readonly deposit_deducted_minor: number | null;
  readonly deposit_pending_refund_minor: number | null;
  readonly changed_at: Instant;
}

/** An earlier version of a stay with a deposit. */
export interface DepositRow {
  stay_code: string;
  valid_from: Instant;
  raw: string;
}

/** Selects the earlier versions of stays that have had a deposit. */
export const DEPOSITS = `
select s.stay_code, v.valid_from, v.raw
from stays s join versions v on v.connection = s.connection and v.resource = 'reservation'
  and v.key = s.reservation_code and coalesce(v.part, v.key) = s.stay_code
where s.connection = $1 and s.reservation_code >= $2 and s.reservation_code <= $3
  and (s.deposit_status is not null or exists (select 1 from derived_events d
    where d.connection = s.connection and d.resource = 'reservation' and d.key = s.reservation_code
      and d.name in ('deposit_paid', 'deposit_deducted', 'deposit_refund_pending', 'deposit_returned', 'deposit_changed')))
order by s.stay_code, v.change_seq`;

/** Returns each state that differs from its predecessor, with the operator's date of its discovery. */
export function depositStates(row: DepositNow, before: readonly DepositRow[], zone: string): DepositFact[] {
  const states = before.flatMap(({ valid_from, raw }) => depositIn(raw, dateIn(zone, msOf(valid_from))));
  if (row.deposit_currency !== null && isCurrency(row.deposit_currency)) {
    states.push({
      date: dateIn(zone, msOf(row.changed_at)),
      currency: row.deposit_currency,
      paid: row.deposit_paid_minor ?? 0,
      deducted: row.deposit_deducted_minor ?? 0,
      pending: row.deposit_pending_refund_minor ?? 0,
    });
  } else if (states.length > 0) {
    const { currency } = states.at(-1) ?? { currency: 'EUR' };
    states.push({ date: dateIn(zone, msOf(row.changed_at)), currency, paid: 0, deducted: 0, pending: 0 });
  }
  return states.filter((state, index) => !isSameDeposit(state, states[index - 1]));
}

function isSameDeposit(a: DepositFact, b: DepositFact | undefined): boolean {
  return (
    b !== undefined &&
    a.currency === b.currency &&
    a.paid === b.paid &&
    a.deducted === b.deducted &&
    a.pending === b.pending
  );
}

interface RawStay {
  check_in_details?: {
    deposit_details?: {
      currency?: string;
      paid_amount?: number;
      deducted_amount?: number;
      pending_refund_amount?: number;
    } | null;
  } | null;
}

function depositIn(raw: string, date: PlainDate): DepositFact[] {
  const details = (JSON.parse(raw) as RawStay).check_in_details?.deposit_details;
  const currency = details?.currency;
  if (!details || currency === undefined || !isCurrency(currency)) return [];
  const minor = (amount: number | undefined) => (amount === undefined ? 0 : (minorFrom(amount, currency) ?? 0));
  return [
    {
      date,
      currency,
      paid: minor(details.paid_amount),
      deducted: minor(details.deducted_amount),
      pending: minor(details.pending_refund_amount),
    },
  ];
}
