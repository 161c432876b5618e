import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { type ConsoleAction, consoleAction } from '../page.ts';
import type { Visit } from '../visit.ts';
import { requireStay } from './lookup.ts';
import type { Stay } from './query.ts';

const payment = z.object({
  id: z.int(),
  purpose: z.string(),
  provider: z.string(),
  amount: z.number(),
  received: z.number().nullable(),
  state: z.string(),
  url: z.string().nullable(),
  problem: z.string().nullable(),
  updated_at: z.string(),
});
const refund = z.object({
  id: z.int(),
  provider: z.string(),
  amount: z.number(),
  state: z.string(),
  problem: z.string().nullable(),
  updated_at: z.string(),
});
const agreed = z.object({
  reservation_code: z.string(),
  status: z.string().nullable(),
  method: z.string(),
  expires_at: z.string(),
  guest_url: z.string(),
  currency: z.string(),
  quote: z.object({
    lines: z.array(z.object({ name: z.string(), quantity: z.number(), amount: z.number() })),
    total: z.number(),
    deposit: z.number(),
    balance_due_date: z.string().nullable(),
    cancellation: z.object({ steps: z.array(z.object({ until: z.string(), refund_percent: z.number() })) }),
  }),
  received: z.number(),
  surplus: z.number(),
  due: z.object({ purpose: z.string(), amount: z.number() }).nullable(),
  payments: z.array(payment),
  refunds: z.array(refund),
});

/** What was agreed with a guest who booked on a page, and what became of it. Amounts as on the wire. */
export type Agreed = z.output<typeof agreed>;

/** Reads what was agreed with the guest; undefined: they did not book on a page here. */
export async function readAgreed(visit: Visit, { reservation_code, channel_type }: Stay): Promise<Agreed | undefined> {
  if (channel_type !== 'direct' || !visit.isHere || !visit.may('stay.money')) return undefined;
  try {
    return agreed.parse(await visit.portal('GET /portal/bookings/:code', { code: reservation_code }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}

const money = z.coerce.number().min(0).max(99_999_999);
const right = 'stay.money' as const;

async function codeOf(visit: Visit): Promise<string> {
  return (await requireStay(visit)).reservation_code;
}

export const agreedActions: readonly ConsoleAction[] = [
  consoleAction({
    name: 'mark-paid',
    right,
    fields: z.object({
      amount: money.positive(),
      payment: z.coerce.number().int().positive().optional(),
      note: z.string().trim().max(200).optional(),
      anyway: z.literal('1').optional(),
    }),
    async run(visit, { anyway, ...fields }) {
      const code = await codeOf(visit);
      await visit.portal('POST /portal/bookings/:code/paid', { code, ...fields, anyway: anyway === '1' });
      return { said: visit.texts.booking.stay.noted };
    },
  }),
  consoleAction({
    name: 'payment-link',
    right,
    fields: z.object({ purpose: z.enum(['due', 'deposit']) }),
    async run(visit, { purpose }) {
      await visit.portal('POST /portal/bookings/:code/payment_link', { code: await codeOf(visit), purpose });
      return { said: visit.texts.booking.stay.linkMade };
    },
  }),
  consoleAction({
    name: 'look',
    right,
    fields: z.object({}),
    async run(visit) {
      await visit.portal('POST /portal/bookings/:code/look', { code: await codeOf(visit) });
      return { said: visit.texts.booking.stay.looked };
    },
  }),
  consoleAction({
    name: 'give-back',
    right,
    fields: z.object({ amount: money.positive(), known: money }),
    async run(visit, fields) {
      await visit.portal('POST /portal/bookings/:code/refund', { code: await codeOf(visit), ...fields });
      return { said: visit.texts.booking.stay.noted };
    },
  }),
  consoleAction({
    name: 'end-deposit',
    right,
    fields: z.object({ amount: money }),
    async run(visit, { amount }) {
      await visit.portal('POST /portal/bookings/:code/deposit', { code: await codeOf(visit), amount });
      return { said: visit.texts.booking.stay.ended };
    },
  }),
  consoleAction({
    name: 'close-refund',
    right,
    fields: z.object({ refund: z.coerce.number().int().positive(), how: z.enum(['done', 'dropped']) }),
    async run(visit, fields) {
      const code = await codeOf(visit);
      await visit.portal('POST /portal/bookings/:code/refunds/:refund/:how', { code, ...fields });
      return { said: visit.texts.booking.stay.noted };
    },
  }),
  consoleAction({
    name: 'settle-payment',
    right,
    fields: z.object({ payment: z.coerce.number().int().positive() }),
    async run(visit, { payment: id }) {
      const code = await codeOf(visit);
      await visit.portal('POST /portal/bookings/:code/payments/:payment/settle', { code, payment: id });
      return { said: visit.texts.booking.stay.noted };
    },
  }),
];
