import { createHmac, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Dice } from './dice.ts';
import type { Faults } from './faults.ts';
import { Refusal } from './refusal.ts';
import type { Channel } from './records.ts';
import { channelWord, type Dialect, type Row } from './show.ts';

interface Webhook {
  id: number;
  url: string;
  secret: string;
  madeAt: number;
  /** Nothing is delivered any more. */
  isOff: boolean;
}

/** What of a thin event is told; its name and the fields of its kind. */
export interface ThinEvent {
  event: string;
  [field: string]: unknown;
}

export interface WebhookService {
  readonly hooks: Map<number, Webhook>;
  /** Events that were to be delivered so far, and how many of them were let go of. */
  readonly told: { event: ThinEvent; dropped: boolean }[];
  answer(method: string, id: string | undefined, body: Row): unknown;
  /** Something has happened: sends what the faults let through. */
  tell(event: ThinEvent): void;
  /** Resolves when what is to be sent at once was sent. */
  sent(): Promise<void>;
}

interface Around {
  dialect: Dialect;
  faults: Faults;
  dice: Dice;
  now(): number;
  after(ms: number, fn: () => void): void;
}

export function webhookService(around: Around): WebhookService {
  const { dialect, faults, dice, now, after } = around;
  const hooks = new Map<number, Webhook>();
  const told: WebhookService['told'] = [];
  const sending = new Set<Promise<void>>();
  let next = 0;
  let eventNumber = 0;
  let held: ThinEvent | undefined;

  function create(body: Row): unknown {
    const { registration } = faults;
    if (registration !== null) {
      faults.registration = null;
      throw new Refusal(registration, 'url cannot be registered now');
    }
    const id = (next += 1);
    const secret =
      dialect === 'hostex'
        ? `plain-secret-${id}-${randomBytes(6).toString('hex')}`
        : `whsec_${randomBytes(32).toString('base64')}`;
    hooks.set(id, { id, url: String(body['url']), secret, madeAt: now(), isOff: false });
    return dialect === 'hostex' || faults.withoutSecret ? undefined : { id, secret_token: secret };
  }

  function shown({ id, url, madeAt }: Webhook): Row {
    return { id, url, events: [], manageable: true, created_at: new Date(madeAt).toISOString() };
  }

  function tell(event: ThinEvent): void {
    const { dropped, doubled, reordered, late, lateMs } = faults.events;
    const isDropped = dice.percent(dropped);
    told.push({ event, dropped: isDropped });
    if (isDropped) return;
    const full = dressed(event);
    if (held === undefined && dice.percent(reordered)) {
      // Goes out after the one that comes next, or a moment later.
      held = full;
      after(2_000, () => letGo());
      return;
    }
    if (dice.percent(late)) after(dice.between(1, lateMs), () => post(full));
    else post(full);
    if (dice.percent(doubled)) post(full);
    letGo();
  }

  function letGo(): void {
    const kept = held;
    held = undefined;
    if (kept) post(kept);
  }

  /** The public service names neither the event nor, of reservations, the property. */
  function dressed({ channel, ...told }: ThinEvent): ThinEvent {
    const timestamp = new Date(now()).toISOString();
    const event: ThinEvent = {
      ...told,
      event: told.event,
      ...(channel !== undefined && { channel_type: channelWord(dialect, channel as Channel) }),
    };
    if (dialect === 'described') return { ...event, event_id: eventId((eventNumber += 1)), timestamp };
    const { property_id, ...rest } = event;
    const isOfStay = event.event.startsWith('reservation_') || event.event.startsWith('review_');
    return { ...rest, ...(!isOfStay && property_id !== undefined && { property_id }), timestamp };
  }

  function post(event: ThinEvent): void {
    for (const hook of hooks.values()) {
      if (hook.isOff) continue;
      const body = JSON.stringify(event);
      const done: Promise<void> = deliver(hook.url, headersOf(hook, event, body), body).finally(() =>
        sending.delete(done),
      );
      sending.add(done);
    }
  }

  function headersOf(hook: Webhook, event: ThinEvent, body: string): Record<string, string> {
    if (dialect === 'hostex') return { 'hostex-webhook-secret-token': hook.secret };
    const id = String(event['event_id']);
    const at = String(Math.floor(now() / 1_000));
    const key = Buffer.from(hook.secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
    return {
      ...(faults.proof !== 'signature' && { 'service-webhook-secret-token': hook.secret }),
      ...(faults.proof !== 'token' && {
        'webhook-id': id,
        'webhook-timestamp': at,
        'webhook-signature': `v1,${signature}`,
      }),
    };
  }

  return {
    hooks,
    told,
    tell,
    answer(method, id, body) {
      if (method === 'GET')
        return { webhooks: [...hooks.values()].map(shown), ...(dialect === 'described' && { total: hooks.size }) };
      if (method === 'POST') return create(body);
      const hook = hooks.get(Number(id));
      if (!hook) throw new Refusal(404);
      if (method === 'DELETE') {
        hooks.delete(hook.id);
        return undefined;
      }
      if (typeof body['url'] === 'string') hook.url = body['url'];
      return dialect === 'hostex' ? undefined : shown(hook);
    },
    async sent() {
      while (sending.size > 0) await Promise.all(sending);
    },
  };
}

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 26 letters, as the description says. */
function eventId(number: number): string {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / 32)) text = (LETTERS[rest % 32] ?? '') + text;
  return `01J${text.padStart(23, '0')}`;
}

/** One attempt; whatever becomes of it, it is not made again. */
function deliver(url: string, headers: Record<string, string>, body: string): Promise<void> {
  return new Promise((resolve) => {
    const length = String(Buffer.byteLength(body));
    const sending = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
    });
    sending.on('response', (response) => response.resume().on('close', resolve));
    sending.on('error', () => resolve());
    sending.end(body);
  });
}
