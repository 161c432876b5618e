import { freeNights } from '../../channels/direct/bookings/freeNights.ts';
import type { OpenPage } from '../../channels/direct/bookings/pages.ts';
import { pageProperties } from '../../channels/direct/bookings/table.ts';
import { planOf } from '../../channels/direct/plans/table.ts';
import type { DirectWork } from '../../channels/direct/work.ts';
import { addMonths, dayState, monthsAround } from '../../core/calendarShareLinks/rules.ts';
import { dateIn, lastDayOfMonth, type PlainDate } from '../../kernel/dates.ts';
import type { CalendarShown } from './calendarView.ts';
import { type Sent, textOf } from './fields.ts';

/** Reads the free nights of the property that a guest has chosen; of a page with one, that one. */
export async function calendarOf(
  { core }: DirectWork,
  { page, account }: OpenPage,
  asked: Sent,
): Promise<Pick<CalendarShown, 'properties' | 'property' | 'today' | 'months' | 'stateOf' | 'extras'>> {
  const { db } = core.store;
  const properties = await pageProperties(db, page);
  const chosen = textOf(asked, 'property');
  const property = properties.length === 1 ? properties[0] : properties.find(({ id }) => String(id) === chosen);
  const today = dateIn(property?.time_zone ?? account.time_zone, core.clock.now());
  const { month, previous, next } = monthsAround(textOf(asked, 'month') || textOf(asked, 'from').slice(0, 7), today);
  const shown = [month, addMonths(month, 1)];
  const months = { shown, previous, next };
  if (!property) return { properties, property, today, months, stateOf: () => 'past', extras: [] };
  const span = { start: `${month}-01`, end: lastDayOfMonth(addMonths(month, 1)) };
  const free = (await freeNights(core, account, { properties: [property.id], ...span })).get(property.id);
  const plan = await planOf(db, { accountId: account.account_id, propertyId: property.id });
  return {
    properties,
    property,
    today,
    months,
    stateOf: (date: PlainDate) => dayState(date, free?.has(date) ?? false, today),
    extras: (plan?.plan.fees ?? []).filter((fee) => fee.optional).map((fee) => fee.name),
  };
}
