import { z } from 'zod';
import { currency, date } from '../../../contract/fields.ts';
import { book } from '../../../sandbox/book.ts';
import {
  alter,
  answerRequest,
  cancel,
  failNextAnswer,
  giveUp,
  moveDeposit,
  pay,
  showDetails,
} from '../../../sandbox/change.ts';
import { priceOf } from '../../../sandbox/listing.ts';
import { booking, channelType, moment, name, price, reference, room, sandboxAction } from './action.ts';

const people = z.int().min(0).max(99);
const counts = {
  number_of_guests: z.int().min(1).max(99),
  number_of_adults: people.optional(),
  number_of_children: people.optional(),
  number_of_infants: people.optional(),
  number_of_pets: people.optional(),
};
const wantedRoom = {
  listing_id: name,
  check_in_date: date,
  check_out_date: date,
  ...counts,
  number_of_guests: counts.number_of_guests.default(2),
  price: price.optional().describe('For the nights together; by default what the calendar says.'),
};
export const guest = z.strictObject({
  name,
  email: name.nullable().default(null),
  phone: name.nullable().default(null),
  country: z.string().length(2).toUpperCase().nullable().default(null),
});
const MOST_MINUTES = 7 * 24 * 60;

/** Actions of guests about bookings. */
export const reservationActions = [
  sandboxAction({
    path: 'bookings',
    input: {
      kind: z.enum(['request', 'instant', 'unpaid']).default('instant'),
      channel_type: channelType,
      channel_id: name.optional(),
      ...wantedRoom,
      further_rooms: z.array(z.strictObject(wantedRoom)).max(19).default([]),
      overbook: z.boolean().default(false),
      guest: guest.prefault({ name: 'Ada Guest' }),
      remarks: z.string().max(5_000).optional(),
      message: z.string().min(1).max(20_000).optional(),
      conversation: name.optional(),
      cancellation_policy_category: name.optional(),
      booked_at: moment.optional(),
      answer_minutes: z.int().min(1).max(MOST_MINUTES).optional(),
      pay_minutes: z.int().min(1).max(MOST_MINUTES).optional(),
    },
    run: async (change, input) => {
      const { overbook, further_rooms, cancellation_policy_category: policy, ...rest } = input;
      const { channel_type } = rest;
      const roomOf = async ({ price: total, ...wanted }: (typeof further_rooms)[number]) => {
        const { listing_id } = wanted;
        return { ...wanted, overbook, price: await priceOf(change, { channel_type, listing_id }, total) };
      };
      const { listing_id, check_in_date, check_out_date, price: total, ...terms } = rest;
      const first = await roomOf({ ...terms, listing_id, check_in_date, check_out_date, price: total });
      const others = [];
      for (const further of further_rooms) others.push(await roomOf(further));
      const channel_details = policy === undefined ? undefined : { cancellation_policy_category: policy };
      return book(change, { ...terms, rooms: [first, ...others], channel_details });
    },
  }),
  sandboxAction({
    path: 'bookings/pay',
    input: { ...booking, amount: price.optional(), paid_at: moment.optional(), reference },
    run: (change, { amount, paid_at, reference: mark, ...named }) =>
      pay(change, named, { amount, paid_at, reference: mark }),
  }),
  sandboxAction({
    path: 'bookings/answer',
    input: { ...booking, answer: z.enum(['approve', 'decline']) },
    run: (change, { answer, ...named }) => answerRequest(change, named, answer),
  }),
  sandboxAction({
    path: 'bookings/next_answer',
    input: { ...booking, outcome: z.enum(['failed']).default('failed') },
    run: (change, { outcome: _outcome, ...named }) => failNextAnswer(change, named),
  }),
  sandboxAction({
    path: 'bookings/give_up',
    input: booking,
    run: (change, named) => giveUp(change, named),
  }),
  sandboxAction({
    path: 'bookings/cancel',
    input: { ...booking, cancelled_at: moment.optional() },
    run: (change, { cancelled_at, ...named }) => cancel(change, named, cancelled_at),
  }),
  sandboxAction({
    path: 'bookings/alter',
    input: {
      ...booking,
      room,
      check_in_date: date.optional(),
      check_out_date: date.optional(),
      ...counts,
      number_of_guests: counts.number_of_guests.optional(),
      price: price.optional(),
    },
    run: (change, { reservation_code, channel_type, channel_id, ...wishes }) =>
      alter(change, { reservation_code, channel_type, channel_id }, wishes),
  }),
  sandboxAction({
    path: 'bookings/details',
    input: { ...booking, cancellation_policy_category: name.nullable() },
    run: (change, { cancellation_policy_category, ...named }) =>
      showDetails(change, named, { cancellation_policy_category }),
  }),
  sandboxAction({
    path: 'bookings/deposit',
    input: {
      ...booking,
      room,
      event: z.enum(['required', 'paid', 'deducted', 'refunded', 'returned']),
      amount: z.number().min(0).max(9_999_999).optional(),
      currency: currency.optional(),
      reference,
    },
    run: (change, { reservation_code, channel_type, channel_id, ...step }) =>
      moveDeposit(change, { reservation_code, channel_type, channel_id }, step),
  }),
];
