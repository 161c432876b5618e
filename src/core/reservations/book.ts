import type { ReservationStatus } from '../../contract/reservations.ts';
import { instantOf, type Instant, type PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode, StayCode } from '../../kernel/ids.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { prepared } from '../../store/queries/prepared.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { holdNights } from '../availabilities/nights.ts';
import type { Change } from '../context.ts';
import { type CoreDb, flag, type StayRow } from '../database.ts';
import { firstEntry } from '../dictionaries/entries.ts';
import { postEntry } from '../transactions/entries.ts';
import { findByChannelId } from './lookup.ts';
import { next } from '../../kernel/transitions.ts';
import { accommodation, directCode, reservationLife } from './rules.ts';
import { startTimer } from './times/timers.ts';

export interface ReservationGuest {
  name: string;
  email?: string | null;
  phone?: string | null;
  country?: string | null;
}

/** One room of a reservation. */
interface ReservationRoom {
  property_id: number;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  rate: Minor;
  commission: Minor;
  number_of_guests: number;
  number_of_adults?: number | null;
  number_of_children?: number | null;
  number_of_infants?: number | null;
  number_of_pets?: number | null;
  /** What the rate consists of; left out: the room alone. */
  lines?: readonly { type: string; description: string; amount: Minor }[];
}

/** A direct reservation to create. Amounts are in minor units of `currency`. */
export interface ReservationDraft {
  rooms: readonly [ReservationRoom, ...ReservationRoom[]];
  guest: ReservationGuest;
  currency: Currency;
  /** The caller's own reference. A repeat finds the reservation that was made first. */
  channel_id?: string | undefined;
  custom_channel_id?: number | null;
  note?: string | null;
  creator?: string | null;
  booked_at: Instant;
  /** For a past reservation: it is created and cancelled in one step and never holds a night. */
  cancelled_at?: Instant | null;
  /** It waits for its payment until then, and holds its nights meanwhile; left out: it is accepted at once. */
  pay_until?: Instant | undefined;
  /** The part of the rate that is tax. */
  tax?: Minor | null;
  /** What the guest wrote. */
  remarks?: string | null;
  /** Money received for it, as one income entry. */
  income?: { amount: Minor; action_at: Instant; method_id?: number | undefined; note?: string } | null;
}

interface Booked {
  reservation_code: ReservationCode;
  status: ReservationStatus;
  /** false: the reference was known, and nothing was done. */
  created: boolean;
}

/**
 * Creates a direct reservation within a change: reservation, a stay and its nights per room, the booker, an income
 * entry, and their events.
 * @throws ApiError 409 when a night is taken; nothing is stored then
 */
export async function bookDirect(change: Change, draft: ReservationDraft): Promise<Booked> {
  const { trx, account, core } = change;
  const code = directCode(core.random, change.now, draft.channel_id);
  const rate = sum(draft.rooms.map((room) => room.rate));
  const commission = sum(draft.rooms.map((room) => room.commission));
  const made = await insertMany(
    trx,
    'reservations',
    [
      {
        account_id: account.account_id,
        reservation_code: code,
        channel_id: draft.channel_id ?? code,
        currency: draft.currency,
        total_rate: rate,
        total_commission: commission,
        tax: draft.tax ?? null,
        custom_channel_id: draft.custom_channel_id ?? null,
        conversation_id: null,
        income_transaction_id: null,
      },
    ],
    { columns: ['account_id', 'channel_id'] },
  );
  if (made === 0) return existingReservation(change, draft.channel_id);

  const stays = await addStays(change, draft, code);
  for (const stay of stays) {
    change.emit({ event: 'reservation_created', ...eventFields(stay) });
    if (stay.status === 'cancelled') change.emit({ event: 'reservation_updated', ...eventFields(stay) });
    else await holdNights(change, stay);
  }
  if (draft.pay_until !== undefined && stays[0]) await startTimer(change, stays[0], draft.pay_until);
  if (draft.income && draft.income.amount > 0) await addIncome(change, draft.currency, code, draft.income);
  change.audit('createReservation', code);
  return { reservation_code: code, status: stays[0]?.status ?? 'accepted', created: true };
}

async function existingReservation(change: Change, channelId: string | undefined): Promise<Booked> {
  if (channelId === undefined) throw new Error('the new reservation code is taken; book again');
  const found = await findByChannelId(change.trx, change.account.account_id, channelId);
  if (!found) throw new Error(`channel_id ${channelId} is taken but its booking cannot be found`);
  return { ...found, created: false };
}

