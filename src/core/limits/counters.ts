import type { RateClass } from '../../contract/limits.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import { usedOf } from '../../kernel/limits/windows.ts';
import { Worker } from '../../kernel/worker.ts';
import type { Store } from '../../store/store.ts';
import type { CoreDatabase } from '../database.ts';
import { decide, type Limit } from './decide.ts';
import { Meter } from './meter.ts';
import { capWindows, type LimitPolicy } from './policy.ts';
import { tooManyRequests } from './rateLimited.ts';
import { addCounts, type CounterRow, openCounts } from './table.ts';

/**
 * Milliseconds between two writes of the counters, which are also written at a stop. A crash loses at most this much
 * counting.
 */
const WRITE_MS = 1_000;
/** The bucket that all endpoints of an account share. */
export const ACCOUNT_BUCKET = 'account';

/** The caller as far as limits are concerned. */
export interface Requester {
  readonly account: { readonly account_id: AccountId };
  /** null: authenticated by other means than a token that could have a cap. */
  readonly token: RequesterToken | null;
}

export interface RequesterToken {
  readonly id: number;
  /** Most requests of this token, in addition to all other limits; null: no cap. */
  readonly per_minute: number | null;
  readonly per_hour: number | null;
  /** true: the service's own token, neither counted nor refused. */
  readonly unlimited: boolean;
}

/** Reports that a request has ended, and whether it failed with 400 or 404. Must be called once. */
type Leave = (failed: boolean) => void;

interface EndpointMeters {
  readonly requests: Meter;
  readonly failed: Meter;
  /** Requests that were admitted and may still fail. */
  underWay: number;
  /** Callbacks of requests that wait for one of them to end. */
  waiting: (() => void)[];
}

interface AccountMeters {
  readonly requests: Meter;
  readonly endpoints: Map<string, EndpointMeters>;
  readonly tokens: Map<number, Meter>;
}

const nothingToCount: Leave = () => {};

/**
 * Counts requests per account, token and route template, and decides which may pass. The numbers are in memory and are
 * added to the stored ones once a second, so that several processes on one database learn each other's counts.
 */
export class RequestCounters {
  readonly #store: Store<CoreDatabase>;
  readonly #clock: Clock;
  readonly #policy: LimitPolicy;
  readonly #accounts = new Map<AccountId, AccountMeters>();
  readonly #changed = new Set<Meter>();
  #stored = new Map<string, CounterRow>();
  readonly #writing: Worker;

