/** A description of a derived event, for people. */
interface DerivedNote {
  /** The name of the resource in the feed. */
  resource: string;
  /** The condition for the event. */
  when: string;
  /** The content of `before` and `after`. */
  holds: string;
}

const deposit = {
  resource: 'reservation',
  holds: 'the deposit: paid, deducted, pending and refunded amount, status, currency',
};
const category = { resource: 'reservation', holds: 'the category' };
const offer = { resource: 'special_offer', holds: 'the status' };
const channel = { resource: 'channel_account', holds: '`auth_status`' };
const day = 'of neighbouring days that changed alike, from `from_date` to `to_date`';

/** All derived events: changes that no event of upstream announces, or none reliably. */
export const derivedNotes = {
  deposit_paid: { ...deposit, when: 'the paid amount has grown; for a card that is an authorisation, which can lapse' },
  deposit_deducted: { ...deposit, when: 'the deducted amount has grown' },
  deposit_refund_pending: { ...deposit, when: 'from now on money is owed to the guest: the pending amount was zero' },
  deposit_returned: {
    ...deposit,
    when: 'less is owed than before, and neither a deduction nor a withdrawn payment explains it; the refunded amount is not asked, since it can read 0',
  },
  deposit_changed: { ...deposit, when: 'anything else of the deposit is different' },
  cancellation_category_appeared: {
    ...category,
    when: 'the channel’s cancellation category, unknown so far, is there',
  },
  cancellation_category_changed: { ...category, when: 'it became another one, or went' },
  channel_details_changed: {
    resource: 'reservation',
    when: 'anything else of `channel_details` is different',
    holds: '`channel_details`',
  },
  price_changed: { resource: 'calendar', when: `the price ${day}`, holds: 'the price' },
  inventory_changed: { resource: 'calendar', when: `the inventory ${day}`, holds: 'the inventory' },
  restrictions_changed: { resource: 'calendar', when: `restrictions ${day}`, holds: 'the restrictions that differ' },
  offer_accepted: { ...offer, when: 'the guest has accepted' },
  offer_declined: { ...offer, when: 'the guest has declined' },
  offer_expired: { ...offer, when: 'its time was over' },
  offer_withdrawn: { ...offer, when: 'the host took it back' },
  offer_status_changed: { ...offer, when: 'it has any other status' },
  channel_disconnected: { ...channel, when: 'the account is `disconnected`' },
  channel_connected: { ...channel, when: 'it is `active` again' },
  channel_status_changed: { ...channel, when: 'it has any other status' },
  note_changed: { resource: 'conversation', when: 'the host’s private note is different', holds: 'the note' },
} as const satisfies Record<string, DerivedNote>;

export type DerivedName = keyof typeof derivedNotes;

/** One change with a name of its own, as the feed shows it. */
export interface DerivedEvent {
  name: DerivedName | 'guest_erased';
  before: unknown;
  after: unknown;
  /** For days of a calendar: the first and the last one. */
  from?: string;
  to?: string;
}

/** Derives the named changes of one row: a function of the two states and nothing else. */
export type Derive<State> = (before: State, after: State) => readonly DerivedEvent[];
