import type { Dice } from './dice.ts';
import type { Faults } from './faults.ts';
import { dictionaryNames, type Message, type Stay } from './records.ts';
import { Refusal } from './refusal.ts';
import { channelCalled, type Dialect, type ResourceName, type Row, type Show } from './show.ts';
import { addDays, dateIn, datesFrom } from './time.ts';
import type { Truth } from './truth.ts';
import type { WebhookService } from './webhooks.ts';

/** A request, taken apart. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Row;
}

export interface AnswerService {
  truth: Truth;
  dialect: Dialect;
  faults: Faults;
  show: Show;
  dice: Dice;
  webhooks: WebhookService;
  now(): number;
}

/** Lists whose answers tell how many rows there are, in the public dialect. */
const totalled: ReadonlySet<ResourceName> = new Set([
  'property',
  'room_type',
  'group',
  'tag',
  'reservation_tag',
  'calendar_share_link',
  'transaction',
  'task',
  'staff',
  'action',
  'knowledge_base',
  'channel_account',
  'listing',
]);
const MOST_ROWS = 100;
const DEFAULT_ROWS = 20;
const CONVERSATION_MESSAGES = 50;
const DEFAULT_CHECK_OUT_DAYS = 180;

/** `data` of an answer. */
export function answer(answering: AnswerService, asked: Asked): unknown {
  const [, name = '', second, third] = asked.path.split('/').map(decodeURIComponent);
  const { truth, show, dialect } = answering;
  if (name === 'webhooks') return answering.webhooks.answer(asked.method, second, asked.body);
  if (asked.path === '/listings/calendar' && asked.method === 'POST') return calendars(answering, asked.body);
  if (name === 'conversations' && asked.method === 'POST' && third === undefined)
    return say(answering, second, asked.body);
  if (asked.method !== 'GET') throw new Refusal(404);
  const numbered = <Record extends { number: number }>(
    list: string,
    resource: ResourceName,
    records: readonly Record[],
    isMeant: (one: Record) => boolean = () => true,
  ) => {
    const id = asked.query.get('id');
    const chosen = records.filter((one) => (id === null || String(one.number) === id) && isMeant(one));
    return page(answering, asked, list, resource, chosen.toSorted((a, b) => b.number - a.number) as never[]);
  };
  const listingId = asked.query.get('listing_id');
  const channelType = asked.query.get('channel_type');
  switch (name) {
    case 'accounts':
      if (dialect === 'hostex') throw new Refusal(404);
      return {
        account_id: truth.account.id,
        name: truth.account.name,
        time_zone: truth.account.zone,
        currency: truth.account.currency,
      };
    case 'income_items':
    case 'expense_items':
    case 'income_methods':
    case 'expense_methods':
      return { [name]: dictionaryOf(answering, name) };
    case 'custom_channels':
      return { custom_channels: truth.sources.shown().map((one) => show.row('custom_channel', one)) };
    case 'properties':
      return numbered('properties', 'property', truth.properties.shown());
    case 'room_types':
      return numbered('room_types', 'room_type', truth.roomTypes.shown());
    case 'groups':
      return numbered('groups', 'group', truth.groups.shown());
    case 'tags':
      return numbered('tags', 'tag', truth.tags.shown());
    case 'reservation_tags':
      return numbered('reservation_tags', 'reservation_tag', truth.stayTags.shown());
    case 'calendar_share_links':
      return numbered('calendar_share_links', 'calendar_share_link', truth.shareLinks.shown());
    case 'channel_accounts':
      return numbered('channel_accounts', 'channel_account', truth.channelAccounts.shown());
    case 'listings':
      return numbered(
        'listings',
        'listing',
        truth.listings.shown(),
        (one) =>
          (listingId === null || one.listing === listingId) &&
          (channelType === null || show.channel(one.channel) === channelType),
      );
    case 'tasks':
      return numbered('tasks', 'task', truth.tasks.shown());
    case 'staffs':
      return numbered('staffs', 'staff', truth.staffs.shown());
    case 'knowledge_bases':
      return numbered('knowledge_bases', 'knowledge_base', truth.knowledge.shown());
    case 'automation':
      return actions(answering, asked);
    case 'reservations':
      return reservations(answering, asked);
    case 'transactions':
      return transactions(answering, asked);
    case 'reviews':
      return reviews(answering, asked);
    case 'availabilities':
      return availabilities(answering, asked.query);
    case 'conversations':
      return conversations(answering, asked, second, third);
    default:
      throw new Refusal(404);
  }
}

