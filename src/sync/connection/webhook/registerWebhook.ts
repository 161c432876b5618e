import { CallError, transportFailure } from '../../../client/callError.ts';
import type { Client } from '../../../client/client.ts';
import type { Fields } from '../../../client/fields.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { putFact, readFact } from '../../tables/connection/facts.ts';
import { readConnection, rememberWebhook } from '../../tables/connection/state.ts';
import type { MirrorDb, MirrorStore } from '../../tables/database.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Reseal, Sealer } from '../../../kernel/seal.ts';

interface Registration {
  db: MirrorDb;
  client: Client;
  connection: string;
  /** The address that receives events. */
  url: string;
  /** The name in the query of a registered URL by which we recognize our own. */
  instance: string;
  sealer: Sealer;
  clock: Clock;
  log: Logger;
  /** Set if the registration is in doubt, even if it is listed: it is made again. */
  force?: boolean;
}

/** The outcome of a registration. */
export interface Registered {
  /** kept · moved (to our present address) · made · by_hand: the token may not register, which the operator learns. */
  outcome: 'kept' | 'moved' | 'made' | 'by_hand';
  /** undefined: none is known; if `outcome` is not `by_hand`, no call of the other side returns it. */
  secret: string | undefined;
}

/** Returns the context for sealing the secret of a connection's webhook. */
export function secretContext(connection: string): string {
  return `webhook secret of ${connection}`;
}

/** Returns the stored secret; undefined if there is none. Throws OperatorError if it was sealed with another key. */
export async function storedSecret(db: MirrorDb, connection: string, sealer: Sealer): Promise<string | undefined> {
  const { webhook_secret: sealed } = await readConnection(db, connection);
  return sealed === null ? undefined : sealer.open(sealed, secretContext(connection));
}

/** Throws OperatorError if the stored secret of a connection was sealed with another key. */
export async function requireSecrets({ db }: MirrorStore, sealer: Sealer): Promise<void> {
  for (const { connection } of await db.selectFrom('connections').select('connection').execute()) {
    await storedSecret(db, connection, sealer);
  }
}

/** Seals the stored secrets of all connections with another key. @returns their number */
export function resealConnections(store: MirrorStore, reseal: Reseal): Promise<number> {
  return store.transaction(async (trx) => {
    const rows = await trx.selectFrom('connections').select(['connection', 'webhook_secret']).execute();
    let count = 0;
    for (const { connection, webhook_secret: sealed } of rows) {
      if (sealed === null) continue;
      const webhook_secret = reseal(sealed, secretContext(connection));
      await trx.updateTable('connections').set({ webhook_secret }).where('connection', '=', connection).execute();
      count += 1;
    }
    return count;
  });
}

const purpose = { purpose: 'setup' } as const;

/**
 * Makes sure that upstream sends its events to us. It replaces a registration of ours whose secret we lack (made before
 * a crash, or by a mirror that was lost), also if our address has changed since, and one that is switched off. Where
 * registration returns no secret, it happens once: afterwards the registration is known by its address. A registration
 * of another installation is never touched, even at the same address.
 */
export async function registerWebhook(registration: Registration): Promise<Registered> {
  const { db, client, connection, url, instance, sealer, force = false } = registration;
  const ownUrl = urlOf(url, instance);
  const stored = await readConnection(db, connection);
  const secret = await storedSecret(db, connection, sealer);
  const webhooks = await listed(client);
  const own = webhooks.filter((webhook) => webhook.manageable && isOurs(webhook.url, url, instance));
  const known = webhooks.find((webhook) => webhook.manageable && webhook.id === stored.webhook_id);
  const isUntold = known !== undefined && secret === undefined && (await isSecretUntold(db, connection, known.id));
  const kept = known && !force && !known.isOff && (secret !== undefined || isUntold) ? known : undefined;
  try {
    warnOfStrangers(registration, webhooks);
    for (const other of own) {
      if (other.id !== kept?.id) await client.call('deleteWebhook', { id: other.id }, purpose);
    }
    if (kept?.url === ownUrl) return { outcome: 'kept', secret };
    if (kept) {
      // A secret that came with deliveries, not with the registration, belongs to the address.
      const isKnown = !(await isSecretUntold(db, connection, kept.id));
      await move(registration, kept.id, ownUrl, isKnown ? stored.webhook_secret : null);
      return { outcome: 'moved', secret: isKnown ? secret : undefined };
    }
    return { outcome: 'made', secret: await create(registration, ownUrl) };
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 401) throw error;
    sayHowByHand(registration);
    return { outcome: 'by_hand', secret: undefined };
  }
}

