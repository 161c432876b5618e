import { ApiError } from '../../../kernel/errors.ts';
import { machine, mayGo, next, type TriggerOf } from '../../../kernel/transitions.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { DepositRow } from '../../database.ts';

/** An event of a deposit. Amounts are in minor units of the deposit's own currency. */
export type DepositEvent =
  | { kind: 'required'; amount: Minor }
  /** Paid, or authorised on a card. */
  | { kind: 'paid'; amount: Minor }
  | { kind: 'deducted'; amount: Minor }
  /** A refund was submitted. Its arrival at the guest is not known. */
  | { kind: 'refunded'; amount: Minor }
  /** The rest went back without a refund of ours, as when an authorisation is released. */
  | { kind: 'returned' };

export type DepositAmounts = Pick<
  DepositRow,
  'amount' | 'paid_amount' | 'deducted_amount' | 'pending_refund_amount' | 'refunded_amount' | 'status'
>;

export const NO_DEPOSIT: DepositAmounts = {
  amount: 0,
  paid_amount: 0,
  deducted_amount: 0,
  pending_refund_amount: 0,
  refunded_amount: 0,
  status: 'unpaid',
};

/**
 * The states of a deposit. It stays paid until something goes back to the guest, even when all of it was deducted. It
 * is refunded once the last of it has gone back.
 */
export const depositLife = machine({
  name: 'deposit',
  is: 'The deposit of a reservation.',
  before: 'not asked for',
  states: {
    unpaid: 'Nothing came.',
    paid: 'Something came, and not all has gone back or was kept.',
    refunded: 'The last of it has gone back.',
  } satisfies Record<DepositRow['status'], string>,
  final: [],
  rows: [
    { from: [null, 'unpaid'], trigger: 'required', to: 'unpaid' },
    { from: 'paid', trigger: 'required', to: 'paid' },
    { from: 'refunded', trigger: 'required', to: 'refunded' },
    { from: [null, 'unpaid', 'paid', 'refunded'], trigger: 'paid', to: 'paid', note: 'Or authorised on a card.' },
    { from: 'paid', trigger: 'deducted', to: 'paid' },
    { from: 'paid', trigger: 'refunded_partly', to: 'paid' },
    { from: 'paid', trigger: 'refunded_wholly', to: 'refunded' },
    { from: 'paid', trigger: 'returned', to: 'refunded', note: 'Without a refund of ours.' },
  ],
});

/**
 * Returns a deposit after an event. `pending_refund_amount` is the amount still owed to the guest, whatever the status.
 * @throws ApiError 400 for an event that is impossible now, or over more than is still owed
 */
export function depositAfter(deposit: DepositAmounts, event: DepositEvent): DepositAmounts {
  const status = depositMoved(deposit, event);
  const { pending_refund_amount: owed } = deposit;
  switch (event.kind) {
    case 'required':
      return { ...deposit, status, amount: event.amount };
    case 'paid':
      return {
        ...deposit,
        status,
        paid_amount: deposit.paid_amount + event.amount,
        pending_refund_amount: owed + event.amount,
      };
    case 'deducted':
      return {
        ...deposit,
        status,
        deducted_amount: deposit.deducted_amount + event.amount,
        pending_refund_amount: owed - event.amount,
      };
    case 'refunded':
      return {
        ...deposit,
        status,
        refunded_amount: deposit.refunded_amount + event.amount,
        pending_refund_amount: owed - event.amount,
      };
    case 'returned':
      return { ...deposit, status, pending_refund_amount: 0 };
  }
}

function depositMoved(deposit: DepositAmounts, event: DepositEvent): DepositRow['status'] {
  const trigger = triggerOf(deposit, event);
  if (!mayGo(depositLife, deposit.status, trigger) || !isPossible(deposit, event)) {
    throw new ApiError(400, `The deposit is ${deposit.status}; it cannot be ${event.kind} now.`);
  }
  return next(depositLife, deposit.status, trigger);
}

function triggerOf(deposit: DepositAmounts, event: DepositEvent): TriggerOf<typeof depositLife> {
  if (event.kind !== 'refunded') return event.kind;
  return event.amount < deposit.pending_refund_amount ? 'refunded_partly' : 'refunded_wholly';
}

function isPossible({ pending_refund_amount: owed }: DepositAmounts, event: DepositEvent): boolean {
  switch (event.kind) {
    case 'required':
      return event.amount >= 0;
    case 'paid':
      return event.amount > 0;
    case 'returned':
      return owed > 0;
    case 'deducted':
    case 'refunded':
      return event.amount > 0 && event.amount <= owed;
  }
}