/** A page of a list, with the faults of lists. */
function page<Name extends ResourceName>(
  answering: AnswerService,
  { query, path }: Asked,
  list: string,
  resource: Name,
  records: readonly Parameters<Show['row']>[1][],
): Row {
  const { faults, dialect, show, dice } = answering;
  const limit = Math.min(wholeNumber(query, 'limit', DEFAULT_ROWS), faults.pageCap ?? MOST_ROWS);
  const isDeaf = faults.ignoresOffset === true || faults.ignoresOffset === resource;
  const offset = isDeaf ? 0 : wholeNumber(query, 'offset', 0);
  const inOrder = faults.order === 'random' ? dice.shuffled(records) : shifted(answering, records);
  const rows = inOrder.slice(offset, offset + limit).map((one) => show.row(resource, one as never));
  const answered: Row = { [list]: takeBlink(answering, resource, query, path) === 'empty' ? [] : rows };
  const isTold = dialect === 'described' || totalled.has(resource);
  if (isTold && faults.total !== 'absent') answered['total'] = totalTold(faults, records.length, rows.length);
  return answered;
}

function totalTold({ total }: Faults, right: number, ofPage: number): number {
  if (total === 'page') return ofPage;
  if (total === 'too high') return right + 250;
  return total === 'too low' ? Math.floor(right / 3) : right;
}

function shifted<Record>({ faults, dice }: AnswerService, records: readonly Record[]): readonly Record[] {
  if (records.length < 2 || !dice.percent(faults.shifting)) return records;
  const at = dice.between(0, records.length - 1);
  const moved = records[at];
  return moved === undefined ? records : [moved, ...records.filter((_, index) => index !== at)];
}

function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || (name === 'limit' && value > MOST_ROWS))
    throw new Refusal(422, `${name} is wrong`);
  return value;
}

/** How a read of one key is answered, where it blinks. */
function takeBlink(
  { faults }: AnswerService,
  resource: string,
  query: URLSearchParams,
  path: string,
): 'empty' | undefined {
  const named = query.get('reservation_code') ?? query.get('id') ?? decodeURIComponent(path.split('/')[2] ?? '');
  const index = faults.blinks.findIndex(({ key }) => key === `${resource} ${named}`);
  const [blink] = index < 0 ? [] : faults.blinks.splice(index, 1);
  if (blink?.answer === 'not found') throw new Refusal(404);
  return blink?.answer;
}

function dictionaryOf({ truth, show }: AnswerService, name: string): Row[] {
  const wanted = dictionaryNames.find((one) => one === name);
  const items = truth.dictionary.shown().filter(({ dictionary }) => dictionary === wanted);
  return items.map((one) => show.row('dictionary_item', one));
}

function actions(answering: AnswerService, asked: Asked): Row {
  const type = asked.query.get('type');
  if (answering.dialect === 'hostex' && type === null) throw new Refusal(400, 'type is required');
  const chosen = answering.truth.actions.shown().filter((one) => type === null || one.type === type);
  return page(
    answering,
    asked,
    'actions',
    'action',
    chosen.toSorted((a, b) => a.at - b.at),
  );
}

const orders: Readonly<Record<string, (one: Stay) => string | number>> = {
  booked_at: (one) => one.bookedAt,
  check_in_date: (one) => one.arrival,
  check_out_date: (one) => one.departure,
  cancelled_at: (one) => one.cancelledAt ?? 0,
  created_at: (one) => one.enteredAt,
};

