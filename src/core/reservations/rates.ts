import { ApiError, invalid } from '../../kernel/errors.ts';
import { type Currency, decimalText, type Minor, toMinor } from '../../kernel/money.ts';
import type { Change } from '../context.ts';
import type { ReservationRow, StayRow } from '../database.ts';
import { announceStay, writeReservation, writeStay } from './change.ts';
import { changedColumns } from './changedColumns.ts';
import { staysOf } from './lookup.ts';
import type { Booking } from './require.ts';
import { accommodation } from './rules.ts';

interface Rates {
  rate: Minor | undefined;
  commission: Minor | undefined;
}

/** Sets the given rate and commission of a stay. The reservation's totals follow. */
export async function setRates(change: Change, booking: Booking, given: Rates): Promise<Booking> {
  const { stay, reservation } = booking;
  const changed = changedColumns(stay, { rate: given.rate, commission: given.commission });
  if (Object.keys(changed).length === 0) return booking;
  const rates = { ...changed, ...(changed.rate != null && { rate_details: accommodation(changed.rate) }) };
  const totals = {
    total_rate: reservation.total_rate + (changed.rate ?? stay.rate ?? 0) - (stay.rate ?? 0),
    total_commission:
      reservation.total_commission + (changed.commission ?? stay.commission ?? 0) - (stay.commission ?? 0),
  };
  await writeStay(change, stay, rates);
  await writeReservation(change, reservation, totals);
  announceStay(change, stay, 'rates_updated');
  return { stay: { ...stay, ...rates }, reservation: { ...reservation, ...totals } };
}

/**
 * Moves a reservation to another currency. Its figures stay: 300.00 EUR become 300 JPY.
 * @throws ApiError 400 when entries exist in the old currency, which is theirs for good; 422 when a figure has more
 * decimals than the new currency
 */
export async function moveCurrency(
  change: Change,
  { stay, reservation }: Booking,
  currency: Currency,
): Promise<Booking> {
  await requireNoEntries(change, reservation);
  const restate = restatement(reservation.currency, currency);
  const { total_rate, total_commission, tax } = reservation;
  const totals = {
    currency,
    total_rate: restate(total_rate),
    total_commission: restate(total_commission),
    tax: tax === null ? null : restate(tax),
  };
  await writeReservation(change, reservation, totals);
  for (const one of await staysOf(change.trx, reservation.account_id, reservation.reservation_code)) {
    const amounts = amountsOf(one, restate);
    await writeStay(change, one, amounts);
    await moveDeposit(change, one, { currency, amount: amounts.deposit });
    announceStay(change, one, 'rates_updated');
  }
  return { stay: { ...stay, ...amountsOf(stay, restate) }, reservation: { ...reservation, ...totals } };
}

type Restate = (minor: Minor) => Minor;

function restatement(from: Currency, to: Currency): Restate {
  return (minor) => {
    const restated = toMinor(decimalText(minor, from), to);
    if (restated === undefined)
      throw invalid('currency', `has fewer decimals than an amount of the booking in ${from}`);
    return restated;
  };
}

function amountsOf(stay: StayRow, restate: Restate) {
  const lines = (json: string) =>
    JSON.stringify(
      (JSON.parse(json) as { amount: Minor }[]).map((line) => ({ ...line, amount: restate(line.amount) })),
    );
  return {
    rate: stay.rate === null ? null : restate(stay.rate),
    commission: stay.commission === null ? null : restate(stay.commission),
    deposit: restate(stay.deposit),
    rate_details: lines(stay.rate_details),
    additional_fees: lines(stay.additional_fees),
  };
}

/** Moves the deposit to another currency. A paid deposit retains the currency in which it was paid. */
async function moveDeposit(
  change: Change,
  stay: StayRow,
  deposit: { currency: Currency; amount: Minor },
): Promise<void> {
  await change.trx
    .updateTable('deposits')
    .set(deposit)
    .where('account_id', '=', stay.account_id)
    .where('stay_id', '=', stay.id)
    .where('paid_amount', '=', 0)
    .execute();
}

async function requireNoEntries(change: Change, reservation: ReservationRow): Promise<void> {
  const entry = await change.trx
    .selectFrom('transactions')
    .where('account_id', '=', reservation.account_id)
    .where('reservation_code', '=', reservation.reservation_code)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  if (!entry) return;
  throw new ApiError(400, 'currency: cannot change once the booking has ledger entries.', { field: 'currency' });
}
