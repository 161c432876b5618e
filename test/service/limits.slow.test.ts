import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, startTestService, type TestService } from '../support/service.ts';

describe('a core whose limits allow one request a minute', () => {
  let service: TestService;
  before(async () => {
    // So few that a refused daemon would not even get through its first reading.
    service = await startTestService({ STAYD_LIMITS: '{multiply: 0.0001}' });
  });
  after(() => service.remove());

  it('refuses its users, and tells them on real HTTP which limit and how long', async () => {
    assert.equal((await call(service, 'GET', '/v3/accounts/me', { token: service.token })).json.error_code, 200);
    const refused = await call(service, 'GET', '/v3/accounts/me', { token: service.token });
    assert.equal(refused.json.error_code, 429);
    assert.equal(refused.http, 200);
    // Towards the end of an hour the account's ten minutes end with the endpoint's hour.
    assert.match(refused.headers.get('x-ratelimit-scope') ?? '', /^(endpoint|user)$/);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  });

  it('never its own daemon: the mirror is read and kept, again and again', async () => {
    await service.settled();
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
    }
  });

  it('also when the daemon’s token is from before it was set free', async () => {
    await service.stop();
    await service.run('update core.tokens set unlimited = 0');
    await service.restart();
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
    const { tokens } = await service.portal('GET', '/portal/tokens');
    const own = tokens.filter((token: { name: string }) => token.name === 'daemon beside the core');
    assert.deepEqual(
      own.map((token: { revoked_at: string | null }) => token.revoked_at === null),
      [false, true],
    );
  });
});
