import { CallError } from '../../client/callError.ts';
import type { Client } from '../../client/client.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Instant, instantOf, msOf } from '../../kernel/dates.ts';
import { instantFrom } from '../tables/wireValues.ts';
import { messageOf } from '../../kernel/errors.ts';
import { inList } from '../../store/queries/inList.ts';
import { sealerOf } from '../../store/sealing/keyed.ts';
import { readConnection } from '../tables/connection/state.ts';
import type { MirrorDb } from '../tables/database.ts';
import { newestReceived } from '../queue/inbox.ts';
import { hookContext } from '../tables/rows/sealedValues.ts';
import { missedSince } from './source/silence.ts';
import { holdTroubles } from './troubles/holds.ts';
import type { Trouble } from './troubles/trouble.ts';
import type { ConnectionSettings } from './settings.ts';

/** The number of compared reservations, the newest of the source. */
const COMPARED = 20;
/** The time to wait for an event: the source delivers within seconds. */
const DELIVERED_MS = 60_000;

/** The findings of a connection that sends requests to its source with the token that it really uses. */
export interface Examination {
  base_url: string;
  /** The refusal of the token; null: it is accepted. */
  refused: { says: string; by_host: boolean } | null;
  webhook: {
    /** Registered by hand, with a secret of the configuration. */
    by_hand: boolean;
    /** Our webhook as the source has it; null: it has none. */
    registered: { url: string | null; events: string[] | null; created_at: string | null } | null;
    /** The address that the source was given for deliveries. */
    url: string | null;
    /** The refusal to change it; null: there was none, or no attempt. */
    unchangeable: string | null;
  };
  /** The waits that the source has asked for. */
  holds: Trouble[];
  events: {
    newest_at: Instant | null;
    /** The number of the source's reservations that no event announced and the mirror lacks. */
    untold: number;
    /** The moment when the newest of them was made. */
    untold_since: Instant | null;
    /** Changes that reads have found since the newest event, although events should have announced them. */
    missed: number;
  };
}

/** The input of {@link examine}. */
interface Examined {
  db: MirrorDb;
  client: Client;
  settings: ConnectionSettings;
  clock: Clock;
  zone: () => string;
}

const purpose = { purpose: 'setup' } as const;

/** Asks the source for our identity and its webhook, and compares its newest reservations with the events received. */
export async function examine(examined: Examined): Promise<Examination> {
  const { db, client, settings } = examined;
  const known = await readConnection(db, settings.id);
  const webhook: Examination['webhook'] = {
    by_hand: settings.webhook.secret !== undefined,
    registered: null,
    url: known.webhook_url === null ? null : sealerOf(db).open(known.webhook_url, hookContext(settings.id)),
    unchangeable: null,
  };
  const newest_at = (await newestReceived(db, settings.id)) ?? null;
  const found: Examination = {
    base_url: settings.baseUrl,
    refused: null,
    webhook,
    holds: holdTroubles(settings.gate.holds()),
    events: { newest_at, untold: 0, untold_since: null, missed: await missedSince(db, settings.id, newest_at) },
  };
  try {
    await client.call('getAccount', {}, purpose);
    const { webhooks } = (await client.call('listWebhooks', {}, purpose)).data;
    const own = webhooks.find((one) => one.id === known.webhook_id);
    if (own) webhook.registered = { url: own.url, events: own.events, created_at: own.created_at };
    Object.assign(found.events, await untold(examined));
    // The request repeats the present value, so it changes nothing; a token that may only read is refused.
    if (own?.id != null && own.url !== null)
      webhook.unchangeable = await refusalOf(client.call('updateWebhook', { id: own.id, url: own.url }, purpose));
  } catch (error) {
    found.refused = { says: messageOf(error), by_host: error instanceof CallError && error.client === 'host' };
  }
  return found;
}

async function refusalOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

async function untold({ db, client, settings, clock, zone }: Examined) {
  const asked = { limit: COMPARED, order_by: 'created_at' } as const;
  const { reservations } = (await client.call('listReservations', asked, purpose)).data;
  const old = reservations
    .map((one) => ({ code: one.reservation_code ?? one.stay_code, made: instantFrom(one.created_at, zone()) }))
    .filter((one) => one.code !== null && one.made !== null && msOf(one.made) < clock.now() - DELIVERED_MS);
  const codes = [...new Set(old.flatMap((one) => one.code ?? []))];
  const rows = await db
    .selectFrom('reservations')
    .select('reservation_code')
    .where('connection', '=', settings.id)
    .where((where) => inList(where.ref('reservation_code').$castTo<string>(), codes))
    .execute();
  const mirrored = new Set<string>(rows.map((row) => row.reservation_code));
  const missing = old.filter((one) => one.code !== null && !mirrored.has(one.code));
  const newest = Math.max(...missing.map(({ made }) => (made === null ? 0 : msOf(made))));
  return {
    untold: new Set(missing.map((one) => one.code)).size,
    untold_since: missing.length === 0 ? null : instantOf(newest),
  };
}
