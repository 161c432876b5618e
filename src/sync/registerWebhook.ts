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
  url: string;
  sealer: Sealer;
  log: Logger;
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
 * Sees to it that upstream sends its events to us, signed with a secret we hold. A registration of our URL
 * whose secret we lack (made before a crash, or by a mirror that was lost) is replaced; on this machine the port
 * may have changed since.
 * @returns the secret; undefined when the token may not register, which the operator is told
 */
export async function registerWebhook(registration: Registration): Promise<string | undefined> {
  const { db, client, connection, url, sealer } = registration;
  const stored = await readConnection(db, connection);
  const secret = await storedSecret(db, connection, sealer);
  const { webhooks } = (await client.call('listWebhooks', {}, purpose)).data;
  const known = webhooks.find((webhook) => webhook.id === stored.webhook_id && webhook.manageable);
  try {
    const keeps = known !== undefined && secret !== undefined;
    for (const other of webhooks.filter((webhook) => webhook.manageable && isOurHook(webhook.url, url))) {
      if (!(keeps && other.id === known.id)) await client.call('deleteWebhook', { id: other.id }, purpose);
    }
    if (keeps) {
      if (known.url !== url) await move(registration, known.id, stored.webhook_secret);
      return secret;
    }
    return await create(registration);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 401) throw error;
    sayHowByHand(registration);
    return undefined;
  }
}

/** Our URL, or where on this machine we were before: the same hook at another port. A foreign host's never is. */
function isOurHook(registered: string, ours: string): boolean {
  if (registered === ours) return true;
  if (!URL.canParse(registered) || !URL.canParse(ours)) return false;
  const [one, other] = [new URL(registered), new URL(ours)];
  return isLoopback(one) && isLoopback(other) && one.pathname === other.pathname;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

async function move({ db, client, connection, url }: Registration, id: number, secret: string | null): Promise<void> {
  await client.call('updateWebhook', { id, url }, purpose);
  await rememberWebhook(db, connection, { id, url, secret });
}

async function create({ db, client, connection, url, sealer }: Registration): Promise<string> {
  const { id, secret_token } = (await client.call('createWebhook', { url }, purpose)).data;
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
