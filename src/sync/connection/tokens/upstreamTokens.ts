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

/** Provides the access token of a connection, a fresh one before the old one expires. */
export interface UpstreamTokens {
  /** @throws CallError if no token can be had: `host` once only a person can help */
  token(): Promise<string>;
  /** Reports that upstream has refused a token before its time. @returns true if another one is worth a try */
  renew(refused: string): Promise<boolean>;
  /** Reports that upstream has withdrawn our access: no token is requested until the configuration has another one. */
  withdraw(why: string): Promise<void>;
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

export async function upstreamTokens(options: Options): Promise<UpstreamTokens> {
  const { store, connection, access, sealer, clock, log, by, signal } = options;
  const context = tokenContext(connection);
  let held: Held | undefined;
  let underWay: Promise<string> | undefined;
  await beginTokens(store, {
    connection,
    given_hash: sha256Hex(access.refreshToken),
    refresh_token: sealer.seal(access.refreshToken, context),
    changed_at: instantOf(clock.now()),
  });

  /**
   * Gets the next token, one at a time here. Of several processes the one with the lease refreshes, and the others wait
   * for its result.
   */
  async function next(): Promise<string> {
    while (!signal.aborted) {
      const row = await readTokens(store.db, connection);
      if (!row) throw new Error(`the tokens of ${connection} are gone`);
      if (row.refused !== null) throw refusal(row.refused);
      held = heldIn(row);
      const now = clock.now();
      if (held && held.refreshAt > now) return held.token;
      const leased = await leaseTokens(store.db, { connection, by, now, until: now + LEASE_MS });
      // It may have been refreshed between the check and the lease.
      if (leased && !sameSecret(leased.refresh_token, row.refresh_token)) await releaseTokens(store.db, connection, by);
      else if (leased) return refreshed(leased);
      else if (held && held.expiresAt > now) return held.token;
      else await sleep(clock, LOOK_MS, signal);
    }
    throw new Error('stopping');
  }

  async function refreshed(row: UpstreamTokensRow): Promise<string> {
    let given: FreshTokens;
    try {
      given = await options.refresh(access, sealer.open(row.refresh_token, context));
    } catch (error) {
      return afterFailure(row, error);
    }
    const now = clock.now();
    const kept = {
      // If the server does not rotate refresh tokens, the old one stays.
      refresh_token: given.refreshToken === null ? row.refresh_token : sealer.seal(given.refreshToken, context),
      access_token: sealer.seal(given.accessToken, context),
      given_at: instantOf(now),
      expires_at: instantOf(now + given.expiresInMs),
      changed_at: instantOf(now),
    };
    // Stored before it is used: the old refresh token is already worthless.
    if (!(await keepTokens(store.db, connection, row.refresh_token, kept))) return next();
    log.info({ connection, expires_at: kept.expires_at }, 'got a new access token of upstream');
    held = heldIn({ ...row, ...kept });
    return given.accessToken;
  }

  async function afterFailure(row: UpstreamTokensRow, error: unknown): Promise<string> {
    const why = messageOf(error);
    if (error instanceof CallError && error.client === 'host') {
      const at = instantOf(clock.now());
      await refuseTokens(store.db, connection, { why, at, spent: row.refresh_token });
      held = undefined;
      throw error;
    }
    await releaseTokens(store.db, connection, by);
    if (held === undefined || held.expiresAt <= clock.now()) throw error;
    log.warn({ connection, problem: why }, 'no new access token of upstream yet; the old one is still good');
    // Retries later, not at every request.
    held = { ...held, refreshAt: Math.min(held.expiresAt, clock.now() + EARLY_LEAST_MS) };
    return held.token;
  }

  function heldIn({ access_token: sealed, given_at, expires_at }: UpstreamTokensRow): Held | undefined {
    if (sealed === null || given_at === null || expires_at === null) return undefined;
    const [givenAt, expiresAt] = [msOf(given_at), msOf(expires_at)];
    const early = Math.min(EARLY_MOST_MS, Math.max(EARLY_LEAST_MS, (expiresAt - givenAt) * EARLY_SHARE));
    return { token: sealer.open(sealed, context), sealed, givenAt, refreshAt: expiresAt - early, expiresAt };
  }

  return {
    async token() {
      if (held && held.refreshAt > clock.now()) return held.token;
      underWay ??= next().finally(() => (underWay = undefined));
      return underWay;
    },
    async renew(refused) {
      const now = clock.now();
      if (held && !sameSecret(held.token, refused)) return true;
      if (!held || now - held.givenAt < YOUNG_MS) return false;
      await overNow(store.db, connection, held.sealed, now);
      held = undefined;
      return true;
    },
    async withdraw(why) {
      await refuseTokens(store.db, connection, { why, at: instantOf(clock.now()) });
      held = undefined;
    },
  };
}

function refusal(why: string): CallError {
  const message = `${why}; let stayd in anew and configure the new refresh token`;
  return new CallError({ operation: 'createAuthorization', kind: 'api', code: 401, client: 'host', message });
}
