import { CallError } from '../../../client/callError.ts';
import type { Client } from '../../../client/client.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { type Instant, instantOf } from '../../../kernel/dates.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Random } from '../../../kernel/random.ts';
import type { Sealer } from '../../../kernel/seal.ts';
import { putFact, readFact, settleFact } from '../../tables/connection/facts.ts';
import { readConnection, rememberWebhook, requestCatchUp } from '../../tables/connection/state.ts';
import type { MirrorStore } from '../../tables/database.ts';
import { webhooks } from '../../tables/account/webhooks.ts';
import { type Registered, registerWebhook } from './registerWebhook.ts';
import { type RegistrationNote, readRegistration } from './registrationNote.ts';
import { hookContext } from '../../tables/rows/sealedValues.ts';
import type { ConnectionSettings } from '../settings.ts';
import { isUnlikelySilent } from '../source/silence.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The interval at which the list is checked for our webhook, whatever else is known. */
const CHECK_MS = 6 * HOUR_MS;
/** The interval at which the findings of reads are checked; that costs no request. */
const LOOK_MS = MINUTE_MS;
/** The waits after no answer came; the last one repeats. */
const UNANSWERED_RESTS_MS = [5_000, 5_000, 5_000, 5_000, 5_000, 10_000, 10_000, 30_000] as const;
/** The waits after a refusal; the last one repeats. */
const RESTS_MS = [30_000, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS] as const;
/** The least time between two new registrations of a webhook that is listed and silent. */
const ANEW_MS = 24 * HOUR_MS;
const PATH_BYTES = 24;
const NO_SUBSCRIPTION = 420;
/** Milliseconds that a source has to take our webhook off. */
const UNREGISTER_MS = 10_000;

interface Options {
  around: { store: MirrorStore; sealer: Sealer; log: Logger; instance: string; random: Random };
  settings: ConnectionSettings;
  client: Client;
  connection: string;
  clock: Clock;
  signal: AbortSignal;
  /** Receives the secret of a webhook that was registered. */
  onSecret(secret: string): void;
}

