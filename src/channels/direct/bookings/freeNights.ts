import { AVAILABILITY_YEARS } from '../../../contract/availabilities.ts';
import { listAvailabilities } from '../../../core/availabilities/handlers.ts';
import type { Core } from '../../../core/context.ts';
import type { AccountRow } from '../../../core/database.ts';
import { addDays, addYears, dateIn, daysBetween, nightsOf, type PlainDate } from '../../../kernel/dates.ts';

/** Days before and after the wished ones in which other dates are looked for. */
const AROUND_DAYS = 21;
const MOST_SPANS = 4;

export interface Span {
  readonly check_in_date: PlainDate;
  readonly check_out_date: PlainDate;
}

/** Returns the free nights of properties between two dates, both included, as a visitor may know them. */
export async function freeNights(
  core: Core,
  account: AccountRow,
  asked: { properties: readonly number[]; start: PlainDate; end: PlainDate },
): Promise<Map<number, ReadonlySet<PlainDate>>> {
  const now = core.clock.now();
  const today = dateIn(account.time_zone, now);
  const start = asked.start < today ? today : asked.start;
  const last = addYears(today, AVAILABILITY_YEARS.ahead);
  const end = asked.end > last ? last : asked.end;
  if (asked.properties.length === 0 || end < start) return new Map();
  const { properties } = await listAvailabilities(
    { property_ids: asked.properties.join(), start_date: start, end_date: end },
    {
      core,
      account,
      operator: { id: 0, name: 'visitor', kind: 'sub' },
      visible: asked.properties,
      now,
      db: core.store.db,
      change: () => Promise.reject(new Error('a visitor changes nothing')),
    },
  );
  return new Map(
    properties.map(({ id, availabilities }) => [
      id,
      new Set(availabilities.filter((day) => day.available).map((day) => day.date)),
    ]),
  );
}

/** Returns true if all nights of a span are free. */
export async function isFree(core: Core, account: AccountRow, propertyId: number, span: Span): Promise<boolean> {
  const asked = { properties: [propertyId], start: span.check_in_date, end: addDays(span.check_out_date, -1) };
  const free = (await freeNights(core, account, asked)).get(propertyId);
  return nightsOf(span.check_in_date, span.check_out_date).every((night) => free?.has(night) === true);
}

/** Returns free spans of the same length in the same property, those nearest to the wished one first. */
export async function spansNearby(core: Core, account: AccountRow, propertyId: number, wish: Span): Promise<Span[]> {
  const length = daysBetween(wish.check_in_date, wish.check_out_date);
  const start = addDays(wish.check_in_date, -AROUND_DAYS);
  const end = addDays(wish.check_out_date, AROUND_DAYS);
  const free = (await freeNights(core, account, { properties: [propertyId], start, end })).get(propertyId);
  if (!free) return [];
  const shifts = Array.from({ length: AROUND_DAYS }, (_, index) => [index + 1, -index - 1]).flat();
  const spans = shifts.map((days) => ({
    check_in_date: addDays(wish.check_in_date, days),
    check_out_date: addDays(wish.check_in_date, days + length),
  }));
  const open = spans.filter((span) => nightsOf(span.check_in_date, span.check_out_date).every((one) => free.has(one)));
  return open.slice(0, MOST_SPANS).toSorted((a, b) => a.check_in_date.localeCompare(b.check_in_date));
}
