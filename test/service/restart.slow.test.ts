import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../support/port.ts';
import { startTestService, type TestService, until } from '../support/service.ts';

describe('a restart of a daemon after a clean stop, beside a core of ours', () => {
  let core: TestService;
  let daemon: TestService;
  before(async () => {
    core = await startTestService({ STAYD_ROLES: 'core', STAYD_OUTBOUND_ALLOW: '127.0.0.0/8' });
    daemon = await startTestService({
      STAYD_PORT: String(await freePort()),
      STAYD_UPSTREAM_URL: core.url,
      STAYD_UPSTREAM_TOKEN: core.token,
    });
    await requests(daemon);
  });
  after(async () => {
    await daemon.remove();
    await core.remove();
  });

  it('costs one request, for the webhook: the core says what it could not deliver, and when', async () => {
    await daemon.restart();
    assert.deepEqual(await requests(daemon), { setup: 1 });
  });

  it('reads the webhooks again if ours was moved', async () => {
    await daemon.restart({ STAYD_PORT: String(await freePort()) });
    assert.deepEqual(await requests(daemon), { setup: 2, catch_up: 1 });
  });
});

/** The requests since the start of the process, by purpose, when nothing is owed any more. */
async function requests(daemon: TestService): Promise<Record<string, number>> {
  const connection = async () => (await daemon.portal('GET', '/portal/status')).connections.upstream;
  await until(async () => {
    const { caught_up_age, catch_up_due } = await connection();
    return caught_up_age !== null && catch_up_due === null;
  }, 'what is owed after the start');
  const all = Object.entries<number>((await connection()).requests);
  return Object.fromEntries(all.filter(([, count]) => count > 0));
}
