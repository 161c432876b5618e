import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FOREIGN, type ForeignWorld, inForeign } from './world.ts';
import type { Upstream } from './upstream/upstream.ts';

const SIX_MINUTES_MS = 360_000;
const MOST_TOKENS = 9;

/** Let in by OAuth, as the configuration of a connection has it. */
const byOAuth = (upstream: Upstream) => ({
  token: {
    issuer: upstream.url,
    clientId: upstream.client.id,
    clientSecret: upstream.client.secret,
    refreshToken: upstream.tokens.issue().refreshToken,
  },
});

const numbers = Array.from({ length: MOST_TOKENS }, (_, index) => index + 1);

/** Every access token is refused from now on, as if its days were over. */
function expireAll({ upstream: { tokens } }: ForeignWorld): void {
  for (const number of numbers) tokens.expire(`access-${number}`);
}

const alive = ({ upstream: { tokens } }: ForeignWorld) => numbers.filter((number) => tokens.isGood(`access-${number}`));

for (const dialect of ['described', 'hostex'] as const) {
  describe(`tokens of a service that speaks ${dialect}`, () => {
    it('are refreshed when they are over, each time by the newest refresh token', () =>
      inForeign({ dialect, seed: 6, settings: byOAuth }, async (world) => {
        // The first was issued by hand, and exchanged at once.
        assert.deepEqual(alive(world), [1, 2]);
        assert.deepEqual(await world.differences(), []);
        for (const newest of [3, 4]) {
          await world.clock.advance(SIX_MINUTES_MS);
          expireAll(world);
          world.business.goOn(6);
          await world.quiet();
          assert.deepEqual(alive(world), [newest]);
          await world.reconcile();
          await world.quiet();
          assert.deepEqual(await world.differences(), []);
        }
        assert.ok(world.upstream.asked.filter(({ code }) => code === 401).length <= 20);
      }));

    it('that are taken away stop the reading, and it is said why; events are still taken in', () =>
      inForeign({ dialect, seed: 6, settings: byOAuth }, async (world) => {
        const { upstream, business } = world;
        await world.clock.advance(SIX_MINUTES_MS);
        for (const number of numbers) await revoke(upstream, `refresh-${number}`);
        expireAll(world);
        upstream.forget();
        business.goOn(6);
        await world.pass(60);
        assert.ok(upstream.count() <= 20, `${upstream.count()} requests`);
        const status = await world.daemon.status(FOREIGN);
        assert.match(JSON.stringify(status), /give stayd access again and configure the new refresh token/);
        const [waiting] = await world.rows(`select count(*) as n from inbox where state = 'pending'`);
        assert.ok(Number(waiting?.['n']) > 0);
      }));
  });
}

async function revoke({ url, client }: Upstream, token: string): Promise<void> {
  await fetch(`${url}/v3/oauth/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: client.id, client_secret: client.secret, token }),
  });
}
