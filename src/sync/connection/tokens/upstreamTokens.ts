import { CallError } from '../../../client/callError.ts';
import type { FreshTokens, OAuthClient, Refresh } from '../../../client/refreshTokens.ts';
import { type Clock, sleep } from '../../../kernel/clock.ts';
import { instantOf, msOf } from '../../../kernel/dates.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Sealer } from '../../../kernel/seal.ts';
import { sameSecret, sha256Hex } from '../../../kernel/signature.ts';
import type { MirrorStore } from '../../tables/database.ts';
import {
  beginTokens,
  keepTokens,
  leaseTokens,
  overNow,
  readTokens,
  refuseTokens,
  releaseTokens,
  tokenContext,
  type UpstreamTokensRow,
} from './heldTokens.ts';

/** The OAuth access of a connection, as its configuration states it. */
export interface OAuthAccess extends OAuthClient {
  /** The first one. Each refresh brings the next, which the mirror stores. */
  readonly refreshToken: string;
}

interface Options {
  store: MirrorStore;
  connection: string;
  access: OAuthAccess;
  refresh: Refresh;
  sealer: Sealer;
  clock: Clock;
  log: Logger;
  /** Names this process. */
  by: string;
  signal: AbortSignal;
}

/** A refresh takes seconds; a process that takes longer than this is gone. */
const LEASE_MS = 120_000;
const LOOK_MS = 250;
/** The last part of its life in which a token is refreshed: a tenth, within the limits of a minute and a day. */
const EARLY_SHARE = 0.1;
const [EARLY_LEAST_MS, EARLY_MOST_MS] = [60_000, 86_400_000];
/** A refused token younger than this is not refused for its age. */
const YOUNG_MS = 300_000;

interface Held {
  token: string;
  sealed: string;
  givenAt: number;
  refreshAt: number;
  expiresAt: number;
}

/** Provides the access token of a connection, a fresh one before the old one expires. */
export class UpstreamTokens {
  readonly #options: Options;
  readonly #context: string;
  #held: Held | undefined;
  #underWay: Promise<string> | undefined;

  private constructor(options: Options) {
    this.#options = options;
    this.#context = tokenContext(options.connection);
  }

  /** Begins with the refresh token of the configuration, or goes on with the stored ones that came of it. */
  static async open(options: Options): Promise<UpstreamTokens> {
    const { store, connection, access, sealer, clock } = options;
    await beginTokens(store, {
      connection,
      given_hash: sha256Hex(access.refreshToken),
      refresh_token: sealer.seal(access.refreshToken, tokenContext(connection)),
      changed_at: instantOf(clock.now()),
    });
    return new UpstreamTokens(options);
  }

  /** @throws CallError if no token can be had: `host` once only a person can help */
  async token(): Promise<string> {
    const { clock } = this.#options;
    if (this.#held && this.#held.refreshAt > clock.now()) return this.#held.token;
    this.#underWay ??= this.#next().finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  /** Reports that upstream has refused a token before its time. @returns true if another one is worth a try */
  async renew(refused: string): Promise<boolean> {
    const { clock, store, connection } = this.#options;
    const now = clock.now();
    if (this.#held && !sameSecret(this.#held.token, refused)) return true;
    if (!this.#held || now - this.#held.givenAt < YOUNG_MS) return false;
    await overNow(store.db, connection, this.#held.sealed, now);
    this.#held = undefined;
    return true;
  }

  /** Reports that upstream has withdrawn our access: no token is requested until the configuration has another one. */
  async withdraw(why: string): Promise<void> {
    const { store, connection, clock } = this.#options;
    await refuseTokens(store.db, connection, { why, at: instantOf(clock.now()) });
    this.#held = undefined;
  }

  /**
   * Gets the next token, one at a time here. Of several processes the one with the lease refreshes, and the others wait
   * for its result.
   */
  async #next(): Promise<string> {
    const { signal, store, connection, clock, by } = this.#options;
    while (!signal.aborted) {
      const row = await readTokens(store.db, connection);
      if (!row) throw new Error(`the tokens of ${connection} are gone`);
      if (row.refused !== null) throw refusal(row.refused);
      this.#held = this.#heldIn(row);
      const now = clock.now();
      if (this.#held && this.#held.refreshAt > now) return this.#held.token;
      const leased = await leaseTokens(store.db, { connection, by, now, until: now + LEASE_MS });
      // It may have been refreshed between the check and the lease.
      if (leased && !sameSecret(leased.refresh_token, row.refresh_token)) await releaseTokens(store.db, connection, by);
      else if (leased) return this.#refreshed(leased);
      else if (this.#held && this.#held.expiresAt > now) return this.#held.token;
      else await sleep(clock, LOOK_MS, signal);
    }
    throw new Error('stopping');
  }

  async #refreshed(row: UpstreamTokensRow): Promise<string> {
    const { access, sealer, clock, store, connection, log } = this.#options;
    let given: FreshTokens;
    try {
      given = await this.#options.refresh(access, sealer.open(row.refresh_token, this.#context));
    } catch (error) {
      return this.#afterFailure(row, error);
    }
    const now = clock.now();
    const kept = {
      // If the server does not rotate refresh tokens, the old one stays.
      refresh_token: given.refreshToken === null ? row.refresh_token : sealer.seal(given.refreshToken, this.#context),
      access_token: sealer.seal(given.accessToken, this.#context),
      given_at: instantOf(now),
      expires_at: instantOf(now + given.expiresInMs),
      changed_at: instantOf(now),
    };
    // Stored before it is used: the old refresh token is already worthless.
    if (!(await keepTokens(store.db, connection, row.refresh_token, kept))) return this.#next();
    log.info({ connection, expires_at: kept.expires_at }, 'got a new access token of upstream');
    this.#held = this.#heldIn({ ...row, ...kept });
    return given.accessToken;
  }

  async #afterFailure(row: UpstreamTokensRow, error: unknown): Promise<string> {
    const { clock, store, connection, by, log } = this.#options;
    const why = messageOf(error);
    if (error instanceof CallError && error.client === 'host') {
      const at = instantOf(clock.now());
      await refuseTokens(store.db, connection, { why, at, spent: row.refresh_token });
      this.#held = undefined;
      throw error;
    }
    await releaseTokens(store.db, connection, by);
    if (this.#held === undefined || this.#held.expiresAt <= clock.now()) throw error;
    log.warn({ connection, problem: why }, 'no new access token of upstream yet; the old one is still good');
    // Retries later, not at every request.
    this.#held = { ...this.#held, refreshAt: Math.min(this.#held.expiresAt, clock.now() + EARLY_LEAST_MS) };
    return this.#held.token;
  }

  #heldIn({ access_token: sealed, given_at, expires_at }: UpstreamTokensRow): Held | undefined {
    const { sealer } = this.#options;
    if (sealed === null || given_at === null || expires_at === null) return undefined;
    const [givenAt, expiresAt] = [msOf(given_at), msOf(expires_at)];
    const early = Math.min(EARLY_MOST_MS, Math.max(EARLY_LEAST_MS, (expiresAt - givenAt) * EARLY_SHARE));
    return { token: sealer.open(sealed, this.#context), sealed, givenAt, refreshAt: expiresAt - early, expiresAt };
  }
}

function refusal(why: string): CallError {
  const message = `${why}; give stayd access again and configure the new refresh token`;
  return new CallError({ operation: 'createAuthorization', kind: 'api', code: 401, client: 'host', message });
}
