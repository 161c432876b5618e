import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import test from 'node:test';
import { createSecureContext, type TLSSocket } from 'node:tls';
import fc from 'fast-check';
import { Agent } from 'undici';
import { type Clock, systemClock, turn } from '../../src/kernel/clock.ts';
import { signingKey, verifyWebhook } from '../../src/kernel/signature.ts';
import { DELIVERY_OUTCOMES } from '../../src/outbound/deliver.ts';
import type { Dial } from '../../src/outbound/dispatcher.ts';
import { CERTIFICATE } from './certificate.ts';
import { ended, httpReceiver, SECRET, tcpReceiver, testSender, tlsReceiver } from './servers.ts';

const at = (receiver: { port: number }, path = '/hook') => `http://127.0.0.1:${receiver.port}${path}`;
const answer =
  (status: number, body = ''): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status).end(body);
  };

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

test('the status decides: 2xx delivered, 3xx redirect, anything else refused', async (t) => {
  const receiver = await httpReceiver(t, (request, response) =>
    answer(Number(request.url?.slice(1)))(request, response),
  );
  const { deliver } = testSender(t);
  const rows: [string, number[]][] = [
    ['delivered', [200, 201, 202, 204, 299]],
    ['redirect', [300, 301, 302, 303, 304, 307, 308]],
    ['refused', [400, 401, 403, 404, 405, 409, 410, 413, 422, 429, 500, 502, 503, 504, 599]],
  ];
  for (const [outcome, statuses] of rows) {
    for (const status of statuses) assert.deepEqual(await deliver(at(receiver, `/${status}`)), { outcome, status });
  }
  assert.equal(receiver.connections.total, 1);
});

test('what is sent: the exact bytes, signed, with the documented headers', async (t) => {
  const seen: { headers: IncomingHttpHeaders; body: Buffer; url: string | undefined; method: string | undefined }[] =
    [];
  const receiver = await httpReceiver(t, (request, response) => {
    void bodyOf(request).then((body) => {
      seen.push({ headers: request.headers, body, url: request.url, method: request.method });
      response.end('{}');
    });
  });
  const nowMs = 1_790_000_000_789;
  const { deliver } = testSender(t, { clock: { ...systemClock, now: () => nowMs } });
  const body = '{"note":"Zürich ☂ \\u0000","n":1.0}';
  const previousSecret = 'an older secret';
  await deliver(at(receiver, '/a?b=c#d'), { body });
  await deliver(at(receiver), { body, signatureOnly: true, previousSecret });
  const [first, second] = seen;
  assert.ok(first && second);
  assert.deepEqual([first.method, first.url], ['POST', '/a?b=c']);
  assert.equal(first.body.toString(), body);
  const { 'webhook-signature': signature, ...headers } = first.headers;
  assert.deepEqual(headers, {
    host: `127.0.0.1:${receiver.port}`,
    connection: 'keep-alive',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'stayd-test/1',
    'webhook-id': '01K5XS7M4E3V9QH2T6B8N0C1DZ',
    'webhook-timestamp': '1790000000',
    'service-webhook-secret-token': SECRET,
  });
  assert.equal(second.headers['service-webhook-secret-token'], undefined);
  const verifiesWith = (secret: string, received: typeof first, mark: unknown) =>
    verifyWebhook(
      signingKey(secret),
      { id: '01K5XS7M4E3V9QH2T6B8N0C1DZ', timestamp: '1790000000', signature: String(mark), body: received.body },
      nowMs,
    );
  assert.equal(verifiesWith(SECRET, first, signature), true);
  assert.equal(verifiesWith(previousSecret, first, signature), false);
  // S4: while a secret is replaced, receivers that know either verify.
  for (const secret of [SECRET, previousSecret]) {
    assert.equal(verifiesWith(secret, second, second.headers['webhook-signature']), true);
  }
});

test('a receiver that is late, however it drips, is cut off at the limit', async (t) => {
  const limitMs = 200;
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n';
  const rows: [string, string, string, object][] = [
    ['silent', '', '', { outcome: 'timeout' }],
    ['drips its status line', 'HTTP/1.1 200 ', 'O', { outcome: 'timeout' }],
    ['drips headers', head, 'x-a: b\r\n', { outcome: 'timeout' }],
    ['drips its body', `${head}\r\n`, '.', { outcome: 'timeout', status: 200 }],
    [
      'drips interim answers',
      'HTTP/1.1 103 Early Hints\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\n\r\n',
      { outcome: 'timeout' },
    ],
  ];
  await Promise.all(
    rows.map(async ([name, start, drop, expected]) => {
      const receiver = await tcpReceiver(t, (socket) => {
        socket.resume();
        socket.write(start);
        const drip = setInterval(() => socket.write(drop), 20);
        socket.on('close', () => clearInterval(drip));
      });
      const { deliver } = testSender(t, { limitMs });
      const began = performance.now();
      const result = await deliver(at(receiver));
      const took = performance.now() - began;
      assert.deepEqual(result, expected, name);
      assert.ok(took < limitMs + 1_500, `${name}: ${took} ms`);
      await ended(receiver);
    }),
  );
});

