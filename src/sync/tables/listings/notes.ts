import type { TableNote } from '../tableNote.ts';

/** Notes on the account's listings on channels. */
export const listingNotes: readonly TableNote[] = [
  {
    table: 'channel_accounts',
    is: 'One account on a channel.',
    analysts: { personal: ['username', 'origin_account_id'] },
    columns: {
      id: 'channel_account_id.',
      channel_type: 'Channel.',
      username: 'Name of the account there.',
      origin_account_id: 'Id of the account there.',
      auth_status: 'active, connecting, disconnected, exception or unknown; others may come.',
      created_at: 'When it was connected (UTC).',
    },
  },
  {
    table: 'listings',
    is: 'One posting of a property on a channel.',
    analysts: { personal: ['origin_account_id'] },
    columns: {
      listing: '`<channel_type>/<listing_id>`.',
      channel_type: 'Channel.',
      listing_id: 'The channel’s own id.',
      id: 'Upstream’s number of the listing.',
      channel_account_id: 'Account it is posted by.',
      origin_account_id: 'Id of that account on the channel.',
      title: 'Title.',
      url: 'Where guests see it.',
      cover: 'Address of its picture.',
      inventory: 'Units that can be booked on a free night.',
      shelf_status: 'on, off, deleted or unknown; others may come.',
      created_at: 'When it was first met (UTC).',
      updated_at: 'When it last changed (UTC).',
    },
  },
  {
    table: 'calendar_days',
    is: 'One day of a listing as its channel shows it; what it was stands in `calendar_states`.',
    analysts: { types: { price: 'decimal', closed_on_arrival: 'flag', closed_on_departure: 'flag' } },
    columns: {
      listing: '`<channel_type>/<listing_id>`.',
      date: 'Date on which the night begins.',
      channel_type: 'Channel.',
      listing_id: 'The channel’s own id.',
      price: 'Price in the listing’s currency, as exact decimal text.',
      inventory: 'Units that can be booked.',
      closed_on_arrival: '1: no stay may begin.',
      closed_on_departure: '1: no stay may end.',
      min_stay_on_arrival: 'Nights, at least, of a stay that begins then.',
      max_stay_on_arrival: 'Nights, at most, of a stay that begins then.',
      min_stay_through: 'Nights, at least, of a stay that has this one.',
      max_stay_through: 'Nights, at most, of a stay that has this one.',
      exact_stay_on_arrival: 'Nights, exactly, of a stay that begins then.',
      min_advance_reservation: 'How long before arrival at least, such as 1D12H.',
      max_advance_reservation: 'How long before arrival at most.',
    },
  },
  {
    table: 'calendar_reads',
    is: 'One listing whose calendar has been read.',
    columns: {
      listing: '`<channel_type>/<listing_id>`.',
      complete_read_at: 'When all its days were last read together; null: only those that events named.',
    },
  },
];
