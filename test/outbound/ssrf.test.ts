import assert from 'node:assert/strict';
import { connect, Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { request } from 'undici';
import { turn } from '../../src/kernel/clock.ts';
import { ConnectFailure, type Dial } from '../../src/outbound/dispatcher.ts';
import { BAD_URLS, INNER_ANSWERS, INNER_HOSTS } from './hostile.ts';
import { canaries, httpReceiver, testSender } from './servers.ts';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.|::ffff:7f)/;

/**
 * Stands where the sockets are opened. What would go to loopback goes to the canary there, whatever the
 * port; what would leave this machine fails. Tests send nowhere else.
 */
function watchedDial(port: number) {
  const dialled: string[] = [];
  const dial: Dial = (addresses) => {
    dialled.push(...addresses);
    const loopback = addresses.find((address) => LOOPBACK.test(address));
    if (loopback !== undefined) return connect({ host: loopback, port });
    const socket = new Socket();
    setImmediate(() => socket.destroy(new Error('the test opens no connection to the outside')));
    return socket;
  };
  return { dial, dialled };
}

async function guarded(t: TestContext, resolve?: (hostname: string) => Promise<string[]>) {
  const canary = await canaries(t);
  const { dial, dialled } = watchedDial(canary.port);
  const strict = { policy: { allow: [] }, dial, ...(resolve && { resolve }) };
  return { canary, dialled, dial, ...testSender(t, strict) };
}

test('S5: hostile URLs: 0 connections', async (t) => {
  // Whatever name slips through the judgement of the text would be dialled at the canary.
  const { canary, dialled, deliver } = await guarded(t, async () => ['127.0.0.1']);
  const rows: [string, string][] = [
    ...INNER_HOSTS.flatMap((host): [string, string][] => [
      [`https://${host}/hook`, 'private_address'],
      [`https://${host}:8443/hook`, 'private_address'],
      [`https://${host}:CANARY/hook`, 'private_address'],
    ]),
    ...BAD_URLS.map((url): [string, string] => [url, 'bad_url']),
  ];
  for (const [template, expected] of rows) {
    const url = template.replace('CANARY', String(canary.port));
    assert.equal((await deliver(url)).outcome, expected, url);
  }
  await turn();
  assert.ok(INNER_HOSTS.length + BAD_URLS.length >= 120);
  t.diagnostic(`${rows.length} URLs from ${INNER_HOSTS.length} hosts and ${BAD_URLS.length} bad forms`);
  assert.deepEqual({ dialled, hits: canary.hits() }, { dialled: [], hits: 0 });
});

test('S5: a public name with an inner answer among its addresses: 0 connections', async (t) => {
  let answers: string[] = [];
  const { canary, dialled, deliver } = await guarded(t, async () => answers);
  for (answers of INNER_ANSWERS) {
    assert.equal((await deliver('https://hooks.example/')).outcome, 'private_address', answers.join(' '));
  }
  await turn();
  assert.deepEqual({ dialled, hits: canary.hits() }, { dialled: [], hits: 0 });
});

test('S5: rebinding (public first, then 127.0.0.1), 1,000 tries: 0 connections, one look-up each', async (t) => {
  let asked = 0;
  const rebinding = async () => [asked++ % 2 === 0 ? '8.8.8.8' : (['127.0.0.1', '127.0.0.2', '::1'][asked % 3] ?? '')];
  const { canary, dialled, deliver } = await guarded(t, rebinding);
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 1_000; round += 1) {
    const { outcome } = await deliver('https://hooks.example/');
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  assert.deepEqual(Object.fromEntries(outcomes), { connect: 500, private_address: 500 });
  assert.equal(asked, 1_000);
  assert.deepEqual(new Set(dialled), new Set(['8.8.8.8']));
  assert.equal(canary.hits(), 0);
});

test('S5: a redirect from an allowed receiver to a canary: 0 connections', async (t) => {
  const canary = await canaries(t);
  let status = 302;
  const receiver = await httpReceiver(t, (_request, response) => {
    response.writeHead(status, { location: `http://127.0.0.1:${canary.port}/` }).end();
  });
  const { deliver } = testSender(t);
  for (status of [300, 301, 302, 303, 304, 307, 308]) {
    const result = await deliver(`http://127.0.0.1:${receiver.port}/`);
    assert.deepEqual(result, { outcome: 'redirect', status });
  }
  await turn();
  assert.equal(canary.hits(), 0);
});

