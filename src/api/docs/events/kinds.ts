import type { EventKind } from '../../../contract/events.ts';
import type { OperationId } from '../../../contract/index.ts';

/** When an event comes, and what its receiver reads again. */
interface EventMeaning {
  readonly when: string;
  /** The operation that reads the current state; null where there is nothing to read. */
  readonly reads: OperationId | null;
  readonly how: string;
}

/** Every kind of event for those who receive it. */
export const MEANINGS: Readonly<Record<EventKind, EventMeaning>> = {
  reservation_created: {
    when: 'A stay was booked: by a channel, by hand, by a request to v3 or by an import. One for each room.',
    reads: 'listReservations',
    how: 'with reservation_code',
  },
  reservation_updated: {
    when: 'Something about a stay has changed: its state, dates, guest, price, property, check-in details or tags. sub_event names the kind of change where it is known.',
    reads: 'listReservations',
    how: 'with reservation_code',
  },
  property_availability_updated: {
    when: 'Nights of a property have become free or taken on the master calendar.',
    reads: 'listAvailabilities',
    how: 'with property_ids and the days of the event',
  },
  listing_calendar_updated: {
    when: 'Prices, inventories or restrictions of a listing have reached its channel.',
    reads: 'listCalendars',
    how: 'with the listing and the dates of the event',
  },
  message_created: {
    when: 'A message has come into a conversation, from the guest or from you.',
    reads: 'getConversation',
    how: 'with conversation_id',
  },
  review_created: {
    when: 'The first review of a stay is there, the guest’s or yours.',
    reads: 'listReviews',
    how: 'with reservation_code',
  },
  review_updated: {
    when: 'A further review of the stay or a reply has come, or one has changed.',
    reads: 'listReviews',
    how: 'with reservation_code',
  },
  transaction_created: {
    when: 'An entry was added to the ledger.',
    reads: 'listTransactions',
    how: 'with id, which is the transaction_id of the event',
  },
  transaction_updated: {
    when: 'An entry of the ledger has changed.',
    reads: 'listTransactions',
    how: 'with id, which is the transaction_id of the event',
  },
  transaction_deleted: {
    when: 'An entry of the ledger was deleted.',
    reads: 'listTransactions',
    how: 'with id: the list is empty now',
  },
  authorization_revoked: {
    when: 'The account has ended the access of your application. It is sent whatever events the webhook selects.',
    reads: null,
    how: 'Nothing to read: the tokens are void.',
  },
};
