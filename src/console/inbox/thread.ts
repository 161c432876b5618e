import { sql } from 'kysely';
import { attachment, GUEST, INQUIRY } from '../../contract/conversations.ts';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import { inList } from '../../store/queries/inList.ts';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import { ofProperties } from '../properties.ts';
import { aboutProperties, readValues } from './query.ts';

/** Messages that a thread shows; older ones by a link. */
export const MESSAGES = 50;
const STAYS = 10;

/** One message of a thread. */
export interface Message {
  message: string;
  isGuest: boolean;
  role: string | null;
  sender: string | null;
  content: string;
  sent_at: Instant | null;
  attachments: readonly { url: string; name: string }[];
  /** The kinds of things that an automatic message was made from; none for one by a person. */
  sources: readonly string[];
}

/** A stay that the conversation is about. */
export interface ThreadStay {
  stay_code: string;
  reservation_code: string;
  property: string | null;
  guest: string | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
  number_of_guests: number | null;
  status: string | null;
  balance_minor: Minor | null;
  payment_currency: string | null;
  currency: string | null;
}

/** An offer or a pre-approval that was made. */
export interface ThreadOffer {
  id: string;
  offer_type: string | null;
  status: string | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
  price_minor: Minor | null;
  currency: Currency | null;
  expires_at: Instant | null;
}

/** Dates that a guest asks for without having booked them. */
export interface Inquiry {
  listing_id: string;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  property: string | null;
}

/** A conversation with all that stands beside it. */
export interface Thread {
  conversation_id: string;
  channel_type: string | null;
  guest: { name: string | null; email: string | null; phone: string | null };
  note: string | null;
  isUnanswered: boolean;
  /** Oldest first. */
  messages: readonly Message[];
  /** How many more there are before these. */
  earlier: number;
  stays: readonly ThreadStay[];
  offers: readonly ThreadOffer[];
  inquiry: Inquiry | undefined;
}

interface Asked {
  connection: string;
  conversation: string;
  /** Ids of the properties that the person sees; left out: all. */
  properties?: readonly number[] | undefined;
}

const conversations = preparedByArguments((db: MirrorDb, { connection, conversation, properties }: Asked) =>
  db
    .selectFrom('conversations')
    .leftJoin('conversation_states as state', (join) =>
      join
        .onRef('state.connection', '=', 'conversations.connection')
        .onRef('state.conversation_id', '=', 'conversations.conversation_id'),
    )
    .where('conversations.connection', '=', connection)
    .where('conversations.conversation_id', '=', conversation)
    .where('conversations.deleted_at', 'is', null)
    .where((where) => aboutProperties(db, where.ref('conversations.property_ids'), properties))
    .select(['conversations.conversation_id', 'conversations.channel_type', 'conversations.note'])
    .select(['conversations.reservation_codes', 'conversations.raw', 'state.unanswered'])
    .select(({ selectFrom }) =>
      selectFrom('messages')
        .whereRef('messages.connection', '=', 'conversations.connection')
        .whereRef('messages.conversation_id', '=', 'conversations.conversation_id')
        .where('messages.deleted_at', 'is', null)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('messages'),
    ),
);

const newestMessages = preparedByArguments((db: MirrorDb, arg: Omit<Asked, 'properties'> & { limit: number }) =>
  db
    .selectFrom('messages')
    .where('connection', '=', arg.connection)
    .where('conversation_id', '=', arg.conversation)
    .where('deleted_at', 'is', null)
    .select(['message', 'sender_role', 'sources', 'sent_at'])
    .orderBy(sql`coalesce(sent_at, '')`, 'desc')
    .orderBy(sql`length(message)`, 'desc')
    .orderBy('message', 'desc')
    .limit(arg.limit),
);

const staysOf = preparedByArguments(
  (db: MirrorDb, arg: { connection: string; codes: readonly string[]; properties?: readonly number[] | undefined }) =>
    db
      .selectFrom('stays')
      .leftJoin('properties', (join) =>
        join.onRef('properties.connection', '=', 'stays.connection').onRef('properties.id', '=', 'stays.property_id'),
      )
      .leftJoin('guests', (join) =>
        join
          .onRef('guests.connection', '=', 'stays.connection')
          .onRef('guests.stay_code', '=', 'stays.stay_code')
          .on('guests.guest_key', '=', 'booker'),
      )
      .where('stays.connection', '=', arg.connection)
      .where((where) => inList(where.ref('stays.reservation_code'), arg.codes))
      .where('stays.deleted_at', 'is', null)
      .where((where) => ofProperties(where.ref('stays.property_id'), arg.properties))
      .select(['stays.stay_code', 'stays.reservation_code', 'properties.name as property', 'guests.name as guest'])
      .select(['stays.check_in_date', 'stays.check_out_date', 'stays.number_of_guests', 'stays.status'])
      .select(['stays.balance_minor', 'stays.payment_currency', 'stays.currency'])
      .orderBy('stays.check_in_date', 'desc')
      .orderBy('stays.stay_code')
      .limit(STAYS),
);

