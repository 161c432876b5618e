import { AVAILABILITY_YEARS, nightRemarks } from '../../contract/availabilities.ts';
import { breather } from '../../kernel/clock.ts';
import type { Input } from '../../contract/index.ts';
import { addYears, datesFromTo, dateIn, type PlainDate } from '../../kernel/dates.ts';
import { invalid } from '../../kernel/errors.ts';
import { queueTasks } from '../channels/tasks/queue.ts';
import type { Context, Handler } from '../context.ts';
import { requireProperty } from '../ownership.ts';
import { blockedNights, blockReasons, propertiesAmong, takenNights } from './table.ts';

export const listAvailabilities: Handler<'listAvailabilities'> = async (input, context) => {
  requireWindow(input, dateIn(context.account.time_zone, context.now));
  const asked = [...new Set(input.property_ids.split(',').map(Number))];
  const range = { accountId: context.account.account_id, start: input.start_date, end: input.end_date };
  const ids = await propertiesAmong(context.db, range.accountId, asked, context.visible);
  const dates = datesFromTo(input.start_date, input.end_date);
  const properties: { id: number; availabilities: Night[] }[] = [];
  const rest = breather();
  for (let start = 0; start < ids.length; start += PROPERTIES_AT_ONCE) {
    const some = ids.slice(start, start + PROPERTIES_AT_ONCE);
    const taken = await takenNights(context.db, range, some);
    const blocked = await blockedNights(context.db, range, some);
    const reasons = await blockReasons(context.db, range, some);
    for (const id of some) {
      const closed = { blocked: blocked.get(id), reasons: reasons.get(id) };
      properties.push({ id, availabilities: nightsShown(dates, taken.get(id), closed) });
      await rest();
    }
  }
  return { properties };
};

/** Properties of one read. Four years of a hundred properties in one read would block other requests. */
const PROPERTIES_AT_ONCE = 4;

interface Night {
  date: PlainDate;
  available: boolean;
  remarks: string | null;
}

function nightsShown(
  dates: readonly PlainDate[],
  held: ReadonlySet<PlainDate> | undefined,
  closed: { blocked: ReadonlySet<PlainDate> | undefined; reasons: ReadonlyMap<PlainDate, string> | undefined },
): Night[] {
  const remarksOf = (date: PlainDate) => {
    if (held?.has(date)) return nightRemarks.stay;
    return closed.blocked?.has(date) ? (closed.reasons?.get(date) ?? nightRemarks.block) : null;
  };
  return dates.map((date) => {
    const remarks = remarksOf(date);
    return { date, available: remarks === null, remarks };
  });
}

/** Nights to open or to block, and why they are blocked, which v3 has no word for. */
export type Blocking = Input<'updateAvailabilities'> & { reason?: string | undefined };

/** Queues the blocking or opening of nights. @throws ApiError for nights or properties that the caller cannot block */
export async function queueBlocks(
  input: Blocking,
  context: Pick<Context, 'db' | 'account' | 'visible' | 'now' | 'change'>,
): Promise<undefined> {
  const ids = [...new Set(input.property_ids)];
  const { dates, start_date = '', end_date = '' } = input;
  const properties = [];
  for (const id of ids) properties.push(await requireProperty(context.db, context.account, context, id));
  for (const property of properties) {
    const today = dateIn(property.time_zone, context.now);
    // Checked before the range is expanded into nights, since the caller chooses its length.
    if (dates === undefined) requireAhead({ first: start_date, last: end_date, today }, 'start_date', 'end_date');
    else requireAhead({ ...extremes(dates), today }, 'dates', 'dates');
  }
  const nights = dates ?? datesFromTo(start_date, end_date);
  await context.change(async (change) => {
    await queueTasks(
      change,
      ids.map((id) => ({
        subject: 'property',
        subject_id: id,
        work: { kind: 'blocks', available: input.available, dates: nights, reason: input.reason },
      })),
    );
    for (const id of ids) change.audit('updateAvailabilities', String(id));
  });
}

export const updateAvailabilities: Handler<'updateAvailabilities'> = queueBlocks;

/** @throws ApiError 422 for nights that are past or further ahead than calendars reach */
function requireAhead(
  { first, last, today }: { first: PlainDate; last: PlainDate; today: PlainDate },
  firstField: string,
  lastField: string,
): void {
  if (first < today) throw invalid(firstField, 'lies in the past');
  if (last > addYears(today, AVAILABILITY_YEARS.ahead)) throw invalid(lastField, 'lies more than three years ahead');
}

function extremes(dates: readonly PlainDate[]): { first: PlainDate; last: PlainDate } {
  const sorted = dates.toSorted();
  return { first: sorted[0] ?? '', last: sorted.at(-1) ?? '' };
}

function requireWindow(input: { start_date: string; end_date: string }, today: string): void {
  if (input.start_date < addYears(today, -AVAILABILITY_YEARS.back)) {
    throw invalid('start_date', 'lies more than one year back');
  }
  if (input.end_date > addYears(today, AVAILABILITY_YEARS.ahead)) {
    throw invalid('end_date', 'lies more than three years ahead');
  }
}
