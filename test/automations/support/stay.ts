import { stayFacts, type StayColumns, type StayDetails, type StayFacts } from '../../../src/automations/facts/facts.ts';

const COLUMNS: StayColumns = {
  stay_code: 'S',
  reservation_code: 'S',
  channel_type: 'direct',
  listing_id: null,
  property_id: 1,
  status: 'accepted',
  stay_status: null,
  check_in_date: '2027-03-28',
  check_out_date: '2027-03-30',
  nights: 2,
  number_of_guests: 2,
  number_of_children: null,
  number_of_pets: null,
  payment_status: 'received',
  balance_minor: 0,
  payment_total_minor: 100,
  deposit_minor: null,
  deposit_status: null,
  id_required: 'not_required',
  conversation_id: null,
  booked_at: '2027-03-01T10:00:00.000Z',
  created_at: null,
  cancelled_at: null,
};
const DETAILS: StayDetails = {
  tags: [],
  arrival: null,
  departure: null,
  has_lock_code: false,
  has_document: false,
  custom_fields: {},
  paidByChannel: [],
};

/** A stay of two nights from a Sunday on, but for what is said otherwise. */
export function stayWith(columns: Partial<StayColumns> = {}, details: Partial<StayDetails> = {}): StayFacts {
  return stayFacts({ ...COLUMNS, ...columns }, { ...DETAILS, ...details });
}
