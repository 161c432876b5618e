import { addDays, type PlainDate } from '../../kernel/dates.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';

const WEEK = 7;

/** The figures of a day, from the mirror. */
interface DayFigures {
  arrivals: number;
  departures: number;
  occupied: number;
  properties: number;
  week_occupancy: number;
}

export async function dayFigures(db: MirrorDb, connection: string, date: PlainDate): Promise<DayFigures> {
  const accepted = (column: 'check_in_date' | 'check_out_date') =>
    db
      .selectFrom('stays')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('connection', '=', connection)
      .where('status', '=', 'accepted')
      .where('deleted_at', 'is', null)
      .where(column, '=', date)
      .executeTakeFirstOrThrow();
  const nights = await db
    .selectFrom('stay_nights')
    .select((eb) => ['night', eb.fn.countAll<number>().as('count')])
    .where('connection', '=', connection)
    .where('status', '=', 'accepted')
    .where('property_id', '>', 0)
    .where('night', '>=', date)
    .where('night', '<', addDays(date, WEEK))
    .groupBy('night')
    .execute();
  const { count } = await db
    .selectFrom('properties')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('connection', '=', connection)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  const properties = Number(count);
  const taken = nights.reduce((sum, row) => sum + Number(row.count), 0);
  return {
    arrivals: Number((await accepted('check_in_date')).count),
    departures: Number((await accepted('check_out_date')).count),
    occupied: Number(nights.find((row) => row.night === date)?.count ?? 0),
    properties,
    week_occupancy: properties === 0 ? 0 : Math.round((100 * taken) / (WEEK * properties)),
  };
}
