import { dateIn, type PlainDate } from '../../kernel/dates.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { subscriptionAt } from '../accounts/rules.ts';
import { listAvailabilities } from '../availabilities/handlers.ts';
import type { Context, Core } from '../context.ts';
import type { AccountRow, CalendarShareLinkRow } from '../database.ts';
import { datesOfMonth, type DayState, dayState, type Month, addMonths, monthsAround } from './rules.ts';
import { linkAccount, linkByHash, sharedProperties } from './table.ts';

/** Properties on one page. */
const PAGE = 20;
/** Months shown at once for a single property. */
const MONTHS_OF_ONE = 3;

export interface SharedMonth {
  month: Month;
  days: { date: PlainDate; state: DayState }[];
}

/** The page that a visitor with a link sees. */
export interface SharedCalendar {
  month: Month;
  previous: Month | null;
  next: Month | null;
  page: number;
  pages: number;
  properties: { name: string; months: SharedMonth[] }[];
}

/** Returns the link that a token opens; undefined if it opens none, or no longer. */
export async function sharedLink({ store, clock }: Core, token: string): Promise<SharedLink | undefined> {
  const link = await linkByHash(store.db, sha256Hex(token));
  if (!link) return undefined;
  const account = await linkAccount(store.db, link.account_id);
  return subscriptionAt(account, clock.now()) === 'active' ? { link, account } : undefined;
}

interface SharedLink {
  link: CalendarShareLinkRow;
  account: AccountRow;
}

/** Returns the calendar behind a link: nights and names of properties, without guests, prices or the operator. */
export async function sharedCalendar(
  core: Core,
  { link, account }: SharedLink,
  asked: { month: string | undefined; page: number },
): Promise<SharedCalendar> {
  const now = core.clock.now();
  const months = monthsAround(asked.month, dateIn(account.time_zone, now));
  const { page, pages, rows } = await pageOf(core, link, asked.page);
  const count = pages === 1 && rows.length === 1 ? MONTHS_OF_ONE : 1;
  const shown = Array.from({ length: count }, (_, index) => addMonths(months.month, index));
  const free = await freeNights(
    visitor(
      core,
      account,
      now,
      rows.map((row) => row.id),
    ),
    shown,
  );
  const properties = rows.map(({ id, name, time_zone }) => {
    const today = dateIn(time_zone, now);
    const stateOf = (date: PlainDate) => dayState(date, free.get(id)?.has(date) ?? false, today);
    return {
      name,
      months: shown.map((month) => ({
        month,
        days: datesOfMonth(month).map((date) => ({ date, state: stateOf(date) })),
      })),
    };
  });
  return { ...months, page, pages, properties };
}

/** Returns the requested page, or the last one. */
async function pageOf(core: Core, link: CalendarShareLinkRow, asked: number) {
  const { db } = core.store;
  const first = await sharedProperties(db, link, { offset: (asked - 1) * PAGE, limit: PAGE });
  const pages = Math.max(1, Math.ceil(first.total / PAGE));
  if (asked <= pages) return { page: asked, pages, rows: first.rows };
  const { rows } = await sharedProperties(db, link, { offset: (pages - 1) * PAGE, limit: PAGE });
  return { page: pages, pages, rows };
}

/** Returns the context of a visitor, who reads like an operator that sees only these properties. */
function visitor(core: Core, account: AccountRow, now: number, visible: readonly number[]): Context {
  return {
    core,
    account,
    operator: { id: 0, name: 'visitor', kind: 'sub' },
    visible,
    now,
    db: core.store.db,
    change: () => Promise.reject(new Error('a visitor changes nothing')),
  };
}

async function freeNights(context: Context, months: readonly Month[]): Promise<Map<number, Set<PlainDate>>> {
  const dates = months.flatMap(datesOfMonth);
  const [start_date, end_date] = [dates[0], dates.at(-1)];
  if (!context.visible?.length || start_date === undefined || end_date === undefined) return new Map();
  const input = { property_ids: context.visible.join(), start_date, end_date };
  const { properties } = await listAvailabilities(input, context);
  return new Map(
    properties.map(({ id, availabilities }) => [
      id,
      new Set(availabilities.filter((day) => day.available).map((day) => day.date)),
    ]),
  );
}
