import { AVAILABILITY_YEARS, nightRemarks } from '../../contract/availabilities.ts';
import { addYears, datesFromTo, dateIn, type PlainDate } from '../../kernel/dates.ts';
import { invalid } from '../../kernel/errors.ts';
import { queueTasks } from '../channels/tasks/queue.ts';
import type { Handler } from '../context.ts';
import { requireProperty } from '../ownership.ts';
import { blockedNights, propertiesAmong, takenNights } from './table.ts';

export const listAvailabilities: Handler<'listAvailabilities'> = async (input, context) => {
  requireWindow(input, dateIn(context.account.time_zone, context.now));
  const asked = [...new Set(input.property_ids.split(',').map(Number))];
  const range = { accountId: context.account.account_id, start: input.start_date, end: input.end_date };
  const ids = await propertiesAmong(context.db, range.accountId, asked, context.visible);
  const taken = await takenNights(context.db, range, ids);
  const blocked = await blockedNights(context.db, range, ids);
  const dates = datesFromTo(input.start_date, input.end_date);
  return {
    properties: ids.map((id) => {
      const held = taken.get(id);
      const closed = blocked.get(id);
      const remarksOf = (date: PlainDate) => {
        if (held?.has(date)) return nightRemarks.stay;
        return closed?.has(date) ? nightRemarks.block : null;
      };
      return {
        id,
        availabilities: dates.map((date) => {
          const remarks = remarksOf(date);
          return { date, available: remarks === null, remarks };
        }),
      };
    }),
  };
};

export const updateAvailabilities: Handler<'updateAvailabilities'> = async (input, context) => {
  const ids = [...new Set(input.property_ids)];
  const dates = input.dates ?? datesFromTo(input.start_date ?? '', input.end_date ?? '');
  const properties = [];
  for (const id of ids) properties.push(await requireProperty(context.db, context.account, context, id));
  for (const property of properties) {
    requireAhead(dates, dateIn(property.time_zone, context.now), input.dates ? 'dates' : undefined);
  }
  await context.change(async (change) => {
    await queueTasks(
      change,
      ids.map((id) => ({
        subject: 'property',
        subject_id: id,
        work: { kind: 'blocks', available: input.available, dates },
      })),
    );
    for (const id of ids) change.audit('updateAvailabilities', String(id));
  });
};

/** Nights that are gone cannot be opened or blocked, nor those further ahead than calendars reach. */
function requireAhead(dates: readonly PlainDate[], today: PlainDate, field: 'dates' | undefined): void {
  if (dates.some((date) => date < today)) throw invalid(field ?? 'start_date', 'lies in the past');
  if (dates.some((date) => date > addYears(today, AVAILABILITY_YEARS.ahead))) {
    throw invalid(field ?? 'end_date', 'lies more than three years ahead');
  }
}

function requireWindow(input: { start_date: string; end_date: string }, today: string): void {
  if (input.start_date < addYears(today, -AVAILABILITY_YEARS.back)) {
    throw invalid('start_date', 'lies more than one year back');
  }
  if (input.end_date > addYears(today, AVAILABILITY_YEARS.ahead)) {
    throw invalid('end_date', 'lies more than three years ahead');
  }
}
