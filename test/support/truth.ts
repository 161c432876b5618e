import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { datesFromTo } from '../../src/kernel/dates.ts';
import {
  makeDay,
  makeProperty,
  type WireAction,
  type WireDay,
  type WireKnowledgeBase,
  type WireListing,
  type WireProperty,
  type WirePropertyGroup,
  type WirePropertyTag,
  type WireReservationTag,
  type WireRoomType,
  type WireShareLink,
  type WireStaff,
  type WireStay,
  type WireTask,
  type WireTransaction,
} from './rows.ts';
import type { WireMessage, WireConversation } from './wireConversations.ts';

/** How the server misbehaves; undefined: it does not. */
export type Fault =
  | { kind: 'code'; code: number; retryAfter?: number; scope?: string }
  | { kind: 'status'; status: number; body?: string }
  | { kind: 'cut' }
  | { kind: 'html' }
  | { kind: 'data'; data: unknown }
  | { kind: 'late'; until: Promise<void> };

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  /** The access token that it came with. */
  token: string;
}

export interface ThinEvent {
  event: string;
  event_id: string;
  [field: string]: unknown;
}

/** An upstream of the test's own: an in-memory truth behind a real HTTP server that speaks v3. */
export class Truth {
  readonly stays = new Map<number, WireStay>();
  readonly transactions = new Map<number, WireTransaction>();
  readonly properties = new Map<number, WireProperty>();
  readonly webhooks = new Map<number, { id: number; url: string; secret: string; enabled?: boolean }>();
  /** Nights that are taken, `<property> <date>`. */
  readonly taken = new Set<string>();
  /** Conversations with their messages, newest first; a conversation is listed once it has one. */
  readonly conversations = new Map<string, WireConversation>();
  readonly reviews = new Map<string, Record<string, unknown> & { check_out_date: string }>();
  readonly customChannels = new Map<number, string>();
  /** Rows of the lists that order properties and reservations, by the name of the list. */
  readonly portfolio = {
    room_types: new Map<number, WireRoomType>(),
    groups: new Map<number, WirePropertyGroup>(),
    tags: new Map<number, WirePropertyTag>(),
    reservation_tags: new Map<number, WireReservationTag>(),
    calendar_share_links: new Map<number, WireShareLink>(),
  };
  readonly channelAccounts = new Map<number, { id: number; [field: string]: unknown }>();
  readonly listings = new Map<number, WireListing>();
  /** Days that are not like the others, `<channel>/<listing> <date>`. */
  readonly days = new Map<string, WireDay>();
  readonly tasks = new Map<number, WireTask>();
  readonly staffs = new Map<number, WireStaff>();
  readonly knowledgeBases = new Map<number, WireKnowledgeBase>();
  readonly actions = new Map<string, WireAction>();
  readonly asked: Asked[] = [];
  /** The listings of the newest question for calendars. */
  calendarsAsked: { channel_type: string; listing_id: string }[] = [];
  readOnly = false;
  /** Registering a webhook answers nothing; each delivery carries the secret. */
  tellsNoSecret = false;
  /** Decides for each request how it goes wrong. */
  fault: (asked: Asked) => Fault | undefined = () => undefined;
  /** Runs just before a request is answered from the truth. */
  before: (asked: Asked) => void = () => {};
  #server: Server | undefined;
  #next = 1;

  constructor() {
    this.properties.set(7, makeProperty(7));
  }