interface Listed {
  id: number;
  url: string;
  manageable: boolean;
  /** Set if it is listed, but nothing is sent to it. */
  isOff: boolean;
}

/** Returns the webhooks with an id and an address: others could not be changed. */
async function listed(client: Client): Promise<Listed[]> {
  const { data, raw } = await client.call('listWebhooks', {}, purpose);
  return data.webhooks.flatMap(({ id, url, manageable }, index) => {
    if (id === null || url === null) return [];
    // The field is only promised for webhooks of the same application; our own address is ours in any case.
    return [{ id, url, manageable: manageable ?? true, isOff: isOff(raw[index] ?? {}) }];
  });
}

const OFF = new Set(['disabled', 'inactive', 'off', 'paused', 'suspended', 'stopped']);

/** Returns true if a webhook is switched off. No field for this is described, so every usual one counts. */
function isOff(raw: Fields): boolean {
  const switches = ['enabled', 'is_enabled', 'is_enable', 'active', 'is_active'].map((name) => raw[name]);
  if (switches.some((value) => value === false || value === 0)) return true;
  if (raw['disabled'] === true || raw['is_disabled'] === true) return true;
  return typeof raw['status'] === 'string' && OFF.has(raw['status'].toLowerCase());
}

/**
 * Warns of webhooks under our name that another token of this account has registered, so that we cannot delete them.
 */
function warnOfStrangers({ connection, url, instance, log }: Registration, webhooks: readonly Listed[]): void {
  for (const { id, manageable, url: registered } of webhooks) {
    if (manageable || !isOurs(registered, url, instance) || !registered.includes(`${INSTANCE}=`)) continue;
    log.warn(
      { connection, webhook: id },
      'a webhook that another token or application registered sends its events here too, with a secret that is not ' +
        'known here: let the main account delete it',
    );
  }
}

const INSTANCE = 'instance';

function urlOf(url: string, instance: string): string {
  const own = new URL(url);
  own.searchParams.set(INSTANCE, instance);
  return own.href;
}

/** Returns true for a webhook under our name, at any address, or one without a name at our exact address. */
function isOurs(registered: string, url: string, instance: string): boolean {
  if (!URL.canParse(registered)) return false;
  const name = new URL(registered).searchParams.get(INSTANCE);
  return name === null ? registered === url : name === instance;
}

async function move({ db, client, connection }: Registration, id: number, url: string, secret: string | null) {
  await client.call('updateWebhook', { id, url }, purpose);
  await rememberWebhook(db, connection, { id, url, secret });
}

async function create(registration: Registration, url: string): Promise<string | undefined> {
  const { db, client, connection, sealer } = registration;
  // Releases until 3.15 answer nothing.
  const made = (await client.call('createWebhook', { url }, purpose)).data;
  const id = made.id ?? (await listed(client)).find((one) => one.manageable && one.url === url)?.id;
  if (id === undefined) throw transportFailure('createWebhook', 'it was registered, and is not in the list');
  const { secret_token: secret } = made;
  const sealed = secret === null ? null : sealer.seal(secret, secretContext(connection));
  await rememberWebhook(db, connection, { id, url, secret: sealed });
  if (secret === null) await rememberUntold(registration, id);
  return secret ?? undefined;
}

/** Returns true if the registration of this webhook returned no secret. */
async function isSecretUntold(db: MirrorDb, connection: string, id: number): Promise<boolean> {
  return (await readFact(db, connection, 'secret_untold'))?.value === String(id);
}

async function rememberUntold({ db, connection, clock, log }: Registration, id: number): Promise<void> {
  const fact = { connection, name: 'secret_untold' as const, value: String(id), changed_at: instantOf(clock.now()) };
  await putFact(db, fact);
  log.warn(
    { connection },
    'the webhook is registered, and no operation returns its secret: set webhook_secret of the connection, or ' +
      'trust_first_secret: true to take it from the first delivery; until then events are refused',
  );
}

/** Explains the registration by hand. The list was answered, so the token is good; it may only read. */
function sayHowByHand({ connection, url, log }: Registration): void {
  log.warn(
    { connection, url },
    'the token of this connection is read-only and cannot register a webhook: register this URL by hand and ' +
      'put its secret into the configuration of the connection; until then only scans find changes',
  );
}
