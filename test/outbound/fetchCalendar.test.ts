import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { systemClock } from '../../src/kernel/clock.ts';
import { CALENDAR_BYTES, calendarReader } from '../../src/outbound/fetchCalendar.ts';
import { manualClock } from '../support/clock.ts';

const NOTHING = { etag: null, lastModified: null };
const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<{ address: string; url: string }> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, url: `http://${address}/c.ics` };
}

describe('reading a calendar of somebody else', () => {
  after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  const reading = async (addresses: readonly string[], url: string, known = NOTHING) => {
    const reader = calendarReader({ clock: systemClock, userAgent: 'stayd/test', policy: { allow: addresses } });
    try {
      return await reader.read(url, known);
    } finally {
      await reader.close();
    }
  };

  it('asks with what it was told last time, and knows when nothing is new', async () => {
    const asked: (string | undefined)[] = [];
    const { address, url } = await serve((request, response) => {
      asked.push(request.headers['if-none-match'], request.headers['if-modified-since']);
      if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end();
      return response.writeHead(200, { etag: '"1"', 'last-modified': 'Fri, 20 Nov 2026 12:00:00 GMT' }).end('text');
    });
    const first = await reading([address], url);
    assert.deepEqual(first, { text: 'text', etag: '"1"', lastModified: 'Fri, 20 Nov 2026 12:00:00 GMT' });
    const { text: _, ...known } = first as { text: string; etag: string; lastModified: string };
    assert.deepEqual(await reading([address], url, known as never), { unchanged: true });
    assert.deepEqual(asked, [undefined, undefined, '"1"', 'Fri, 20 Nov 2026 12:00:00 GMT']);
  });

  it('unpacks, and stops at 5 MB before and after', async () => {
    const large = 'x'.repeat(CALENDAR_BYTES + 1);
    const bodies: Record<string, [Buffer, string?]> = {
      small: [gzipSync('BEGIN'), 'gzip'],
      plain: [Buffer.from(large)],
      bomb: [gzipSync(large), 'gzip'],
      brotli: [brotliCompressSync(large), 'br'],
      torn: [gzipSync('BEGIN').subarray(0, 12), 'gzip'],
      odd: [Buffer.from('x'), 'zstd, rot13'],
    };
    const { address } = await serve((request, response) => {
      const [body = Buffer.alloc(0), encoding] = bodies[(request.url ?? '').slice(1)] ?? [];
      response.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding }).end(body);
    });
    const ask = (name: string) => reading([address], `http://${address}/${name}`);
    assert.deepEqual(await ask('small'), { text: 'BEGIN', ...NOTHING });
    for (const name of ['plain', 'bomb', 'brotli'])
      assert.deepEqual(await ask(name), { problem: 'it is larger than 5 MB' });
    for (const name of ['torn', 'odd']) assert.ok('problem' in (await ask(name)), name);
  });

  it('gives up a server that sends without end, or not at all', async () => {
    const { address, url } = await serve((request, response) => {
      if (request.url === '/silent') return;
      response.writeHead(200);
      const more = () => {
        if (!response.destroyed) response.write(Buffer.alloc(65_536), () => setImmediate(more));
      };
      more();
    });
    assert.deepEqual(await reading([address], url), { problem: 'it is larger than 5 MB' });
    const clock = manualClock();
    const reader = calendarReader({ clock, userAgent: 'stayd/test', policy: { allow: [address] }, limitMs: 15_000 });
    const answer = reader.read(`http://${address}/silent`, NOTHING);
    let isDone = false;
    void answer.then(() => (isDone = true));
    await clock.until(async () => {
      await clock.advance(1_000);
      return isDone;
    });
    assert.ok('problem' in (await answer));
    await reader.close();
  });

  it('follows three redirects, each judged like the first address', async () => {
    const inside = await serve((_request, response) => response.end('secret'));
    const { address, url } = await serve((request, response) => {
      const hops = Number(new URL(request.url ?? '', 'http://x').searchParams.get('hops') ?? 0);
      const to = request.url?.startsWith('/inside')
        ? inside.url
        : request.url?.startsWith('/metadata')
          ? 'http://169.254.169.254/latest'
          : `/c.ics?hops=${hops - 1}`;
      if (hops === 0 && request.url?.startsWith('/c.ics')) return response.end('calendar');
      return response.writeHead(302, { location: to }).end();
    });
    assert.deepEqual(await reading([address], `${url}?hops=3`), { text: 'calendar', ...NOTHING });
    assert.deepEqual(await reading([address], `${url}?hops=4`), { problem: 'it redirects more than 3 times' });
    for (const path of ['inside', 'metadata']) {
      const answer = await reading([address], `http://${address}/${path}`);
      assert.match('problem' in answer ? answer.problem : '', /the address must begin with https:/, path);
    }
  });

  it('goes to no private place, in whatever way it is written', async () => {
    const canary: string[] = [];
    const { address } = await serve((request, response) => {
      canary.push(String(request.url));
      response.end('x');
    });
    const port = address.split(':')[1];
    const hosts = [
      '127.0.0.1',
      'localhost',
      '127.1',
      '0x7f.1',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0',
      '0.0.0.0',
    ];
    for (const host of hosts) {
      for (const scheme of ['http', 'https', 'webcal', 'file', 'ftp']) {
        const answer = await reading([], `${scheme}://${host}:${port}/c.ics`);
        assert.ok('problem' in answer, `${scheme}://${host}`);
      }
    }
    assert.deepEqual(canary, []);
  });
});
