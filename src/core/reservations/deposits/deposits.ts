import { BOOKING_SITE } from '../../../contract/channelAccounts.ts';
import { ApiError } from '../../../kernel/errors.ts';
import type { ReservationCode } from '../../../kernel/ids.ts';
import type { Currency } from '../../../kernel/money.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import type { Change, Principal } from '../../context.ts';
import type { CoreDb, CoreTransaction, DepositRow, ReservationRow, StayRow } from '../../database.ts';
import { noteDepositEvent } from './depositLog.ts';
import { writeStay } from '../change.ts';
import { type DepositEvent, depositAfter, NO_DEPOSIT } from './depositRules.ts';
import { requireStay } from '../require.ts';

/** Channels whose deposits the operator records. Other channels report theirs. */
const OWN: ReadonlySet<string> = new Set(['direct', BOOKING_SITE]);
/** Events that are possible only while the stay may still take place. Other events are possible afterwards, too. */
const BEFORE_STAY: ReadonlySet<string> = new Set<DepositEvent['kind']>(['required', 'paid']);
const ENDED: ReadonlySet<string> = new Set(['cancelled', 'denied', 'timeout']);

/**
 * Applies an event to the deposit of a stay that was reserved directly. No event announces it, as with any deposit.
 * @param request.reference reference of the caller; a repeated reference counts once
 * @returns the deposit now, and whether the event was new
 * @throws ApiError 400 when the event is impossible now, 404 when the caller has no such stay, 409 when a channel
 * reports the deposit
 */
export async function moveDirectDeposit(
  change: Change,
  principal: Pick<Principal, 'visible'>,
  request: {
    stay_code: string;
    reference?: string | undefined;
    eventIn(currency: Currency): DepositEvent;
  },
): Promise<{ deposit: DepositRow; isNew: boolean; reservationCode: ReservationCode }> {
  const { stay, reservation } = await requireStay(change, principal, request.stay_code);
  const { reservation_code: reservationCode } = stay;
  if (!reportsOwnDeposits(stay)) {
    throw new ApiError(409, `stay_code: ${stay.channel_type} tells what becomes of the deposits of its bookings`, {
      field: 'stay_code',
    });
  }
  const before = await depositOf(change, stay, reservation);
  const event = request.eventIn(before.currency);
  if (request.reference !== undefined && !(await isNews(change, stay, request.reference)))
    return { deposit: before, isNew: false, reservationCode };
  if (ENDED.has(stay.status) && BEFORE_STAY.has(event.kind)) {
    throw new ApiError(400, `The reservation is ${stay.status}; its deposit cannot be ${event.kind}.`);
  }
  const deposit = await applyDepositEvent(
    change,
    { stay, reservation, before, reference: request.reference ?? null },
    event,
  );
  change.audit(`deposit ${event.kind}`, stay.stay_code, { before: amountsOf(before), after: amountsOf(deposit) });
  return { deposit, isNew: true, reservationCode };
}

/** Returns true if the operator states what becomes of the deposit of this stay, and no channel does. */
export function reportsOwnDeposits({ channel_type }: Pick<StayRow, 'channel_type'>): boolean {
  return OWN.has(channel_type);
}

/** Returns the deposit on record, if there is one. */
export function findDeposit(
  db: CoreDb | CoreTransaction,
  { account_id, id }: Pick<StayRow, 'account_id' | 'id'>,
): Promise<DepositRow | undefined> {
  return db
    .selectFrom('deposits')
    .where('account_id', '=', account_id)
    .where('stay_id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

/** Returns the deposit on record, or an empty one in this currency; left out: that of the reservation. */
export async function depositOf(
  change: Change,
  stay: StayRow,
  reservation: ReservationRow,
  currency: Currency = reservation.currency,
): Promise<DepositRow> {
  const stored = await findDeposit(change.trx, stay);
  return stored ?? { account_id: stay.account_id, stay_id: stay.id, ...NO_DEPOSIT, currency };
}

/** What a step of a deposit is about. */
interface DepositStep {
  readonly stay: StayRow;
  readonly reservation: ReservationRow;
  readonly before: DepositRow;
  /** As the caller, or the channel, calls it. */
  readonly reference: string | null;
}

/** Stores a deposit after an event. @throws ApiError 400 when the event is impossible now */
export async function applyDepositEvent(
  change: Change,
  { stay, reservation, before, reference }: DepositStep,
  event: DepositEvent,
): Promise<DepositRow> {
  const row = { ...before, ...depositAfter(before, event) };
  await change.trx
    .insertInto('deposits')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'stay_id']).doUpdateSet(row))
    .execute();
  await noteDepositEvent(change, { before, after: row, reference }, event);
  // The required amount appears among the check-in details in the reservation's currency.
  if (event.kind === 'required' && row.currency === reservation.currency) {
    await writeStay(change, stay, { deposit: event.amount });
  }
  return row;
}

function amountsOf({ account_id: _, stay_id: __, ...amounts }: DepositRow) {
  return amounts;
}

async function isNews(change: Change, stay: StayRow, reference: string): Promise<boolean> {
  const { account_id, reservation_code, stay_code } = stay;
  const row = { account_id, reservation_code, kind: 'direct_deposit', reference: `${stay_code} ${reference}` };
  const columns = ['account_id', 'reservation_code', 'kind', 'reference'] as const;
  return (await insertMany(change.trx, 'channel_facts', [row], { columns })) > 0;
}