  async listen(): Promise<string> {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  put(...stays: WireStay[]): void {
    for (const stay of stays) this.stays.set(stay.id, stay);
  }

  patch(id: number, change: Partial<WireStay>): WireStay {
    const stay = this.stays.get(id);
    if (!stay) throw new Error(`no stay ${id}`);
    const changed = { ...stay, ...change };
    this.stays.set(id, changed);
    return changed;
  }

  secret(): string {
    return [...this.webhooks.values()].at(-1)?.secret ?? '';
  }

  newId(): number {
    return (this.#next += 1);
  }

  /** Requests so far whose path ends so. */
  count(path?: string): number {
    return this.asked.filter((asked) => path === undefined || asked.path === path).length;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://truth');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body =
      chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
    const asked: Asked = {
      method: request.method ?? '',
      path: url.pathname.replace('/v3', ''),
      query: url.searchParams,
      token: String(request.headers['service-access-token'] ?? ''),
    };
    this.asked.push(asked);
    if (asked.path === '/listings/calendar')
      this.calendarsAsked = (body?.['listings'] ?? []) as Truth['calendarsAsked'];
    const fault = this.fault(asked);
    this.before(asked);
    const data = fault?.kind === 'data' ? fault.data : this.#answer(asked, body);
    const text = JSON.stringify(
      typeof data === 'number'
        ? { request_id: 'r', error_code: data, error_msg: `failed with ${data}` }
        : { request_id: 'r', error_code: 200, error_msg: 'Done.', data },
    );
    if (fault?.kind === 'late') await fault.until;
    send(response, text, fault);
  }

  #answer(asked: Asked, body: Record<string, unknown> | undefined): unknown {
    const { method, path, query } = asked;
    const name = path.split('/')[1] ?? '';
    if (path === '/listings/calendar') return this.#calendars(body);
    if (method !== 'GET' && this.readOnly) return 401;
    if (path.startsWith('/webhooks')) return this.#webhooks(method, path, body);
    switch (name) {
      case 'accounts':
        return { account_id: 'acc', name: 'Test', time_zone: 'Europe/Berlin', currency: 'EUR' };
      case 'income_items':
      case 'expense_items':
      case 'income_methods':
      case 'expense_methods':
        return { [name]: [{ id: 1, name: `${name} one` }] };
      case 'custom_channels':
        return { custom_channels: [...this.customChannels].map(([id, label]) => ({ id, name: label })) };
      case 'room_types':
      case 'groups':
      case 'tags':
      case 'reservation_tags':
      case 'calendar_share_links':
        return page(name, this.#matching<{ id: number }>(this.portfolio[name], query), query);
      case 'properties':
        return page('properties', this.#matching(this.properties, query), query);
      case 'reservations':
        return page('reservations', this.#stays(query), query);
      case 'transactions':
        return page('transactions', this.#transactions(query), query);
      case 'conversations':
        return this.#conversations(path, query);
      case 'reviews':
        return page('reviews', this.#reviews(query), query);
      case 'channel_accounts':
        return page(name, this.#matching(this.channelAccounts, query), query);
      case 'listings':
        return page(name, this.#listings(query), query);
      case 'tasks':
        return page('tasks', this.#matching(this.tasks, query), query);
      case 'staffs':
        return page('staffs', this.#matching(this.staffs, query), query);
      case 'knowledge_bases':
        return page('knowledge_bases', this.#matching(this.knowledgeBases, query), query);
      case 'automation':
        return page('actions', this.#actions(), query);
      case 'availabilities':
        return { properties: this.#nights(query) };
      default:
        return 404;
    }
  }

  #webhooks(method: string, path: string, body: Record<string, unknown> | undefined): unknown {
    const id = Number(path.split('/')[2]);
    if (method === 'GET') {
      const list = [...this.webhooks.values()].map(({ secret: _, ...one }) => one);
      return {
        webhooks: list.map((one) => ({ ...one, events: [], manageable: true, created_at: '2026-11-20T12:00:00Z' })),
      };
    }
    if (method === 'POST') {
      const made = {
        id: this.newId(),
        url: String(body?.['url']),
        secret: `whsec_${Buffer.from(`secret ${this.#next}`).toString('base64')}`,
      };
      this.webhooks.set(made.id, made);
      return this.tellsNoSecret ? undefined : { id: made.id, secret_token: made.secret };
    }
    const own = this.webhooks.get(id);
    if (method === 'PATCH' && own) {
      if (typeof body?.['url'] === 'string') own.url = body['url'];
      return { id, url: own.url, events: [], manageable: true, created_at: '2026-11-20T12:00:00Z' };
    }
    if (method === 'DELETE') return this.webhooks.delete(id) ? undefined : 404;
    return 404;
  }

  #matching<Row extends { id: number }>(rows: Map<number, Row>, query: URLSearchParams): Row[] {
    const id = query.get('id');
    return [...rows.values()].filter((row) => id === null || row.id === Number(id)).toSorted((a, b) => b.id - a.id);
  }

  #stays(query: URLSearchParams): WireStay[] {
    const code = query.get('reservation_code');
    const bound = query.get('end_check_out_date') ?? '9999';
    const from = query.get('start_check_out_date') ?? '0000';
    const status = query.get('status');
    const start = query.get('start_check_in_date') ?? '0000';
    const end = query.get('end_check_in_date') ?? '9999';
    return this.#matching(this.stays, query)
      .filter(
        (stay) =>
          (code === null || stay.reservation_code === code) &&
          (status === null || stay.status === status) &&
          stay.check_out_date >= from &&
          stay.check_out_date <= bound &&
          stay.check_in_date >= start &&
          stay.check_in_date <= end,
      )
      .toSorted((a, b) =>
        a.check_out_date < b.check_out_date ? 1 : a.check_out_date > b.check_out_date ? -1 : b.id - a.id,
      );
  }

  #transactions(query: URLSearchParams): WireTransaction[] {
    const from = query.get('start_date') ?? '0000';
    const to = query.get('end_date') ?? '9999';
    return this.#matching(this.transactions, query).filter((entry) => {
      const day = entry.action_at.slice(0, 10);
      return day >= from && day <= to;
    });
  }

  #conversations(path: string, query: URLSearchParams): unknown {
    const [, , id, part] = path.split('/').map(decodeURIComponent);
    if (id === undefined) return page('conversations', [...this.conversations.values()].map(entryOf), query);
    const conversation = this.conversations.get(id);
    if (!conversation) return 404;
    if (part === 'special_offers') return page('special_offers', conversation.offers, query);
    const { offers: _, messages, ...rest } = conversation;
    const offset = Number(query.get('offset') ?? 0);
    const limit = Number(query.get('limit') ?? 50);
    return { ...rest, id, messages: messages.slice(offset, offset + limit).map(secondSpellings) };
  }

  #reviews(query: URLSearchParams): unknown[] {
    const code = query.get('reservation_code');
    const status = query.get('review_status') ?? (code === null ? 'reviewed' : null);
    const from = query.get('start_check_out_date') ?? '0000';
    const to = query.get('end_check_out_date') ?? '9999';
    return [...this.reviews.values()].filter(
      (one) =>
        (code === null || one['reservation_code'] === code) &&
        one.check_out_date >= from &&
        one.check_out_date <= to &&
        (status !== 'reviewed' || one['guest_review'] !== null) &&
        (status !== 'pending_guest_review' || one['guest_review'] === null) &&
        (status !== 'pending_host_review' || one['host_review'] === null),
    );
  }

  #listings(query: URLSearchParams): WireListing[] {
    const id = query.get('listing_id');
    return this.#matching(this.listings, query).filter((one) => id === null || one.listing_id === id);
  }

  #calendars(body: Record<string, unknown> | undefined): unknown {
    const asked = (body?.['listings'] ?? []) as { channel_type: string; listing_id: string }[];
    const known = new Set([...this.listings.values()].map((one) => `${one.channel_type}/${one.listing_id}`));
    const dates = datesFromTo(String(body?.['start_date']), String(body?.['end_date']));
    if (asked.some((one) => !known.has(`${one.channel_type}/${one.listing_id}`))) return 404;
    const dayOf = (key: string, date: string) => this.days.get(`${key} ${date}`) ?? makeDay(date);
    return {
      listings: asked.map((one) => ({
        ...one,
        calendar: dates.map((date) => dayOf(`${one.channel_type}/${one.listing_id}`, date)),
      })),
    };
  }

  /** The next first; those due at once in no order that a reader knows. */
  #actions(): WireAction[] {
    return [...this.actions.values()].toSorted((a, b) =>
      a.scheduled_at === b.scheduled_at ? 0 : a.scheduled_at < b.scheduled_at ? -1 : 1,
    );
  }

  #nights(query: URLSearchParams): unknown[] {
    const dates = datesFromTo(query.get('start_date') ?? '', query.get('end_date') ?? '');
    return (query.get('property_ids') ?? '')
      .split(',')
      .map(Number)
      .filter((id) => this.properties.has(id))
      .map((id) => ({
        id,
        availabilities: dates.map((date) => ({ date, available: !this.taken.has(`${id} ${date}`), remarks: null })),
      }));
  }
}

function entryOf(conversation: WireConversation): unknown {
  const { conversation_id, channel_type, guest, messages } = conversation;
  return {
    conversation_id,
    channel_type,
    last_message_at: messages[0]?.timestamp ?? null,
    last_message: messages[0]?.content ?? '',
    unread_count: 0,
    guest,
    property_title: null,
    check_in_date: null,
    check_out_date: null,
  };
}

function secondSpellings(message: WireMessage): unknown {
  const { message_id: id, timestamp: created_at, attachments } = message;
  return { ...message, id, created_at, attachment: attachments[0] ?? null };
}

function page(name: string, rows: readonly unknown[], query: URLSearchParams): unknown {
  const offset = Number(query.get('offset') ?? 0);
  const limit = Number(query.get('limit') ?? 20);
  return { [name]: rows.slice(offset, offset + limit), total: rows.length };
}

function send(response: ServerResponse, text: string, fault: Fault | undefined): void {
  switch (fault?.kind) {
    case 'code': {
      const limit = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      response.writeHead(200, { ...limit, ...(fault.scope && { 'x-ratelimit-scope': fault.scope }) });
      response.end(JSON.stringify({ request_id: 'r', error_code: fault.code, error_msg: 'No.' }));
      return;
    }
    case 'status':
      response.writeHead(fault.status).end(fault.body ?? text);
      return;
    case 'cut':
      response.writeHead(200).end(text.slice(0, Math.floor(text.length / 2)));
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>');
      return;
    default:
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  }
}
