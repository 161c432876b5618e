import { addDaysWithin, nightsOf, type PlainDate } from '../../kernel/dates.ts';
import { plainDateFrom } from '../../sync/tables/wireValues.ts';
import type { Automating } from '../context.ts';
import { TAKING } from '../plans/statuses.ts';
import { type NightState, readNights } from './nights.ts';

/**
 * Greatest distance in days between the dates of a stay and the requested nights for a search upstream. More distant
 * stays are known from the mirror only.
 */
const NEAR_DAYS = 90;
const PAGE = 100;

/** Nights of a property that a guest requests. */
interface WantedNights {
  property_id: number;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
}

/** Another stay in the property; null means unknown. */
export interface OtherStay {
  status: string | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
}

type Verdict = 'free' | 'taken' | 'unknown';

/**
 * Judges if the nights of a request are still available. The request itself may hold them, so a taken night is free for
 * it if no other stay and no block holds it. Uncertain nights are `unknown`.
 */
export function judgeNights(
  wanted: WantedNights,
  calendar: ReadonlyMap<PlainDate, NightState>,
  others: readonly OtherStay[],
): Verdict {
  const verdicts = [
    ...others.map((one) => judgeStay(wanted, one)),
    ...nightsOf(wanted.check_in_date, wanted.check_out_date).map(judgeNight),
  ];
  if (verdicts.includes('taken')) return 'taken';
  return verdicts.includes('unknown') ? 'unknown' : 'free';

  function judgeNight(night: PlainDate): Verdict {
    const state = calendar.get(night);
    if (state === 'closed') return 'taken';
    return state === 'free' || state === 'stay' ? 'free' : 'unknown';
  }
}

function judgeStay(wanted: WantedNights, { status, check_in_date: from, check_out_date: to }: OtherStay): Verdict {
  if ((from !== null && from >= wanted.check_out_date) || (to !== null && to <= wanted.check_in_date)) return 'free';
  if (status !== null && !(TAKING as readonly string[]).includes(status)) return 'free';
  return status === null || from === null || to === null ? 'unknown' : 'taken';
}

/** Judges the nights of a request with fresh data from upstream. */
export async function nightsOfRequest(
  context: Automating,
  wanted: WantedNights,
  reservation_code: string,
): Promise<Verdict> {
  const last = addDaysWithin(wanted.check_out_date, -1);
  const calendar = await readNights(context, wanted.property_id, { first: wanted.check_in_date, last });
  const others = await staysAround(context, wanted);
  const verdict = judgeNights(
    wanted,
    calendar,
    others.filter(({ code }) => code !== reservation_code),
  );
  // A full page may be incomplete.
  if (verdict !== 'free') return verdict;
  return others.length >= PAGE || (await isTakenInMirror(context, wanted, reservation_code)) ? 'unknown' : 'free';
}

async function staysAround(
  { client, signal }: Automating,
  { property_id, check_in_date, check_out_date }: WantedNights,
) {
  const asked = {
    property_id,
    start_check_in_date: addDaysWithin(check_in_date, -NEAR_DAYS),
    end_check_in_date: addDaysWithin(check_out_date, -1),
    start_check_out_date: addDaysWithin(check_in_date, 1),
    end_check_out_date: addDaysWithin(check_out_date, NEAR_DAYS),
    limit: PAGE,
  };
  const { data } = await client.call('listReservations', asked, { purpose: 'reply', signal });
  // Some deployments ignore some filters.
  return data.reservations
    .filter((one) => one.property_id === null || one.property_id === property_id)
    .map((one) => ({
      code: one.reservation_code ?? one.stay_code,
      status: one.status,
      check_in_date: plainDateFrom(one.check_in_date),
      check_out_date: plainDateFrom(one.check_out_date),
    }));
}

async function isTakenInMirror(
  { store, connection }: Automating,
  { property_id, check_in_date, check_out_date }: WantedNights,
  reservation_code: string,
): Promise<boolean> {
  const row = await store.db
    .selectFrom('stays')
    .select('stay_code')
    .where('connection', '=', connection)
    .where('property_id', '=', property_id)
    .where('status', 'in', [...TAKING])
    .where('reservation_code', '!=', reservation_code)
    .where('check_in_date', '<', check_out_date)
    .where('check_out_date', '>', check_in_date)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
