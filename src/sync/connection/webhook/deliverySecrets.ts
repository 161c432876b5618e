import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Sealer } from '../../../kernel/seal.ts';
import { HEADER_VALUE, sameSecret } from '../../../kernel/signature.ts';
import { readFact } from '../../tables/connection/facts.ts';
import { learnSecret } from '../../tables/connection/state.ts';
import type { MirrorStore } from '../../tables/database.ts';
import { readEvent } from '../../ingest/readEvent.ts';
import { secretContext, storedSecret } from './registerWebhook.ts';
import { hookContext } from '../../tables/rows/sealedValues.ts';
import type { ConnectionSettings } from '../settings.ts';
import { type DeliveryHeaders, deliveryCheck, type Verdict, type VerifyDelivery } from '../../ingest/verifyDelivery.ts';

/** The least time between searches for a newer secret, so that forged deliveries cause few of them. */
const RELOAD_MS = 5_000;
/** The limits for the length of a secret in a first delivery. */
const [SHORTEST_SECRET, LONGEST_SECRET] = [16, 512];

/** The secrets that prove deliveries of a connection. */
export interface DeliverySecrets {
  /**
   * Verifies a delivery; before a refusal it looks for a newer secret. Where no secret is known and the settings allow
   * it, the first delivery to the unguessable URL brings it.
   */
  verify(body: Buffer, headers: DeliveryHeaders, path: string | undefined): Verdict | Promise<Verdict>;
  /** Adds the secret of a new registration; the old one remains valid. */
  add(secret: string): void;
}

export interface SecretsOptions {
  store: MirrorStore;
  settings: ConnectionSettings;
  sealer: Sealer;
  clock: Clock;
  log: Logger;
}

export async function deliverySecrets({
  store,
  settings,
  sealer,
  clock,
  log,
}: SecretsOptions): Promise<DeliverySecrets> {
  const { id, webhook, profile } = settings;
  const tokenHeader = profile.webhook_secret_header.toLowerCase();
  const secrets = webhook.secret === undefined ? [] : [webhook.secret];
  let check: VerifyDelivery = () => 'no_secret';
  // The search at the start does not count: a delivery right after a new registration must not be refused.
  let lookedAgainAt = Number.NEGATIVE_INFINITY;

  function add(secret: string): void {
    if (!secrets.includes(secret)) secrets.unshift(secret);
    check = deliveryCheck(webhook.proof, tokenHeader, secrets);
  }

  async function load(): Promise<void> {
    const stored = await storedSecret(store.db, id, sealer);
    if (stored !== undefined) add(stored);
  }

  /** Loads the secrets again and verifies: another process may have made a new registration. */
  async function verifyAnew(body: Buffer, headers: DeliveryHeaders): Promise<Verdict> {
    lookedAgainAt = clock.monotonic();
    await load();
    return check(body, headers, clock.now());
  }

  /** Adopts the secret of a first delivery. Of several at once, or of several processes, one brings it. */
  async function trust(body: Buffer, headers: DeliveryHeaders, path: string): Promise<Verdict> {
    lookedAgainAt = clock.monotonic();
    const told = headers[tokenHeader];
    const fact = await readFact(store.db, id, 'hook_path');
    const isOurUrl = fact !== undefined && sameSecret(path, sealer.open(fact.value, hookContext(id)));
    if (isOurUrl && typeof told === 'string' && canBeSecret(told) && readEvent(body)) {
      const isFirst = await learnSecret(store.db, id, sealer.seal(told, secretContext(id)));
      if (isFirst) log.warn({ connection: id }, 'the secret of the first delivery is trusted from now on');
    }
    await load();
    return check(body, headers, clock.now());
  }

  const [byHand] = secrets;
  if (byHand !== undefined) add(byHand);
  await load();
  return {
    add,
    verify(body, headers, path) {
      const verdict = check(body, headers, clock.now());
      if (verdict === 'proven') return verdict;
      // Without any secret everything would be refused, and refused deliveries are not sent again.
      const mayLook = secrets.length === 0 || clock.monotonic() - lookedAgainAt >= RELOAD_MS;
      if (!mayLook) return verdict;
      if (webhook.trustFirst && webhook.secret === undefined && path !== undefined) return trust(body, headers, path);
      return store.kind === 'sqlite' ? verdict : verifyAnew(body, headers);
    },
  };
}

function canBeSecret(text: string): boolean {
  return text.length >= SHORTEST_SECRET && text.length <= LONGEST_SECRET && HEADER_VALUE.test(text);
}
