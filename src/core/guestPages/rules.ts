import type { ReservationStatus } from '../../contract/reservations.ts';
import { addDaysWithin, dateIn, msOf, type PlainDate, readInstant, startOfDay } from '../../kernel/dates.ts';

/** What a page says of a reservation or a stay: it stands, it waits for an answer or a payment, it has ended. */
export type Standing = 'stands' | 'waits' | 'ended';

const STANDINGS: Readonly<Record<ReservationStatus, Standing>> = {
  accepted: 'stands',
  wait_accept: 'waits',
  wait_pay: 'waits',
  cancelled: 'ended',
  denied: 'ended',
  timeout: 'ended',
};

export function standingOf(status: ReservationStatus): Standing {
  return STANDINGS[status];
}

/** Returns true as long as a link opens its page: until so many days after the last check-out, in the account's zone. */
export function isOpen(
  stays: readonly { readonly check_out_date: PlainDate }[],
  { zone, now, openDays }: { zone: string; now: number; openDays: number },
): boolean {
  const today = dateIn(zone, now);
  return stays.some(({ check_out_date }) => today <= addDaysWithin(check_out_date, openDays));
}

/** A stay as far as it decides when its door code may be seen. Times are `HH:mm` where the property is. */
export interface CodeTimes {
  readonly status: ReservationStatus;
  readonly stay_status: string;
  readonly check_in_date: PlainDate;
  readonly check_out_date: PlainDate;
  /** From which hour of the day of arrival; null: from its beginning. */
  readonly visibleAfter: string | null;
  /** The hour of leaving; null: none is set, so the whole day. */
  readonly leavesBy: string | null;
  readonly zone: string;
}

/** now · later · never (again) */
export type CodeVisibility = 'now' | 'later' | 'never';

/**
 * Decides about the door code of a stay that has one: it is shown while the stay stands, from the hour that it may be
 * seen on the day of arrival until the guests have left.
 */
export function codeVisibility(times: CodeTimes, now: number): CodeVisibility {
  if (standingOf(times.status) !== 'stands' || times.stay_status === 'stay_completed') return 'never';
  const { check_in_date, check_out_date, visibleAfter, leavesBy, zone } = times;
  if (now < momentOf(check_in_date, visibleAfter, zone)) return 'later';
  const end =
    leavesBy === null
      ? msOf(startOfDay(addDaysWithin(check_out_date, 1), zone))
      : momentOf(check_out_date, leavesBy, zone);
  return now < end ? 'now' : 'never';
}

/** Returns the moment of an hour of a day, in milliseconds; null: the beginning of the day. */
function momentOf(date: PlainDate, time: string | null, zone: string): number {
  const moment = time === null ? undefined : readInstant(`${date}T${time}:00`, zone);
  return msOf(moment ?? startOfDay(date, zone));
}
