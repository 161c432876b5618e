import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { CallError } from '../../../src/client/callError.ts';
import type { Refresh } from '../../../src/client/refreshTokens.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { systemRandom } from '../../../src/kernel/random.ts';
import { resealing, sealer } from '../../../src/kernel/seal.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Mirror, MirrorStore } from '../../../src/sync/tables/database.ts';
import { readTokens, resealTokens } from '../../../src/sync/connection/tokens/heldTokens.ts';
import { UpstreamTokens } from '../../../src/sync/connection/tokens/upstreamTokens.ts';
import { type ManualClock, manualClock } from '../../support/clock.ts';
import { putEmpty } from '../../support/templates.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
const CONNECTION = 'north';
const CALLS = 50;

/** An authorization server that rotates: a refresh token is good once, and one that comes again ends everything. */
class Issuer {
  good: string;
  ended = false;
  asked: string[] = [];
  lifeMs = WEEK_MS;
  /** What an exchange fails with, instead of bringing tokens. */
  failure: CallError | undefined;
  /** Runs while an exchange is under way. */
  meanwhile: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve));

  constructor(first: string) {
    this.good = first;
  }

  readonly refresh: Refresh = async (_client, refreshToken) => {
    this.asked.push(refreshToken);
    await this.meanwhile();
    if (this.failure) throw this.failure;
    if (this.ended || refreshToken !== this.good) {
      this.ended = true;
      throw refused('invalid_grant');
    }
    this.good = `refresh ${this.asked.length}`;
    return { accessToken: `access ${this.asked.length}`, refreshToken: this.good, expiresInMs: this.lifeMs };
  };
}

function refused(message: string): CallError {
  return new CallError({ operation: 'createAuthorization', kind: 'api', code: 401, client: 'host', message });
}

function outage(): CallError {
  return new CallError({
    operation: 'createAuthorization',
    kind: 'transport',
    code: 0,
    client: 'retry',
    message: 'down',
  });
}

const key = sealer(Buffer.alloc(32, 1), systemRandom);

interface Stage {
  store: MirrorStore;
  clock: ManualClock;
  issuer: Issuer;
  /** One more process with the same configuration. */
  process(refreshToken?: string): Promise<UpstreamTokens>;
}

