import type { z } from 'zod';
import type { calendarShareLink } from '../../src/contract/calendarShareLinks.ts';
import type { automationAction } from '../../src/contract/automationActions.ts';
import type { knowledgeBase } from '../../src/contract/knowledgeBases.ts';
import type { property } from '../../src/contract/properties.ts';
import type { propertyGroup } from '../../src/contract/propertyGroups.ts';
import type { propertyTag } from '../../src/contract/propertyTags.ts';
import type { reservation } from '../../src/contract/reservations.ts';
import type { reservationTag } from '../../src/contract/reservationTags.ts';
import type { roomType } from '../../src/contract/roomTypes.ts';
import type { staff } from '../../src/contract/staffs.ts';
import type { task } from '../../src/contract/tasks.ts';
import type { transaction } from '../../src/contract/transactions.ts';

export type WireStay = z.output<typeof reservation>;
export type WireTransaction = z.output<typeof transaction>;
export type WireProperty = z.output<typeof property>;
export type WireRoomType = z.output<typeof roomType>;
export type WirePropertyGroup = z.output<typeof propertyGroup>;
export type WirePropertyTag = z.output<typeof propertyTag>;
export type WireReservationTag = z.output<typeof reservationTag>;
export type WireShareLink = z.output<typeof calendarShareLink>;
export type WireTask = z.output<typeof task>;
export type WireStaff = z.output<typeof staff>;
export type WireAction = z.output<typeof automationAction>;
export type WireKnowledgeBase = z.output<typeof knowledgeBase>;

const eur = (amount: number) => ({ currency: 'EUR', amount });

/** A stay as upstream answers it. */
export function makeStay(id: number, over: Partial<WireStay> = {}): WireStay {
  const code = over.reservation_code ?? `5-R${String(id).padStart(6, '0')}`;
  return {
    id,
    reservation_code: code,
    stay_code: code,
    channel_id: `C${id}`,
    property_id: 7,
    channel_type: 'direct',
    listing_id: '',
    check_in_date: '2027-03-05',
    check_out_date: '2027-03-08',
    number_of_guests: 2,
    number_of_adults: 2,
    number_of_children: 0,
    number_of_infants: 0,
    number_of_pets: 0,
    status: 'accepted',
    stay_status: 'checkin_pending',
    guest_name: `Guest ${id}`,
    guest_phone: null,
    guest_email: null,
    booked_at: '2026-11-20T13:00:00+01:00',
    created_at: '2026-11-20T13:00:00+01:00',
    cancelled_at: null,
    creator: null,
    rates: {
      total_rate: eur(300),
      total_commission: eur(0),
      rate: eur(300),
      commission: eur(0),
      tax: null,
      details: [],
    },
    payment: { currency: 'EUR', total_amount: 300, received_amount: 100, balance_amount: 200, status: 'partial' },
    check_in_details: {
      arrival_at: null,
      departure_at: null,
      lock_code: null,
      lock_code_visible_after: null,
      deposit: 0,
      id_required: 'not_required',
      check_in_guide_url: null,
      deposit_details: null,
    },
    note: null,
    channel_remarks: null,
    conversation_id: null,
    tags: [],
    custom_channel: null,
    guests: [],
    custom_fields: null,
    in_reservation_box: false,
    additional_fees: [],
    checkin_guide_images: [],
    channel_details: null,
    ...over,
  };
}

export function makeTransaction(id: number, over: Partial<WireTransaction> = {}): WireTransaction {
  return {
    id,
    reservation_code: null,
    stay_code: null,
    property_id: null,
    direction: 'income',
    item_id: 1,
    item_name: 'Rent',
    payment_method_id: 1,
    payment_method_name: 'Cash',
    amount: 100,
    currency: 'EUR',
    action_at: '2026-11-20T13:00:00+01:00',
    note: '',
    status: 'paid',
    operator_name: 'System',
    link_type: 'operator',
    property_title: null,
    created_at: '2026-11-20T13:00:00+01:00',
    updated_at: '2026-11-20T13:00:00+01:00',
    ...over,
  };
}

export function makeProperty(id: number, over: Partial<WireProperty> = {}): WireProperty {
  return {
    id,
    name: `House ${id}`,
    status: 'active',
    address: '',
    longitude: '',
    latitude: '',
    channels: [],
    groups: [],
    tags: [],
    time_zone: 'Europe/Berlin',
    ...over,
  };
}

export type WireListing = ReturnType<typeof makeListing>;

/** A listing as upstream answers it. */
export function makeListing(id: number, over: Partial<{ channel_type: string; listing_id: string }> = {}) {
  return {
    id,
    listing_id: `L${id}`,
    channel_type: 'marketplace_a',
    channel_account_id: 3,
    origin_account_id: 'o3',
    url: '',
    title: `Listing ${id}`,
    cover: '',
    inventory: 1,
    shelf_status: 'on',
    metadata: {},
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...over,
  };
}

export function makeTask(id: number, over: Partial<WireTask> = {}): WireTask {
  return {
    id,
    type: 'cleaning',
    status: 'pending',
    property_id: 7,
    property_title: 'House 7',
    stay_code: null,
    staff_id: 3,
    staff_name: 'Ada',
    expected_date: '2026-12-01',
    expected_time: '11:00:00',
    expected: '2026-12-01T11:00:00+01:00',
    level: null,
    currency: 'EUR',
    fee: 45.5,
    note: '',
    create_time: '2026-11-20T13:00:00+01:00',
    update_time: '2026-11-20T13:00:00+01:00',
    ...over,
  };
}

export type WireDay = ReturnType<typeof makeDay>;

/** A day of a listing’s calendar as upstream answers it. */
export function makeDay(
  date: string,
  {
    price = 100.5,
    inventory = 1,
    ...restrictions
  }: { price?: number; inventory?: number; closed_on_arrival?: boolean } = {},
) {
  return { date, price, inventory, restrictions };
}

export function makeStaff(id: number, over: Partial<WireStaff> = {}): WireStaff {
  return { id, name: `Staff ${id}`, mobile: '+49 1701234567', email: null, note: '', is_active: true, ...over };
}

export function makeAction(plan_id: string, over: Partial<WireAction> = {}): WireAction {
  return {
    plan_id,
    type: 'message',
    status: 'waiting',
    name: 'Welcome',
    send_to: 'guest',
    stay_code: '5-R000001',
    property_id: 7,
    property_title: 'House 7',
    scheduled_at: '2026-12-01T15:00:00+01:00',
    channel_type: 'direct',
    ...over,
  };
}

export function makeKnowledgeBase(id: number, over: Partial<WireKnowledgeBase> = {}): WireKnowledgeBase {
  return {
    id,
    title: `Entry ${id}`,
    scope_property: { type: 'all', ids: [-1] },
    scope_channel: { type: 'all', channels: ['unlimited'] },
    is_enable: true,
    process_status: 'done',
    ...over,
  };
}
