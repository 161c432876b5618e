import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { fromWireAmount, type Minor, wireAmount } from '../../kernel/money.ts';
import { type ConsoleAction, consoleAction } from '../page.ts';
import type { Visit } from '../visit.ts';
import { readDepositSteps } from './history.ts';
import { nameOf, requireStay } from './lookup.ts';
import type { Stay } from './query.ts';

const kinds = ['paid', 'deducted', 'refunded', 'returned'] as const;

/** What a person can do with a deposit. */
export type DepositMove = (typeof kinds)[number];

/** One step of a deposit. */
interface DepositStep {
  at: string;
  kind: string;
  amount: Minor | null;
  reference: string | null;
  who: string | null;
}

/** The sums of a deposit that its moves change. */
export interface DepositSums {
  currency: string;
  paid: Minor;
  deducted: Minor;
  refunded: Minor;
  /** Still owed to the guest. */
  owed: Minor;
}

/** A deposit with its steps. */
export interface Deposit extends DepositSums {
  status: string;
  asked: Minor;
  /** True if the operator states what becomes of it, false if a channel does. */
  isOwn: boolean;
  steps: DepositStep[];
}

const log = z.object({
  is_own: z.boolean(),
  deposit_details: z
    .object({
      amount: z.number(),
      paid_amount: z.number(),
      deducted_amount: z.number(),
      pending_refund_amount: z.number(),
      refunded_amount: z.number(),
      currency: z.string(),
      status: z.string(),
    })
    .nullable(),
  events: z.array(
    z.object({
      at: z.string(),
      kind: z.string(),
      amount: z.number(),
      currency: z.string(),
      reference: z.string().nullable(),
      operator_name: z.string().nullable(),
    }),
  ),
});

/** Reads the deposit of a stay: from the core where it is here, else as the mirror has it. */
export async function readDeposit(visit: Visit, stay: Stay): Promise<Deposit> {
  const here = await readLog(visit, stay);
  const steps = here?.events.map(({ at, kind, amount, currency, reference, operator_name }) => {
    return { at, kind, amount: minorOf(amount, currency), reference, who: operator_name };
  });
  const details = here?.deposit_details;
  const currency = details?.currency ?? stay.deposit_currency ?? stay.currency ?? '';
  const amount = (wire: number | undefined, mirrored: Minor | null) =>
    wire === undefined ? (mirrored ?? 0) : minorOf(wire, currency);
  return {
    currency,
    status: details?.status ?? stay.deposit_status ?? 'unpaid',
    asked: amount(details?.amount, stay.deposit_minor),
    paid: amount(details?.paid_amount, stay.deposit_paid_minor),
    deducted: amount(details?.deducted_amount, stay.deposit_deducted_minor),
    refunded: amount(details?.refunded_amount, stay.deposit_refunded_minor),
    owed: amount(details?.pending_refund_amount, stay.deposit_pending_refund_minor),
    isOwn: here?.is_own ?? false,
    steps: steps && steps.length > 0 ? steps : await noticed(visit, stay),
  };
}

function minorOf(amount: number, currency: string): Minor {
  return fromWireAmount(amount, currency) ?? 0;
}

async function readLog(visit: Visit, { stay_code }: Stay): Promise<z.output<typeof log> | undefined> {
  try {
    return log.parse(await visit.portal('GET /portal/stays/:stay_code/deposit', { stay_code }));
  } catch (error) {
    // The stay is one of another deployment.
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}

/** Returns the steps that the mirror noticed. */
async function noticed({ services, connection }: Visit, stay: Stay): Promise<DepositStep[]> {
  const { stay_code: code, reservation_code: reservation } = stay;
  const steps = await readDepositSteps(services.db, { connection, code, reservation });
  return steps.map(({ at, name, paid, deducted, pending, currency }) => {
    const kind = name.replace('deposit_', '');
    const amounts: Readonly<Record<string, number | null>> = { paid, deducted, refund_pending: pending };
    const amount = amounts[kind] ?? null;
    return {
      at,
      kind,
      amount: amount === null ? null : minorOf(amount, currency ?? ''),
      reference: null,
      who: null,
    };
  });
}

/** Returns the state of a deposit as one word, by which a form knows that it has moved since. */
export function stateOf({ paid, deducted, refunded, owed }: DepositSums): string {
  return [paid, deducted, refunded, owed].join('-');
}

/** Records what became of a deposit. A form that is sent twice, or late, finds another state and changes nothing. */
const move = consoleAction({
  name: 'deposit',
  right: 'stay.money',
  fields: z.object({
    event: z.enum(kinds),
    amount: z.coerce.number().positive().max(9_999_999).optional(),
    reference: z.string().trim().min(1).max(100).optional(),
    state: z.string().max(200),
  }),
  async run(visit, { event, amount, reference, state }) {
    const { texts, format } = visit;
    const stay = await requireStay(visit);
    const deposit = await readDeposit(visit, stay);
    if (state !== stateOf(deposit)) throw new ApiError(409, texts.stay.depositMoved);
    const { stay_code } = stay;
    const given = event === 'returned' ? {} : { amount };
    await visit.portal('POST /portal/stays/:stay_code/deposit', { stay_code, event, reference, ...given });
    const { name } = await nameOf(visit, stay);
    const minor = event === 'returned' ? deposit.owed : minorOf(amount ?? 0, deposit.currency);
    return { said: texts.stay.done.deposit[event](name, format.money(minor, deposit.currency)) };
  },
});

/** Enters money that came in for a reservation. */
const pay = consoleAction({
  name: 'pay',
  right: 'stay.money',
  fields: z.object({
    amount: z.coerce.number().positive().max(99_999_999),
    item_id: z.coerce.number().int().positive(),
    payment_method_id: z.coerce.number().int().positive(),
    note: z.string().trim().max(500).optional(),
  }),
  async run(visit, { amount, item_id, payment_method_id, note }) {
    const stay = await requireStay(visit);
    const { reservation_code } = stay;
    const currency = stay.payment_currency ?? stay.currency ?? '';
    const entry = { direction: 'income', amount, item_id, payment_method_id, reservation_code } as const;
    await visit.v3('createTransaction', { ...entry, ...(note !== undefined && { note }) });
    const { name } = await nameOf(visit, stay);
    return { said: visit.texts.stay.done.paid(name, visit.format.money(minorOf(amount, currency), currency)) };
  },
});

/** What a person may do to the money of a stay. */
export const moneyActions: readonly ConsoleAction[] = [move, pay];

/** Returns an amount as a field shows it, `150.5`; empty for none. */
export function amountText(minor: Minor | null, currency: string): string {
  return minor === null || minor <= 0 ? '' : String(wireAmount(minor, currency));
}
