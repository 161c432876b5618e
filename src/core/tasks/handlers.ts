import { instantOf } from '../../kernel/dates.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import { type Currency, type Minor, fromWireAmount, wireAmount } from '../../kernel/money.ts';
import type { Change, Handler, Principal } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import { maySee, refuseForeign } from '../ownership.ts';
import { changedColumns } from '../reservations/changedColumns.ts';
import { requireStaff } from '../staffs/require.ts';
import type { TaskRow } from '../workTables.ts';
import { requireLink, UNLINKED } from './link.ts';
import { dropPhotos } from './photos.ts';
import { presentTask } from './present.ts';
import { changeTask, dropTask, lockTask, taskPage } from './table.ts';
import { addTask } from './work.ts';

export const listTasks: Handler<'listTasks'> = async (input, context) => {
  const { db, account, visible } = context;
  const page = pageOf('listTasks', 'number', input, context);
  const found = await taskPage(db, {
    accountId: account.account_id,
    visible,
    id: input.id,
    from: input.start_date,
    to: input.end_date,
    staffId: input.staff_id,
    propertyId: input.property_id,
    type: input.type,
    status: input.status,
    ...page.range,
  });
  const { rows, next } = closePage(page, found, (row) => row.id);
  return { tasks: rows.map((row) => presentTask(row, account.time_zone)), total: found.total, ...next };
};

export const createTask: Handler<'createTask'> = (input, context) =>
  context.change(async (change) => {
    const asked = { stay_code: input.stay_code, property_id: input.property_id || undefined };
    const staff = input.staff_id ? await requireStaff(change, context, input.staff_id, 'staff_id') : null;
    const link = await requireLink(change, context, asked, UNLINKED);
    const task_id = await addTask(change, {
      account_id: change.account.account_id,
      type: input.type,
      status: 'pending',
      ...link,
      staff_id: staff?.id ?? null,
      expected_date: input.expected_date,
      expected_time: withSeconds(input.expected_time) ?? null,
      level: input.level ?? null,
      currency: input.currency,
      fee: requireFee(input.fee ?? null, input.currency, 'fee'),
      note: input.note ?? '',
    });
    return { task_id };
  });

export const updateTask: Handler<'updateTask'> = async (input, context) => {
  await context.change(async (change) => {
    const row = await requireTask(change, context, input.id);
    const staff = input.staff_id ? await requireStaff(change, context, input.staff_id, 'staff_id') : null;
    const link = await requireLink(change, context, input, row);
    const columns = changedColumns(row, {
      ...link,
      type: input.type,
      status: input.status,
      staff_id: input.staff_id === undefined ? undefined : (staff?.id ?? null),
      expected_date: input.expected_date,
      expected_time: withSeconds(input.expected_time),
      level: input.level,
      currency: input.currency,
      fee: feeOf(row, input),
      note: input.note,
    });
    if (Object.keys(columns).length === 0) return;
    await changeTask(change.trx, row, { ...columns, updated_at: instantOf(change.now) });
    change.audit('updateTask', String(row.id));
  });
};

export const deleteTask: Handler<'deleteTask'> = async (input, context) => {
  await context.change(async (change) => {
    const row = await requireTask(change, context, input.id);
    await dropPhotos(change.trx, row.account_id, row.id);
    await dropTask(change.trx, row);
    change.audit('deleteTask', String(row.id));
  });
};

async function requireTask({ trx, account }: Change, principal: Principal, id: number): Promise<TaskRow> {
  const row = await lockTask(trx, id);
  refuseForeign(row, account, 'id');
  const isSeen = principal.visible === null || (row?.property_id != null && maySee(principal, row.property_id));
  if (!row || !isSeen) throw new ApiError(404, 'id not found.', { field: 'id' });
  return row;
}

const MINUTES = 'HH:mm'.length;

function withSeconds(time: string | null | undefined): string | null | undefined {
  return time?.length === MINUTES ? `${time}:00` : time;
}

/** Returns the fee after a request. An unchanged fee is restated when the currency changes. */
function feeOf(row: TaskRow, input: { fee?: number | null | undefined; currency?: Currency | undefined }) {
  const currency = input.currency ?? row.currency;
  if (input.fee !== undefined) return requireFee(input.fee, currency, 'fee');
  if (row.fee === null || currency === row.currency) return undefined;
  return requireFee(wireAmount(row.fee, row.currency), currency, 'currency');
}

function requireFee(fee: number | null, currency: Currency, field: string): Minor | null {
  if (fee === null) return null;
  const minor = fromWireAmount(fee, currency);
  if (minor === undefined) throw invalid(field, `must fit a fee with no more decimals than ${currency} has`);
  return minor;
}
