import { conversation, conversationEntry } from '../conversations.ts';
import { specialOffer } from '../specialOffers.ts';
import { example } from './example.ts';

const guest = { name: 'Clara Hofmann', email: 'clara.hofmann@example.com', phone: '+49 1701234567' };
const stay = { check_in_date: '2027-03-05', check_out_date: '2027-03-08' };

/** What Clara Hofmann and the host write to one another. */
export const conversationExamples = [
  example(conversationEntry, {
    conversation_id: 'T12',
    channel_type: 'marketplace_a',
    last_message_at: '2027-03-01T09:30:00+01:00',
    last_message: 'Is there a cot?',
    unread_count: 1,
    guest,
    property_title: 'Sea View',
    ...stay,
  }),
  example(conversation, {
    conversation_id: 'T12',
    channel_type: 'marketplace_a',
    guest,
    activities: [
      {
        activity_type: 'reservation',
        reservation_code: '0-HM8KQ2-SDUV3F',
        ...stay,
        listing_id: 'L12',
        property: {
          id: 12,
          name: 'Sea View',
          cover_url: 'https://images.example.com/sea-view.jpg',
          room_type: { id: 7, name: 'Double room' },
        },
      },
    ],
    messages: [
      {
        message_id: 'M302',
        sender_role: 'guest',
        sender_name: 'Clara Hofmann',
        display_type: 'Text',
        content: 'Is there a cot?',
        attachments: [],
        timestamp: '2027-03-01T09:30:00+01:00',
        sources: [],
      },
      {
        message_id: 'M301',
        sender_role: 'host',
        sender_name: 'Ada Bell',
        display_type: 'FileAttachment',
        content: 'This is the way from the station.',
        attachments: [{ type: 'image', url: 'https://stays.example.com/attachments/9sQk…', name: 'way.jpg' }],
        timestamp: '2027-02-28T17:02:00+01:00',
        sources: [],
      },
    ],
    note: 'Arrives late.',
    note_updated_at: '2027-02-28T17:05:00+01:00',
  }),
  example(specialOffer, {
    id: 'O12',
    offer_type: 'special_offer',
    status: 'active',
    listing_id: 'L12',
    ...stay,
    nights: 3,
    number_of_guests: 2,
    price: 300,
    currency: 'EUR',
    expire_time: '2027-02-11T09:10:00+01:00',
    create_time: '2027-02-10T09:10:00+01:00',
  }),
];
