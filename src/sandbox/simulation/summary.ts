import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import type { CoreDb } from '../../core/database.ts';
import type { Order } from './scenario.ts';

/** The results of a simulation, which are the same for the same order. */
export interface SimulationSummary {
  order: Order;
  /** Number of times that each action happened. */
  actions: Record<string, number>;
  /** Reservations by state at the end. */
  bookings: Record<string, number>;
  /** Stays whose nights were taken. */
  boxed: number;
  /** Pushes to marketplaces by outcome. */
  pushes: Record<string, number>;
  /** Queued events, without listing_calendar_updated, whose number depends on the pace of the pushes. */
  events: Record<string, number>;
}

/** The point from which tasks and events belong to the simulation. */
export interface Beginning {
  account_id: AccountId;
  task: number;
  event_id: string;
}

const CHUNK = 500;
const PACED_EVENT = 'listing_calendar_updated';

export async function beginningOf(db: CoreDb, account_id: AccountId, event_id: string): Promise<Beginning> {
  const { last } = await db
    .selectFrom('calendar_tasks')
    .select((of) => of.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  return { account_id, task: last ?? 0, event_id };
}

/** Counts reservations by state. */
export async function standings(db: CoreDb, { account_id }: Beginning, codes: readonly ReservationCode[]) {
  const counts: Record<string, number> = {};
  for (let from = 0; from < codes.length; from += CHUNK) {
    const rows = await db
      .selectFrom('stays')
      .where('account_id', '=', account_id)
      .where((where) => inList(where.ref('reservation_code'), codes.slice(from, from + CHUNK)))
      .select(['status', (of) => of.fn.count<number>('reservation_code').distinct().as('total')])
      .groupBy('status')
      .execute();
    for (const { status, total } of rows) counts[status] = (counts[status] ?? 0) + total;
  }
  return sorted(counts);
}

export async function pushesSince(db: CoreDb, { account_id, task }: Beginning): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('calendar_tasks')
    .where('account_id', '=', account_id)
    .where('id', '>', task)
    .select(['outcome', (of) => of.fn.countAll<number>().as('total')])
    .groupBy('outcome')
    .execute();
  return sorted(Object.fromEntries(rows.map(({ outcome, total }) => [outcome ?? 'waiting', total])));
}

export async function eventsSince(db: CoreDb, { account_id, event_id }: Beginning): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('outbox')
    .where('account_id', '=', account_id)
    .where('event_id', '>', event_id)
    .where('event', '<>', PACED_EVENT)
    .select(['event', (of) => of.fn.countAll<number>().as('total')])
    .groupBy('event')
    .execute();
  return sorted(Object.fromEntries(rows.map(({ event, total }) => [event, total])));
}

function sorted(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
