import { texts } from '../../contract/errors.ts';
import { addDays, instantOf, LAST_DATE, readInstant, startOfDay } from '../../kernel/dates.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import { type Minor, fromWireAmount } from '../../kernel/money.ts';
import type { Change, Context, Handler, Principal } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import type { TransactionRow } from '../database.ts';
import { requireEntry } from '../dictionaries/entries.ts';
import { goneResource, maySee, refuseForeign, requireProperty } from '../ownership.ts';
import { changedColumns } from '../reservations/changedColumns.ts';
import { findReservationByAnyCode, lockReservation } from '../reservations/lookup.ts';
import { editEntry, postEntry, removeEntry } from './entries.ts';
import { presentTransaction } from './present.ts';
import { lockTransaction, transactionPage } from './table.ts';

const NONE = { rows: [], keys: [], total: 0 };

export const listTransactions: Handler<'listTransactions'> = async (input, context) => {
  const { account, db } = context;
  const page = pageOf('listTransactions', 'number', input, context);
  const code = input.reservation_code ?? input.stay_code;
  const reservation = code === undefined ? undefined : await findReservationByAnyCode(db, account.account_id, code);
  const isUnknown = code !== undefined && !reservation;
  const found = isUnknown
    ? NONE
    : await transactionPage(db, {
        accountId: account.account_id,
        visible: context.visible,
        id: input.id,
        from: input.start_date && startOfDay(input.start_date, account.time_zone),
        until: input.end_date && dayAfter(input.end_date, account.time_zone),
        propertyId: input.property_id,
        reservationCode: reservation?.reservation_code,
        direction: input.direction,
        itemId: input.item_id,
        methodId: input.payment_method_id,
        currency: input.currency,
        keyword: input.keyword,
        ...page.range,
      });
  const { rows, next } = closePage(page, found, (row) => row.id);
  return {
    transactions: rows.map((row) => presentTransaction(row, account.time_zone, context.now)),
    total: found.total,
    ...next,
  };
};

export const createTransaction: Handler<'createTransaction'> = (input, context) =>
  context.change(async (change) => {
    const link = await linkOf(change, context, input);
    await requireDictionaries(change, input);
    if (link.currency === undefined) throw new Error('an entry without a reservation has come without a currency');
    if (input.currency !== undefined && input.currency !== link.currency) {
      throw invalid('currency', `is taken from the reservation, which is in ${link.currency}`);
    }
    const draft = {
      account_id: context.account.account_id,
      direction: input.direction,
      item_id: input.item_id,
      payment_method_id: input.payment_method_id,
      amount: requireAmount(input.amount, link.currency),
      currency: link.currency,
      action_at: input.action_at === undefined ? instantOf(change.now) : requireInstant(input.action_at, context),
      note: input.note ?? '',
      reservation_code: link.reservation_code,
      property_id: link.property_id,
      operator_id: context.operator.id,
    };
    return { transaction_id: await postEntry(change, draft) };
  });

export const updateTransaction: Handler<'updateTransaction'> = async (input, context) => {
  await context.change(async (change) => {
    const row = await requireTransaction(change, context, input.id);
    const { item_id = row.item_id, payment_method_id = row.payment_method_id } = input;
    await requireDictionaries(change, { direction: row.direction, item_id, payment_method_id });
    const changes = changedColumns(row, {
      amount: input.amount === undefined ? undefined : requireAmount(input.amount, row.currency),
      item_id,
      payment_method_id,
      action_at: input.action_at === undefined ? undefined : requireInstant(input.action_at, context),
      note: input.note,
    });
    if (Object.keys(changes).length === 0) return;
    await editEntry(change, row, changes);
  });
};

export const deleteTransaction: Handler<'deleteTransaction'> = async (input, context) => {
  await context.change(async (change) => removeEntry(change, await requireTransaction(change, context, input.id)));
};

/** Returns the first moment after a date in the operator's zone; undefined where no later date can be written. */
function dayAfter(date: string, zone: string): string | undefined {
  return date < LAST_DATE ? startOfDay(addDays(date, 1), zone) : undefined;
}

interface Link {
  reservation_code: ReservationCode | null;
  property_id: number | null;
  currency: string | undefined;
}

interface LinkInput {
  reservation_code?: string | undefined;
  stay_code?: string | undefined;
  property_id?: number | undefined;
  currency?: string | undefined;
}

async function linkOf({ trx, account }: Change, principal: Principal, input: LinkInput): Promise<Link> {
  const code = input.reservation_code ?? input.stay_code;
  if (code !== undefined) {
    const found = await findReservationByAnyCode(trx, account.account_id, code);
    if (!found || !found.property_ids.some((id) => maySee(principal, id))) throw goneResource();
    const { reservation_code } = found;
    // The lock matters because the currency of a reservation may change only while it has no entries.
    const reservation = await lockReservation(trx, account.account_id, reservation_code);
    return { reservation_code, property_id: null, currency: reservation?.currency };
  }
  if (input.property_id !== undefined) {
    const property = await requireProperty(trx, account, principal, input.property_id);
    return { reservation_code: null, property_id: property.id, currency: input.currency };
  }
  if (principal.operator.kind === 'sub') throw new ApiError(401, texts.readOnlyToken);
  return { reservation_code: null, property_id: null, currency: input.currency };
}

/**
 * Returns the entry with this number, locked until the change ends. @throws ApiError 403 or 404 when the caller has
 * none
 */
async function requireTransaction(
  { trx, account }: Change,
  { visible }: Principal,
  id: number,
): Promise<TransactionRow> {
  const row = await lockTransaction(trx, id);
  refuseForeign(row, account, 'id');
  const shown = await transactionPage(trx, { accountId: account.account_id, visible, id, offset: 0, limit: 1 });
  if (!row || shown.total === 0) throw new ApiError(404, 'id not found.', { field: 'id' });
  return row;
}

async function requireDictionaries(
  change: Change,
  entry: Pick<TransactionRow, 'direction' | 'item_id' | 'payment_method_id'>,
): Promise<void> {
  const accountId = change.account.account_id;
  const [items, methods] =
    entry.direction === 'income'
      ? (['income_items', 'income_methods'] as const)
      : (['expense_items', 'expense_methods'] as const);
  await requireEntry(change.trx, { accountId, dictionary: items, id: entry.item_id, field: 'item_id' });
  await requireEntry(change.trx, {
    accountId,
    dictionary: methods,
    id: entry.payment_method_id,
    field: 'payment_method_id',
  });
}

function requireAmount(amount: number, currency: string): Minor {
  const minor = fromWireAmount(amount, currency);
  if (minor === undefined || minor <= 0) {
    throw invalid('amount', `must be a positive amount with no more decimals than ${currency} has`);
  }
  return minor;
}

/**
 * Range in which instants compare correctly as text in any zone: years of four digits. Other years begin with a sign.
 */
const INSTANTS = { from: '0001', until: '9999-12-31' };

function requireInstant(text: string, context: Context): string {
  const instant = readInstant(text, context.account.time_zone);
  if (instant === undefined || instant < INSTANTS.from || instant >= INSTANTS.until) {
    throw invalid('action_at', 'must be an ISO 8601 date and time');
  }
  return instant;
}
