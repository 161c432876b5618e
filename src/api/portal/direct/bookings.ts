import { z } from 'zod';
import type { DirectBookingRow } from '../../../channels/direct/bookings/rows.ts';
import { bookingByCode } from '../../../channels/direct/bookings/table.ts';
import { beginPayment } from '../../../channels/direct/payments/begin.ts';
import { endDeposit } from '../../../channels/direct/payments/deposits.ts';
import { closeRefund, refundByHand, settlePayment } from '../../../channels/direct/payments/refunds.ts';
import { noteTransfer } from '../../../channels/direct/payments/transfer.ts';
import { presentBooking } from '../../../channels/direct/present.ts';
import type { DirectWork } from '../../../channels/direct/work.ts';
import { id as idOf } from '../../../contract/fields.ts';
import { goneResource, maySee } from '../../../core/ownership.ts';
import { requireAmount } from '../../../core/reservations/require.ts';
import { lookAtPayment } from '../../../channels/direct/payments/look.ts';
import { paymentsOf } from '../../../channels/direct/payments/table.ts';
import type { Caller } from '../../access.ts';
import { type PortalServices, portalRoute } from '../route.ts';
import { directKeeper } from './keeper.ts';

const account = z.string().min(1).optional();
const code = z.string().min(1).max(120).describe('The code of the reservation.');
const amount = z.number().positive().max(99_999_999);

/** Bookings that guests have made: what was agreed, what came, and what goes back. */
export const directBookingRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/bookings/:code',
    access: 'read',
    input: z.object({ account, code }),
    run: async ({ services, caller, input }) => {
      const { booking, core } = await bookingOf(services, caller, input);
      return presentBooking(core, booking);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/bookings/:code/paid',
    access: 'write',
    input: z.object({
      account,
      code,
      amount: amount.optional().describe('Left out: what is due.'),
      payment: idOf('The awaited payment that it is.').optional(),
      note: z.string().trim().max(200).optional(),
      anyway: z.boolean().optional(),
    }),
    run: async ({ services, caller, input }) => {
      const { booking, work, who, core } = await bookingOf(services, caller, input);
      await noteTransfer(work, who, booking, {
        ...input,
        amount: input.amount === undefined ? undefined : requireAmount('amount', input.amount, booking.currency),
      });
      return presentBooking(core, booking);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/bookings/:code/payment_link',
    access: 'write',
    input: z.object({ account, code, purpose: z.enum(['due', 'deposit']).default('due') }),
    run: async ({ services, caller, input }) => {
      const { booking, work, core } = await bookingOf(services, caller, input);
      await beginPayment(work, booking, input.purpose);
      return presentBooking(core, booking);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/bookings/:code/look',
    access: 'write',
    input: z.object({ account, code }),
    run: async ({ services, caller, input }) => {
      const { booking, work, core } = await bookingOf(services, caller, input);
      for (const row of await paymentsOf(core.store.db, booking.account_id, booking.reservation_code))
        if (row.state === 'starting' || row.state === 'open') await lookAtPayment(work, row);
      return presentBooking(core, booking);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/bookings/:code/refund',
    access: 'write',
    input: z.object({
      account,
      code,
      amount,
      known: z.number().min(0).optional().describe('What had gone back when the person looked.'),
    }),
    run: async ({ services, caller, input }) => {
      const { booking, work, who, core } = await bookingOf(services, caller, input);
      const { currency } = booking;
      await refundByHand(work, who, booking.reservation_code, {
        amount: requireAmount('amount', input.amount, currency),
        known: input.known === undefined ? undefined : requireAmount('known', input.known, currency),
      });
      return presentBooking(core, booking);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/bookings/:code/deposit',
    access: 'write',
    input: z.object({
      account,
      code,
      amount: z.number().min(0).max(99_999_999).describe('What is kept of it; 0: all is let go.'),
    }),
    run: async ({ services, caller, input }) => {
      const { booking, work, who, core } = await bookingOf(services, caller, input);
      await endDeposit(work, who, booking, requireAmount('amount', input.amount, booking.currency));
      // No event tells it, and the mirror would see it with its next scan only.
      for (const connection of await services.mirror.connectionsOf(booking.account_id))
        await services.mirror.readAgain(connection, [{ resource: 'reservation', key: booking.reservation_code }]);
      return presentBooking(core, booking);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/bookings/:code/refunds/:refund/:how',
    access: 'write',
    input: z.object({ account, code, refund: idOf('A refund.'), how: z.enum(['done', 'dropped']) }),
    run: async ({ services, caller, input }) => {
      const { booking, work, who, core } = await bookingOf(services, caller, input);
      await closeRefund(work, who, input.refund, input.how === 'done' ? 'finish' : 'drop');
      return presentBooking(core, booking);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/bookings/:code/payments/:payment/settle',
    access: 'write',
    input: z.object({ account, code, payment: idOf('A payment.') }),
    run: async ({ services, caller, input }) => {
      const { booking, work, who, core } = await bookingOf(services, caller, input);
      await settlePayment(work, who, input.payment);
      return presentBooking(core, booking);
    },
  }),
];

/** Returns a booking that the caller sees. @throws ApiError 404 */
async function bookingOf(
  services: PortalServices,
  caller: Caller,
  input: { account?: string | undefined; code: string },
): Promise<{ booking: DirectBookingRow; work: DirectWork } & Awaited<ReturnType<typeof directKeeper>>> {
  const keeper = await directKeeper(services, caller, input.account);
  const { core, who } = keeper;
  const booking = await bookingByCode(core.store.db, who.account.account_id, input.code);
  if (!booking || !maySee(who, booking.property_id)) throw goneResource();
  return { ...keeper, booking };
}
