import { CallError } from '../client/callError.ts';
import type { Client } from '../client/client.ts';
import type { Clock } from '../kernel/clock.ts';
import { instantOf } from '../kernel/dates.ts';
import type { Logger } from '../kernel/log.ts';
import type { Sealer } from '../kernel/seal.ts';
import { settleFact } from './connectionFacts.ts';
import type { MirrorStore } from './database.ts';
import { registerWebhook } from './registerWebhook.ts';
import { hookContext } from './sealedValues.ts';
import type { ConnectionSettings } from './settings.ts';

interface Listening {
  around: { store: MirrorStore; sealer: Sealer; log: Logger; instance: string };
  settings: ConnectionSettings;
  client: Client;
  connection: string;
  clock: Clock;
}

/**
 * Sees to it that events are sent to us, and remembers since when. A webhook made by hand, known by its secret, is left
 * alone; so is a connection without events.
 * @returns the secret of a webhook that was registered
 */
export async function listen({ around, settings, client, connection, clock }: Listening): Promise<string | undefined> {
  const { store, sealer, log } = around;
  const { url, secret } = settings.webhook;
  const at = instantOf(clock.now());
  const listening = { connection, name: 'listening_since' as const, changed_at: at };
  const sealed = (text: string) => sealer.seal(text, hookContext(connection));
  // Nobody else knows when a webhook made by hand began to send.
  if (url !== null && secret !== undefined) await settleFact(store, { ...listening, value: sealed(url) });
  if (url === null || secret !== undefined) return undefined;
  const offered = { connection, name: 'instance' as const, value: around.instance, changed_at: at };
  const instance = await settleFact(store, offered);
  try {
    const registered = await registerWebhook({ db: store.db, client, connection, url, instance, sealer, log });
    if (registered !== undefined) await settleFact(store, { ...listening, value: sealed(url) });
    return registered;
  } catch (error) {
    if (!(error instanceof CallError) || error.client !== 'fix') throw error;
    log.error({ connection, url, problem: error.message }, 'the webhook was refused: only walks find changes');
    return undefined;
  }
}