test('S5: proxy variables of the environment are not followed', async (t) => {
  const canary = await canaries(t);
  const receiver = await httpReceiver(t, (_request, response) => response.end());
  const names = [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'http_proxy',
    'https_proxy',
    'all_proxy',
    'NODE_USE_ENV_PROXY',
  ];
  const before = names.map((name) => process.env[name]);
  t.after(() => {
    for (const [index, name] of names.entries()) {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  for (const name of names) process.env[name] = `http://127.0.0.1:${canary.port}`;
  process.env['NODE_USE_ENV_PROXY'] = '1';
  const { deliver } = testSender(t);
  assert.equal((await deliver(`http://127.0.0.1:${receiver.port}/`)).outcome, 'delivered');
  assert.equal((await deliver('https://hooks.example/')).outcome, 'dns');
  assert.equal(canary.hits(), 0);
});

test('the address that was reached is judged again, before a byte is sent', async (t) => {
  const canary = await canaries(t);
  let opened: Socket | undefined;
  const lying: Dial = () => (opened = connect({ host: '127.0.0.1', port: canary.port }));
  const { deliver } = testSender(t, { policy: { allow: [] }, resolve: async () => ['8.8.8.8'], dial: lying });
  assert.equal((await deliver('https://hooks.example/')).outcome, 'private_address');
  assert.deepEqual([canary.hits(), opened?.bytesWritten, opened?.destroyed], [1, 0, true]);
});

test('a socket that does not say where it leads is refused', async (t) => {
  const receiver = await httpReceiver(t, (_request, response) => response.end());
  const silent: Dial = () => {
    const socket = connect({ host: '127.0.0.1', port: receiver.port });
    Object.defineProperty(socket, 'remoteAddress', { value: undefined });
    return socket;
  };
  const { deliver } = testSender(t, { dial: silent });
  assert.equal((await deliver(`http://127.0.0.1:${receiver.port}/`)).outcome, 'private_address');
});

test('S40: a guard that throws refuses', async (t) => {
  const { canary, deliver } = await guarded(t, () => {
    throw new Error('resolver broke');
  });
  assert.equal((await deliver('https://hooks.example/')).outcome, 'dns');
  const broken = testSender(t, {
    policy: { allow: [] },
    resolve: async () => ['8.8.8.8'],
    dial: () => {
      throw new Error('dial broke');
    },
  });
  assert.equal((await broken.deliver('https://hooks.example/')).outcome, 'connect');
  assert.equal(canary.hits(), 0);
});

test('the dispatcher guards by itself, also a caller that judged nothing', async (t) => {
  const { sender, canary, dialled } = await guarded(t, async () => ['127.0.0.1']);
  const { dispatcher } = sender;
  for (const host of [...INNER_HOSTS, 'hooks.example']) {
    const refused = (thrown: unknown) => thrown instanceof ConnectFailure && thrown.problem === 'private_address';
    await assert.rejects(request(`https://${host}/`, { dispatcher }), refused, host);
  }
  for (const url of ['http://hooks.example/', `https://hooks.example:${canary.port}/`]) {
    const refused = (thrown: unknown) => thrown instanceof ConnectFailure && thrown.problem === 'bad_url';
    await assert.rejects(request(url, { dispatcher }), refused, url);
  }
  assert.deepEqual({ dialled, hits: canary.hits() }, { dialled: [], hits: 0 });
});

test('the canaries do sing: the same dial reaches them once the policy allows it', async (t) => {
  const canary = await canaries(t);
  const { dial, dialled } = watchedDial(canary.port);
  const policy = { allow: ['127.0.0.0/8', '::1/128'] };
  const { deliver } = testSender(t, { policy, dial });
  for (const host of ['127.0.0.1', '[::1]']) {
    const before = canary.hits();
    const { outcome } = await deliver(`http://${host}/`);
    assert.ok(outcome === 'delivered' ? canary.hits() === before + 1 : host === '[::1]', `${host} ${outcome}`);
  }
  assert.deepEqual(dialled, ['127.0.0.1', '::1']);
});
