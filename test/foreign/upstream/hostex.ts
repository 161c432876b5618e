import { hashOf, hide } from './bend.ts';
import type { ResourceName, Row } from './described.ts';
import type { Truth } from './truth.ts';
import { wallTime } from './time.ts';

/** How often a field is not told: never at all, or of some rows missing and of others null. */
type Habit = 'never' | 'missing or null' | 'missing' | 'null';

/** Where the pages on the public service say that a field is not there, may be missing or may be null. */
const habits: Partial<Record<ResourceName, Readonly<Record<string, Habit>>>> = {
  property: {
    status: 'never',
    time_zone: 'never',
    groups: 'missing',
    tags: 'missing',
    address: 'missing',
    longitude: 'missing',
    latitude: 'missing',
  },
  room_type: { tags: 'missing' },
  calendar_share_link: { created_at: 'missing or null' },
  channel_account: { username: 'missing', origin_account_id: 'missing', created_at: 'missing or null' },
  listing: {
    id: 'missing',
    channel_account_id: 'missing',
    origin_account_id: 'missing',
    url: 'missing or null',
    title: 'missing',
    cover: 'missing or null',
    inventory: 'missing',
    shelf_status: 'missing',
    metadata: 'missing or null',
    created_at: 'missing or null',
    updated_at: 'missing or null',
  },
  reservation: {
    id: 'never',
    stay_status: 'never',
    number_of_adults: 'missing',
    number_of_children: 'missing',
    number_of_infants: 'missing',
    number_of_pets: 'missing',
    guest_name: 'missing or null',
    guest_phone: 'missing or null',
    guest_email: 'missing or null',
    cancelled_at: 'missing or null',
    creator: 'missing or null',
    note: 'missing or null',
    channel_remarks: 'missing or null',
    rates: 'missing or null',
    'rates.tax': 'null',
    'rates.total_commission': 'null',
    'rates.commission': 'null',
    payment: 'missing',
    check_in_details: 'missing',
    'check_in_details.deposit': 'null',
    'check_in_details.id_required': 'missing',
    'check_in_details.lock_code': 'missing',
    'check_in_details.check_in_guide_url': 'missing',
    'check_in_details.deposit_details': 'never',
    conversation_id: 'missing or null',
    custom_channel: 'missing or null',
    guests: 'missing',
    custom_fields: 'missing or null',
    tags: 'missing',
    additional_fees: 'missing',
    checkin_guide_images: 'missing',
    in_reservation_box: 'missing',
  },
  calendar_day: { restrictions: 'missing or null' },
  conversation: {
    last_message: 'never',
    unread_count: 'never',
    property_title: 'missing or null',
    check_in_date: 'missing or null',
    check_out_date: 'missing or null',
    'guest.email': 'missing or null',
    'guest.phone': 'missing or null',
  },
  fullConversation: { note: 'missing or null', note_updated_at: 'never' },
  message: { sender_name: 'missing or null', display_type: 'null', sources: 'missing' },
  special_offer: { currency: 'missing or null', expire_time: 'null', create_time: 'null' },
  review: {
    stay_code: 'never',
    'guest_review.private_feedback': 'missing',
    'guest_review.sub_score': 'missing or null',
    'host_review.sub_score': 'missing or null',
  },
  transaction: {
    item_id: 'null',
    item_name: 'null',
    payment_method_id: 'null',
    payment_method_name: 'null',
    property_id: 'missing or null',
    property_title: 'missing or null',
    status: 'missing',
    note: 'missing',
    operator_name: 'missing',
    link_type: 'missing',
    created_at: 'missing or null',
    updated_at: 'missing or null',
  },
  task: {
    property_id: 'missing or null',
    property_title: 'missing or null',
    stay_code: 'missing or null',
    staff_id: 'missing or null',
    staff_name: 'missing or null',
    expected_date: 'missing or null',
    expected_time: 'missing or null',
    expected: 'missing or null',
    level: 'missing or null',
    currency: 'missing or null',
    fee: 'missing or null',
    note: 'missing or null',
    create_time: 'missing or null',
    update_time: 'missing or null',
  },
  staff: { mobile: 'missing', email: 'missing', note: 'missing' },
  action: { status: 'never' },
};

const nameOf = (row: Row) =>
  hashOf(
    String(
      row['stay_code'] ?? row['message_id'] ?? row['conversation_id'] ?? row['plan_id'] ?? row['date'] ?? row['id'],
    ),
  );

/** What is not told of a row in its described form, and how: the same each time. `little`: what is never told. */
export function hidden(resource: ResourceName, row: Row, much: 'usual' | 'little'): Map<string, 'missing' | 'null'> {
  const seed = nameOf(row);
  const found = new Map<string, 'missing' | 'null'>();
  for (const [index, [field, habit]] of Object.entries(habits[resource] ?? {}).entries()) {
    const turn = (seed + index * 7) % 5;
    if (habit === 'never') found.set(field, 'missing');
    else if (much === 'little') continue;
    else if (turn === 0 && habit !== 'null') found.set(field, 'missing');
    else if (turn === 1 && habit !== 'missing') found.set(field, 'null');
  }
  return found;
}

type Respell = (row: Row, truth: Truth) => void;

const respell: Partial<Record<ResourceName, Respell>> = {
  property: (row) => rename(row, 'name', 'title'),
  room_type(row) {
    rename(row, 'name', 'title');
    for (const one of listIn(row, 'properties')) rename(one, 'name', 'title');
  },
  reservation(row) {
    rename(row, 'note', 'remarks');
    // The service is PHP: an empty object comes as a list.
    if (row['custom_fields'] === null) row['custom_fields'] = [];
  },
  conversation: (row) => rename(row, 'conversation_id', 'id'),
  fullConversation(row) {
    rename(row, 'conversation_id', 'id');
    for (const { property } of listIn(row, 'activities')) if (property) rename(property as Row, 'name', 'title');
  },
  message(row) {
    rename(row, 'message_id', 'id');
    rename(row, 'timestamp', 'created_at');
    row['attachment'] = listIn(row, 'attachments')[0] ?? null;
    delete row['attachments'];
  },
  review(row) {
    const reply = row['host_reply'] as Row | null;
    if (reply) row['host_reply'] = { content: reply['content'], created_at: reply['created_at'] };
  },
  task(row, truth) {
    for (const field of ['create_time', 'update_time', 'expected']) row[field] = naive(row[field], truth);
  },
  action(row, truth) {
    row['id'] = Number(row['plan_id']);
    delete row['plan_id'];
    row['scheduled_at'] = naive(row['scheduled_at'], truth);
  },
};

/** A row without what is not told of it. */
export function withholding(row: Row, untold: ReadonlyMap<string, 'missing' | 'null'>): Row {
  const shown = structuredClone(row);
  for (const [field, as] of untold) hide(shown, field, as);
  return shown;
}

/** A row of its own as the public service is said to answer it. */
export function hostexRow(truth: Truth, resource: ResourceName, row: Row): Row {
  respell[resource]?.(row, truth);
  return row;
}

function rename(row: Row, from: string, to: string): void {
  if (!(from in row)) return;
  row[to] = row[from];
  delete row[from];
}

function listIn(row: Row, name: string): Row[] {
  const list = row[name];
  return Array.isArray(list) ? (list as Row[]) : [];
}

/** Operator's time, without an offset. */
function naive(moment: unknown, truth: Truth): unknown {
  return typeof moment === 'string' ? wallTime(Date.parse(moment), truth.account.zone).replace('T', ' ') : moment;
}
