import { dateIn, type PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import type { Core } from '../context.ts';
import type { AccountRow } from '../database.ts';
import { openLockCode } from '../reservations/lockCode.ts';
import { isDirect, paymentOf } from '../reservations/rules.ts';
import { receivedAmount } from '../reservations/views.ts';
import type { OpenPage } from './open.ts';
import { usualGuestPages } from './ports.ts';
import { type CountryForm, formOf } from './registration/countries.ts';
import { type RegisteredGuest, registeredGuests } from './registration/people.ts';
import { type CodeVisibility, codeVisibility, type Standing, standingOf } from './rules.ts';
import { type PlacedStay, reservationOf } from './table.ts';

/** A stay as its guests see it. */
export interface StayOfGuest {
  readonly stay_code: string;
  readonly standing: Standing;
  readonly property: string | null;
  readonly check_in_date: PlainDate;
  readonly check_out_date: PlainDate;
  readonly guests: number;
  /** Hours `HH:mm`; null: none is set. */
  readonly comesFrom: string | null;
  readonly leavesBy: string | null;
  /** The rest is there only while the stay stands. */
  readonly address: string | null;
  readonly guide: string;
  readonly phone: string | null;
  readonly code: { readonly seen: CodeVisibility; readonly text: string | null; readonly from: string | null } | null;
  readonly registration: RegistrationOfStay | null;
}

/** What is asked of the guests of a stay, and who has answered. */
export interface RegistrationOfStay {
  readonly country: string;
  readonly form: CountryForm;
  readonly registered: readonly Pick<RegisteredGuest, 'id' | 'name'>[];
  /** Guests who are to register, those who have included. */
  readonly of: number;
  /** True until the guests have left. */
  readonly isOpen: boolean;
}

/** A reservation as its guests see it. */
export interface ReservationOfGuest {
  readonly code: string;
  readonly standing: Standing;
  readonly stays: readonly StayOfGuest[];
  /** What is still to be paid; null: nothing, or the channel takes the payment. */
  readonly balance: { readonly amount: Minor; readonly currency: Currency; readonly payAt: string | null } | null;
  /** True if a message from here reaches the host. */
  readonly canWrite: boolean;
}

/** Returns all that the guests of a reservation may see now. */
export async function shownToGuest(core: Core, page: OpenPage): Promise<ReservationOfGuest> {
  const { account, code, stays } = page;
  const { db } = core.store;
  const reservation = await reservationOf(db, account.account_id, code);
  if (!reservation) throw new Error(`reservation ${code} cannot be found`);
  const stayIds = stays.map(({ id }) => id);
  const registered = await registeredGuests(core, account.account_id, stayIds);
  const standing = standingOfAll(stays);
  return {
    code,
    standing,
    stays: stays.map((stay) => {
      const own = registered.filter(({ stay_id }) => stay_id === stay.id);
      return stayOf(core, account, stay, own);
    }),
    balance: standing === 'ended' ? null : await balanceOf(core, page, reservation),
    canWrite: reservation.conversation_id !== null,
  };
}

function standingOfAll(stays: readonly PlacedStay[]): Standing {
  const all = stays.map(({ status }) => standingOf(status));
  return all.includes('stands') ? 'stands' : all.includes('waits') ? 'waits' : 'ended';
}

function stayOf(
  core: Core,
  account: AccountRow,
  stay: PlacedStay,
  registered: RegistrationOfStay['registered'],
): StayOfGuest {
  const now = core.clock.now();
  const standing = standingOf(stay.status);
  const leavesBy = clockText(stay.departure_at) ?? stay.check_out_time;
  const zone = stay.time_zone ?? account.time_zone;
  const stands = standing === 'stands';
  const form = formOf(stay.country);
  const asks = stands && form && stay.country !== null;
  return {
    stay_code: stay.stay_code,
    standing,
    property: stay.name,
    check_in_date: stay.check_in_date,
    check_out_date: stay.check_out_date,
    guests: stay.number_of_guests,
    comesFrom: clockText(stay.arrival_at) ?? stay.check_in_time,
    leavesBy,
    address: stands ? stay.address || null : null,
    guide: stands ? (stay.guide ?? '') : '',
    phone: stay.phone,
    code: stands ? codeOf(core, stay, { leavesBy, zone }) : null,
    registration: asks
      ? {
          country: stay.country ?? '',
          form,
          registered,
          of: stay.number_of_guests,
          isOpen: stay.stay_status !== 'stay_completed' && dateIn(zone, now) <= stay.check_out_date,
        }
      : null,
  };
}

/** The code itself is opened only when it is shown. */
function codeOf(core: Core, stay: PlacedStay, { leavesBy, zone }: { leavesBy: string | null; zone: string }) {
  if (stay.lock_code === null) return null;
  const visibleAfter = stay.lock_code_visible_after;
  const seen = codeVisibility({ ...stay, visibleAfter, leavesBy, zone }, core.clock.now());
  const text = seen === 'now' ? openLockCode(core.sealer, stay) : null;
  return { seen, text, from: visibleAfter };
}

/** Of channels' reservations nothing is said: the guest pays the channel, or has done so. */
async function balanceOf(
  { store, guestPages = usualGuestPages }: Core,
  { account, code }: OpenPage,
  reservation: { currency: Currency; total_rate: Minor; total_commission: Minor },
): Promise<ReservationOfGuest['balance']> {
  if (!isDirect(code)) return null;
  const received = await receivedAmount(store.db, account.account_id, code);
  const { total_rate: rate, total_commission: commission, currency } = reservation;
  const { balance } = paymentOf({ rate, commission, received });
  if (balance <= 0) return null;
  const { account_id } = account;
  const link = await guestPages.paymentLinkOf?.({ account_id, reservation_code: code });
  return { amount: balance, currency, payAt: link !== undefined && /^https?:\/\//i.test(link) ? link : null };
}

/** Returns `HH:mm` of a stored time. */
function clockText(stored: string | null): string | null {
  if (stored === null) return null;
  const { hour, minute } = JSON.parse(stored) as { hour: number; minute: number };
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}
