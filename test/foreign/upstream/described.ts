import type {
  Action,
  Channel,
  ChannelAccount,
  Day,
  DictionaryItem,
  Entry,
  Group,
  Knowledge,
  Listing,
  Message,
  Named,
  Offer,
  Property,
  PropertyTag,
  Review,
  RoomType,
  Said,
  ShareLink,
  Staff,
  Stay,
  StayTag,
  Task,
  FullConversation,
} from './records.ts';
import { daysBetween } from './time.ts';
import type { Truth } from './truth.ts';

export type Row = Record<string, unknown>;

/** The rows of answers, and what of the truth each shows. */
export interface RecordOf {
  property: Property;
  room_type: RoomType;
  group: Group;
  tag: PropertyTag;
  reservation_tag: StayTag;
  calendar_share_link: ShareLink;
  channel_account: ChannelAccount;
  listing: Listing;
  custom_channel: Named;
  dictionary_item: DictionaryItem;
  reservation: Stay;
  calendar_day: Day;
  conversation: FullConversation;
  fullConversation: FullConversation;
  message: Message;
  special_offer: Offer;
  review: Review;
  transaction: Entry;
  task: Task;
  staff: Staff;
  action: Action;
  knowledge_base: Knowledge;
}
export type ResourceName = keyof RecordOf;

interface Words {
  channel(channel: Channel): string;
  moment(ms: number): string;
}

const PREVIEW = 80;

