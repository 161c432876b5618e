import type { Expression, ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { ReservationOrder, ReservationStatus } from '../../contract/reservations.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import { changeNumbersOf } from '../../store/changes.ts';
import { Bookmarks } from '../../store/queries/bookmarks.ts';
import { inList } from '../../store/queries/inList.ts';
import { endOf, type Range } from '../../store/queries/paging.ts';
import { prepared, preparedTotal } from '../../store/queries/prepared.ts';
import { isScanCheaper } from '../../store/queries/scanOrSort.ts';
import { unindexed } from '../../store/queries/unindexed.ts';
import type { CoreDatabase, CoreDb } from '../database.ts';
import { idSpanOf } from '../idSpan.ts';
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
  before: number;
  place_value: string;
  place_id: number;
}
type Where = ExpressionBuilder<CoreDatabase, 'stays'>;
type Condition = ExpressionWrapper<CoreDatabase, 'stays', SqlBool>;

type DateColumn = 'check_in_date' | 'check_out_date';
type DateOf = (column: DateColumn) => Expression<PlainDate>;

/** Condition of each query parameter. `date` is a column in the form in which it is searched. */
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
            .selectFrom('channel_reservations')
            .where('channel_reservations.account_id', '=', arg.accountId)
            .where('channel_reservations.channel_id', '=', arg.channel_id)
            .select('channel_reservations.reservation_code'),
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

/** Order of stays: one that requests name, or their own number, which never changes. */
type Order = ReservationOrder | 'id';

export interface ReservationQuestion extends Range {
  accountId: AccountId;
  visible: readonly number[] | null;
  filters: { readonly [Name in FilterName]?: FilterValues[Name] | undefined };
  order: Order;
}

/** Returns one page of stays, latest first in the requested order, and the number of all matches. */
export async function reservationPage(
  db: CoreDb,
  question: ReservationQuestion,
): Promise<{ rows: StayView[]; keys: number[]; total: number }> {
  const { filters, visible, accountId, offset, limit, before } = question;
  const names = filterNames.filter((name) => filters[name] !== undefined);
  const form: Form = { names, order: question.order, limited: visible !== null, behind: before !== undefined };
  const values = {
    accountId,
    ...Object.fromEntries(names.map((name) => [name, filters[name]])),
    ...(visible !== null && { visible }),
  };
  const few = planFor({ ...form, few: leavesFew(form) });
  const count = async () => question.total ?? (await few.count(db, values as Arguments));
  const isScanned = isWindow(form) && (await isScanCheaper(await count(), () => idSpan(db, accountId)));
  const range = { offset, limit, ...(before !== undefined && { before }) };
  const ids = await pageIds(db, isScanned ? planFor({ ...form, few: false }) : few, values, range);
  const total = question.total ?? endOf(ids, range) ?? (await count());
  const keys = ids.map((row) => row.id);
  return { rows: await stayViews(db, accountId, keys), keys, total };
}

const idSpan = idSpanOf('stays');

/** Where pages of scanned lists ended, by the values of the row that ends them. */
const bookmarks = new Bookmarks<{ value: string | null; id: number }>();

/** Returns the ids of a page. A scan begins where an earlier page of the same list ended, if the list is unchanged. */
async function pageIds(
  db: CoreDb,
  plan: Plan,
  values: object,
  range: { offset: number; limit: number; before?: number },
): Promise<{ id: number }[]> {
  const numbers = changeNumbersOf(db);
  if (!plan.placed || !numbers) return plan.ids(db, { ...values, ...range } as Arguments);
  const { offset, limit } = range;
  const list = `${plan.key} ${JSON.stringify(values)}`;
  const at = numbers.of(['stays']);
  const place = bookmarks.before(numbers, list, at, offset);
  const skipped = offset - (place?.offset ?? 0);
  // With the row before the page, which is where the page begins.
  const lead = Math.min(skipped, 1);
  const asked = { ...values, offset: skipped - lead, limit: limit + lead };
  const rows = place
    ? await plan.placed(db, { ...asked, place_value: place.key.value, place_id: place.key.id } as Arguments)
    : await plan.ids(db, asked as Arguments);
  const first = lead === 1 ? rows.shift() : undefined;
  const last = rows[limit - 1];
  if (first) bookmarks.note(numbers, list, at, { offset, key: first });
  if (last) bookmarks.note(numbers, list, at, { offset: offset + limit, key: last });
  return rows;
}