const offersOf = preparedByArguments((db: MirrorDb, arg: Omit<Asked, 'properties'>) =>
  db
    .selectFrom('special_offers')
    .where('connection', '=', arg.connection)
    .where('conversation_id', '=', arg.conversation)
    .where('deleted_at', 'is', null)
    .select(['id', 'offer_type', 'status', 'check_in_date', 'check_out_date', 'price_minor', 'currency', 'expires_at'])
    .orderBy('created_at', 'desc')
    .orderBy('offer', 'desc'),
);

/** Reads a conversation; undefined if it does not exist, or is about no property that the person sees. */
export async function readThread(
  db: MirrorDb,
  { connection, conversation, properties, limit }: Asked & { limit: number },
): Promise<Thread | undefined> {
  const seen = properties && [...properties];
  const [row] = await conversations(db, { connection, conversation, properties: seen });
  if (!row) return undefined;
  const messages = await readMessages(db, { connection, conversation, limit });
  const paths = ['guest.name', 'guest.email', 'guest.phone'];
  const values = await readValues(db, { connection, resource: 'conversation', paths, ids: [conversation] });
  const valueAt = (path: string) => values.find((value) => value.path === path)?.text ?? null;
  return {
    conversation_id: row.conversation_id,
    channel_type: row.channel_type,
    guest: { name: valueAt('guest.name'), email: valueAt('guest.email'), phone: valueAt('guest.phone') },
    note: row.note,
    isUnanswered: Number(row.unanswered) === 1,
    messages,
    earlier: Math.max(0, Number(row.messages) - messages.length),
    stays: await staysOf(db, { connection, codes: textsIn(row.reservation_codes), properties: seen }),
    offers: await offersOf(db, { connection, conversation }),
    inquiry: inquiryIn(row.raw, properties),
  };
}

async function readMessages(
  db: MirrorDb,
  { connection, conversation, limit }: { connection: string; conversation: string; limit: number },
): Promise<Message[]> {
  const rows = await newestMessages(db, { connection, conversation, limit });
  const paths = ['content', 'sender_name', 'attachments'];
  const ids = rows.map(({ message }) => message);
  const values = await readValues(db, { connection, resource: 'message', paths, ids });
  const byPlace = new Map(values.map((value) => [`${value.path} ${value.row_key}`, value]));
  return rows.toReversed().map(({ message, sender_role, sources, sent_at }) => ({
    message,
    isGuest: sender_role === GUEST,
    role: sender_role,
    sender: byPlace.get(`sender_name ${message}`)?.text ?? null,
    content: byPlace.get(`content ${message}`)?.text ?? '',
    sent_at,
    attachments: filesIn(byPlace.get(`attachments ${message}`)?.json ?? null),
    sources: textsIn(sources),
  }));
}

function filesIn(list: string | null): { url: string; name: string }[] {
  const files = attachment.array().safeParse(list === null ? [] : JSON.parse(list));
  return files.success ? files.data.map(({ url, name }) => ({ url, name })) : [];
}

function textsIn(list: string | null): string[] {
  const values: unknown = list === null ? [] : JSON.parse(list);
  return Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : [];
}

/**
 * Finds what the guest asks for, in the newest activity of a conversation: it may be about an inquiry.
 * @param properties those that the person sees; an inquiry about another one is not for them
 */
function inquiryIn(raw: string, properties: readonly number[] | undefined): Inquiry | undefined {
  const { activities = [] } = JSON.parse(raw) as { activities?: Record<string, unknown>[] };
  const [newest] = activities;
  if (newest?.['activity_type'] !== INQUIRY) return undefined;
  const { listing_id, check_in_date, check_out_date, property } = newest;
  if (typeof check_in_date !== 'string' || typeof check_out_date !== 'string') return undefined;
  const [id, name] = ['id', 'name'].map((field): unknown => Reflect.get(Object(property), field));
  if (properties && !properties.includes(Number(id))) return undefined;
  return {
    listing_id: typeof listing_id === 'string' ? listing_id : '',
    check_in_date,
    check_out_date,
    property: typeof name === 'string' ? name : null,
  };
}