  constructor(store: Store<CoreDatabase>, clock: Clock, policy: LimitPolicy, log: Logger) {
    this.#store = store;
    this.#clock = clock;
    this.#policy = policy;
    this.#writing = new Worker({
      clock,
      log,
      // The next write makes up for a failed one: the counts are protection, not accounting.
      name: 'writing the counts of requests',
      firstMs: WRITE_MS,
      everyMs: WRITE_MS,
      round: () => this.#write(),
    });
  }

  /** Continues from the counts that the last run stored. */
  async start(): Promise<void> {
    const rows = await openCounts(this.#store, this.#clock.now());
    this.#stored = new Map(rows.map((row) => [Meter.keyOf(row), row]));
    await this.#writing.start();
  }

  /**
   * Counts one request in every window that it falls into, or in none when one of them is full.
   * @param bucket the method and route template
   * @throws RateLimited naming the limit with the longest wait
   */
  admit(who: Requester, bucket: string, rate: RateClass): void {
    if (who.token?.unlimited) return;
    const account = this.#account(who.account.account_id);
    const endpoint = this.#endpoint(account, who.account.account_id, bucket, rate);
    const token = who.token && this.#token(account, who.account.account_id, who.token);
    const now = this.#clock.now();
    const stop = decide(this.#limits(account.requests, token, endpoint), now);
    if (stop) throw tooManyRequests(stop);
    this.#count(account.requests, now);
    this.#count(endpoint.requests, now);
    if (token) this.#count(token, now);
  }

  /**
   * Admits one request that may still fail. If the requests in progress could fill the quota of failed requests between
   * them, it waits until one of them has ended. The quota is then neither exceeded nor applied to requests that
   * succeed.
   * @throws RateLimited as `admit`
   */
  async enter(who: Requester, bucket: string, rate: RateClass): Promise<Leave> {
    if (who.token?.unlimited) return nothingToCount;
    const { account_id } = who.account;
    const endpoint = this.#endpoint(this.#account(account_id), account_id, bucket, rate);
    while (this.#mayFillUp(endpoint)) await new Promise<void>((resolve) => endpoint.waiting.push(resolve));
    this.admit(who, bucket, rate);
    endpoint.underWay += 1;
    return (failed) => {
      endpoint.underWay -= 1;
      if (failed) this.countFailure(who, bucket, rate);
      for (const look of endpoint.waiting.splice(0)) look();
    };
  }

  /**
   * Counts a request to a protected resource that the limits of v3 do not cover. A token's own cap applies everywhere.
   * @throws RateLimited when the cap is reached
   */
  admitByCap({ account: { account_id }, token }: Requester): void {
    if (!token || token.unlimited) return;
    const cap = this.#token(this.#account(account_id), account_id, token);
    if (!cap) return;
    const now = this.#clock.now();
    const stop = decide([{ scope: 'token', windows: cap.windows, tallies: cap.tallies }], now);
    if (stop) throw tooManyRequests(stop);
    this.#count(cap, now);
  }

  /** Counts a request that was admitted and then failed with 400 or 404. */
  countFailure(who: Requester, bucket: string, rate: RateClass): void {
    if (who.token?.unlimited) return;
    const account = this.#account(who.account.account_id);
    const { failed } = this.#endpoint(account, who.account.account_id, bucket, rate);
    this.#count(failed, this.#clock.now());
  }

  /** Returns an account's use of the windows that are open now. */
  usage(accountId: AccountId): { bucket: string; window_seconds: number; count: number }[] {
    const nowMs = this.#clock.now();
    const ahead = [...this.#stored.values()]
      .filter((row) => row.account_id === accountId && row.window_start + row.window_seconds > nowMs / 1_000)
      .map(({ bucket, window_seconds, count }) => ({ bucket, window_seconds, count }));
    const account = this.#accounts.get(accountId);
    if (!account) return ahead;
    const endpoints = [...account.endpoints.values()].flatMap(({ requests, failed }) => [requests, failed]);
    const meters = [account.requests, ...endpoints, ...account.tokens.values()];
    return [...meters.flatMap((meter) => meter.usage(nowMs)), ...ahead];
  }

  async stop(): Promise<void> {
    await this.#writing.stop();
    await this.#write();
  }

  /** The widest limit comes first: of limits that reset together it is the one to name. */
  #limits(account: Meter, token: Meter | null, endpoint: { requests: Meter; failed: Meter }): Limit[] {
    const cap: Limit[] = token ? [{ scope: 'token', windows: token.windows, tallies: token.tallies }] : [];
    if (!this.#policy.enforced) return cap;
    return [
      { scope: 'user', windows: account.windows, tallies: account.tallies },
      ...cap,
      { scope: 'endpoint', windows: endpoint.requests.windows, tallies: endpoint.requests.tallies },
      { scope: 'endpoint_error', windows: endpoint.failed.windows, tallies: endpoint.failed.tallies },
    ];
  }

  #account(accountId: AccountId): AccountMeters {
    let meters = this.#accounts.get(accountId);
    if (!meters) {
      const requests = this.#meter(accountId, ACCOUNT_BUCKET, this.#policy.account);
      this.#accounts.set(accountId, (meters = { requests, endpoints: new Map(), tokens: new Map() }));
    }
    return meters;
  }

  /** Returns true if the quota would be exceeded by one more request, should every request in progress fail. */
  #mayFillUp({ failed, underWay }: EndpointMeters): boolean {
    if (!this.#policy.enforced || underWay === 0) return false;
    const now = this.#clock.now();
    const rooms = failed.windows.map((window, index) => window.max - usedOf(window, failed.tallies[index], now));
    const least = Math.min(...rooms);
    // A full quota offers nothing to wait for.
    return least > 0 && underWay >= least;
  }

  #endpoint(account: AccountMeters, accountId: AccountId, bucket: string, rate: RateClass): EndpointMeters {
    let meters = account.endpoints.get(bucket);
    if (!meters) {
      meters = {
        requests: this.#meter(accountId, bucket, this.#policy.classes[rate]),
        failed: this.#meter(accountId, `failed ${bucket}`, this.#policy.failed),
        underWay: 0,
        waiting: [],
      };
      account.endpoints.set(bucket, meters);
    }
    return meters;
  }

  #token(account: AccountMeters, accountId: AccountId, token: RequesterToken): Meter | null {
    if (token.per_minute === null && token.per_hour === null) return null;
    let meter = account.tokens.get(token.id);
    if (!meter) account.tokens.set(token.id, (meter = this.#meter(accountId, `token ${token.id}`, capWindows(token))));
    return meter;
  }

  #meter(accountId: AccountId, bucket: string, windows: Meter['windows']): Meter {
    return new Meter(accountId, bucket, windows, (key) => {
      const row = this.#stored.get(key);
      this.#stored.delete(key);
      return row;
    });
  }

  #count(meter: Meter, now: number): void {
    meter.count(now);
    this.#changed.add(meter);
  }

  async #write(): Promise<void> {
    if (this.#changed.size === 0) return;
    const meters = new Map([...this.#changed].map((meter) => [meter.key, meter]));
    this.#changed.clear();
    const rows = [...meters.values()].flatMap((meter) => meter.takeUnwritten());
    try {
      for (const row of await addCounts(this.#store.db, rows)) meters.get(Meter.keyOfBucket(row))?.learn(row);
    } catch (error) {
      for (const row of rows) meters.get(Meter.keyOfBucket(row))?.giveBack(row);
      for (const meter of meters.values()) this.#changed.add(meter);
      throw error;
    }
  }
}
