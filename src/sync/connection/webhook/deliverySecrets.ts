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

interface SecretsOptions {
  store: MirrorStore;
  settings: ConnectionSettings;
  sealer: Sealer;
  clock: Clock;
  log: Logger;
}

/** The secrets that prove deliveries of a connection. */
export class DeliverySecrets {
  readonly #options: SecretsOptions;
  readonly #tokenHeader: string;
  readonly #secrets: string[] = [];
  #check: VerifyDelivery = () => 'no_secret';
  // The search at the start does not count: a delivery right after a new registration must not be refused.
  #lookedAgainAt = Number.NEGATIVE_INFINITY;

  private constructor(options: SecretsOptions) {
    this.#options = options;
    this.#tokenHeader = options.settings.profile.webhook_secret_header.toLowerCase();
    const { secret } = options.settings.webhook;
    if (secret !== undefined) this.add(secret);
  }

  /** Loads the stored secret, and takes that of the settings. */
  static async open(options: SecretsOptions): Promise<DeliverySecrets> {
    const secrets = new DeliverySecrets(options);
    await secrets.#load();
    return secrets;
  }

  /** Adds the secret of a new registration; the old one remains valid. */
  add(secret: string): void {
    if (!this.#secrets.includes(secret)) this.#secrets.unshift(secret);
    this.#check = deliveryCheck(this.#options.settings.webhook.proof, this.#tokenHeader, this.#secrets);
  }

  /**
   * Verifies a delivery; before a refusal it looks for a newer secret. Where no secret is known and the settings allow
   * it, the first delivery to the unguessable URL brings it.
   */
  verify(body: Buffer, headers: DeliveryHeaders, path: string | undefined): Verdict | Promise<Verdict> {
    const { store, settings, clock } = this.#options;
    const { webhook } = settings;
    const verdict = this.#check(body, headers, clock.now());
    if (verdict === 'proven') return verdict;
    // Without any secret everything would be refused, and refused deliveries are not sent again.
    const mayLook = this.#secrets.length === 0 || clock.monotonic() - this.#lookedAgainAt >= RELOAD_MS;
    if (!mayLook) return verdict;
    if (webhook.trustFirst && webhook.secret === undefined && path !== undefined) {
      return this.#trust(body, headers, path);
    }
    return store.kind === 'sqlite' ? verdict : this.#verifyReloaded(body, headers);
  }

  async #load(): Promise<void> {
    const { store, settings, sealer } = this.#options;
    const stored = await storedSecret(store.db, settings.id, sealer);
    if (stored !== undefined) this.add(stored);
  }

  /** Loads the secrets again and verifies: another process may have made a new registration. */
  async #verifyReloaded(body: Buffer, headers: DeliveryHeaders): Promise<Verdict> {
    const { clock } = this.#options;
    this.#lookedAgainAt = clock.monotonic();
    await this.#load();
    return this.#check(body, headers, clock.now());
  }

  /** Adopts the secret of a first delivery. Of several at once, or of several processes, one brings it. */
  async #trust(body: Buffer, headers: DeliveryHeaders, path: string): Promise<Verdict> {
    const { store, settings, sealer, clock, log } = this.#options;
    const { id } = settings;
    this.#lookedAgainAt = clock.monotonic();
    const received = headers[this.#tokenHeader];
    const fact = await readFact(store.db, id, 'hook_path');
    const isOurUrl = fact !== undefined && sameSecret(path, sealer.open(fact.value, hookContext(id)));
    if (isOurUrl && typeof received === 'string' && canBeSecret(received) && readEvent(body)) {
      const isFirst = await learnSecret(store.db, id, sealer.seal(received, secretContext(id)));
      if (isFirst) log.warn({ connection: id }, 'the secret of the first delivery is trusted from now on');
    }
    await this.#load();
    return this.#check(body, headers, clock.now());
  }
}

function canBeSecret(text: string): boolean {
  return text.length >= SHORTEST_SECRET && text.length <= LONGEST_SECRET && HEADER_VALUE.test(text);
}