/** Fields of a new stay about which nothing is known yet. */
export const NOTHING_ARRANGED = {
  arrival_at: null,
  departure_at: null,
  lock_code: null,
  lock_code_visible_after: null,
  deposit: 0,
  id_required: 'not_required',
  custom_fields: null,
} as const;

async function addStays(change: Change, draft: ReservationDraft, code: ReservationCode): Promise<StayRow[]> {
  const { account, trx } = change;
  const firstId = await nextIds(trx, 'stays', draft.rooms.length);
  const accepted = next(reservationLife, null, 'book_direct');
  const waiting = next(reservationLife, null, 'book_unpaid');
  const standing = draft.pay_until === undefined ? accepted : waiting;
  const status = draft.cancelled_at ? next(reservationLife, standing, 'cancel_direct') : standing;
  const stays = draft.rooms.map((room, index): StayRow => ({
    account_id: account.account_id,
    id: firstId + index,
    stay_code: stayCode(code, index, draft.rooms.length),
    reservation_code: code,
    property_id: room.property_id,
    channel_type: 'direct',
    listing_id: '',
    status,
    stay_status: 'checkin_pending',
    check_in_date: room.check_in_date,
    check_out_date: room.check_out_date,
    number_of_guests: room.number_of_guests,
    number_of_adults: room.number_of_adults ?? null,
    number_of_children: room.number_of_children ?? null,
    number_of_infants: room.number_of_infants ?? null,
    number_of_pets: room.number_of_pets ?? null,
    rate: room.rate,
    commission: room.commission,
    rate_details: room.lines ? JSON.stringify(room.lines) : accommodation(room.rate),
    additional_fees: '[]',
    booked_at: draft.booked_at,
    created_at: instantOf(change.now),
    cancelled_at: draft.cancelled_at ?? null,
    creator: draft.creator ?? change.operator?.name ?? null,
    note: draft.note ?? null,
    channel_remarks: draft.remarks ?? null,
    channel_details: null,
    ...NOTHING_ARRANGED,
  }));
  await insertMany(trx, 'stays', stays);
  await addBooker(change, draft.guest, stays);
  return stays;
}

/** Returns the code of a stay. One room: the reservation's own code. Several: the code and the number of the room. */
export function stayCode(code: ReservationCode, index: number, rooms: number): StayCode {
  return (rooms === 1 ? code : `${code}-${index + 1}`) as string as StayCode;
}

/** Adds the booker to the guests of each stay. */
export async function addBooker(change: Change, guest: ReservationGuest, stays: readonly StayRow[]): Promise<void> {
  const firstId = await nextIds(change.trx, 'guests', stays.length);
  const rows = stays.map((stay, index) => ({
    account_id: stay.account_id,
    stay_id: stay.id,
    id: firstId + index,
    is_booker: flag(true),
    name: guest.name,
    phone: guest.phone ?? null,
    email: guest.email ?? null,
    id_type: null,
    id_number: null,
    gender: null,
    country: guest.country ?? null,
  }));
  await insertMany(change.trx, 'guests', rows);
}

/** Creates the reservation's own income entry and records it as the one that follows `received_amount`. */
export async function addIncome(
  change: Change,
  currency: Currency,
  code: ReservationCode,
  income: NonNullable<ReservationDraft['income']>,
): Promise<void> {
  const { trx, account } = change;
  const accountId = account.account_id;
  const id = await postEntry(change, {
    account_id: accountId,
    direction: 'income',
    item_id: await firstEntry(trx, accountId, 'income_items'),
    payment_method_id: income.method_id ?? (await firstEntry(trx, accountId, 'income_methods')),
    amount: income.amount,
    currency,
    action_at: income.action_at,
    note: income.note ?? '',
    reservation_code: code,
    property_id: null,
    operator_id: change.operator?.id ?? null,
  });
  await rememberIncome(trx, { accountId, code, id });
}

const rememberIncome = prepared((trx: CoreDb, arg: { accountId: AccountId; code: ReservationCode; id: number }) =>
  trx
    .updateTable('reservations')
    .set({ income_transaction_id: arg.id })
    .where('account_id', '=', arg.accountId)
    .where('reservation_code', '=', arg.code),
);

/** Returns the fields by which every reservation event names its stay. */
export function eventFields(stay: Pick<StayRow, 'reservation_code' | 'stay_code' | 'property_id'>) {
  return { reservation_code: stay.reservation_code, stay_code: stay.stay_code, property_id: stay.property_id };
}

function sum(amounts: readonly Minor[]): Minor {
  return amounts.reduce((total, amount) => total + amount, 0);
}
