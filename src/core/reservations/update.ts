import { STAY_NIGHTS } from '../../contract/reservations.ts';
import { daysBetween } from '../../kernel/dates.ts';
import { invalid } from '../../kernel/errors.ts';
import type { Change, Handler } from '../context.ts';
import type { ReservationRow, StayRow } from '../database.ts';
import { announceStay, moveDates, requireNoEntries, setReceived, writeReservation, writeStay } from './change.ts';
import { changedColumns, defined } from './changedColumns.ts';
import { optionalAmount, requireCustomChannel, requireStay } from './require.ts';

export const updateReservation: Handler<'updateReservation'> = async (input, context) => {
  await context.change(async (change) => {
    const { stay, reservation } = await requireStay(change, context, input.stay_code);
    await changeDates(change, stay, input);
    await changeMoney(change, stay, reservation, input);
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
  const nights = daysBetween(dates.check_in_date, dates.check_out_date);
  if (nights < 1) throw invalid('check_out_date', 'must be after check_in_date');
  if (nights > STAY_NIGHTS) throw invalid('check_out_date', `is more than ${STAY_NIGHTS} nights after check_in_date`);
  await moveDates(change, stay, dates);
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

async function changeMoney(
  change: Change,
  stay: StayRow,
  reservation: ReservationRow,
  input: MoneyInput,
): Promise<void> {
  const currency = input.currency ?? reservation.currency;
  const moves = currency !== reservation.currency;
  if (moves) await requireNoEntries(change, reservation);
  const rate = optionalAmount('rate_amount', input.rate_amount, currency) ?? stay.rate ?? 0;
  const commission = optionalAmount('commission_amount', input.commission_amount, currency) ?? stay.commission ?? 0;
  if (moves || rate !== stay.rate || commission !== stay.commission) {
    const details = JSON.stringify([{ type: 'ACCOMMODATION', description: '', amount: rate }]);
    await writeStay(change, stay, { rate, commission, rate_details: details });
    await writeReservation(change, reservation, {
      currency,
      total_rate: reservation.total_rate + rate - (stay.rate ?? 0),
      total_commission: reservation.total_commission + commission - (stay.commission ?? 0),
    });
    announceStay(change, stay, 'rates_updated');
  }
  const received = optionalAmount('received_amount', input.received_amount, currency);
  if (received !== undefined) await setReceived(change, { ...reservation, currency }, received);
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
  if (source.custom_channel_id != null) {
    await requireCustomChannel(change, source.custom_channel_id);
    await writeReservation(change, reservation, source);
  }
  const contact = defined({ name: input.guest_name, phone: input.mobile, email: input.email });
  if (Object.keys(contact).length > 0) await writeBooker(change, stay, contact);
  const general = [creator, source, contact].some((columns) => Object.keys(columns).length > 0);
  if (general) announceStay(change, stay);
}

function writeBooker(change: Change, stay: StayRow, contact: { name?: string; phone?: string; email?: string }) {
  return change.trx
    .updateTable('guests')
    .set(contact)
    .where('account_id', '=', stay.account_id)
    .where('stay_id', '=', stay.id)
    .where('is_booker', '=', 1)
    .execute();
}
