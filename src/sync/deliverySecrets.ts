import type { Clock } from '../kernel/clock.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { MirrorStore } from './database.ts';
import { storedSecret } from './registerWebhook.ts';
import type { ConnectionSettings } from './settings.ts';
import { type DeliveryHeaders, deliveryCheck, type Verdict, type VerifyDelivery } from './verifyDelivery.ts';

/** A forged delivery makes nobody look for a newer secret more often. */
const RELOAD_MS = 5_000;

/** The secrets that deliveries of a connection may prove themselves by. */
export interface DeliverySecrets {
  /** How a delivery proves itself; looks for a newer secret before it is refused. */
  verify(body: Buffer, headers: DeliveryHeaders): Verdict | Promise<Verdict>;
  /** A new registration: its secret counts from now on, the old one still. */
  add(secret: string): void;
}

export async function deliverySecrets(
  store: MirrorStore,
  settings: ConnectionSettings,
  sealer: Sealer,
  clock: Clock,
): Promise<DeliverySecrets> {
  const { id, webhook, profile } = settings;
  const secrets = webhook.secret === undefined ? [] : [webhook.secret];
  let check: VerifyDelivery = () => 'no_secret';
  // The look at the start does not count: what is registered right after it must not be refused.
  let lookedAgainAt = Number.NEGATIVE_INFINITY;

  function add(secret: string): void {
    if (!secrets.includes(secret)) secrets.unshift(secret);
    check = deliveryCheck(webhook.proof, profile.webhook_secret_header, secrets);
  }

  async function load(): Promise<void> {
    const stored = await storedSecret(store.db, id, sealer);
    if (stored !== undefined) add(stored);
  }

  /** Another process may have registered anew since this one looked. */
  async function verifyAnew(body: Buffer, headers: DeliveryHeaders): Promise<Verdict> {
    lookedAgainAt = clock.monotonic();
    await load();
    return check(body, headers, clock.now());
  }

  const [byHand] = secrets;
  if (byHand !== undefined) add(byHand);
  await load();
  return {
    add,
    verify(body, headers) {
      const verdict = check(body, headers, clock.now());
      if (verdict === 'proven' || store.kind === 'sqlite') return verdict;
      // Without any secret everything would be refused, and what is refused is not sent again.
      const mayLook = secrets.length === 0 || clock.monotonic() - lookedAgainAt >= RELOAD_MS;
      return mayLook ? verifyAnew(body, headers) : verdict;
    },
  };
}