test('the limit is 3 s of the given clock', async (t) => {
  const timers: { ms: number; fn: () => void; cancelled: boolean }[] = [];
  const clock: Clock = {
    ...systemClock,
    setTimer(ms, fn) {
      const timer = { ms, fn, cancelled: false };
      timers.push(timer);
      return { cancel: () => (timer.cancelled = true) };
    },
  };
  const { promise: arrived, resolve: arrive } = signal();
  const receiver = await httpReceiver(t, (request) => {
    request.resume();
    arrive();
  });
  const { deliver } = testSender(t, { clock });
  const pending = deliver(at(receiver));
  await arrived;
  assert.deepEqual(
    timers.map(({ ms }) => ms),
    [3_000, 3_000],
  );
  const running = timers.filter(({ cancelled }) => !cancelled);
  assert.equal(running.length, 1, 'the one of the connection is done');
  running[0]?.fn();
  assert.deepEqual(await pending, { outcome: 'timeout' });
});

test('no connection: refused, broken off, not HTTP', async (t) => {
  const closed = await httpReceiver(t, answer(200));
  const { deliver } = testSender(t);
  const brokenOff = await tcpReceiver(t, (socket) => socket.once('data', () => socket.destroy()));
  const garbage = await tcpReceiver(t, (socket) => socket.end('220 mail.example ESMTP\r\n'));
  const flood = await tcpReceiver(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1_000)}\r\n`.repeat(100)}\r\n`);
  });
  const short = await tcpReceiver(t, (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'));
  const upgrade = await tcpReceiver(t, (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
  );
  const unused = await unusedPort(closed.port);
  for (const port of [unused, brokenOff.port, garbage.port, flood.port, short.port, upgrade.port]) {
    const { outcome, status, detail } = await deliver(at({ port }));
    assert.deepEqual([outcome, status], ['connect', port === short.port ? 200 : undefined], detail);
    assert.ok(detail);
  }
});

test('TLS: the certificate must be trusted and be for the name, which the server is told', async (t) => {
  const names: unknown[] = [];
  const receiver = await tlsReceiver(t, (request, response) => {
    names.push([(request.socket as TLSSocket).servername, request.headers.host]);
    answer(200)(request, response);
  });
  const dial: Dial = () => connect({ host: '127.0.0.1', port: receiver.port });
  const resolve = async () => ['127.0.0.1'];
  const trust = createSecureContext({ ca: CERTIFICATE });
  const stranger = testSender(t, { dial, resolve });
  const trusting = testSender(t, { dial, resolve, trust });
  const rows: [typeof stranger, string, string][] = [
    [stranger, 'https://hooks.example/', 'tls'],
    [trusting, 'https://other.example/', 'tls'],
    [trusting, 'https://127.0.0.1/', 'tls'],
    [trusting, 'https://hooks.example/', 'delivered'],
    [trusting, 'https://hooks.example/again', 'delivered'],
    [trusting, 'https://hooks.example.:8443/', 'delivered'],
  ];
  for (const [{ deliver }, url, outcome] of rows) {
    const result = await deliver(url);
    assert.equal(result.outcome, outcome, `${url} ${result.detail}`);
  }
  assert.deepEqual(names, [
    ['hooks.example', 'hooks.example'],
    ['hooks.example', 'hooks.example'],
    ['hooks.example', 'hooks.example:8443'],
  ]);
});

test('TLS: a server that speaks no TLS, hangs up, or stalls in the handshake', async (t) => {
  const rows: [string, (socket: Socket) => void][] = [
    ['tls', (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
    ['tls', (socket) => socket.once('data', () => socket.destroy())],
    ['timeout', (socket) => void socket.resume()],
  ];
  for (const [expected, onSocket] of rows) {
    const receiver = await tcpReceiver(t, onSocket);
    const { deliver } = testSender(t, { limitMs: 200 });
    assert.equal((await deliver(`https://127.0.0.1:${receiver.port}/`)).outcome, expected);
    await ended(receiver);
  }
});

test('names that do not resolve, or never answer', async (t) => {
  const rows: [string, () => Promise<string[]>][] = [
    ['dns', () => Promise.reject(new Error('ENOTFOUND'))],
    ['dns', () => Promise.resolve([])],
    ['timeout', () => new Promise(() => {})],
  ];
  for (const [expected, resolve] of rows) {
    const { deliver } = testSender(t, { resolve, limitMs: 100 });
    assert.equal((await deliver('https://hooks.example/')).outcome, expected);
  }
});

test('every address of a name is tried before giving up', async (t) => {
  const receiver = await httpReceiver(t, answer(200));
  const resolve = async () => ['127.0.0.3', '127.0.0.4', '127.0.0.1'];
  const { deliver } = testSender(t, { resolve, policy: { allow: [`hooks.example:${receiver.port}`] } });
  assert.equal((await deliver(`http://hooks.example:${receiver.port}/`)).outcome, 'delivered');
});

test('a large answer is cut off after 20 kB and judged by its status', async (t) => {
  for (const status of [200, 500]) {
    let sent = 0;
    const receiver = await httpReceiver(t, (request, response) => {
      request.resume();
      response.writeHead(status);
      const more = () => {
        while (!response.destroyed && sent < 50_000_000) {
          sent += 10_000;
          if (!response.write(Buffer.alloc(10_000))) break;
        }
      };
      response.on('drain', more);
      more();
    });
    const { deliver } = testSender(t);
    assert.deepEqual(await deliver(at(receiver)), { outcome: status === 200 ? 'delivered' : 'refused', status });
    await ended(receiver);
    assert.ok(sent < 20_000_000, `${sent} bytes`);
  }
});

test('interim answers, chunks, no body, closing receivers', async (t) => {
  const { deliver } = testSender(t);
  const rows: [string, string][] = [
    ['HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', 'delivered'],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n', 'delivered'],
    ['HTTP/1.1 204 No Content\r\n\r\n', 'delivered'],
    ['HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nuntil the end', 'delivered'],
    ['HTTP/1.0 200 OK\r\n\r\nold', 'delivered'],
    ['HTTP/1.0 404 Not Found\r\n\r\n', 'refused'],
  ];
  for (const [text, expected] of rows) {
    const receiver = await tcpReceiver(t, (socket) => {
      socket.once('data', () => {
        socket.write(text);
        if (text.includes('close') || text.includes('1.0')) socket.end();
      });
    });
    assert.equal((await deliver(at(receiver))).outcome, expected, text);
  }
});

test('connections are kept, bounded per origin, and left when idle', async (t) => {
  const receiver = await httpReceiver(t, (request, response) => {
    request.resume();
    // undici leaves a connection 2 s before the server said it would.
    response.setHeader('keep-alive', 'timeout=3').end('{"ok":true}');
  });
  const { deliver, sender } = testSender(t, { connections: 4 });
  for (let round = 0; round < 50; round += 1) assert.equal((await deliver(at(receiver))).outcome, 'delivered');
  assert.equal(receiver.connections.total, 1);
  await Promise.all(Array.from({ length: 200 }, () => deliver(at(receiver))));
  assert.equal(receiver.connections.total, 4);
  await ended(receiver, 3_000);
  await turn();
  assert.ok(sender.dispatcher instanceof Agent);
  assert.deepEqual(sender.dispatcher.stats, {}, 'the origin is forgotten');
});

test('the limit runs from the turn on: what waits behind a slow receiver is still sent', async (t) => {
  let arrived = 0;
  const receiver = await httpReceiver(t, (request, response) => {
    arrived += 1;
    request.resume();
    setTimeout(() => response.end(), 400);
  });
  // Ten of them, two at a time, take 2 s.
  const { deliver } = testSender(t, { connections: 2, limitMs: 1_900 });
  const results = await Promise.all(Array.from({ length: 10 }, () => deliver(at(receiver))));
  assert.deepEqual(new Set(results.map(({ outcome }) => outcome)), new Set(['delivered']));
  assert.equal(arrived, 10);
});

test('a slow origin does not hold up another', async (t) => {
  const slow = await httpReceiver(t, (request) => void request.resume());
  const quick = await httpReceiver(t, answer(200));
  const { deliver } = testSender(t, { connections: 2, limitMs: 2_000 });
  const waiting = Promise.all(Array.from({ length: 4 }, () => deliver(at(slow))));
  const began = performance.now();
  assert.equal((await deliver(at(quick))).outcome, 'delivered');
  assert.ok(performance.now() - began < 1_500);
  assert.deepEqual(new Set((await waiting).map(({ outcome }) => outcome)), new Set(['timeout']));
});

test('after a timeout the next delivery gets a connection of its own', async (t) => {
  let silent = true;
  const receiver = await httpReceiver(t, (request, response) => {
    request.resume();
    if (!silent) response.end();
  });
  const { deliver } = testSender(t, { connections: 1, limitMs: 1_000 });
  assert.equal((await deliver(at(receiver))).outcome, 'timeout');
  silent = false;
  assert.equal((await deliver(at(receiver))).outcome, 'delivered');
  assert.equal(receiver.connections.total, 2);
});

test('a connection that comes after the limit sends nothing', async (t) => {
  let posts = 0;
  const receiver = await httpReceiver(t, (request, response) => {
    posts += 1;
    answer(200)(request, response);
  });
  const { promise: looked, resolve: answerNow } = signal();
  const { deliver } = testSender(t, {
    limitMs: 50,
    connectLimitMs: 5_000,
    policy: { allow: [`hooks.example:${receiver.port}`] },
    resolve: () => looked.then(() => ['127.0.0.1']),
  });
  assert.deepEqual(await deliver(`http://hooks.example:${receiver.port}/`), {
    outcome: 'timeout',
    unsent: true,
  });
  answerNow();
  while (receiver.connections.total === 0) await turn();
  await ended(receiver);
  assert.equal(posts, 0);
});

test('a delivery is posted once: a connection lost after sending is not tried again', async (t) => {
  let posts = 0;
  const receiver = await httpReceiver(t, (request) => {
    posts += 1;
    request.socket.destroy();
  });
  const { deliver } = testSender(t);
  assert.equal((await deliver(at(receiver))).outcome, 'connect');
  await turn();
  assert.equal(posts, 1);
});

test('never throws, whatever it is asked to send', async (t) => {
  const receiver = await httpReceiver(t, answer(200));
  const { deliver } = testSender(t);
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('a\r\nb: c', '', '\0'));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(text, fc.constant(at(receiver))),
      text,
      text,
      text,
      async (url, eventId, secret, body) => {
        const { outcome } = await deliver(url, { eventId, secret, body });
        return DELIVERY_OUTCOMES.includes(outcome);
      },
    ),
    { numRuns: 300 },
  );
});

