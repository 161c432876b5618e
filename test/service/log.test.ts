import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { serviceLogger } from '../../src/compose/log/serviceLog.ts';
import { LogLevels } from '../../src/kernel/log.ts';
import { call, startTestService, type TestService } from '../support/service.ts';

type Line = Record<string, unknown>;

/** A text that callers put wherever they can; it must not come back. */
const CANARY = 'Ada-Canary-4711';

describe('the log of requests', () => {
  let service: TestService;
  let text = '';
  const levels = new LogLevels('info,access=debug');
  /** The lines since the last look. */
  const news = (): Line[] => {
    const lines = text.split('\n').slice(0, -1);
    text = '';
    return lines.map((line) => JSON.parse(line));
  };
  const accessLine = async (method: string, path: string, options = {}): Promise<Line> => {
    news();
    await call(service, method, path, options);
    const [line, ...rest] = news().filter(({ component }) => component === 'access');
    assert.deepEqual(rest, []);
    assert.ok(line, `${method} ${path}`);
    return line;
  };

  before(async () => {
    const log = serviceLogger(levels, { write: (line: string) => void (text += line) });
    service = await startTestService({}, { log });
    await service.settled();
  });
  after(() => service.remove());

  it('has a line for each request: route, status, code, time and kind of peer, and the id of its envelope', async () => {
    news();
    const answer = await call(service, 'DELETE', `/v3/reservations/${CANARY}?guest=${CANARY}`, {
      token: service.token,
    });
    const line = news().find(({ component }) => component === 'access');
    assert.ok(line);
    const { ms, time, ...rest } = line;
    assert.ok(typeof ms === 'number' && ms >= 0 && ms < 60_000);
    assert.match(String(time), /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(rest, {
      level: 20,
      component: 'access',
      method: 'DELETE',
      route: '/v3/reservations/:reservation_code',
      status: 200,
      error_code: 404,
      peer: 'this machine',
      request_id: answer.json.request_id,
      msg: 'request',
    });
    assert.match(answer.json.request_id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('names no path that has no route, and says who came through a proxy', async () => {
    const stray = await accessLine('GET', `/${CANARY}`);
    assert.deepEqual([stray['route'], stray['status']], ['unknown', 404]);
    const proxied = await accessLine('GET', '/healthz', {
      token: null,
      headers: { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' },
    });
    assert.equal(proxied['peer'], 'proxy');
  });

  it('has the id of the request in every line that is written while it is handled', async () => {
    await service.run('alter table core.property_tags rename to property_tags_away');
    try {
      news();
      const answer = await call(service, 'GET', '/v3/tags', { token: service.token });
      assert.equal(answer.json.error_code, 500);
      const lines = news().filter(({ request_id }) => request_id === answer.json.request_id);
      assert.deepEqual(
        lines.map(({ level, component, msg }) => [level, component, msg]),
        [
          [50, 'api', 'an operation failed unexpectedly'],
          [20, 'access', 'request'],
        ],
      );
    } finally {
      await service.run('alter table core.property_tags_away rename to property_tags');
    }
  });

  it('has nothing of what callers send: no address, header, token or text', async () => {
    text = '';
    const headers = { 'user-agent': CANARY, referer: `https://${CANARY}/`, cookie: `a=${CANARY}`, 'x-real-ip': CANARY };
    const body = { name: CANARY, guest_name: CANARY };
    const paths = ['/v3/properties', '/v3/reservations', '/portal/tokens', '/oauth/token', '/mcp', '/hooks/local'];
    for (const path of [...paths, `/hooks/${CANARY}`, `/share/${CANARY}`, `/stay/${CANARY}`, `/feeds/${CANARY}.ics`]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        await call(service, method, `${path}?q=${CANARY}`, {
          headers: { ...headers, authorization: `Bearer ${CANARY}` },
          token: null,
          ...(method !== 'GET' && { body }),
        });
      }
    }
    await call(service, 'GET', '/v3/properties', { token: service.token, headers });
    assert.ok(text.split('\n').length > 40, text);
    assert.ok(!text.includes(CANARY), text);
    assert.ok(!text.includes(service.token));
    assert.ok(!text.includes(service.secret));
    assert.ok(!text.includes('127.0.0.1'));
  });

  it('ends with the level, while the service runs', async () => {
    levels.set('info');
    news();
    await call(service, 'GET', '/v3/properties', { token: service.token });
    assert.deepEqual(news(), []);
  });
});
