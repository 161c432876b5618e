import { AVAILABILITY_YEARS } from '../../contract/availabilities.ts';
import { addYears, datesFromTo, dateIn } from '../../kernel/dates.ts';
import { invalid } from '../../kernel/errors.ts';
import type { Handler } from '../context.ts';
import { propertiesAmong, takenNights } from './table.ts';

export const listAvailabilities: Handler<'listAvailabilities'> = async (input, context) => {
  requireWindow(input, dateIn(context.account.time_zone, context.now));
  const asked = [...new Set(input.property_ids.split(',').map(Number))];
  const range = { accountId: context.account.account_id, start: input.start_date, end: input.end_date };
  const ids = await propertiesAmong(context.db, range.accountId, asked, context.visible);
  const taken = await takenNights(context.db, range, ids);
  const dates = datesFromTo(input.start_date, input.end_date);
  return {
    properties: ids.map((id) => {
      const nights = taken.get(id);
      return {
        id,
        availabilities: dates.map((date) => ({ date, available: !nights?.has(date), remarks: null })),
      };
    }),
  };
};

function requireWindow(input: { start_date: string; end_date: string }, today: string): void {
  if (input.start_date < addYears(today, -AVAILABILITY_YEARS.back)) {
    throw invalid('start_date', 'lies more than one year back');
  }
  if (input.end_date > addYears(today, AVAILABILITY_YEARS.ahead)) {
    throw invalid('end_date', 'lies more than three years ahead');
  }
}