test('deliveries that cannot be sent do not use up the connections of the others', async (t) => {
  const receiver = await httpReceiver(t, answer(200));
  const { deliver } = testSender(t, { connections: 2, limitMs: 2_000 });
  for (const unsendable of [
    { eventId: 'a\r\nx-injected: 1' },
    { eventId: '\0' },
    { secret: 'π' },
    { secret: 'a\nb' },
  ]) {
    for (let round = 0; round < 5; round += 1) {
      const { outcome, detail } = await deliver(at(receiver), unsendable);
      assert.deepEqual([outcome, detail], ['connect', 'the event id or the secret cannot be sent as a header']);
    }
  }
  assert.equal(receiver.connections.total, 0);
  assert.equal((await deliver(at(receiver))).outcome, 'delivered');
});

test('after closing nothing is sent any more', async (t) => {
  const receiver = await httpReceiver(t, answer(200));
  const { deliver, sender } = testSender(t);
  const last = deliver(at(receiver));
  await turn();
  await sender.close();
  assert.equal((await last).outcome, 'delivered');
  assert.equal((await deliver(at(receiver))).outcome, 'connect');
});

function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** A port nobody listens on: one that was just given back. */
async function unusedPort(inUse: number): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  assert.ok(address !== null && typeof address === 'object' && address.port !== inUse);
  return address.port;
}

test('a stall of our own does not count against the receiver', async (t) => {
  const stall = (ms: number) => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  };
  const quick = await httpReceiver(t, (request, response) => {
    request.resume();
    stall(1_500);
    response.end();
  });
  const silent = await httpReceiver(t, () => stall(1_500));
  const { deliver } = testSender(t, { limitMs: 1_000 });
  assert.deepEqual(await deliver(at(quick)), { outcome: 'delivered', status: 200 });
  const begun = performance.now();
  assert.deepEqual(await deliver(at(silent)), { outcome: 'timeout' });
  assert.ok(performance.now() - begun < 5_000);
});