function reservations(answering: AnswerService, asked: Asked): Row {
  const { truth, dialect, now } = answering;
  const { query } = asked;
  const text = (name: string) => query.get(name);
  const arrivals = [text('start_check_in_date'), text('end_check_in_date')];
  if ((arrivals[0] === null) !== (arrivals[1] === null))
    throw new Refusal(400, 'start_check_in_date and end_check_in_date');
  const isNamed = ['id', 'reservation_code', 'channel_id'].some((name) => query.has(name));
  const departures = [text('start_check_out_date'), text('end_check_out_date')];
  if (!isNamed && [...arrivals, ...departures].every((one) => one === null)) {
    const today = dateIn(now(), truth.account.zone);
    departures.splice(0, 2, today, addDays(today, DEFAULT_CHECK_OUT_DAYS));
  }
  const wanted = (value: string, name: string) => text(name) === null || text(name) === value;
  const within = (date: string, [from, to]: readonly (string | null | undefined)[]) =>
    date >= (from ?? '0000') && date <= (to ?? '9999');
  const wantedChannel = text('channel_type');
  const chosen = truth.stays.shown().filter(
    (one) =>
      wanted(one.code, 'reservation_code') &&
      // The public service has no number of a stay.
      (dialect === 'hostex' || wanted(String(one.number), 'id')) &&
      wanted(one.reference, 'channel_id') &&
      wanted(one.status, 'status') &&
      wanted(String(one.property), 'property_id') &&
      (wantedChannel === null || channelCalled(dialect, wantedChannel) === one.channel) &&
      within(one.arrival, arrivals) &&
      within(one.departure, departures),
  );
  const order = orders[text('order_by') ?? 'booked_at'] ?? orders['booked_at'];
  const sorted = chosen.toSorted((a, b) => {
    const [of, and] = [order?.(a) ?? 0, order?.(b) ?? 0];
    return of < and ? 1 : of > and ? -1 : b.number - a.number;
  });
  return page(answering, asked, 'reservations', 'reservation', sorted);
}

function transactions(answering: AnswerService, asked: Asked): Row {
  const { query } = asked;
  const { account, entries } = answering.truth;
  const id = query.get('id');
  const [from, to] = [query.get('start_date'), query.get('end_date')];
  if (id === null && (from === null || to === null)) throw new Refusal(400, 'start_date and end_date');
  const code = query.get('reservation_code');
  const chosen = entries.shown().filter((one) => {
    const date = dateIn(one.at, account.zone);
    return (
      (id === null || String(one.number) === id) &&
      (code === null || one.code === code) &&
      (from === null || date >= from) &&
      (to === null || date <= to)
    );
  });
  return page(
    answering,
    asked,
    'transactions',
    'transaction',
    chosen.toSorted((a, b) => b.number - a.number),
  );
}

function reviews(answering: AnswerService, asked: Asked): Row {
  const { query } = asked;
  if (answering.dialect === 'hostex' && !(query.has('offset') && query.has('limit')))
    throw new Refusal(400, 'offset, limit');
  const code = query.get('reservation_code');
  const status = query.get('review_status') ?? (code === null || answering.dialect === 'hostex' ? 'reviewed' : null);
  const today = dateIn(answering.now(), answering.truth.account.zone);
  const from = query.get('start_check_out_date') ?? (code === null ? addDays(today, -180) : '0000');
  const to = query.get('end_check_out_date') ?? (code === null ? today : '9999');
  const chosen = answering.truth.reviews
    .shown()
    .filter(
      (one) =>
        (code === null || one.code === code) &&
        one.departure >= from &&
        one.departure <= to &&
        (status === null ||
          (status === 'reviewed' && one.guest !== null) ||
          (status === 'pending_guest_review' && one.guest === null) ||
          (status === 'pending_host_review' && one.host === null)),
    );
  return page(
    answering,
    asked,
    'reviews',
    'review',
    chosen.toSorted((a, b) => b.number - a.number),
  );
}

function availabilities({ truth, faults, dialect }: AnswerService, query: URLSearchParams): Row {
  const dates = datesFrom(query.get('start_date') ?? '', query.get('end_date') ?? '');
  const ids = (query.get('property_ids') ?? '').split(',');
  const known = ids.filter((id) => truth.properties.seen(id));
  const refuses = faults.refusesUnknownProperty || dialect === 'hostex';
  if (known.length < ids.length && refuses) throw new Refusal(403);
  const properties = known.map((id) => ({
    id: Number(id),
    availabilities: dates.map((date) => {
      const closed = truth.closed.seen(`${id} ${date}`);
      return { date, available: !closed, remarks: closed?.why ?? '' };
    }),
  }));
  return { properties };
}

