import { z } from 'zod';
import { date } from '../../../contract/fields.ts';
import { handInImage, register } from '../../../sandbox/register.ts';
import { answerOffer, inquire, review, writeInConversation } from '../../../sandbox/write.ts';
import { booking, channelType, listing, moment, name, reference, room, sandboxAction } from './action.ts';
import { guest } from './reservations.ts';

const words = z.string().max(20_000);
const address = z.url({ protocol: /^https?$/ }).max(2_048);
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values).nullable().default(null);

/** Messages of guests, and the data that they submit before arrival. */
export const guestActions = [
  sandboxAction({
    path: 'inquiries',
    input: {
      ...listing,
      check_in_date: date,
      check_out_date: date,
      number_of_guests: z.int().min(1).max(99).default(2),
      guest: guest.prefault({ name: 'Ada Guest' }),
      conversation: name.optional(),
      message: words.min(1).optional(),
      sent_at: moment.optional(),
    },
    run: inquire,
  }),
  sandboxAction({
    path: 'messages',
    input: {
      conversation_id: name.optional(),
      channel_type: channelType.optional(),
      conversation: name.optional(),
      from: z.enum(['guest', 'host']).default('guest'),
      content: words.optional(),
      attachments: z
        .array(z.strictObject({ type: name.default('image'), url: address, name }))
        .max(20)
        .default([]),
      channel_message_id: name.optional(),
      sent_at: moment.optional(),
    },
    run: (change, { conversation_id, channel_type, conversation, ...written }) =>
      writeInConversation(change, { conversation_id, channel_type, conversation }, written),
  }),
  sandboxAction({
    path: 'special_offers/answer',
    input: { special_offer_id: name, answer: z.enum(['accept', 'decline']), overbook: z.boolean().default(false) },
    run: answerOffer,
  }),
  sandboxAction({
    path: 'reviews',
    input: {
      ...booking,
      score: z.number().optional(),
      sub_score: z
        .array(z.strictObject({ category: name, rating: z.number(), review_category_tags: z.array(name).default([]) }))
        .max(50)
        .default([]),
      content: words.optional(),
      private_feedback: words.optional(),
      created_at: moment.optional(),
      reply: words.min(1).optional(),
    },
    run: (change, { reservation_code, channel_type, channel_id, ...given }) =>
      review(change, { reservation_code, channel_type, channel_id }, given),
  }),
  sandboxAction({
    path: 'guests',
    input: {
      ...booking,
      room,
      reference,
      name,
      phone: name.nullable().default(null),
      email: name.nullable().default(null),
      id_type: oneOf(['passport', 'id_card', 'others']),
      id_number: name.nullable().default(null),
      gender: oneOf(['male', 'female']),
      country: z.string().length(2).toUpperCase().nullable().default(null),
      id_images: z.array(address).max(20).default([]),
    },
    run: (change, { reservation_code, channel_type, channel_id, room: place, ...registered }) =>
      register(change, { reservation_code, channel_type, channel_id, room: place }, registered),
  }),
  sandboxAction({
    path: 'guide_images',
    input: { ...booking, room, reference, url: address, client_id: z.int().nullable().default(null) },
    run: (change, { reservation_code, channel_type, channel_id, room: place, ...image }) =>
      handInImage(change, { reservation_code, channel_type, channel_id, room: place }, image),
  }),
];