function onStore(name: string, place: (t: TestContext) => Promise<MirrorStore>): void {
  async function stage(t: TestContext): Promise<Stage> {
    const store = await place(t);
    const clock = manualClock();
    const issuer = new Issuer('given');
    const ending = new AbortController();
    t.after(async () => {
      ending.abort();
      await store.close();
    });
    let processes = 0;
    return {
      store,
      clock,
      issuer,
      process: (refreshToken = 'given') =>
        UpstreamTokens.open({
          store,
          connection: CONNECTION,
          access: { issuer: 'https://north.example', clientId: 'app', clientSecret: null, refreshToken },
          refresh: issuer.refresh,
          sealer: key,
          clock,
          log: silentLogger,
          by: `process ${(processes += 1)}`,
          signal: ending.signal,
        }),
    };
  }

  /** Lets the clock run until it is there. */
  async function settled<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
    let done = false;
    const ended = work.finally(() => (done = true));
    ended.catch(() => {});
    await clock.until(() => done, 'a token');
    return ended;
  }

  describe(`tokens of an upstream, ${name}`, () => {
    it('one exchange brings a token for all until it is nearly over, then the next', async (t) => {
      const { clock, issuer, process } = await stage(t);
      const tokens = await process();
      assert.equal(await tokens.token(), 'access 1');
      assert.equal(await tokens.token(), 'access 1');
      await clock.advance(WEEK_MS - 18 * HOUR_MS);
      assert.equal(await tokens.token(), 'access 1');
      await clock.advance(2 * HOUR_MS);
      assert.equal(await tokens.token(), 'access 2', 'well before it is over');
      assert.deepEqual(issuer.asked, ['given', 'refresh 1']);
    });

    it(`${CALLS} calls at once in each of two processes: one exchange`, async (t) => {
      const { clock, issuer, process } = await stage(t);
      issuer.meanwhile = async () => {
        for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      };
      const both = [await process(), await process()];
      for (let week = 1; week <= 3; week += 1) {
        const calls = both.flatMap((one) => Array.from({ length: CALLS }, () => one.token()));
        assert.deepEqual(new Set(await settled(clock, Promise.all(calls))), new Set([`access ${week}`]));
        await clock.advance(WEEK_MS);
      }
      assert.deepEqual(issuer.asked, ['given', 'refresh 1', 'refresh 2']);
      assert.equal(issuer.ended, false);
    });

    it('the new refresh token is stored before the access token is used, and nothing is stored as it is', async (t) => {
      const { store, issuer, process } = await stage(t);
      await (await process()).token();
      const row = await readTokens(store.db, CONNECTION);
      assert.ok(row);
      for (const secret of ['given', 'access 1', 'refresh 1']) assert.ok(!Object.values(row).includes(secret), secret);
      // A process that was not there meanwhile goes on from the disk.
      assert.equal(await (await process()).token(), 'access 1');
      assert.deepEqual(issuer.asked, ['given']);
    });

    it('a process that dies while it refreshes holds the others up for two minutes at the most', async (t) => {
      const { clock, issuer, process } = await stage(t);
      const dying = await process();
      issuer.meanwhile = () => new Promise(() => {});
      void dying.token();
      await clock.until(() => issuer.asked.length === 1);
      issuer.meanwhile = async () => {};
      const waiting = (await process()).token();
      let token: string | undefined;
      waiting.then((found) => (token = found)).catch(() => {});
      await clock.advance(119_000);
      assert.equal(token, undefined);
      await clock.advance(2_000);
      assert.equal(await settled(clock, waiting), 'access 2');
    });

    it('while the authorization server is down the old token serves until it is over', async (t) => {
      const { clock, issuer, process } = await stage(t);
      const tokens = await process();
      await tokens.token();
      issuer.failure = outage();
      await clock.advance(WEEK_MS - HOUR_MS);
      assert.equal(await tokens.token(), 'access 1');
      assert.equal(await tokens.token(), 'access 1');
      assert.equal(issuer.asked.length, 2, 'it is not asked at every call');
      await clock.advance(HOUR_MS);
      await assert.rejects(tokens.token(), /down/);
      issuer.failure = undefined;
      assert.equal(await tokens.token(), 'access 4');
    });

    it('what is refused is asked for no more, by no process, until the configuration gives another token', async (t) => {
      const { issuer, process } = await stage(t);
      issuer.ended = true;
      const [one, other] = [await process(), await process()];
      for (const tokens of [one, one, other, await process()]) {
        await assert.rejects(tokens.token(), (error) => error instanceof CallError && error.client === 'host');
      }
      assert.equal(issuer.asked.length, 1);
      Object.assign(issuer, { ended: false, good: 'given again' });
      assert.equal(await (await process('given again')).token(), 'access 2');
      assert.equal(await other.token(), 'access 2', 'the others go on with it');
    });

    it('a withdrawn access is not tried again', async (t) => {
      const { store, issuer, process } = await stage(t);
      const tokens = await process();
      await tokens.token();
      await tokens.withdraw('authorization_revoked');
      await assert.rejects(tokens.token(), /authorization_revoked/);
      const row = await readTokens(store.db, CONNECTION);
      assert.deepEqual([row?.refused, row?.access_token], ['authorization_revoked', null]);
      assert.equal(issuer.asked.length, 1);
    });

    it('a token refused before its time is renewed once, a young one is not', async (t) => {
      const { clock, issuer, process } = await stage(t);
      const [one, other] = [await process(), await process()];
      const token = await one.token();
      await other.token();
      assert.equal(await one.renew(token), false);
      await clock.advance(HOUR_MS);
      assert.equal(await one.renew(token), true);
      assert.equal(await one.token(), 'access 2');
      assert.equal(await one.renew(token), true, 'another one is there already');
      assert.equal(await other.renew(token), true);
      assert.equal(await settled(clock, other.token()), 'access 2');
      assert.equal(issuer.asked.length, 2);
    });

    it('a new key opens what was sealed with the old one', async (t) => {
      const { store, process } = await stage(t);
      await (await process()).token();
      const next = sealer(Buffer.alloc(32, 2), systemRandom);
      assert.equal(await resealTokens(store, resealing(key, next)), 1);
      await assert.rejects((await process()).token(), /sealed with the key/);
    });
  });
}

onStore('on SQLite', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-tokens-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'mirror.db');
  await putEmpty('mirror', file);
  return openStore<Mirror>({ kind: 'sqlite', file });
});

describeOnPostgres('shared by processes', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  onStore('on PostgreSQL', async () =>
    openStore<Mirror>({ kind: 'postgres', url: await server.freshDatabase(), schema: 'mirror' }),
  );
});