function calendars({ truth, faults, dialect, show }: AnswerService, body: Row): Row {
  const asked = (body['listings'] ?? []) as { channel_type: string; listing_id: string }[];
  const dates = datesFrom(String(body['start_date']), String(body['end_date']));
  const listings = asked.map(({ channel_type, listing_id }) => {
    const refused = faults.refusedListings.get(listing_id);
    if (refused !== undefined) throw new Refusal(refused);
    const channel = channelCalled(dialect, channel_type);
    const listing = truth.listings.shown().find((one) => one.channel === channel && one.listing === listing_id);
    if (!listing) throw new Refusal(404);
    const calendar = dates.map((date) => {
      const usual = {
        listing: listing_id,
        date,
        price: listing.price,
        units: listing.units,
        minStay: null,
        closedOnArrival: false,
      };
      return show.row('calendar_day', truth.days.seen(`${listing_id} ${date}`) ?? usual);
    });
    return { channel_type, listing_id, calendar };
  });
  return { listings };
}

function conversations(answering: AnswerService, asked: Asked, id: string | undefined, part: string | undefined): Row {
  const { truth, show, dialect, faults } = answering;
  const { query } = asked;
  if (id === undefined) {
    if (dialect === 'hostex' && !(query.has('offset') && query.has('limit'))) throw new Refusal(400, 'offset, limit');
    const newest = new Map<string, number>();
    for (const one of truth.messages.shown())
      newest.set(one.fullConversation, Math.max(newest.get(one.fullConversation) ?? 0, one.at));
    const listed = truth.fullConversations.shown().filter((one) => newest.has(one.id));
    const sorted = listed.toSorted(
      (a, b) => (newest.get(b.id) ?? 0) - (newest.get(a.id) ?? 0) || (a.id < b.id ? -1 : 1),
    );
    return page(answering, asked, 'conversations', 'conversation', sorted);
  }
  const fullConversation = truth.fullConversations.seen(id);
  if (!fullConversation || faults.goneConversations.has(id)) throw new Refusal(404);
  takeBlink(answering, 'conversation', query, asked.path);
  if (part === 'special_offers') {
    const offers = truth.offers
      .shown()
      .filter((one) => one.fullConversation === id)
      .toSorted((a, b) => b.madeAt - a.madeAt);
    const rows = offers.map((one) => show.row('special_offer', one));
    return { special_offers: rows, ...(dialect === 'described' && { total: rows.length }) };
  }
  if (part !== undefined) throw new Refusal(404);
  const messages = truth.messagesOf(id);
  const all = messages.map((one) => odd(show.row('message', one), faults.oddMessages.get(id)));
  const offset = wholeNumber(query, 'offset', 0);
  const limit = wholeNumber(query, 'limit', CONVERSATION_MESSAGES);
  // The public service names neither offset nor limit: all of it comes.
  return {
    ...show.row('fullConversation', fullConversation),
    messages: dialect === 'hostex' ? all : all.slice(offset, offset + limit),
  };
}

/** A message of the host's side: told of at once, shown when it pleases. */
function say(
  { truth, faults, webhooks, now }: AnswerService,
  fullConversation: string | undefined,
  { message: words }: Row,
): undefined {
  if (fullConversation === undefined || !truth.fullConversations.get(fullConversation) || typeof words !== 'string')
    throw new Refusal(404);
  const { lagMs, offMs, as, echo } = faults.said;
  const put = (from: Message['from'], text: string) => {
    const id = `m-said-${truth.messages.all().length}`;
    const [at, rest] = [now() + offMs, { name: null, kind: 'Text', attachment: null }];
    truth.messages.put(`${fullConversation} ${id}`, { id, fullConversation, from, text, at, ...rest }, lagMs);
    webhooks.tell({ event: 'message_created', conversation_id: fullConversation, message_id: id });
  };
  put('host', as(words));
  if (echo) put('guest', echo(words));
}

function odd(row: Row, how: ReturnType<Faults['oddMessages']['get']>): unknown {
  if (how === undefined) return row;
  if (how === 'no object') return 'gone';
  if (how === 'content null') return { ...row, content: null };
  if (how === 'attachment object') {
    const { attachments: _, ...rest } = row;
    return { ...rest, attachment: { url: 'https://files.example/a.jpg', kind: 'picture' } };
  }
  const { message_id: _, id: __, ...rest } = row;
  return rest;
}
