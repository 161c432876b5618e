import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../support/service.ts';

describe('streams of an open page', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.remove());

  it('end when the service stops, so that no reader keeps it', async () => {
    const { secret } = await service.portal('POST', '/portal/invites', {});
    const welcomed = await fetch(`${service.url}/console/welcome`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url },
      body: new URLSearchParams({ secret, login: 'ada', password: 'seventeen quiet herons' }).toString(),
      redirect: 'manual',
    });
    assert.equal(welcomed.status, 303);
    const cookie = welcomed.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    // The owner of an account without properties begins with Setup.
    await service.settled();
    const home = await fetch(`${service.url}/console/`, { headers: { cookie }, redirect: 'manual' });
    assert.equal(home.headers.get('location'), '/console/setup');
    const page = await fetch(`${service.url}/console/live?connection=local&after=0`, { headers: { cookie } });
    const feed = await fetch(`${service.url}/mirror/changes/stream`, {
      headers: { 'service-access-token': service.token },
    });
    const read = [page.text(), feed.text()];
    const begun = performance.now();
    await service.stop();
    const texts = await Promise.all(read);
    assert.ok(performance.now() - begun < 5_000, 'as long as a stop without readers');
    assert.match(texts[0] ?? '', /event: change\ndata:\n/);
    assert.doesNotMatch(texts[0] ?? '', /data: *\S/, 'says that something changed, not what');
  });

  it('and connections on which nothing was asked, which browsers open in advance, do not keep it either', async () => {
    await service.restart();
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    const begun = performance.now();
    await service.stop();
    await closed;
    assert.ok(performance.now() - begun < 5_000, `${performance.now() - begun} ms`);
  });
});
