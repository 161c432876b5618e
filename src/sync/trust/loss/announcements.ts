import type { EventKind, SubEvent } from '../../../contract/events.ts';
import type { FieldChange } from '../../tables/rows/diff.ts';

/** An event that must have announced a change. */
interface Announcement {
  event: EventKind;
  /** null: the event without one. */
  sub_event: SubEvent | null;
  /** Set if the event of any row under the key announces it. */
  shared: boolean;
}

/** A change of one row, with the facts that determine its events. */
export interface RowChange {
  op: 'created' | 'updated' | 'deleted';
  /** True for a row that was never known before, not for one that was gone and is back. */
  isNew: boolean;
  diff: readonly FieldChange[] | null;
}

/** The place of a field in a stay, and the kind of reservation_updated that announces it. */
interface FieldRule {
  sub: SubEvent | null;
  /** A field and all that is in it. */
  within?: readonly string[];
  /** A field itself. */
  exactly?: readonly string[];
  shared?: true;
}

/**
 * Fields that are missing here change without an event of their own: deposits, channel_details, sums over payments and
 * other rooms, and names of things that are named elsewhere.
 */
const stayRules: readonly FieldRule[] = [
  {
    sub: null,
    within: [
      'status',
      'stay_status',
      'cancelled_at',
      'check_in_date',
      'check_out_date',
      'number_of_guests',
      'number_of_adults',
      'number_of_children',
      'number_of_infants',
      'number_of_pets',
      'property_id',
      'in_reservation_box',
      'tags',
      'custom_fields',
      'creator',
      'guest_name',
      'guest_phone',
      'guest_email',
    ],
  },
  { sub: null, exactly: ['custom_channel', 'custom_channel.id'], shared: true },
  {
    sub: 'rates_updated',
    within: ['rates.rate', 'rates.commission', 'rates.details', 'additional_fees'],
  },
  { sub: 'remarks_updated', exactly: ['note'] },
  {
    sub: 'arrival_and_departure_time_updated',
    within: ['check_in_details.arrival_at', 'check_in_details.departure_at'],
  },
  {
    sub: 'check_in_details_updated',
    // Guests are only added by registering; a list of another length is compared as a whole.
    exactly: ['guests', 'check_in_details.lock_code_visible_after', 'check_in_details.id_required'],
    within: ['checkin_guide_images'],
  },
];

const LOCK_CODE = 'check_in_details.lock_code';

/**
 * Fields of a ledger entry whose edits are announced. Its status changes with the date, and names change with the
 * things that they name.
 */
const entryFields = ['amount', 'item_id', 'payment_method_id', 'action_at', 'note'] as const;

const reviewFields = ['guest_review', 'host_review', 'host_reply'] as const;

type Tell = (change: RowChange) => readonly Announcement[];

const created = (event: EventKind): readonly Announcement[] => [{ event, sub_event: null, shared: false }];

const rules: Readonly<Record<string, Tell>> = {
  reservation({ op, isNew, diff }) {
    if (op === 'created') return isNew ? created('reservation_created') : [];
    return op === 'updated' ? ofStay(diff ?? []) : [];
  },
  transaction({ op, isNew, diff }) {
    if (op === 'created') return isNew ? created('transaction_created') : [];
    if (op === 'deleted') return created('transaction_deleted');
    return touches(diff, entryFields) ? created('transaction_updated') : [];
  },
  message: ({ op, isNew }) => (op === 'created' && isNew ? created('message_created') : []),
  review({ op, isNew, diff }) {
    if (op === 'created') return isNew ? created('review_created') : [];
    return op === 'updated' && touches(diff, reviewFields) ? created('review_updated') : [];
  },
};

/** Returns true if events announce changes of such rows at all. */
export function isAnnouncedByEvents(resource: string): boolean {
  return Object.hasOwn(rules, resource);
}

/** Returns the events that must have announced this change; none for silent changes. */
export function announcementsOf(resource: string, change: RowChange): readonly Announcement[] {
  return rules[resource]?.(change) ?? [];
}

function ofStay(diff: readonly FieldChange[]): Announcement[] {
  const found = new Map<string, Announcement>();
  for (const change of diff) {
    const one = ofStayField(change);
    if (one) found.set(`${one.sub_event} ${one.shared}`, one);
  }
  // An event for the row itself also announces the fields that it shares with others.
  if (found.has('null false')) found.delete('null true');
  return [...found.values()];
}

function ofStayField({ path, after }: FieldChange): Announcement | undefined {
  if (path === LOCK_CODE) return update(after === null ? 'lock_code_deleted' : 'lock_code_updated');
  // An edited guest on record is the booker.
  if (path.startsWith('guests.')) return update(null);
  const rule = stayRules.find(
    ({ within = [], exactly = [] }) => exactly.includes(path) || within.some((field) => isWithin(path, field)),
  );
  return rule && update(rule.sub, rule.shared);
}

function update(sub_event: SubEvent | null, shared = false): Announcement {
  return { event: 'reservation_updated', sub_event, shared };
}

function touches(diff: readonly FieldChange[] | null, fields: readonly string[]): boolean {
  return (diff ?? []).some(({ path }) => fields.some((field) => isWithin(path, field)));
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}