/** Every row with every field that the description and the pages on it name. */
export function describedRows(
  truth: Truth,
  { channel, moment }: Words,
): { [Name in ResourceName]: (one: RecordOf[Name]) => Row } {
  const { zone, currency } = truth.account;
  const money = (cents: number) => ({ currency, amount: cents / 100 });
  const momentOrNull = (ms: number | null) => (ms === null ? null : moment(ms));
  const nameOf = (property: number | null) =>
    property === null ? null : (truth.properties.get(property)?.name ?? null);
  const tagOf = (number: number) => {
    const tag = truth.tags.get(number);
    return { id: number, name: tag?.name ?? '', color: tag?.color ?? '' };
  };
  const said = (one: Said | null) =>
    one && { score: one.score, sub_score: [], content: one.text, created_at: moment(one.at) };
  const message = (one: Message): Row => ({
    message_id: one.id,
    sender_role: one.from,
    sender_name: one.name,
    display_type: one.kind,
    content: one.text,
    attachments: one.attachment ? [one.attachment] : [],
    timestamp: moment(one.at),
    sources: one.from === 'host' && one.name === null ? [{ type: 'automation_reply', docs: [] }] : [],
  });
  const activity = (code: string): Row => {
    const stay = truth.stays.shown().find((one) => one.code === code);
    return {
      activity_type: stay ? 'reservation' : 'inquiry',
      reservation_code: stay ? code : null,
      check_in_date: stay?.arrival ?? null,
      check_out_date: stay?.departure ?? null,
      listing_id: stay?.listing ?? '',
      property:
        stay && stay.property > 0
          ? { id: stay.property, name: nameOf(stay.property), cover_url: null, room_type: null }
          : null,
    };
  };

  return {
    property: (one) => ({
      id: one.number,
      name: one.name,
      status: 'active',
      address: one.address,
      longitude: '13.4',
      latitude: '52.5',
      channels: one.listings.map((of) => ({ channel_type: channel(of.channel), listing_id: of.listing, currency })),
      groups: one.groups.map((id) => ({ id, name: truth.groups.get(id)?.name ?? '' })),
      tags: one.tags.map(tagOf),
      time_zone: zone,
    }),
    room_type: (one) => ({
      id: one.number,
      name: one.name,
      properties: one.properties.map((id) => ({ id, name: nameOf(id) })),
      channels: [],
      tags: [],
    }),
    group: (one) => ({ id: one.number, name: one.name, property_ids: one.properties }),
    tag: (one) => ({
      id: one.number,
      name: one.name,
      color: one.color,
      property_ids: one.properties,
      room_type_ids: [],
    }),
    reservation_tag: (one) => ({ id: one.number, tag_name: one.name, color: one.color, is_default: one.isDefault }),
    calendar_share_link: (one) => ({
      id: one.number,
      scope: one.properties.length === 0 ? 'entire' : 'partial',
      property_ids: one.properties,
      url: one.url,
      created_at: moment(one.madeAt),
    }),
    channel_account: (one) => ({
      id: one.number,
      channel_type: channel(one.channel),
      username: one.user,
      origin_account_id: `origin-${one.number}`,
      auth_status: one.state,
      created_at: moment(one.madeAt),
    }),
    listing: (one) => ({
      id: one.number,
      listing_id: one.listing,
      channel_type: channel(one.channel),
      channel_account_id: one.account,
      origin_account_id: `origin-${one.account}`,
      url: `https://channel.example/${one.listing}`,
      title: one.title,
      cover: one.cover ?? '',
      inventory: one.units,
      shelf_status: 'on',
      metadata: { rooms: one.units },
      created_at: moment(one.madeAt),
      updated_at: moment(one.madeAt),
    }),
    custom_channel: (one) => ({ id: one.number, name: one.name }),
    dictionary_item: (one) => ({ id: one.number, name: one.name }),
    reservation: (one) => ({
      id: one.number,
      reservation_code: one.code,
      stay_code: one.stayCode,
      channel_id: one.reference,
      property_id: one.property,
      channel_type: channel(one.channel),
      listing_id: one.listing,
      check_in_date: one.arrival,
      check_out_date: one.departure,
      number_of_guests: one.adults + one.children,
      number_of_adults: one.adults,
      number_of_children: one.children,
      number_of_infants: one.infants,
      number_of_pets: one.pets,
      status: one.status,
      stay_status: 'checkin_pending',
      guest_name: one.guest.name,
      guest_phone: one.guest.phone,
      guest_email: one.guest.email,
      booked_at: moment(one.bookedAt),
      created_at: moment(one.enteredAt),
      cancelled_at: momentOrNull(one.cancelledAt),
      creator: null,
      rates: {
        total_rate: money(one.totalRate),
        total_commission: money(one.totalCommission),
        rate: money(one.rate),
        commission: money(one.commission),
        tax: one.tax === null ? null : money(one.tax),
        details: [{ type: 'ACCOMMODATION', description: 'Nights', currency, amount: one.rate / 100 }],
      },
      payment: paymentOf(one, currency),
      check_in_details: {
        arrival_at: { hour: 16, minute: 0 },
        departure_at: null,
        lock_code: null,
        lock_code_visible_after: null,
        deposit: (one.deposit?.asked ?? 0) / 100,
        id_required: 'not_required',
        check_in_guide_url: null,
        deposit_details: one.deposit && {
          amount: one.deposit.asked / 100,
          paid_amount: one.deposit.paid / 100,
          deducted_amount: one.deposit.deducted / 100,
          pending_refund_amount: one.deposit.pending / 100,
          refunded_amount: one.deposit.refunded / 100,
          currency,
          status: one.deposit.status,
        },
      },
      note: one.note,
      channel_remarks: null,
      conversation_id: one.fullConversation,
      tags: one.tags,
      custom_channel: one.source,
      guests: [
        {
          id: one.number * 10,
          name: one.guest.name,
          phone: one.guest.phone,
          email: one.guest.email,
          id_type: null,
          id_number: null,
          gender: null,
          country: null,
          is_booker: true,
          id_images: [],
        },
      ],
      custom_fields: null,
      in_reservation_box: one.property === 0,
      additional_fees: [],
      checkin_guide_images: [],
      channel_details: one.channel === 'A' ? { [channel('A')]: { cancellation_policy_category: one.policy } } : null,
    }),
    calendar_day: (one) => ({
      date: one.date,
      price: one.price / 100,
      inventory: one.units,
      restrictions: {
        closed_on_arrival: one.closedOnArrival,
        closed_on_departure: false,
        min_stay_on_arrival: one.minStay,
        max_stay_on_arrival: null,
        min_stay_through: null,
        max_stay_through: null,
        exact_stay_on_arrival: null,
        min_advance_reservation: null,
        max_advance_reservation: null,
      },
    }),
    conversation(one) {
      const [newest] = truth.messagesOf(one.id);
      return {
        conversation_id: one.id,
        channel_type: channel(one.channel),
        last_message_at: newest ? moment(newest.at) : null,
        last_message: (newest?.text ?? '').slice(0, PREVIEW),
        unread_count: 0,
        guest: one.guest,
        property_title: null,
        check_in_date: null,
        check_out_date: null,
      };
    },
    fullConversation: (one) => ({
      conversation_id: one.id,
      channel_type: channel(one.channel),
      guest: one.guest,
      activities: one.about.map(activity),
      messages: [],
      note: one.note,
      note_updated_at: momentOrNull(one.notedAt),
    }),
    message,
    special_offer: (one) => ({
      id: one.id,
      offer_type: 'special_offer',
      status: one.status,
      listing_id: one.listing,
      check_in_date: one.arrival,
      check_out_date: one.departure,
      nights: daysBetween(one.arrival, one.departure),
      number_of_guests: one.guests,
      price: one.price / 100,
      currency,
      expire_time: moment(one.expiresAt),
      create_time: moment(one.madeAt),
    }),
    review: (one) => ({
      reservation_code: one.code,
      stay_code: one.code,
      property_id: one.property,
      channel_type: channel(one.channel),
      listing_id: one.listing,
      check_in_date: one.arrival,
      check_out_date: one.departure,
      host_review: said(one.host),
      guest_review: one.guest && { ...said(one.guest), private_feedback: one.guest.secretly },
      host_reply: one.reply && {
        score: null,
        sub_score: [],
        content: one.reply.text,
        created_at: moment(one.reply.at),
      },
    }),
    transaction: (one) => ({
      id: one.number,
      reservation_code: one.code,
      stay_code: one.code,
      property_id: one.property,
      direction: one.direction,
      item_id: one.item,
      item_name: one.item === null ? null : dictionaryName(truth, `${one.direction}_items`, one.item),
      payment_method_id: one.method,
      payment_method_name: one.method === null ? null : dictionaryName(truth, `${one.direction}_methods`, one.method),
      amount: one.amount / 100,
      currency: one.currency,
      action_at: moment(one.at),
      note: one.note,
      status: 'paid',
      operator_name: 'System',
      link_type: one.code !== null ? 'reservation' : one.property !== null ? 'property' : 'operator',
      property_title: nameOf(one.property),
      created_at: moment(one.enteredAt),
      updated_at: moment(one.changedAt),
    }),
    task: (one) => ({
      id: one.number,
      type: one.type,
      status: one.status,
      property_id: one.property,
      property_title: nameOf(one.property),
      stay_code: one.stay,
      staff_id: one.staff,
      staff_name: one.staff === null ? null : (truth.staffs.get(one.staff)?.name ?? null),
      expected_date: one.date,
      expected_time: one.time,
      expected: one.time === null ? one.date : `${one.date}T${one.time}+01:00`,
      level: null,
      currency,
      fee: one.fee / 100,
      note: one.note,
      create_time: moment(one.madeAt),
      update_time: moment(one.changedAt),
    }),
    staff: (one) => ({
      id: one.number,
      name: one.name,
      mobile: one.mobile,
      email: one.email,
      note: '',
      is_active: one.isActive,
    }),
    action: (one) => ({
      plan_id: String(one.number),
      type: one.type,
      status: 'waiting',
      name: one.name,
      send_to: 'guest',
      stay_code: one.stay,
      property_id: one.property,
      property_title: nameOf(one.property),
      scheduled_at: moment(one.at),
      channel_type: one.channel === null ? null : channel(one.channel),
    }),
    knowledge_base: (one) => ({
      id: one.number,
      title: one.title,
      scope_property:
        one.properties.length === 0 ? { type: 'all', ids: [-1] } : { type: 'by_property', ids: one.properties },
      scope_channel:
        one.channels.length === 0
          ? { type: 'all', channels: ['unlimited'] }
          : { type: 'by_channel', channels: one.channels.map(channel) },
      is_enable: one.isOn,
      process_status: 'done',
    }),
  };
}

function paymentOf({ totalRate, totalCommission, received }: Stay, currency: string): Row {
  const total = totalRate - totalCommission;
  return {
    currency,
    total_amount: total / 100,
    received_amount: received / 100,
    balance_amount: Math.max(0, total - received) / 100,
    status: paymentStatus(total, received),
  };
}

export function paymentStatus(total: number, received: number): string {
  if (received > total) return 'over_received';
  if (received === total) return 'received';
  return received > 0 ? 'partial' : 'unreceived';
}

function dictionaryName(truth: Truth, dictionary: string, id: number): string | null {
  return truth.dictionary.get(`${dictionary}/${id}`)?.name ?? null;
}
