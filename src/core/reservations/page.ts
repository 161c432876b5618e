import type { Expression, ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { ReservationOrder, ReservationStatus } from '../../contract/reservations.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import { inList } from '../../store/inList.ts';
import { endOf } from '../../store/paging.ts';
import { prepared } from '../../store/prepared.ts';
import { unindexed } from '../../store/unindexed.ts';
import type { CoreDatabase, CoreDb } from '../database.ts';
import { type StayView, stayViews } from './views.ts';

interface FilterValues {
  id: number;
  reservation_code: string;
  channel_id: string;
  property_id: number;
  status: ReservationStatus;
  channel_type: string;
  start_check_in_date: PlainDate;
  end_check_in_date: PlainDate;
  start_check_out_date: PlainDate;
  end_check_out_date: PlainDate;
}
type FilterName = keyof FilterValues;

interface Arguments extends FilterValues {
  accountId: AccountId;
  visible: readonly number[];
  offset: number;
  limit: number;
}
type Where = ExpressionBuilder<CoreDatabase, 'stays'>;
type Condition = ExpressionWrapper<CoreDatabase, 'stays', SqlBool>;

type DateColumn = 'check_in_date' | 'check_out_date';
type DateOf = (column: DateColumn) => Expression<PlainDate>;

/** What each query parameter means; `date` is a column as it is looked for. */
const conditions: Record<FilterName, (where: Where, arg: Arguments, date: DateOf) => Condition> = {
  id: (where, arg) => where('stays.id', '=', arg.id),
  reservation_code: (where, arg) => where('stays.reservation_code', '=', arg.reservation_code as ReservationCode),
  channel_id: (where, arg) =>
    where(
      'stays.reservation_code',
      'in',
      where
        .selectFrom('reservations')
        .where('reservations.account_id', '=', arg.accountId)
        .where('reservations.channel_id', '=', arg.channel_id)
        .select('reservations.reservation_code')
        .unionAll(
          where
            .selectFrom('channel_bookings')
            .where('channel_bookings.account_id', '=', arg.accountId)
            .where('channel_bookings.channel_id', '=', arg.channel_id)
            .select('channel_bookings.reservation_code'),
        ),
    ),
  property_id: (where, arg) => where('stays.property_id', '=', arg.property_id),
  status: (where, arg) => where('stays.status', '=', arg.status),
  channel_type: (where, arg) => where('stays.channel_type', '=', arg.channel_type),
  start_check_in_date: (where, arg, date) => where(date('check_in_date'), '>=', arg.start_check_in_date),
  end_check_in_date: (where, arg, date) => where(date('check_in_date'), '<=', arg.end_check_in_date),
  start_check_out_date: (where, arg, date) => where(date('check_out_date'), '>=', arg.start_check_out_date),
  end_check_out_date: (where, arg, date) => where(date('check_out_date'), '<=', arg.end_check_out_date),
};
const filterNames = Object.keys(conditions) as FilterName[];

export interface ReservationQuestion {
  accountId: AccountId;
  visible: readonly number[] | null;
  filters: { readonly [Name in FilterName]?: FilterValues[Name] | undefined };
  order: ReservationOrder;
  offset: number;
  limit: number;
}

/** One page of stays, latest first by the asked order, and how many match in all. */
export async function reservationPage(
  db: CoreDb,
  question: ReservationQuestion,
): Promise<{ stays: StayView[]; total: number }> {
  const { filters, visible, accountId, offset, limit } = question;
  const names = filterNames.filter((name) => filters[name] !== undefined);
  const plan = planFor(names, question.order, visible !== null);
  const values = {
    accountId,
    ...Object.fromEntries(names.map((name) => [name, filters[name]])),
    ...(visible !== null && { visible }),
  };
  const ids = await plan.ids(db, { ...values, offset, limit } as Arguments);
  const total = endOf(ids, { offset, limit }) ?? (await plan.count(db, values as Arguments))[0]?.total ?? 0;
  return {
    stays: await stayViews(
      db,
      accountId,
      ids.map((row) => row.id),
    ),
    total,
  };
}

type Plan = ReturnType<typeof makePlan>;

/** Each combination of filters is compiled once. There are thousands of them, of which a caller uses few. */
const plans = new Map<string, Plan>();
const MOST_PLANS = 256;

function planFor(names: readonly FilterName[], order: ReservationOrder, limited: boolean): Plan {
  const key = `${order} ${limited} ${names.join()}`;
  let plan = plans.get(key);
  if (!plan) {
    if (plans.size >= MOST_PLANS) plans.clear();
    plans.set(key, (plan = makePlan(names, order, limited)));
  }
  return plan;
}

const IDENTIFIERS: readonly FilterName[] = ['id', 'reservation_code', 'channel_id', 'property_id'];

/** True for identifiers, and for a window closed on both sides, unless the order is the window's own. */
function leavesFew(names: readonly FilterName[], order: ReservationOrder): boolean {
  if (names.some((name) => IDENTIFIERS.includes(name))) return true;
  return (['check_in_date', 'check_out_date'] as const).some(
    (date) => date !== order && names.includes(`start_${date}`) && names.includes(`end_${date}`),
  );
}

/**
 * The ids come from an index alone; the rows are fetched for the page only. A filter that leaves few stays is
 * answered first and what it leaves is sorted; else all are walked in the asked order, and their dates looked at on the
 * way. Left to itself, SQLite does the one where the other is right.
 */
function makePlan(names: readonly FilterName[], order: ReservationOrder, limited: boolean) {
  const few = leavesFew(names, order);
  const matching = (db: CoreDb, arg: Arguments, walked?: ReservationOrder) => {
    let query = db.selectFrom('stays').where('stays.account_id', '=', arg.accountId);
    for (const name of names) {
      query = query.where((where) => {
        const date: DateOf = (column) => {
          const plain = where.ref(`stays.${column}`);
          return walked === undefined || walked === column ? plain : unindexed(plain);
        };
        return conditions[name](where, arg, date);
      });
    }
    return limited ? query.where((where) => inList(where.ref('stays.property_id'), arg.visible)) : query;
  };
  return {
    ids: prepared((db: CoreDb, arg: Arguments) =>
      matching(db, arg, few ? undefined : order)
        .select('stays.id')
        .orderBy(
          (of) => (few ? unindexed(of.ref(`stays.${order}`)) : of.ref(`stays.${order}`)),
          (by) => by.desc().nullsLast(),
        )
        .orderBy('stays.id', 'desc')
        .limit(arg.limit)
        .offset(arg.offset),
    ),
    count: prepared((db: CoreDb, arg: Arguments) =>
      matching(db, arg).select((of) => of.fn.countAll<number>().as('total')),
    ),
  };
}