/** Keeps the webhook of a connection registered. */
export class Registering {
  readonly #options: Options;
  #askAt = Number.NEGATIVE_INFINITY;
  #lookAt = Number.NEGATIVE_INFINITY;
  #underWay: Promise<RegistrationNote> | undefined;
  #hasChanged = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** True if the webhook of the source was made or moved since the start. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /** Checks the registration if that is due. Throws if only a person can restore access. */
  async keep(): Promise<void> {
    const why = await this.#dueFor();
    if (why === undefined || (await this.#isLeftAlone())) return;
    await this.#once(why, why === 'silence');
  }

  /** Checks now, whatever was found before; `force`: registers again, even if the webhook is listed. */
  async register(force: boolean): Promise<RegistrationNote> {
    const { connection, clock, around } = this.#options;
    const { store } = around;
    if (await this.#isLeftAlone()) {
      const known = await readFact(store.db, connection, 'listening_since');
      const at = known?.changed_at ?? instantOf(clock.now());
      return {
        state: 'by_hand',
        problem: null,
        knows_secret: true,
        failures: 0,
        checked_at: at,
        made_at: null,
        next_at: null,
      };
    }
    return this.#once('command', force);
  }

  /** Takes our webhook off the source; one that was made by hand stays. A refusal is no failure: the source may be gone. */
  async unregister(): Promise<void> {
    await this.#underWay?.catch(() => {});
    const { connection, client, around } = this.#options;
    const { store, log } = around;
    const { webhook_id: id } = await readConnection(store.db, connection);
    if (id === null) return;
    try {
      await client.call('deleteWebhook', { id }, { purpose: 'setup', signal: AbortSignal.timeout(UNREGISTER_MS) });
    } catch (error) {
      log.warn({ connection, problem: messageOf(error) }, 'our webhook could not be taken off the source');
    }
    await rememberWebhook(store.db, connection, { id: null, url: null, secret: null });
  }

  /** Reports that our rights were lost, and perhaps the registration with them. */
  doubt(): void {
    this.#askAt = Number.NEGATIVE_INFINITY;
  }

  /** Reports that reads may have found something. */
  lookSoon(): void {
    this.#lookAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Returns true for a webhook made by hand, known by its secret, and for a connection without events: both are left
   * alone.
   */
  async #isLeftAlone(): Promise<boolean> {
    const { connection, settings, around } = this.#options;
    const { url, secret: configured } = settings.webhook;
    const { store } = around;
    if (url === null) return true;
    if (configured === undefined) return false;
    const { webhook_id: registered } = await readConnection(store.db, connection);
    // The start of a webhook made by hand is recorded nowhere else.
    if (registered === null) await this.#listensNow(url);
    return registered === null;
  }

  async #listensNow(to: string): Promise<void> {
    const { connection, clock, around } = this.#options;
    const { sealer, store } = around;
    const value = sealer.seal(to, hookContext(connection));
    await settleFact(store, { connection, name: 'listening_since', value, changed_at: instantOf(clock.now()) });
  }

  /** Returns the reason to check the registration now; undefined: it is not due. */
  async #dueFor(): Promise<'time' | 'gone' | 'silence' | undefined> {
    const { clock, connection, around } = this.#options;
    const { store } = around;
    const now = clock.monotonic();
    if (now >= this.#askAt) return 'time';
    if (now < this.#lookAt) return undefined;
    this.#lookAt = now + LOOK_MS;
    const note = await readRegistration(store.db, connection);
    if (note?.state !== 'registered') return undefined;
    if (await this.#isGone(note.checked_at)) return 'gone';
    const restsUntil = note.made_at === null ? 0 : Date.parse(note.made_at) + ANEW_MS;
    return clock.now() >= restsUntil && (await isUnlikelySilent(store.db, connection, note)) ? 'silence' : undefined;
  }

  /** Returns true if a later read of the list has not found it. */
  async #isGone(since: Instant): Promise<boolean> {
    const { connection, around } = this.#options;
    const { store } = around;
    const { webhook_id: id } = await readConnection(store.db, connection);
    const reading = await store.db
      .selectFrom('scans')
      .select('first_number')
      .where('connection', '=', connection)
      .where('resource', '=', webhooks.name)
      .where('state', 'in', ['done', 'suspect'])
      .where('started_at', '>', since)
      .orderBy('scan_id', 'desc')
      .executeTakeFirst();
    if (!reading || id === null) return id === null;
    const row = await store.db
      .selectFrom('webhooks')
      .select(['read_number', 'deleted_at'])
      .where('connection', '=', connection)
      .where('id', '=', id)
      .executeTakeFirst();
    return !row || row.deleted_at !== null || row.read_number < reading.first_number;
  }

  async #ask(why: string, force: boolean): Promise<RegistrationNote> {
    const { connection, clock, signal, around, settings } = this.#options;
    const { store, log } = around;
    const { secret: configured, trustFirst = false } = settings.webhook;
    const before = await readRegistration(store.db, connection);
    try {
      const { outcome, secret } = await registerWebhook(await this.#registrationOf(force));
      if (secret !== undefined) this.#options.onSecret(secret);
      this.#hasChanged ||= outcome === 'made' || outcome === 'moved';
      const at = instantOf(clock.now());
      const made_at = outcome === 'made' ? at : (before?.made_at ?? null);
      const state = outcome === 'by_hand' ? 'by_hand' : 'registered';
      await this.#afterwards(outcome, before, why);
      const knows_secret = secret !== undefined || configured !== undefined || trustFirst;
      return await this.#note({ state, problem: null, knows_secret, failures: 0, checked_at: at, made_at }, CHECK_MS);
    } catch (error) {
      if (!(error instanceof CallError) || signal.aborted) throw error;
      const failures = (before?.failures ?? 0) + 1;
      const state = error.client === 'fix' ? 'refused' : 'failed';
      // After no answer, an early retry may succeed; after a refusal it will not.
      const rests = state === 'refused' ? RESTS_MS : UNANSWERED_RESTS_MS;
      const restMs = rests[Math.min(failures, rests.length) - 1] ?? CHECK_MS;
      const checked_at = instantOf(clock.now());
      const made = { knows_secret: true, made_at: null, ...before, problem: error.message };
      const noted = await this.#note({ ...made, state, failures, checked_at }, restMs);
      // Without this one part of a subscription, all the others can still be read.
      if (error.client === 'host' && error.code !== NO_SUBSCRIPTION) throw error;
      const { problem, next_at } = noted;
      log.error({ connection, problem, next_at }, 'the webhook is not registered: only scans find changes');
      return noted;
    }
  }

  async #registrationOf(force: boolean) {
    const { clock, connection, around, client, settings } = this.#options;
    const { store, sealer, log } = around;
    const { trustFirst = false, url } = settings.webhook;
    const changed_at = instantOf(clock.now());
    const offered = { connection, name: 'instance' as const, value: around.instance, changed_at };
    const instance = await settleFact(store, offered);
    const own = trustFirst ? `${url}/${await this.#hookPath()}` : (url ?? '');
    return { db: store.db, client, connection, url: own, instance, sealer, clock, log, force };
  }

  /** Returns the unguessable part of the registered URL. */
  async #hookPath(): Promise<string> {
    const { around, connection, clock } = this.#options;
    const { sealer, store } = around;
    const value = sealer.seal(around.random.bytes(PATH_BYTES).toString('base64url'), hookContext(connection));
    const fact = { connection, name: 'hook_path' as const, value, changed_at: instantOf(clock.now()) };
    return sealer.open(await settleFact(store, fact), hookContext(connection));
  }

  async #afterwards(outcome: Registered['outcome'], before: RegistrationNote | undefined, why: string) {
    const { connection, clock, settings, around } = this.#options;
    const { url } = settings.webhook;
    const { log, store } = around;
    if (outcome === 'by_hand' || url === null) return;
    await this.#listensNow(url);
    if (outcome !== 'made' || before === undefined) return;
    log.warn({ connection, why }, 'the webhook was not registered any more, or silent: it was registered again');
    // Changes in the meantime were announced to no one.
    await requestCatchUp(store.db, connection, `webhook registered at ${instantOf(clock.now())}`);
  }

  async #note(found: Omit<RegistrationNote, 'next_at'>, inMs: number): Promise<RegistrationNote> {
    const { clock, connection, around } = this.#options;
    const { store } = around;
    this.#askAt = clock.monotonic() + inMs;
    const value = { ...found, next_at: instantOf(clock.now() + inMs) };
    const fact = { connection, name: 'registration' as const, value: JSON.stringify(value) };
    await putFact(store.db, { ...fact, changed_at: found.checked_at });
    return value;
  }

  /** Registers, one call at a time. */
  #once(why: string, force: boolean): Promise<RegistrationNote> {
    return (this.#underWay ??= this.#ask(why, force).finally(() => (this.#underWay = undefined)));
  }
}
