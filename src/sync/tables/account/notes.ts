import type { TableNote } from '../tableNote.ts';

/** Notes on the tables of the account, its properties and its ledger. */
export const accountNotes: readonly TableNote[] = [
  {
    table: 'properties',
    is: 'One rental property.',
    analysts: {},
    columns: {
      id: 'property_id.',
      name: 'Name.',
      status: 'active or inactive.',
      address: 'Address as text.',
      longitude: 'As text; may be empty.',
      latitude: 'As text; may be empty.',
      time_zone: 'IANA zone in which its nights are meant.',
      tags: 'Names of its tags, JSON list.',
      groups: 'Names of its groups, JSON list.',
    },
  },
  {
    table: 'availability_days',
    is: 'One night of a property’s master calendar; what it was stands in `availability_states`.',
    analysts: { types: { available: 'flag' }, personal: ['remarks'] },
    columns: {
      property_id: 'The property.',
      date: 'Date on which the night begins.',
      available: '1: free.',
      remarks: 'Why not, when upstream says so.',
    },
  },
  {
    table: 'availability_reads',
    is: 'One property whose master calendar has been read.',
    columns: {
      property_id: 'The property.',
      complete_read_at: 'When all its nights were last read together; null: only those that events named.',
    },
  },
  {
    table: 'transactions',
    is: 'One entry of the ledger.',
    analysts: { personal: ['operator_name'] },
    columns: {
      id: 'transaction_id.',
      reservation_code: 'Booking it belongs to as a whole; null for others.',
      property_id: 'Property it is linked to, directly or by the booking.',
      direction: 'income or expense.',
      status: 'paid, or outstanding while action_at lies ahead.',
      item_id: 'Category; see dictionary_items.',
      item_name: 'Its name.',
      payment_method_id: 'Method; see dictionary_items.',
      payment_method_name: 'Its name.',
      amount_minor: 'Amount in minor units, positive in either direction.',
      currency: 'Its currency.',
      action_at: 'When it took place (UTC).',
      action_date: 'The operator’s date of that moment.',
      link_type: 'property, reservation or operator.',
      operator_name: 'Who made it; System for automatic ones.',
      created_at: 'When it was entered (UTC).',
      updated_at: 'When it was last edited (UTC).',
    },
  },
  {
    table: 'dictionary_items',
    is: 'One category or method of the ledger.',
    analysts: {},
    columns: {
      item: '`<dictionary>/<id>`.',
      dictionary: 'income_items, expense_items, income_methods or expense_methods.',
      id: 'Id within the dictionary.',
      name: 'Name.',
    },
  },
  {
    table: 'custom_channels',
    is: 'One source of direct bookings that the operator has defined.',
    analysts: {},
    columns: { id: 'custom_channel_id.', name: 'Name.' },
  },
  {
    table: 'accounts',
    is: 'The account behind the connection’s token.',
    analysts: {},
    columns: {
      account_id: 'Stable id; shared by the main account and its sub-accounts.',
      name: 'Name.',
      time_zone: 'IANA zone of the operator.',
      currency: 'Currency of the operator.',
    },
  },
  {
    table: 'webhooks',
    is: 'One webhook registered upstream, ours and others.',
    columns: {
      id: 'Id.',
      url: 'Where it posts, encrypted, here and in `raw`; `GET /mirror/webhook/<id>` shows it.',
      events: 'Kinds it asks for, JSON list.',
      manageable: '0: made by hand in the portal.',
      created_at: 'When it was registered (UTC).',
    },
  },
];