type Plan = ReturnType<typeof makePlan>;

/** Compiled queries by combination of filters. There are thousands of combinations, of which a caller uses few. */
const plans = new Map<string, Plan>();
const MOST_PLANS = 256;

/** The properties of a request that decide the form of the query. */
interface Form {
  names: readonly FilterName[];
  order: Order;
  /** true: the caller sees only some properties. */
  limited: boolean;
  /** true: the page follows another one. */
  behind: boolean;
}

/** @param form `few`: true if the filters are applied first and what they leave is sorted */
function planFor(form: Form & { few: boolean }): Plan {
  const key = `${form.order} ${form.limited} ${form.behind} ${form.few} ${form.names.join()}`;
  let plan = plans.get(key);
  if (!plan) {
    if (plans.size >= MOST_PLANS) plans.clear();
    plans.set(key, (plan = makePlan(key, form)));
  }
  return plan;
}

const IDENTIFIERS: readonly FilterName[] = ['id', 'reservation_code', 'channel_id', 'property_id'];

function leavesFew(form: Form): boolean {
  return form.names.some((name) => IDENTIFIERS.includes(name)) || isWindow(form);
}

/** Returns true for a window closed on both sides without an identifier, unless the order is the window's own. */
function isWindow({ names, order }: Form): boolean {
  if (names.some((name) => IDENTIFIERS.includes(name))) return false;
  return (['check_in_date', 'check_out_date'] as const).some(
    (date) => date !== order && names.includes(`start_${date}`) && names.includes(`end_${date}`),
  );
}

/**
 * Returns the query for a form. The ids come from an index alone, and rows are fetched for the page only. A filter that
 * leaves few stays is applied first and its result is sorted. Otherwise all stays are scanned in the requested order
 * and their dates are checked on the way. SQLite by itself chooses the wrong one of the two.
 */
function makePlan(key: string, { names, order, limited, behind, few }: Form & { few: boolean }) {
  const matching = (db: CoreDb, arg: Arguments, scanned?: Order) => {
    let query = db.selectFrom('stays').where('stays.account_id', '=', arg.accountId);
    for (const name of names) {
      query = query.where((where) => {
        const date: DateOf = (column) => {
          const plain = where.ref(`stays.${column}`);
          return scanned === undefined || scanned === column ? plain : unindexed(plain);
        };
        return conditions[name](where, arg, date);
      });
    }
    return limited ? query.where((where) => inList(where.ref('stays.property_id'), arg.visible)) : query;
  };
  // The last to be cancelled come first, and those that never were have no place among them.
  const column = order === 'id' || order === 'cancelled_at' ? undefined : order;
  const ids = (placed: boolean) =>
    prepared((db: CoreDb, arg: Arguments) => {
      const all = matching(db, arg, few ? undefined : order);
      const left = behind ? all.where((of) => of(idOf(of, few), '<', arg.before)) : all;
      if (order === 'id') {
        const sorted = left.orderBy((of) => idOf(of, few), 'desc');
        return sorted
          .select((of) => ['stays.id', of.lit(null).as('value')])
          .limit(arg.limit)
          .offset(arg.offset);
      }
      const from =
        placed && column !== undefined
          ? left.where((of) =>
              of(of.refTuple(`stays.${column}`, 'stays.id'), '<', of.tuple(arg.place_value, arg.place_id)),
            )
          : left;
      return from
        .orderBy(
          (of) => (few ? unindexed(of.ref(`stays.${order}`)) : of.ref(`stays.${order}`)),
          (by) => by.desc().nullsLast(),
        )
        .orderBy('stays.id', 'desc')
        .select(['stays.id', `stays.${order} as value`])
        .limit(arg.limit)
        .offset(arg.offset);
    });
  return {
    key,
    ids: ids(false),
    /** The rows behind a place of the list; undefined if they cannot be found by it. */
    placed: few || behind || column === undefined ? undefined : ids(true),
    count: preparedTotal((db: CoreDb, arg: Arguments) =>
      matching(db, arg).select((of) => of.fn.countAll<number>().as('total')),
    ),
  };
}

/**
 * Returns the number of a stay unchanged; or, where a filter leaves few stays, as an expression that no index matches.
 */
function idOf(of: Where, few: boolean): Expression<number> {
  return few ? of('stays.id', '+', of.lit(0)) : of.ref('stays.id');
}
