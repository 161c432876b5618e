/** Channels, in nobody's spelling. */
export type Channel = 'A' | 'B' | 'C' | 'regional' | 'site' | 'direct' | 'agoda';

export type StayStatus = 'wait_accept' | 'wait_pay' | 'accepted' | 'cancelled' | 'denied' | 'timeout';

/** Amounts are whole cents, moments milliseconds since 1970. */
export interface Stay {
  number: number;
  code: string;
  stayCode: string;
  reference: string;
  /** 0: in the reservation box. */
  property: number;
  channel: Channel;
  listing: string;
  arrival: string;
  departure: string;
  adults: number;
  children: number;
  infants: number;
  pets: number;
  status: StayStatus;
  guest: { name: string; phone: string | null; email: string | null };
  bookedAt: number;
  enteredAt: number;
  cancelledAt: number | null;
  rate: number;
  commission: number;
  tax: number | null;
  /** Of the whole order, in each of its stays. */
  totalRate: number;
  totalCommission: number;
  received: number;
  deposit: { asked: number; paid: number; deducted: number; pending: number; refunded: number; status: string } | null;
  /** How it may be cancelled, once the channel has said so. */
  policy: string | null;
  note: string | null;
  tags: readonly string[];
  fullConversation: string | null;
  source: { id: number; name: string } | null;
}

export interface Property {
  number: number;
  name: string;
  address: string;
  listings: readonly { channel: Channel; listing: string }[];
  groups: readonly number[];
  tags: readonly number[];
}

export interface Named {
  number: number;
  name: string;
}

export interface RoomType extends Named {
  properties: readonly number[];
}

export interface Group extends Named {
  properties: readonly number[];
}

export interface PropertyTag extends Named {
  color: string;
  properties: readonly number[];
}

export interface StayTag extends Named {
  color: string;
  isDefault: boolean;
}

export interface ShareLink {
  number: number;
  properties: readonly number[];
  url: string;
  madeAt: number;
}

export interface ChannelAccount {
  number: number;
  channel: Channel;
  user: string;
  state: string;
  madeAt: number;
}

export interface Listing {
  number: number;
  listing: string;
  channel: Channel;
  account: number;
  title: string;
  cover: string | null;
  units: number;
  price: number;
  madeAt: number;
}

/** A night of a property that is not free. */
export interface Closed {
  property: number;
  date: string;
  why: string;
}

/** A day of a listing that is not like the others. */
export interface Day {
  listing: string;
  date: string;
  price: number;
  units: number;
  minStay: number | null;
  closedOnArrival: boolean;
}

export interface Entry {
  number: number;
  code: string | null;
  property: number | null;
  direction: 'income' | 'expense';
  item: number | null;
  method: number | null;
  amount: number;
  currency: string;
  at: number;
  note: string;
  enteredAt: number;
  changedAt: number;
}

export interface FullConversation {
  id: string;
  channel: Channel;
  guest: { name: string | null; email: string | null; phone: string | null };
  /** Codes of bookings it is about. */
  about: readonly string[];
  note: string | null;
  notedAt: number | null;
}

export interface Message {
  id: string;
  fullConversation: string;
  from: 'guest' | 'host';
  name: string | null;
  kind: string;
  text: string;
  attachment: { type: string; url: string; name: string } | null;
  at: number;
}

export interface Offer {
  id: string;
  fullConversation: string;
  status: string;
  listing: string;
  arrival: string;
  departure: string;
  guests: number;
  price: number;
  expiresAt: number;
  madeAt: number;
}

export interface Said {
  score: number;
  text: string;
  at: number;
}

/** One booking has a review for each property that it lies in. */
export function reviewed({ code, property }: { code: string; property: number }): string {
  return `${code} ${property}`;
}

export interface Review {
  number: number;
  code: string;
  property: number;
  channel: Channel;
  listing: string;
  arrival: string;
  departure: string;
  guest: (Said & { secretly: string | null }) | null;
  host: Said | null;
  reply: { text: string; at: number } | null;
}

export interface Task {
  number: number;
  type: string;
  status: string;
  property: number | null;
  stay: string | null;
  staff: number | null;
  date: string;
  time: string | null;
  fee: number;
  note: string;
  madeAt: number;
  changedAt: number;
}

export interface Staff extends Named {
  mobile: string;
  email: string | null;
  isActive: boolean;
}

export interface Action {
  number: number;
  type: 'message' | 'review';
  name: string;
  stay: string | null;
  property: number | null;
  channel: Channel | null;
  at: number;
}

export interface Knowledge {
  number: number;
  title: string;
  properties: readonly number[];
  channels: readonly Channel[];
  isOn: boolean;
}

export const dictionaryNames = ['income_items', 'expense_items', 'income_methods', 'expense_methods'] as const;
export type DictionaryName = (typeof dictionaryNames)[number];

export interface DictionaryItem extends Named {
  dictionary: DictionaryName;
}
