import { DEFAULT_CHECK_OUT_DAYS } from '../../contract/reservations.ts';
import { texts } from '../../contract/errors.ts';
import { addDays, dateIn, instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import type { Handler } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import { goneResource, maySee, requireProperty } from '../ownership.ts';
import { bookDirect } from './book.ts';
import { cancelStays } from './change.ts';
import { findByChannelId, lockReservation, staysOf } from './lookup.ts';
import { reservationPage } from './page.ts';
import { presentReservation } from './present.ts';
import { requireAmount, requireCustomChannel, requireIncomeMethod, requireNights } from './require.ts';
import { isDirect } from './rules.ts';

export const listReservations: Handler<'listReservations'> = async (input, context) => {
  const { core, account, db, visible } = context;
  const { offset: _, limit: __, cursor: ___, order_by: order, ...asked } = input;
  const anything = Object.entries(asked).some(
    ([name, value]) => value !== undefined && !['property_id', 'status', 'channel_type'].includes(name),
  );
  const page = pageOf('listReservations', 'number', input, context);
  const today = dateIn(account.time_zone, page.asOf);
  const filters = anything
    ? asked
    : { ...asked, start_check_out_date: today, end_check_out_date: addDays(today, DEFAULT_CHECK_OUT_DAYS) };
  const found = await reservationPage(db, {
    accountId: account.account_id,
    visible,
    filters,
    order: page.byCursor ? 'id' : order,
    ...page.range,
  });
  const { rows, next } = closePage(page, found, (stay) => stay.id);
  return {
    reservations: rows.map((stay) => presentReservation(core, stay, account.time_zone)),
    total: found.total,
    ...next,
  };
};

export const createReservation: Handler<'createReservation'> = async (input, context) => {
  const { account, db } = context;
  const property = await requireProperty(db, account, context, input.property_id);
  const known =
    input.channel_id === undefined ? undefined : await findByChannelId(db, account.account_id, input.channel_id);
  if (known) return created(known);
  const currency = input.currency ?? property.currency;
  const booked = await context.change(async (change) => {
    if (input.custom_channel_id !== undefined) await requireCustomChannel(change, input.custom_channel_id);
    if (input.income_method_id !== undefined) await requireIncomeMethod(change, input.income_method_id);
    requireNights(change, input);
    const rate = requireAmount('rate_amount', input.rate_amount, currency);
    const commission = requireAmount('commission_amount', input.commission_amount, currency);
    const received = requireAmount('received_amount', input.received_amount, currency);
    return bookDirect(change, {
      rooms: [
        {
          property_id: property.id,
          check_in_date: input.check_in_date,
          check_out_date: input.check_out_date,
          rate,
          commission,
          number_of_guests: input.number_of_guests,
        },
      ],
      guest: { name: input.guest_name, email: input.email ?? null, phone: input.mobile ?? null },
      currency,
      channel_id: input.channel_id,
      custom_channel_id: input.custom_channel_id ?? null,
      note: input.note ?? null,
      booked_at: instantOf(change.now),
      income: { amount: received, action_at: instantOf(change.now), method_id: input.income_method_id },
    });
  });
  return created(booked);
};

export const cancelReservation: Handler<'cancelReservation'> = async (input, context) => {
  const code = input.reservation_code;
  await context.change(async (change) => {
    const { account_id } = change.account;
    await lockReservation(change.trx, account_id, code as ReservationCode);
    const stays = await staysOf(change.trx, account_id, code);
    if (!stays.some((stay) => maySee(context, stay.property_id))) throw goneResource();
    if (!isDirect(code)) throw new ApiError(404, texts.notManual);
    await cancelStays(change, stays);
    change.audit('cancelReservation', code);
  });
};

function created(booking: { reservation_code: string; status: string }) {
  const { reservation_code, status } = booking;
  return { reservation: { reservation_code, status }, reservation_code, status };
}
