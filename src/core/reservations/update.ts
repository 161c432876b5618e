import type { Change, Handler } from '../context.ts';
import type { ReservationRow, StayRow } from '../database.ts';
import { announceStay, moveDates, setReceived, writeReservation, writeStay } from './change.ts';
import { changedColumns } from './changedColumns.ts';
import { findBooker } from './lookup.ts';
import { moveCurrency, setRates } from './rates.ts';
import { type Booking, optionalAmount, requireCustomChannel, requireNights, requireStay } from './require.ts';
import { requireStanding } from './rules.ts';

export const updateReservation: Handler<'updateReservation'> = async (input, context) => {
  await context.change(async (change) => {
    const booking = await requireStay(change, context, input.stay_code);
    const { stay, reservation } = booking;
    const { custom_channel_id: source } = changedColumns(reservation, { custom_channel_id: input.custom_channel_id });
    if (source != null) await requireCustomChannel(change, source);
    await changeDates(change, stay, input);
    await changeMoney(change, booking, input);
    await changeText(change, stay, reservation, input);
    change.audit('updateReservation', stay.stay_code);
  });
};

interface DateInput {
  check_in_date?: string | undefined;
  check_out_date?: string | undefined;
  number_of_guests?: number | undefined;
}

async function changeDates(change: Change, stay: StayRow, input: DateInput): Promise<void> {
  const dates = {
    check_in_date: input.check_in_date ?? stay.check_in_date,
    check_out_date: input.check_out_date ?? stay.check_out_date,
  };
  if (dates.check_in_date !== stay.check_in_date || dates.check_out_date !== stay.check_out_date) {
    requireStanding(stay.status);
    requireNights(change, dates);
    await moveDates(change, stay, dates);
  }
  if (input.number_of_guests !== undefined && input.number_of_guests !== stay.number_of_guests) {
    await writeStay(change, stay, { number_of_guests: input.number_of_guests });
    announceStay(change, stay);
  }
}

interface MoneyInput {
  currency?: string | undefined;
  rate_amount?: number | undefined;
  commission_amount?: number | undefined;
  received_amount?: number | undefined;
}

async function changeMoney(change: Change, booking: Booking, input: MoneyInput): Promise<void> {
  const currency = input.currency ?? booking.reservation.currency;
  const rate = optionalAmount('rate_amount', input.rate_amount, currency);
  const commission = optionalAmount('commission_amount', input.commission_amount, currency);
  const received = optionalAmount('received_amount', input.received_amount, currency);
  let now = booking;
  if (currency !== booking.reservation.currency) {
    // Figures that the request gives need no restatement.
    now = await setRates(change, now, { rate: rate && 0, commission: commission && 0 });
    now = await moveCurrency(change, now, currency);
  }
  now = await setRates(change, now, { rate, commission });
  if (received !== undefined) await setReceived(change, now.reservation, received);
}

interface TextInput {
  note?: string | undefined;
  creator?: string | undefined;
  custom_channel_id?: number | undefined;
  guest_name?: string | undefined;
  mobile?: string | undefined;
  email?: string | undefined;
}

async function changeText(change: Change, stay: StayRow, reservation: ReservationRow, input: TextInput): Promise<void> {
  const note = changedColumns(stay, { note: input.note });
  if (Object.keys(note).length > 0) {
    await writeStay(change, stay, note);
    announceStay(change, stay, 'remarks_updated');
  }
  const creator = changedColumns(stay, { creator: input.creator });
  if (Object.keys(creator).length > 0) await writeStay(change, stay, creator);
  const source = changedColumns(reservation, { custom_channel_id: input.custom_channel_id });
  if (source.custom_channel_id != null) await writeReservation(change, reservation, source);
  const contact = await changeBooker(change, stay, { name: input.guest_name, phone: input.mobile, email: input.email });
  if (contact || [creator, source].some((columns) => Object.keys(columns).length > 0)) announceStay(change, stay);
}

type Contact = { [Name in 'name' | 'phone' | 'email']: string | undefined };

/** @returns true if any field of the booker changes */
async function changeBooker({ trx }: Change, stay: StayRow, contact: Contact): Promise<boolean> {
  const booker = await findBooker(trx, stay);
  const changes = booker && changedColumns(booker, contact);
  if (!changes || Object.keys(changes).length === 0) return false;
  await trx
    .updateTable('guests')
    .set(changes)
    .where('account_id', '=', booker.account_id)
    .where('stay_id', '=', booker.stay_id)
    .where('id', '=', booker.id)
    .execute();
  return true;
}
