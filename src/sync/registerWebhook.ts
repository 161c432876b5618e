import { CallError } from '../client/callError.ts';
import type { Client } from '../client/client.ts';
import { readConnection, rememberWebhook } from './connectionState.ts';
import type { MirrorDb, MirrorStore } from './database.ts';
import type { Logger } from '../kernel/log.ts';
import type { Reseal, Sealer } from '../kernel/seal.ts';

export interface Registration {
  db: MirrorDb;
  client: Client;
  connection: string;
  /** Where events are taken in. */
  url: string;
  /** By this name in the query of a registered URL we know our own. */
  instance: string;
  sealer: Sealer;
  log: Logger;
}

interface RegisteredWebhook {
  id: number;
  url: string;
  manageable: boolean;
}

/** What the secret of a connection's webhook is sealed for. */
export function secretContext(connection: string): string {
  return `webhook secret of ${connection}`;
}

/** The stored secret; undefined when there is none. Throws OperatorError when it was sealed with another key. */
export async function storedSecret(db: MirrorDb, connection: string, sealer: Sealer): Promise<string | undefined> {
  const { webhook_secret: sealed } = await readConnection(db, connection);
  return sealed === null ? undefined : sealer.open(sealed, secretContext(connection));
}

/** Throws OperatorError when the stored secret of a connection was sealed with another key. */
export async function requireSecrets({ db }: MirrorStore, sealer: Sealer): Promise<void> {
  for (const { connection } of await db.selectFrom('connections').select('connection').execute()) {
    await storedSecret(db, connection, sealer);
  }
}

/** Seals the stored secrets of all connections anew. @returns how many */
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
 * Sees to it that upstream sends its events to us, signed with a secret we hold. A registration of ours whose
 * secret we lack (made before a crash, or by a mirror that was lost) is replaced, also where our address has
 * changed since. One of another installation is never touched, be it at the same address.
 * @returns the secret; undefined when the token may not register, which the operator is told
 */
export async function registerWebhook(registration: Registration): Promise<string | undefined> {
  const { db, client, connection, url, instance, sealer } = registration;
  const ownUrl = urlOf(url, instance);
  const stored = await readConnection(db, connection);
  const secret = await storedSecret(db, connection, sealer);
  const webhooks = await registeredWebhooks(client);
  const known = webhooks.find((webhook) => webhook.id === stored.webhook_id && webhook.manageable);
  try {
    warnOfStrangers(registration, webhooks);
    const keeps = known !== undefined && secret !== undefined;
    for (const other of webhooks.filter((webhook) => webhook.manageable && isOurs(webhook.url, url, instance))) {
      if (!(keeps && other.id === known.id)) await client.call('deleteWebhook', { id: other.id }, purpose);
    }
    if (keeps) {
      if (known.url !== ownUrl) await move(registration, known.id, ownUrl, stored.webhook_secret);
      return secret;
    }
    return await create(registration, ownUrl);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 401) throw error;
    sayHowByHand(registration);
    return undefined;
  }
}

/** Those that can be told apart: one without an id or an address is nothing that could be changed. */
async function registeredWebhooks(client: Client): Promise<RegisteredWebhook[]> {
  const { webhooks } = (await client.call('listWebhooks', {}, purpose)).data;
  return webhooks.flatMap(({ id, url, manageable }) =>
    id === null || url === null ? [] : [{ id, url, manageable: manageable === true }],
  );
}

/** Under our name, and yet not ours to end: another token of this account's registered it. */
function warnOfStrangers(
  { connection, url, instance, log }: Registration,
  webhooks: readonly RegisteredWebhook[],
): void {
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

/** Registered under our name, wherever that was; without any name, at our very address. */
function isOurs(registered: string, url: string, instance: string): boolean {
  if (!URL.canParse(registered)) return false;
  const name = new URL(registered).searchParams.get(INSTANCE);
  return name === null ? registered === url : name === instance;
}

async function move({ db, client, connection }: Registration, id: number, url: string, secret: string | null) {
  await client.call('updateWebhook', { id, url }, purpose);
  await rememberWebhook(db, connection, { id, url, secret });
}

async function create({ db, client, connection, sealer }: Registration, url: string): Promise<string> {
  const { id, secret_token } = (await client.call('createWebhook', { url }, purpose)).data;
  if (id === null || secret_token === null) throw new Error('registering a webhook was answered without id and secret');
  const secret = sealer.seal(secret_token, secretContext(connection));
  await rememberWebhook(db, connection, { id, url, secret });
  return secret_token;
}

/** The list was answered, so the token is good; it may only read. */
function sayHowByHand({ connection, url, log }: Registration): void {
  log.warn(
    { connection, url },
    'the token of this connection is read-only and cannot register a webhook: register this URL by hand and ' +
      'put its secret into the configuration of the connection; until then only walks find changes',
  );
}
