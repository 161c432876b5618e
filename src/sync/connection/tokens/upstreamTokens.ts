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

/** How a connection is let in by OAuth, as its configuration says. */
export interface OAuthAccess extends OAuthClient {
  /** The first one. Each refresh brings the next, which the mirror keeps. */
  readonly refreshToken: string;
}

/** Gives out the access token of a connection, a fresh one before the old one is over. */
export interface UpstreamTokens {
  /** @throws CallError when there is none to be had: `host` once only a person can help */
  token(): Promise<string>;
  /** Upstream has refused a token before its time. @returns whether another one is worth trying */
  renew(refused: string): Promise<boolean>;
  /** Upstream has said that it lets us in no more: nothing is asked for until the configuration gives another token. */
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

/** A refresh takes seconds; who has not come back after so long is no more. */
const LEASE_MS = 120_000;
const LOOK_MS = 250;
/** The last tenth of its life, a minute at the least, and a day at the most, is there for refreshing. */
const EARLY_SHARE = 0.1;
const [EARLY_LEAST_MS, EARLY_MOST_MS] = [60_000, 86_400_000];
/** A token refused when it is younger than this is not refused for its age. */
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

  /** One at a time here; of several processes the one with the lease refreshes, and the others wait for what it brings. */
  async function next(): Promise<string> {
    while (!signal.aborted) {
      const row = await readTokens(store.db, connection);
      if (!row) throw new Error(`the tokens of ${connection} are gone`);
      if (row.refused !== null) throw refusal(row.refused);
      held = heldIn(row);
      const now = clock.now();
      if (held && held.refreshAt > now) return held.token;
      const leased = await leaseTokens(store.db, { connection, by, now, until: now + LEASE_MS });
      // It may have been refreshed between the look and the lease.
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
      // Of a server that does not rotate, the old one stays.
      refresh_token: given.refreshToken === null ? row.refresh_token : sealer.seal(given.refreshToken, context),
      access_token: sealer.seal(given.accessToken, context),
      given_at: instantOf(now),
      expires_at: instantOf(now + given.expiresInMs),
      changed_at: instantOf(now),
    };
    // On the disk before anything is done with it: the old refresh token is worth nothing now.
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
    // Not at every request.
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
