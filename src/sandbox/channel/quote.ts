import { nightsOf, type PlainDate } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { type Minor, fromWireAmount } from '../../kernel/money.ts';
import type { Change } from '../../core/context.ts';
import type { ListingRow } from '../../core/database.ts';
import type { ChannelDay } from '../../core/channels/adapter.ts';
import { type RateLine, ratesOf, sumOf } from '../../core/channels/rates.ts';
import { soldCalendar } from './shownCalendar.ts';
import { shownDays, shownListings } from './table.ts';

/** A stay that a guest asks a marketplace for. */
export interface AskedStay {
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  number_of_guests: number;
  number_of_pets?: number | null | undefined;
  /** Price of all nights together, in place of the calendar's. */
  price?: Minor | undefined;
  /** true: accept nights that the marketplace has closed, as a double booking does. */
  overbook?: boolean | undefined;
}

/** Tax of sandbox marketplaces in percent. */
const TAX_PERCENT = 7;

/**
 * Returns the price of a stay on a sandbox marketplace, in minor units of the listing's currency: nights by its
 * calendar, fees, the marketplace's share and the tax.
 * @throws ApiError 404 when the marketplace does not know the listing, 409 when the stay cannot be booked there, 400
 * while a night has no price
 */
export async function quoteStay(change: Change, listing: ListingRow, stay: AskedStay): Promise<RateLine[]> {
  const { account_id, id, currency } = listing;
  const [shown] = await shownListings(change.trx, account_id, [id]);
  if (!shown) throw new ApiError(404, 'The channel does not know the listing.');
  const range = { start_date: stay.check_in_date, end_date: stay.check_out_date };
  const days = soldCalendar(listing, shown, await shownDays(change.trx, account_id, [id], range), range);
  if (!stay.overbook) requireBookable(days, stay);
  const settings = JSON.parse(shown.settings) as Record<string, unknown>;
  const accommodation = stay.price ?? sumOf(days.slice(0, -1).map((day) => requirePrice(day)));
  const charged = [
    line('ACCOMMODATION', accommodation),
    line('CLEANING_FEE', setting('cleaning_fee')),
    line('EXTRA_GUEST_FEE', extraGuests() * setting('extra_guest_fee') * (days.length - 1)),
    line('PET_FEE', stay.number_of_pets ? setting('pet_fee') : 0),
  ].filter(({ type, amount }) => type === 'ACCOMMODATION' || amount > 0);
  const { rate } = ratesOf(charged);
  return [
    ...charged,
    ...[
      line('HOST_SERVICE_FEE', percentOf(rate, shown.commission_percent)),
      line('TAX', percentOf(rate, TAX_PERCENT)),
    ].filter(({ amount }) => amount > 0),
  ];

  function setting(name: string): Minor {
    const amount = settings[name];
    return typeof amount === 'number' ? (fromWireAmount(amount, currency) ?? 0) : 0;
  }

  /** Extra guests count only where the settings say how many are included. */
  function extraGuests(): number {
    const free = settings['extra_guest_number'];
    return typeof free === 'number' && free > 0 ? Math.max(0, stay.number_of_guests - free) : 0;
  }
}

const DESCRIPTIONS = {
  ACCOMMODATION: 'Nights',
  CLEANING_FEE: 'Cleaning',
  EXTRA_GUEST_FEE: 'Extra guests',
  PET_FEE: 'Pets',
  HOST_SERVICE_FEE: 'Commission',
  TAX: 'Tax',
};

function line(type: keyof typeof DESCRIPTIONS, amount: Minor): RateLine {
  return { type, description: DESCRIPTIONS[type], amount };
}

function percentOf(amount: Minor, percent: number): Minor {
  return Math.round((amount * percent) / 100);
}

function requirePrice({ date, price }: ChannelDay): Minor {
  if (price === null) throw new ApiError(400, `The listing shows no price for ${date}.`);
  return price;
}

/** @param days from the day of arrival to that of departure */
function requireBookable(days: readonly ChannelDay[], { check_in_date, check_out_date }: AskedStay): void {
  const taken = days.slice(0, -1).find((day) => day.inventory < 1);
  if (taken) throw new ApiError(409, `The listing is closed on ${taken.date}.`);
  const nights = nightsOf(check_in_date, check_out_date).length;
  const rules = days[0]?.restrictions;
  if (rules?.closed_on_arrival || days.at(-1)?.restrictions.closed_on_departure) {
    throw new ApiError(409, 'The listing takes no arrival or no departure on that day.');
  }
  const least = rules?.exact_stay_on_arrival ?? rules?.min_stay_on_arrival ?? 1;
  const most = rules?.exact_stay_on_arrival ?? rules?.max_stay_on_arrival ?? Number.POSITIVE_INFINITY;
  if (nights < least || nights > most) {
    throw new ApiError(409, `The listing takes no stay of ${nights} nights from ${check_in_date} on.`);
  }
}
