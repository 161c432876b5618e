import type { CoreDb, CoreTransaction } from '../../../core/database.ts';
import type { Instant } from '../../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../../kernel/ids.ts';
import type { PaymentRow, PaymentSettingsRow, RefundRow } from './rows.ts';

type Db = CoreDb | CoreTransaction;
type Key = Pick<PaymentRow, 'account_id' | 'id'>;

export async function addPayment(trx: CoreTransaction, row: PaymentRow): Promise<void> {
  await trx.insertInto('direct_payments').values(row).execute();
}

/** Returns the payments of a reservation, the oldest first. */
export function paymentsOf(db: Db, accountId: AccountId, code: ReservationCode): Promise<PaymentRow[]> {
  return db
    .selectFrom('direct_payments')
    .where('account_id', '=', accountId)
    .where('reservation_code', '=', code)
    .selectAll()
    .orderBy('id')
    .execute();
}

export function paymentById(db: Db, { account_id, id }: Key): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('direct_payments')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

/** Returns the payment of a page of the provider; of the named account alone. */
export function paymentBySession(db: Db, accountId: AccountId, session: string): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('direct_payments')
    .where('account_id', '=', accountId)
    .where('session_id', '=', session)
    .selectAll()
    .executeTakeFirst();
}

/** Writes columns of a payment. @param whileIn nothing is written unless it is in this state */
export async function writePayment(
  db: Db,
  { account_id, id }: Key,
  columns: Partial<PaymentRow>,
  whileIn?: PaymentRow['state'],
): Promise<void> {
  const query = db
    .updateTable('direct_payments')
    .set(columns)
    .where('account_id', '=', account_id)
    .where('id', '=', id);
  await (whileIn === undefined ? query : query.where('state', '=', whileIn)).execute();
}

/** Returns an entry of a dictionary by its name; undefined: there is none. */
export async function entryNamed(
  trx: CoreTransaction,
  of: { accountId: AccountId; dictionary: 'income_methods' | 'expense_methods'; name: string },
): Promise<number | undefined> {
  const row = await trx
    .selectFrom('dictionary_items')
    .where('account_id', '=', of.accountId)
    .where('dictionary', '=', of.dictionary)
    .where('name', '=', of.name)
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Returns payments that the provider is to be asked about. */
export function duePayments(db: Db, now: number, limit: number): Promise<PaymentRow[]> {
  return db
    .selectFrom('direct_payments')
    .where('next_look_at', 'is not', null)
    .where('next_look_at', '<=', now)
    .selectAll()
    .orderBy('next_look_at')
    .limit(limit)
    .execute();
}

/** Claims a row for a while, so that no other process asks meanwhile. @returns false if another one has it */
export async function claim(
  db: Db,
  table: 'direct_payments' | 'direct_refunds',
  { account_id, id, next_look_at }: Key & { next_look_at: number | null },
  until: number,
): Promise<boolean> {
  const [{ numUpdatedRows } = { numUpdatedRows: 0n }] = await db
    .updateTable(table)
    .set({ next_look_at: until })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('next_look_at', '=', next_look_at)
    .execute();
  return numUpdatedRows > 0n;
}

/** Adds a refund. @returns false if one with the same key is there already */
export async function addRefund(trx: CoreTransaction, row: RefundRow): Promise<boolean> {
  const made = await trx
    .insertInto('direct_refunds')
    .values(row)
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .returning('id')
    .execute();
  return made.length > 0;
}

export function refundsOf(db: Db, accountId: AccountId, code: ReservationCode): Promise<RefundRow[]> {
  return db
    .selectFrom('direct_refunds')
    .where('account_id', '=', accountId)
    .where('reservation_code', '=', code)
    .selectAll()
    .orderBy('id')
    .execute();
}

export function refundById(db: Db, { account_id, id }: Key): Promise<RefundRow | undefined> {
  return db
    .selectFrom('direct_refunds')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

export async function writeRefund(db: Db, { account_id, id }: Key, columns: Partial<RefundRow>): Promise<void> {
  await db
    .updateTable('direct_refunds')
    .set(columns)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

export function dueRefunds(db: Db, now: number, limit: number): Promise<RefundRow[]> {
  return db
    .selectFrom('direct_refunds')
    .where('next_look_at', 'is not', null)
    .where('next_look_at', '<=', now)
    .selectAll()
    .orderBy('next_look_at')
    .limit(limit)
    .execute();
}

export function settingsRow(db: Db, accountId: AccountId): Promise<PaymentSettingsRow | undefined> {
  return db.selectFrom('payment_settings').where('account_id', '=', accountId).selectAll().executeTakeFirst();
}

export async function saveSettings(trx: CoreTransaction, row: PaymentSettingsRow): Promise<void> {
  await trx
    .insertInto('payment_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
}

/** Returns the sealed keys and addresses of all accounts. */
export async function allPaymentSecrets(trx: CoreTransaction) {
  const settings = await trx.selectFrom('payment_settings').selectAll().orderBy('account_id').execute();
  const payments = await trx
    .selectFrom('direct_payments')
    .where('url', 'is not', null)
    .select(['account_id', 'id', 'url'])
    .orderBy('id')
    .execute();
  return { settings, payments };
}

/** Leaves refunds to a person that may have been made after the backup from which a core was restored. */
export async function doubtRefunds(trx: CoreTransaction, { at, why }: { at: Instant; why: string }): Promise<void> {
  await trx
    .updateTable('direct_refunds')
    .set({ state: 'unknown', problem: why, next_look_at: null, updated_at: at })
    .where('state', '=', 'sending')
    .execute();
}

/** Returns payments and refunds of all accounts that wait for a person, with the property's name. */
export async function waitingForPerson(db: Db) {
  const payments = await db
    .selectFrom('direct_payments')
    .where('state', 'in', ['late', 'mismatch'])
    .select(['account_id', 'id', 'reservation_code', 'state', 'problem'])
    .orderBy('id')
    .execute();
  const refunds = await db
    .selectFrom('direct_refunds')
    .where('state', 'in', ['refused', 'unknown', 'by_hand'])
    .select(['account_id', 'id', 'reservation_code', 'state', 'problem'])
    .orderBy('id')
    .execute();
  return { payments, refunds };
}
